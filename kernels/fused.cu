/* A substep of RK2 in one pass over memory: fluxes in both directions, the bed's source, forcing, time
 * integration, friction and drying, without a rate of change in between. The numbers equal those of flux.cu
 * followed by rk.cu, to the bit; each cell's slopes and each face's flux are computed once.
 *
 * SUBSTEP 0 makes Q* = Q + dt R(Q) with the dt that clock_ahead.cu tries, and finds the wave speeds that decide
 * whether it was right; SUBSTEP 1 makes (Q + Q* + dt R(Q*))/2, and `to` may be `base`.
 *
 * Once row r has come in at the north end, the slopes along y of row r - 1 are known, hence the flux between
 * rows r - 2 and r - 1: row r - 2 can be finished. */
#include "fused_march.h"
#ifdef WITH_TRACER
#include "fused_tracer.h"
#endif /* WITH_TRACER */
#ifdef MEETING
#include "fused_rim.h"
#endif /* MEETING */
#ifdef FILLS_GHOSTS
#include "fused_ghosts.h"
#endif /* FILLS_GHOSTS */

#ifndef UNROLLED
#define UNROLLED 1 /* rows per iteration of the loop on a GPU */
#endif

/* The states at the faces along y of row r - 1, and the flux between it and the row before where that one's
 * side is known (`flux`). `shore`: not all of the row is open water. */
FN void cross_north(const struct warp warp, struct march *m, const struct physics p, int shore,
                    int flux)
{
#ifdef WITH_TRACER
    LOOK_UP_CENTRES(m, shore);
#endif /* WITH_TRACER */
    FOR_COLUMNS {
        const struct three s = ALONG_Y(m, p);
        const struct halves ends = reconstructed_from(OPEN(m), s, shore, p);
        const struct side before = SIDE(HERE, m, north);
        PUT_SIDE(m, north, ends.high);
        HERE(m->source_y) = HERE(m->source_n);
        HERE(m->source_n) = ends.source;
        if (flux) {
#ifdef DRAINING
            const real gw = HERE(m->gw), ghv = HERE(m->ghv), ghu = HERE(m->ghu);
#endif /* DRAINING */
            const struct flux g =
                flux_between(before, ends.low, s.before.rest, s.here.rest, p.g);
#ifdef WITH_TRACER
            DYE_NORTH(m, p, ends, shore, 1, HERE(m->gw), g.h);
#endif /* WITH_TRACER */
            HERE(m->yw) = HERE(m->gw) - g.h, HERE(m->gw) = g.h;
            HERE(m->yhv) = HERE(m->ghv) - g.n, HERE(m->ghv) = g.n_after;
            HERE(m->yhu) = HERE(m->ghu) - g.t, HERE(m->ghu) = g.t;
            if (SUBSTEP == 0)
                HERE(m->fastest_y) =
                    max_bits(HERE(m->fastest_y), bits_of(faster(before, ends.low, p.g)));
#ifdef DRAINING
            if (DRAINS_LATER && SELDOM(asks_too_much(g, before, ends.low))) {
                const struct flux d = drained(g, before, ends.low);
                HERE(m->yw) = gw - d.h, HERE(m->gw) = d.h;
                HERE(m->yhv) = ghv - d.n, HERE(m->ghv) = d.n_after;
                HERE(m->yhu) = ghu - d.t, HERE(m->ghu) = d.t;
            }
#endif /* DRAINING */
        }
#ifdef WITH_TRACER
        if (!flux)
            DYE_NORTH(m, p, ends, shore, 0, REAL(0), REAL(0));
#endif /* WITH_TRACER */
    }
}

