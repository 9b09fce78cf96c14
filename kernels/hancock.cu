/* A time step of MUSCL-Hancock in one pass over memory: face states advanced by half a step
 * (num/predictor.h); one flux per face; the bed's source, forcing, friction and drying. Q1 = Q + dt R(Q half
 * a step on) with the dt that clock_ahead.cu tries; it also finds the wave speeds before the half step, which
 * decide whether that dt was allowed.
 *
 * Once row r has been loaded at the north end, the slopes of row r - 1 are known along both x and y, hence
 * its face states after half a step; hence the flux between rows r - 2 and r - 1, and row r - 2 can be
 * finished; then the fluxes along x in row r - 1. */
#ifndef SUBSTEP
#define SUBSTEP 0 /* num/update.h: from the start of the step */
#endif

/* Its rows take registers (rows.h). In f64 four warps for each scheduler, which spill a few numbers, are faster than three
 * that do not. */
#ifndef ROW_WARPS
#if PRECISION == 64
#define ROW_WARPS (WIDTH < 64 ? 16 : WIDTH < 96 ? 8 : 4)
#else
#define ROW_WARPS (WIDTH < 64 ? 18 : WIDTH < 96 ? (STEPPED_BED ? 12 : 16) : WIDTH < 128 ? 12 : 8)
#endif
#endif

#include "hancock_edges.h"

/* The step to make, `now`; or the block ends. */
#define BEGIN_STEP(a)                                               \
    const struct tried now = step_ahead((a)->clock, (a)->ahead);    \
    if (now.none)                                                   \
        return
#define BEGIN_JUDGED_STEP(a) ((void)0)
#ifdef FILLS_GHOSTS
#include "hancock_ghosts.h"
#undef BEGIN_STEP
#undef BEGIN_JUDGED_STEP
#define BEGIN_STEP(a) const struct pass_seen before = look_back((a)->linked, (a)->place)
#define BEGIN_JUDGED_STEP(a)                                                                  \
    const struct tried now =                                                                  \
        step_to_try((a)->linked, (a)->place, &before, (a)->clock, (a)->ahead);                \
    if (now.none)                                                                             \
        return
#endif /* FILLS_GHOSTS */

/* Not with a map of tiles: any cell might change. It saves registers. */
#define MAY_BE_FORCED 1
#ifdef TILED
#undef MAY_BE_FORCED
#define MAY_BE_FORCED (!KEEPS_MAP)
#endif /* TILED */

#if FRICTION == 2
#define OWN_ROUGHNESS(m, a, k, p) (p).friction = GET((m)->rough, (a)->roughness + (k))
#else
#define OWN_ROUGHNESS(m, a, k, p) ((void)0)
#endif

/* The rate of friction in row r - 1, in rows. */
#if FRICTION
#define PUT_DRAG(m, rate) (HERE((m)->drag) = HERE((m)->drag_n), HERE((m)->drag_n) = (rate))
#define DRAG(m)           HERE((m)->drag)
#else
#define PUT_DRAG(m, rate) ((void)(rate))
#define DRAG(m)           REAL(0)
#endif

/* Discharges from the limited quantities, in a cell of that depth. */
FN real drag_in(real h, real qx, real qy, const struct physics p)
{
    if (!FRICTION)
        return REAL(0);
    return STEPPED_BED ? friction_rate(h, h * qx, h * qy, p) : friction_rate(h, qx, qy, p);
}

/* A mask, not a condition on the row, from which gcc makes no vector code. */
#define WHERE_INSIDE(inside, value) ((inside ? ~(bits)0 : 0) & (value))

#ifdef ON_CPU
#include "hancock_loops.h"
#endif /* ON_CPU */

/* The ends of the cells of row r - 1 after half a step, and, where those of the row before are known, the
 * flux between the two. `careful`: not all of the row is open water; `driven`: it has forcing, or an edge may
 * fix ends. */