/* The same where rows r - 2 to r have no water. */
FN void nothing_north(const struct warp warp, struct march *m)
{
    FOR_COLUMNS {
        PUT_SIDE(m, north, side_of(REAL(0), REAL(0), REAL(0), REAL(0)));
        HERE(m->source_y) = HERE(m->source_n), HERE(m->source_n) = REAL(0);
        HERE(m->yw) = HERE(m->gw), HERE(m->gw) = REAL(0);
        HERE(m->yhv) = HERE(m->ghv), HERE(m->ghv) = REAL(0);
        HERE(m->yhu) = HERE(m->ghu), HERE(m->ghu) = REAL(0);
    }
}

FN void go_north(const struct warp warp, struct march *m, const struct fused_args *a, int r,
                 int flux)
{
    const struct physics p = a->p;
    const long k = OFFSET(m);
    int shore = 0, wet = 0;
    FOR_COLUMNS {
#ifdef WITH_TRACER
        if (!WHOLE_ROWS)
            TAKE_DYE(m, a, k);
#endif /* WITH_TRACER */
        if (!WHOLE_ROWS)
            TAKE_COLUMN(m, a, k);
        const struct surface w = open_water(ALONG_Y(m, p), p);
        PUT_OPEN(m, w);
        shore |= at_shore(w, p);
#ifdef DRAINING
        shore |= rushes(min2(w.low, w.high), ALONG_Y(m, p), m->gentle);
#endif /* DRAINING */
        if (SKIPS_DRY)
            wet |= !no_water(CELL(HERE, m, 2, qy, qx, p), p);
    }
#ifdef WITH_TRACER
    shore |= scant_north(warp, m, p);
#endif /* WITH_TRACER */
#ifdef DRAINING
    const int rushed = m->rushed; /* whose north ends the first fluxes look at */
    m->rushed = shore;
    shore |= rushed;
#endif /* DRAINING */
    m->dry = m->dry << 1 | (SKIPS_DRY && !SOME_COLUMN(wet));
#ifdef WITH_TRACER
    if (SKIPS_DRY && (m->dry & 7) == 7)
        no_dye_north(warp, m, p);
#endif /* WITH_TRACER */
    if (SKIPS_DRY && (m->dry & 7) == 7)
        nothing_north(warp, m);
    else if (SOME_COLUMN(shore))
        cross_north(warp, m, p, 1, flux);
    else
        cross_north(warp, m, p, 0, flux);
}

#ifdef DRAINING
#undef PASSAGE
#define PASSAGE passage_of(m->by.dt, p.inv_dx, p.inv_dy)
#endif /* DRAINING */

/* Row r - 2 along x: the states at its faces, and the fluxes through them. */
FN void cross_east(const struct warp warp, struct march *m, const struct physics p, int shore)
{
#ifdef WITH_TRACER
    LOOK_UP_CENTRES(m, shore);
#endif /* WITH_TRACER */
    FOR_COLUMNS {
        const struct halves ends = reconstructed_from(OPEN(m), ALONG_X(m, p), shore, p);
        PUT_SIDE(m, west, ends.low);
        PUT_SIDE(m, east, ends.high);
        HERE(m->source_x) = ends.source;
#ifdef WITH_TRACER
        DYE_EAST(m, p, ends, shore);
#endif /* WITH_TRACER */
    }
    FOR_COLUMNS {
        const struct side l = SIDE(WEST_OF, m, east), r = SIDE(HERE, m, west);
        const struct flux f = flux_between(l, r, rest_above(CENTRE(WEST_OF, m, 0), p),
                                           rest_above(CENTRE(HERE, m, 0), p), p.g);
        HERE(m->fw) = f.h, HERE(m->fhu) = f.n, HERE(m->fhv) = f.t;
        HERE(m->fhu_after) = f.n_after;
#ifdef WITH_TRACER
        HERE(m->west_flow) = dye_through(f.h, WEST_OF(m->east_dye), HERE(m->west_dye));
#endif /* WITH_TRACER */
        if (SUBSTEP == 0)
            HERE(m->fastest_x) = max_bits(HERE(m->fastest_x), bits_of(faster(l, r, p.g)));
#ifdef DRAINING
        if (DRAINS_LATER && SELDOM(asks_too_much(f, l, r))) {
            const struct flux d = drained(f, l, r);
            HERE(m->fw) = d.h, HERE(m->fhu) = d.n, HERE(m->fhv) = d.t;
            HERE(m->fhu_after) = d.n_after;
        }
#endif /* DRAINING */
    }
#ifdef WITH_TRACER
    change_dyes(warp, m, p, shore);
#endif /* WITH_TRACER */
}

/* The same where there is no water. */
FN void nothing_east(const struct warp warp, struct march *m)
{
    FOR_COLUMNS {
        HERE(m->fw) = HERE(m->fhu) = HERE(m->fhu_after) = HERE(m->fhv) = REAL(0);
        HERE(m->source_x) = REAL(0);
#ifdef WITH_TRACER
        HERE(m->west_flow) = REAL(0);
#endif /* WITH_TRACER */
    }
}

FN void go_east(const struct warp warp, struct march *m, const struct fused_args *a)
{
    const struct physics p = a->p;
    int shore = 0;
    if (SKIPS_DRY && (m->dry & 4)) {
        nothing_east(warp, m);
#ifdef WITH_TRACER
        change_dyes(warp, m, p, 1);
#endif /* WITH_TRACER */
        return;
    }
    FOR_COLUMNS {
        HERE(m->step_x) = RISE(WEST_OF, 0, HERE, 0, m, p);
    }
    FOR_COLUMNS {
        const struct surface w = open_water(ALONG_X(m, p), p);
        PUT_OPEN(m, w);
        shore |= at_shore(w, p);
#ifdef DRAINING
        shore |= rushes(min2(w.low, w.high), ALONG_X(m, p), m->gentle);
#endif /* DRAINING */
    }
    if (SOME_COLUMN(shore))
        cross_east(warp, m, p, 1);
    else
        cross_east(warp, m, p, 0);
}

#ifdef TILED
#include "fused_tiles.h"
#endif /* TILED */

/* What crosses the domain's edges, for the volume balance: of row r - 2 in the west and in the east;
 * north of that row, where it is the last, and south of row r - 1, where that is the first. */
FN void keep_rims(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const int row = r - HALO;
#ifdef TILED
    keep_tile_rims(warp, m, r);
    return;
#endif /* TILED */
    if (m->x == 0 && row >= 0)
        FOR_INNER(HALO, 1) keep(&a->rim[WEST][m->y + row], HERE(m->fw), SUBSTEP);
    if (m->x + m->w == a->span.nx && row >= 0)
        FOR_INNER(HALO + m->w, 1) keep(&a->rim[EAST][m->y + row], HERE(m->fw), SUBSTEP);
    if (m->y == 0 && row == -1)
        FOR_INNER(HALO, m->w) keep(&a->rim[SOUTH][m->x + COLUMN - HALO], HERE(m->gw), SUBSTEP);
    if (m->y + m->h == a->span.ny && row == m->h - 1)
        FOR_INNER(HALO, m->w) keep(&a->rim[NORTH][m->x + COLUMN - HALO], HERE(m->gw), SUBSTEP);
}

#ifndef MAY_BE_FORCED
#define MAY_BE_FORCED 1
#define COUNTS_EARLY  0
#endif

/* Where rows hold velocities, it reads the discharges again. */
#if STEPPED_BED
#define DISCHARGE(m, again, q, from) GET((m)->again, from)
#define LOAD_AGAIN(m, a, k)                   \
    do {                                      \
        LOAD_OWN((m)->from_hu, (a)->q.hu + (k), (m)->w); \
        LOAD_OWN((m)->from_hv, (a)->q.hv + (k), (m)->w); \
    } while (0)
#else
#define DISCHARGE(m, again, q, from) HERE(ROW(m, q, 0))
#define LOAD_AGAIN(m, a, k)          ((void)0)
#endif