FN void cross_north(const struct warp warp, struct march *m, const struct hancock_args *a, int r,
                    int careful, int driven)
{
#ifdef ON_CPU
    cross_in_loops(warp, m, a, r, careful, driven);
    return;
#endif /* ON_CPU */
    const struct physics p = a->p;
    const long k = m->offset - a->pitch;
    const int inside = r > 0 && r <= m->h;
    FOR_COLUMNS
    {
        const struct three along_x = ALONG_X(m, p), along_y = ALONG_Y(m, p);
        const struct surface open_x = open_water(along_x, p), open_y = open_water(along_y, p);
        const kept_bits kept = driven && KEEPS_ENDS(m) ? KEPT_ENDS(m, a, r) : 0;
        struct both_ends x = ends_from(open_x, along_x, careful, KEPT_ALONG_X & kept, p);
        struct both_ends y = ends_from(open_y, along_y, careful, KEPT_ALONG_Y & kept, p);
        const struct reach rx = reach_of(x, p.g), ry = reach_of(y, p.g);
        const real bed = BED(m, 1, 2), exact = HERE(ROW(m, eta, 1)) - (bed - rest_above(bed, p));
        const real h = FEWER_OPERATIONS && !careful ? REAL(0.5) * (y.low.h + y.high.h) : exact;
        const int ashore = careful && (cuts_bed(open_x, p) | cuts_bed(open_y, p));
        struct physics own = p;
        struct drive drive;
        OWN_ROUGHNESS(m, a, k, own);
        drive.h = ashore ? REAL(1) : h;
        drive.drag = drag_in(h, HERE(ROW(m, qx, 1)), HERE(ROW(m, qy, 1)), own);
        drive.force.eta = drive.force.hu = drive.force.hv = REAL(0);
        drive.forced = 0;
        if (driven && MAY_BE_FORCED && a->force.eta) {
            drive.forced = 1;
            drive.force.eta = GET(m->lead_eta, a->force.eta + k);
            drive.force.hu = GET(m->lead_hu, a->force.hu + k);
            drive.force.hv = GET(m->lead_hv, a->force.hv + k);
        }
        const struct increments half = half_step(x, y, drive, m->dt, m->lx, m->ly, p.g);
        const struct increments last = unpacked_rates(GET(m->last, a->rates + k));
        const struct increments all = bounded(as_changed(half, last, m->dt), x, y, rx, ry);
        const struct increments d = ashore ? no_increments() : all;
        const struct both_ends was_x = x, was_y = y;
        x.low = moved(x.low, d.w, d.u, d.v);
        x.high = moved(x.high, d.w, d.u, d.v);
        y.low = moved(y.low, d.w, d.v, d.u);
        y.high = moved(y.high, d.w, d.v, d.u);
        const real share = kept_share(x, y, h, m->lx, m->ly);
        x.low = with_less(x.low, share), x.high = with_less(x.high, share);
        y.low = with_less(y.low, share), y.high = with_less(y.high, share);
        if (driven && KEEPS_ENDS(m)) {
            if (keeps(kept, WEST_END, was_x.low.un, was_x.low.h, p.g))
                x.low = was_x.low;
            if (keeps(kept, EAST_END, -was_x.high.un, was_x.high.h, p.g))
                x.high = was_x.high;
            if (keeps(kept, SOUTH_END, was_y.low.un, was_y.low.h, p.g))
                y.low = was_y.low;
            if (keeps(kept, NORTH_END, -was_y.high.un, was_y.high.h, p.g))
                y.high = was_y.high;
        }
        const struct side before = SIDE(HERE, m, north);
        PUT_SIDE(m, west, x.low);
        PUT_SIDE(m, east, x.high);
        PUT_SIDE(m, north, y.high);
        PUT_DRAG(m, drive.drag);
        HERE(m->fastest_x) = max_bits(HERE(m->fastest_x), WHERE_INSIDE(inside, bits_of(rx.speed)));
        HERE(m->fastest_y) = max_bits(HERE(m->fastest_y), bits_of(ry.speed));
        const struct flux f =
            flux_between(before, y.low, along_y.before.rest, along_y.here.rest, p.g);
        HERE(m->yw) = HERE(m->gw) - f.h, HERE(m->gw) = f.h;
        HERE(m->yhv) = (HERE(m->ghv) - f.n) + HERE(m->source_n), HERE(m->ghv) = f.n_after;
        HERE(m->yhu) = HERE(m->ghu) - f.t, HERE(m->ghu) = f.t;
        HERE(m->source_x) = source_within(x, p.g);
        HERE(m->source_n) = source_within(y, p.g);
    }
}