#define BED_OF_CORNERS(m)                                      \
    (REAL(0.25) * ((HERE(ROW(m, b, 0)) + HERE(ROW(m, b, 1))) + \
                   (HERE(ROW(m, e, 0)) + HERE(ROW(m, e, 1)))))
#define BED(m)      (ASKS_CENTRES ? CENTRE(HERE, m, 0) : BED_OF_CORNERS(m))
#define FLOOR(m, p) (BED(m) - rest_above(BED(m), p))

/* A tracer needs the new depth next, and so do tiles with vectors or a map. */
#if WHOLE_ROWS && !defined(TILED) && !defined(WITH_TRACER)
#define DRIES_LATER 1
#else
#define DRIES_LATER 0
#endif
#ifdef TILED
#if WHOLE_ROWS && !KEEPS_MAP && !defined(WITH_TRACER)
#undef DRIES_LATER
#define DRIES_LATER 1
#endif
#endif /* TILED */
#include "march_end.h"

/* Advances row r - 2 by the substep. The sums are grouped as in flux.cu. */
FN void finish_row(const struct warp warp, struct march *m, const struct fused_args *a, int r,
                   int forced)
{
    const struct physics p = a->p;
    const long k = OFFSET(m) - HALO * a->pitch;
#ifdef TILED
    int moved = 0;
    const int asks = KEEPS_MAP && ASKS_MOVES(m, moves_at_row(m, r - HALO));
#endif /* TILED */
    FOR_COLUMNS {
        struct state from, base, rate, q;
        const real floor = FLOOR(m, p);
        from.eta = HERE(ROW(m, eta, 0));
        from.hu = DISCHARGE(m, from_hu, qx, a->q.hu + k);
        from.hv = DISCHARGE(m, from_hv, qy, a->q.hv + k);
        base = from;
        if (SUBSTEP == 1) {
            base.eta = GET(m->base_eta, a->base.eta + k);
            base.hu = GET(m->base_hu, a->base.hu + k);
            base.hv = GET(m->base_hv, a->base.hv + k);
        }
        rate.eta = (HERE(m->fw) - EAST_OF(m->fw)) * p.inv_dx + HERE(m->yw) * p.inv_dy;
        rate.hu = ((HERE(m->fhu_after) - EAST_OF(m->fhu)) + HERE(m->source_x)) * p.inv_dx +
                  HERE(m->yhu) * p.inv_dy;
        rate.hv = (HERE(m->fhv) - EAST_OF(m->fhv)) * p.inv_dx +
                  (HERE(m->yhv) + HERE(m->source_y)) * p.inv_dy;
        if (forced) {
            rate.eta = rate.eta + GET(m->force_eta, a->force.eta + k);
            rate.hu = rate.hu + GET(m->force_hu, a->force.hu + k);
            rate.hv = rate.hv + GET(m->force_hv, a->force.hv + k);
        }
        struct physics own = p;
#if FRICTION == 2
        own.friction = GET(m->rough, a->roughness + k);
#endif
        q = stepped(base, from, rate, floor, m->by, own);
        if (DRIES_LATER)
            m->thin |= q.eta - floor < p.dry;
        else
            q = dried(q, floor, p, &HERE(m->gained));
#ifdef WITH_TRACER
        DYE_AFTER(m, a, k, base, from, rate, floor, q.eta - floor, forced);
#endif /* WITH_TRACER */
        PUT(a->to.eta + k, m->new_eta, m->w, q.eta);
        PUT(a->to.hu + k, m->new_hu, m->w, q.hu);
        PUT(a->to.hv + k, m->new_hv, m->w, q.hv);
#ifdef TILED
        if (asks)
            moved |= IS_INNER(m) & (moves(base, q, rate, floor, p.dry) | DYE_MOVES(m, a, k))
                         ? MOVES_AT_COLUMN(m->x + COLUMN - HALO, m->tile_nx)
                         : 0;
#endif /* TILED */
    }
#ifdef TILED
    m->moved |= moved ? moved | moves_at_row(m, r - HALO) : 0;
#else
    (void)r;
#endif /* TILED */
}

/* Prefetches rows EXPECTED rows before they are needed, between the loops of a row: requests issued all at
 * once wait for each other. */
#ifndef EXPECTED
#define EXPECTED 2
#endif

/* Everything about row r - 2 that comes after its state and its north faces. */
FN void complete_row(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const long k = OFFSET(m) - HALO * a->pitch, next = k + EXPECTED * a->pitch;
    EXPECT_OWN(a->q.eta + next + HALO * a->pitch, m->w);
    EXPECT_OWN(a->q.hu + next + HALO * a->pitch, m->w);
    LOAD_AGAIN(m, a, k);
    go_east(warp, m, a);
    EXPECT_OWN(a->q.hv + next + HALO * a->pitch, m->w);
    EXPECT_OWN(a->ground.corner + next + HALO * a->pitch, m->w);
    EXPECT_CENTRES(m, a, next + HALO * a->pitch);
    if (m->rims)
        keep_rims(warp, m, a, r);
#ifdef WITH_TRACER
    keep_dyes(warp, m, a, r);
    EXPECT_OWN(a->carried.from + next + HALO * a->pitch, m->w);
    if (SUBSTEP == 0) {
        EXPECT_STORE(a->carried.to + next, m->w);
    } else {
        EXPECT_OWN(a->carried.base + next, m->w);
        LOAD_OWN(m->base_dye, a->carried.base + k, m->w);
    }
#endif /* WITH_TRACER */
    if (SUBSTEP == 0) {
        EXPECT_STORE(a->to.eta + next, m->w);
        EXPECT_STORE(a->to.hu + next, m->w);
        EXPECT_STORE(a->to.hv + next, m->w);
    } else {
        EXPECT_OWN(a->base.eta + next, m->w);
        EXPECT_OWN(a->base.hu + next, m->w);
        EXPECT_OWN(a->base.hv + next, m->w);
    }
#if FRICTION == 2
    EXPECT_OWN(a->roughness + next, m->w);
    LOAD_OWN(m->rough, a->roughness + k, m->w);
#endif
    if (MAY_BE_FORCED && a->force.eta) {
        LOAD_OWN(m->force_eta, a->force.eta + k, m->w);
        LOAD_OWN(m->force_hu, a->force.hu + k, m->w);
        LOAD_OWN(m->force_hv, a->force.hv + k, m->w);
        finish_row(warp, m, a, r, 1);
    } else {
        finish_row(warp, m, a, r, 0);
    }
#if DRIES_LATER
    if (SOME_COLUMN(m->thin)) {
        dry_row(warp, m, a->p);
        count_gains(warp, m, a->p);
    }
    m->thin = 0;
#endif
    if (COUNTS_EARLY)
        count_gains(warp, m, a->p);
    STORE_OWN(a->to.eta + k, m->new_eta, m->w);
    STORE_OWN(a->to.hu + k, m->new_hu, m->w);
    STORE_OWN(a->to.hv + k, m->new_hv, m->w);
#ifdef WITH_TRACER
    STORE_OWN(a->carried.to + k, m->new_dye, m->w);
    count_dye(warp, m, a, k - OWN_COLUMN(m->w), DRIES_LATER);
#endif /* WITH_TRACER */
#ifdef TILED
    push_ends(warp, m, a, k);
#endif /* TILED */
    if (!DRIES_LATER && !COUNTS_EARLY)
        count_gains(warp, m, a->p);
}