/* The same where rows r - 2 to r have no water. */
FN void nothing_north(const struct warp warp, struct march *m)
{
    FOR_COLUMNS
    {
        PUT_SIDE(m, north, side_of(REAL(0), REAL(0), REAL(0), REAL(0)));
        PUT_SIDE(m, west, side_of(REAL(0), REAL(0), REAL(0), REAL(0)));
        PUT_SIDE(m, east, side_of(REAL(0), REAL(0), REAL(0), REAL(0)));
        PUT_DRAG(m, REAL(0));
        HERE(m->yw) = HERE(m->gw), HERE(m->gw) = REAL(0);
        HERE(m->yhv) = HERE(m->ghv) + HERE(m->source_n), HERE(m->ghv) = REAL(0);
        HERE(m->yhu) = HERE(m->ghu), HERE(m->ghu) = REAL(0);
        HERE(m->source_x) = HERE(m->source_n) = REAL(0);
    }
}

/* Loads what row r - 1 needs besides its state. */
FN void take_drive(const struct warp warp, struct march *m, const struct hancock_args *a)
{
    const long k = m->offset - a->pitch;
    LOAD_OWN(m->last, a->rates + k, m->w);
#if FRICTION == 2
    LOAD_OWN(m->rough, a->roughness + k, m->w);
#endif
}

/* Its forcing. */
FN void take_force(const struct warp warp, struct march *m, const struct hancock_args *a)
{
    const long k = m->offset - a->pitch;
    if (MAY_BE_FORCED && a->force.eta) {
        LOAD_OWN(m->lead_eta, a->force.eta + k, m->w);
        LOAD_OWN(m->lead_hu, a->force.hu + k, m->w);
        LOAD_OWN(m->lead_hv, a->force.hv + k, m->w);
    }
}

FN void go_north(const struct warp warp, struct march *m, const struct hancock_args *a, int r)
{
    const struct physics p = a->p;
    int shore = 0, wet = 0;
    FOR_COLUMNS
    {
        HERE(m->step_x) = RISE(WEST_OF, 1, HERE, 1, m, p);
    }
    FOR_COLUMNS
    {
        shore |= needs_care(open_water(ALONG_X(m, p), p), open_water(ALONG_Y(m, p), p), p);
#ifdef ON_CPU
        KEEP_OPEN(m, open_x, open_water(ALONG_X(m, p), p));
        KEEP_OPEN(m, open_y, open_water(ALONG_Y(m, p), p));
#endif /* ON_CPU */
        if (SKIPS_DRY)
            wet |= !no_water(CELL(HERE, m, 2, qy, qx, p), p);
    }
    m->dry = m->dry << 1 | (SKIPS_DRY && !SOME_COLUMN(wet));
    if (SKIPS_DRY && (m->dry & 7) == 7)
        nothing_north(warp, m);
    else if (m->driven || SOME_COLUMN(shore)) {
        take_force(warp, m, a);
        if (m->imposing)
            FIND_KEPT(m, a, r);
        /* On a CPU one copy of the code for each value of `driven`, as a constant. */
        if (WHOLE_ROWS)
            cross_north(warp, m, a, r, 1, m->driven);
        else if (m->driven)
            cross_north(warp, m, a, r, 1, 1);
        else
            cross_north(warp, m, a, r, 1, 0);
    } else {
        cross_north(warp, m, a, r, 0, 0);
    }
}