KERNEL(fused, struct fused_args)
{
    if (a.clock->halt || (SUBSTEP == 1 && a.clock->rejected))
        return;
    THIS_WARP;
    THESE_ROWS(struct march, KEPT)
    THESE_LINES
    m.x = X0, m.y = Y0, m.w = CELLS_X, m.h = CELLS_Y;
#ifdef TILED
    find_neighbours(&m, warp, &a, &tiling, here);
#endif /* TILED */
    m.dry = 0;
    m.thin = 0;
#ifdef DRAINING
    m.rushed = 0;
#endif /* DRAINING */
#ifdef TILED
    m.rims = a.rim[WEST] != 0;
#else
    m.rims = a.rim[WEST] && touches_edge(&m, a.span);
#endif /* TILED */
#ifdef TILED
    m.rims |= tiling.rim[WEST] && here.edges;
#endif /* TILED */
    m.offset = at(a.pitch, X0 - HALO, Y0 - HALO - 1) + OWN_START(&m);
#if PRECISION == 64
    m.by.dt = SUBSTEP == 0 ? a.ahead->dt : a.clock->dt;
#else
    m.by.dt = SUBSTEP == 0 ? a.ahead->single : a.clock->dt_single;
#endif
    /* The first substep runs before the clock has counted its step. */
    m.by.dither = dither_of(a.clock->steps + (SUBSTEP == 0), a.stride);
    m.counters = SUBSTEP == 0 ? a.ahead->counters : a.counters;
#ifdef DRAINING
    m.gentle = gentle_in(m.by.dt, a.p);
#endif /* DRAINING */

#ifdef WITH_TRACER
    begin_dyes(warp, &m, &a);
#endif /* WITH_TRACER */
    take_row(warp, &m, &a, -2);
    take_row(warp, &m, &a, -1);
    take_row(warp, &m, &a, 0);
    go_north(warp, &m, &a, 0, 0);
    take_row(warp, &m, &a, 1);
    go_north(warp, &m, &a, 1, 1);
    if (m.rims)
        keep_rims(warp, &m, &a, 1);
#ifdef WITH_TRACER
    keep_dyes(warp, &m, &a, 1);
#endif /* WITH_TRACER */
    UNROLL(UNROLLED)
    for (int r = HALO; r < m.h + HALO; r++) {
        if (SUBSTEP == 1) {
            const long k = OFFSET(&m) + (1 - HALO) * a.pitch;
            LOAD_OWN(m.base_eta, a.base.eta + k, m.w);
            LOAD_OWN(m.base_hu, a.base.hu + k, m.w);
            LOAD_OWN(m.base_hv, a.base.hv + k, m.w);
        }
        take_row(warp, &m, &a, r);
        go_north(warp, &m, &a, r, 1);
        complete_row(warp, &m, &a, r);
    }
#ifdef TILED
    push_rows(warp, &m, &a);
    if (KEEPS_MAP && tiling.moved) {
        STORE_MOVES(m);
        FORGET_IDLE_BLOCKS(tiling.moved);
    }
#endif /* TILED */
#ifdef MEETING
    SEND_RIM(m, a, meeting.with);
#endif /* MEETING */

    if (SUBSTEP == 0) {
        real x, y;
        LARGEST_IN(x, m.fastest_x, HALO, m.w + 1);
        LARGEST_IN(y, m.fastest_y, HALO, m.w);
        ONCE a.block_speed[BLOCK_ID] = max_bits(bits_of(x * a.p.inv_dx), bits_of(y * a.p.inv_dy));
#ifdef FILLS_GHOSTS
        ONCE note_speed(&own_ghosts, max_bits(bits_of(x * a.p.inv_dx), bits_of(y * a.p.inv_dy)));
#endif /* FILLS_GHOSTS */
#ifdef TILED
        FORGET_IDLE_BLOCKS(a.block_speed);
#endif /* TILED */
    }
#ifdef FILLS_GHOSTS
    const struct filling own = filling_of(&m, &a);
    const int near = near_edges(&own);
    FILL_OWN_GHOSTS(&own, near, own_ghosts.kind);
#endif /* FILLS_GHOSTS */
}