/* The fluxes along x in row r - 1, and the changes they make. */
FN void cross_east(const struct warp warp, struct march *m, const struct hancock_args *a)
{
    const struct physics p = a->p;
#ifdef ON_CPU
    expect_rows(m, a, 6, 8);
#endif /* ON_CPU */
    FOR_COLUMNS
    {
        const struct flux f = flux_between(SIDE(WEST_OF, m, east), SIDE(HERE, m, west),
                                           rest_above(CENTRE(WEST_OF, m, 1), p),
                                           rest_above(CENTRE(HERE, m, 1), p), p.g);
        HERE(m->fw) = f.h, HERE(m->fhu) = f.n, HERE(m->fhv) = f.t;
        HERE(m->fhu_after) = f.n_after;
    }
    FOR_COLUMNS
    {
        HERE(m->xw) = HERE(m->fw) - EAST_OF(m->fw);
        HERE(m->xhu) = (HERE(m->fhu_after) - EAST_OF(m->fhu)) + HERE(m->source_x);
        HERE(m->xhv) = HERE(m->fhv) - EAST_OF(m->fhv);
    }
}

/* The flow through the domain's edges, for the volume balance: in row r - 1 in the west and in the east; and
 * between it and row r - 2, where that is the last row, or it is the first. */
FN void keep_rims(const struct warp warp, struct march *m, const struct hancock_args *a, int r)
{
    const int row = r - 1;
    if (m->x == 0 && row < m->h)
        FOR_INNER(HALO, 1) keep(&a->rim[WEST][m->y + row], HERE(m->fw), 0);
    if (m->x + m->w == a->span.nx && row < m->h)
        FOR_INNER(HALO + m->w, 1) keep(&a->rim[EAST][m->y + row], HERE(m->fw), 0);
    if (m->y == 0 && row == 0)
        FOR_INNER(HALO, m->w) keep(&a->rim[SOUTH][m->x + COLUMN - HALO], HERE(m->gw), 0);
    if (m->y + m->h == a->span.ny && row == m->h)
        FOR_INNER(HALO, m->w) keep(&a->rim[NORTH][m->x + COLUMN - HALO], HERE(m->gw), 0);
}

/* Where rows hold velocities, it reads the discharges again. */
#if STEPPED_BED
#define DISCHARGE(m, again, q, from) GET((m)->again, from)
#define LOAD_AGAIN(m, a, k)                              \
    do {                                                 \
        LOAD_OWN((m)->from_hu, (a)->q.hu + (k), (m)->w); \
        LOAD_OWN((m)->from_hv, (a)->q.hv + (k), (m)->w); \
    } while (0)
#else
#define DISCHARGE(m, again, q, from) HERE(ROW(m, q, 0))
#define LOAD_AGAIN(m, a, k)          ((void)0)
#endif

#define FLOOR(m, p) (BED(m, 0, 1) - rest_above(BED(m, 0, 1), p))
#define DRIES_LATER WHOLE_ROWS
#include "march_end.h"

#ifdef TILED
#include "hancock_tiles.h"
#endif /* TILED */

/* Row r - 2 after the step: as in num/update.h, but for friction. */
FN int finish_row(const struct warp warp, struct march *m, const struct hancock_args *a, int forced)
{
    int thin = 0;
    const struct physics p = a->p;
    const long k = m->offset - HALO * a->pitch;
#ifdef TILED
    int moved = 0;
    const int asks = KEEPS_MAP && ASKS_MOVES(m, moves_at_row(m, m->ready));
#endif /* TILED */
    FOR_COLUMNS
    {
        struct state from, rate, q;
        const real floor = FLOOR(m, p);
        rate.eta = HERE(m->xw) * p.inv_dx + HERE(m->yw) * p.inv_dy;
        rate.hu = mul_add(HERE(m->xhu), p.inv_dx, HERE(m->yhu) * p.inv_dy);
        rate.hv = mul_add(HERE(m->yhv), p.inv_dy, HERE(m->xhv) * p.inv_dx);
        if (forced) {
            rate.eta = rate.eta + GET(m->force_eta, a->force.eta + k);
            rate.hu = rate.hu + GET(m->force_hu, a->force.hu + k);
            rate.hv = rate.hv + GET(m->force_hv, a->force.hv + k);
        }
        from.eta = HERE(ROW(m, eta, 0));
        from.hu = DISCHARGE(m, from_hu, qx, a->q.hu + k);
        from.hv = DISCHARGE(m, from_hv, qy, a->q.hv + k);
        q.eta = added(from.eta, m->dt * rate.eta, m->dither);
        const real h = q.eta - floor, part = inverse_wet(h, p.dry);
        struct state change = rate;
        if (FRICTION) {
            const struct friction f = friction_over(m->dt, DRAG(m), m->dt * rate.eta * part, p);
            change.hu = f.left * (rate.hu - f.rate * from.hu);
            change.hv = f.left * (rate.hv - f.rate * from.hv);
        }
        q.hu = mul_add(m->dt, change.hu, from.hu);
        q.hv = mul_add(m->dt, change.hv, from.hv);
        const struct increments taken = rates_taken(change, q, part);
        PUT(a->new_rates + k, m->taken, m->w, packed_rates(taken));
        if (DRIES_LATER)
            thin |= h < p.dry;
        else
            q = dried(q, floor, p, &HERE(m->gained));
#ifdef TILED
        if (asks)
            moved |= IS_INNER(m) & moves_on(from, q, rate, packed_rates(taken),
                                            a->rates + k + c, floor, p)
                         ? MOVES_AT_COLUMN(m->tile_x + COLUMN - HALO, m->tile_nx)
                         : 0;
#endif /* TILED */
        PUT(a->to.eta + k, m->new_eta, m->w, q.eta);
        PUT(a->to.hu + k, m->new_hu, m->w, q.hu);
        PUT(a->to.hv + k, m->new_hv, m->w, q.hv);
    }
#ifdef TILED
    if (moved && m->ready >= 0)
        m->moved |= moved | moves_at_row(m, m->ready);
#endif /* TILED */
    return thin;
}

/* Prefetches rows so many rows before they are needed: fewer with three columns a thread, whose rows take
 * longer. */
#ifndef EXPECTED
#define EXPECTED (WIDTH == 96 ? 1 : 2)
#endif

#ifdef ON_CPU
/* expect_rows does it, except for the bed at centres, which not all need. */
#undef EXPECT_OWN
#undef EXPECT_STORE
#undef EXPECT_CENTRES
#define EXPECT_OWN(from, n)   ((void)0)
#define EXPECT_STORE(from, n) ((void)0)
#define EXPECT_CENTRES(m, a, k) \
    (ASKS_CENTRES ? EXPECT_ROW((a)->ground.centre + (k), (m)->w) : (void)0)
#endif /* ON_CPU */

/* Everything about row r - 2 that comes after its fluxes, once these are known. */
FN void complete_row(const struct warp warp, struct march *m, const struct hancock_args *a,
                     int known)
{
    int thin;
    const int n = known ? m->w : 0;
    const long k = m->offset - HALO * a->pitch, ahead = m->offset + EXPECTED * a->pitch;
    EXPECT_OWN(a->q.eta + ahead, m->w);
    EXPECT_OWN(a->q.hu + ahead, m->w);
    EXPECT_OWN(a->q.hv + ahead, m->w);
    EXPECT_OWN(a->ground.corner + ahead, m->w);
    EXPECT_CENTRES(m, a, ahead);
    EXPECT_OWN(a->rates + ahead - a->pitch, m->w);
    EXPECT_STORE(a->to.eta + ahead - HALO * a->pitch, m->w);
    EXPECT_STORE(a->to.hu + ahead - HALO * a->pitch, m->w);
    EXPECT_STORE(a->to.hv + ahead - HALO * a->pitch, m->w);
    LOAD_AGAIN(m, a, k);
    if (MAY_BE_FORCED && a->force.eta) {
        LOAD_OWN(m->force_eta, a->force.eta + k, m->w);
        LOAD_OWN(m->force_hu, a->force.hu + k, m->w);
        LOAD_OWN(m->force_hv, a->force.hv + k, m->w);
        thin = finish_row(warp, m, a, 1);
    } else {
        thin = finish_row(warp, m, a, 0);
    }
#if DRIES_LATER
    if (known && SOME_COLUMN(thin)) {
        dry_row(warp, m, a->p);
        count_gains(warp, m, a->p);
    }
#else
    (void)thin;
#endif
    STORE_OWN(a->to.eta + k, m->new_eta, n);
    STORE_OWN(a->to.hu + k, m->new_hu, n);
    STORE_OWN(a->to.hv + k, m->new_hv, n);
    STORE_OWN(a->new_rates + k, m->taken, n);
#ifdef TILED
    if (known)
        push_ends(warp, m, a, k);
#endif /* TILED */
#if !DRIES_LATER
    count_gains(warp, m, a->p);
#endif
}

KERNEL(hancock, struct hancock_args)
{
    BEGIN_STEP(&a);
    THIS_WARP;
    THESE_ROWS(struct march, KEPT)
    THESE_LINES
    m.x = X0, m.y = Y0, m.w = CELLS_X, m.h = CELLS_Y;
#ifdef TILED
    m.tile_x = X0, m.tile_nx = here.nx;
    m.x += here.i0, m.y = here.j0 + TILE_Y0; /* in the domain */
    BEGIN_MOVES(&m, m.tile_x, m.tile_nx);
    m.tiling = &tiling, m.tile = here.slot;
    find_pushed_ends(&m, warp, &a);
#endif /* TILED */
    m.dry = 0;
    m.imposing = imposes(&a, &m);
    m.driven = (MAY_BE_FORCED && a.force.eta) || m.imposing;
#ifdef ON_CPU
    m.driven = MAY_BE_FORCED && a.force.eta; /* rows beside edges take their loops, too */
#endif /* ON_CPU */
    const int rims = a.rim[WEST] && touches_edge(&m, a.span);
    m.offset = at(a.pitch, X0 - HALO, Y0 - HALO - 1) + OWN_COLUMN(m.w);

    take_row(warp, &m, &a);
    take_row(warp, &m, &a);
    BEGIN_JUDGED_STEP(&a); /* no row waits for it */
    m.dt = PRECISION == 64 ? (real)now.dt : (real)now.single;
    m.lx = m.dt * a.p.inv_dx, m.ly = m.dt * a.p.inv_dy;
    /* It runs before the clock has counted its step. */
    m.dither = dither_of(now.steps + 1, a.stride);
    m.counters = a.clipped;

    for (int r = 0; r < m.h + HALO; r++) {
        take_row(warp, &m, &a);
        take_drive(warp, &m, &a);
#ifdef TILED
        m.ready = r - HALO;
#endif /* TILED */
        go_north(warp, &m, &a, r);
        /* Where rows wait in registers, loading an unneeded row does no harm, but a branch would. */
        if (WHOLE_ROWS || r >= HALO)
            complete_row(warp, &m, &a, r >= HALO);
        if (WHOLE_ROWS || (r > 0 && r <= m.h))
            cross_east(warp, &m, &a);
        if (r > 0 && rims)
            keep_rims(warp, &m, &a, r);
    }

#ifdef TILED
    push_rows(warp, &m, &a);
    if (KEEPS_MAP && tiling.moved) {
        STORE_MOVES(m);
        FORGET_IDLE_BLOCKS(tiling.moved);
    }
#endif /* TILED */

    real x, y;
    LARGEST_IN(x, m.fastest_x, HALO - 1, m.w + 2);
    LARGEST_IN(y, m.fastest_y, HALO, m.w);
    ONCE a.block_speed[BLOCK_ID] = max_bits(bits_of(x * a.p.inv_dx), bits_of(y * a.p.inv_dy));
#ifdef TILED
    FORGET_IDLE_BLOCKS(a.block_speed);
#endif /* TILED */
#ifdef FILLS_GHOSTS
    ONCE note_linked_speed(a.linked, a.place,
                           max_bits(bits_of(x * a.p.inv_dx), bits_of(y * a.p.inv_dy)));
    const struct filling own = filling_of(&m, &a);
    const int near = near_edges(&own);
    FILL_OWN_GHOSTS(&own, near, own_ghosts.kind);
    if (near)
        fill_own_corners(warp, &own, own_ghosts.kind);
#endif /* FILLS_GHOSTS */
}
