/* A substep of RK2 in one pass over memory: fluxes in both directions, the bed's source, forcing,
 * time integration, friction and drying, with no rate of change in between. The numbers are those of
 * flux.cu followed by rk.cu, to the bit; each cell's slopes and each face's flux are computed once.
 *
 * SUBSTEP 0 makes Q* = Q + dt R(Q) with the dt that clock_ahead.cu tries, and finds the wave speeds that
 * decide whether it was right; SUBSTEP 1 makes (Q + Q* + dt R(Q*))/2, and `to` may be `base`.
 *
 * When row r has come in at the north end, the slopes along y of row r - 1 are known, so the flux
 * between rows r - 2 and r - 1, so row r - 2 can be finished. */
#ifdef WITH_TRACER
#ifndef ROW_WARPS /* its rows take registers: rows.h */
#define ROW_WARPS                                            \
    (PRECISION == 64 ? (WIDTH < 64 ? 12 : WIDTH < 96 ? 8 : 4) \
                     : (WIDTH < 64 ? 20 : WIDTH < 96 ? 16 : WIDTH < 128 ? 12 : 8))
#endif
#endif /* WITH_TRACER */
#include "rows.h"

#include "fused.h"
#include "num/face.h"
#ifdef WITH_TRACER
#include "num/tracer.h"
#endif /* WITH_TRACER */
#include "num/update.h"

#ifndef UNROLLED
#define UNROLLED 1 /* rows that a turn of the loop takes on a GPU */
#endif

/* The rows kept; r is the one that came in last.
 *
 * Lines 0, 1 and 2 are rows r - 2, r - 1 and r: eta; what is limited of the discharges (qx, qy: velocities over
 * a bed with steps); the bed at the western (b) and eastern (e) corners of the cells' south faces and at their
 * centres (c).
 * Sides of cells have depth (_h), velocity across the face (_n) and along it (_t), and over a bed with steps the
 * level (_w): `north` of row r - 1, `west` and `east` of row r - 2. `half`, `low` and `high` are the surface of
 * a row in open water; `step_x` is the rise of the surface to a cell of row r - 2 from the one in the west.
 * gw, ghu and ghv are the fluxes between rows r - 2 and r - 1; yw, yhu and yhv those through the south of row
 * r - 2 less those; fw, fhu and fhv those through the west faces of row r - 2. The two sides of a face see
 * different fluxes of momentum: fhu_after is that of the cell in the east. `source_n` is the bed's source along y of
 * row r - 1, source_x and source_y are those of row r - 2. What follows is of row r - 2, too: water gained by
 * clipping, the start of the step, forcing and the new state. */
#if STEPPED_BED
#define SIDE_ROWS(R, name)        R(name##_h) R(name##_n) R(name##_t) R(name##_w)
#define PASSING_OF_STEPS(V)       V(from_hu) V(from_hv)
#define PUT_LEVEL(m, name, level) HERE((m)->name##_w) = (level)
#define LEVEL(WHERE, m, name)     WHERE((m)->name##_w)
#else
#define SIDE_ROWS(R, name)        R(name##_h) R(name##_n) R(name##_t)
#define PASSING_OF_STEPS(V)
#define PUT_LEVEL(m, name, level) ((void)(level))
#define LEVEL(WHERE, m, name)     REAL(0)
#endif
#if FRICTION == 2
#define PASSING_OF_FRICTION(V) V(rough)
#else
#define PASSING_OF_FRICTION(V)
#endif
#define STATE_LINES(T, X) T(eta, X) T(qx, X) T(qy, X) T(b, X) T(e, X)
#if ASKS_CENTRES
#define LINE(T, X)              STATE_LINES(T, X) T(c, X)
#define CENTRE(WHERE, m, k)     WHERE(ROW(m, c, k))
#define TAKE_CENTRE(m, a, k)    (HERE(ROW(m, c, 2)) = GET(ROW(m, c, 2), (a)->ground.centre + (k)))
#define LOAD_CENTRES(m, a, k)   LOAD_ROW(ROW(m, c, 2), (a)->ground.centre + (k), (m)->w)
#define EXPECT_CENTRES(m, a, k) EXPECT_ROW((a)->ground.centre + (k), (m)->w)
#else /* finish_row takes the mean of the four corners */
#define LINE(T, X)              STATE_LINES(T, X)
#define CENTRE(WHERE, m, k)     REAL(0)
#define TAKE_CENTRE(m, a, k)    ((void)0)
#define LOAD_CENTRES(m, a, k)   ((void)0)
#define EXPECT_CENTRES(m, a, k) ((void)0)
#endif
#define KEPT(R, P, V)                                                                            \
    ROWS_OF_LINES(R) SIDE_ROWS(R, north) SIDE_ROWS(R, west) SIDE_ROWS(R, east)                   \
    R(half) R(low) R(high) R(step_x) R(gw) R(ghu) R(ghv) R(yw) R(yhu) R(yhv)                     \
    R(fw) R(fhu) R(fhu_after) R(fhv) R(source_n) R(source_x) R(source_y) R(gained)               \
    V(base_eta) V(base_hu) V(base_hv) V(force_eta) V(force_hu) V(force_hv)                       \
    V(new_eta) V(new_hu) V(new_hv) PASSING_OF_STEPS(V) PASSING_OF_FRICTION(V)                    \
    P(fastest_x) P(fastest_y)

#ifdef WITH_TRACER
/* The lines have c, too (dye). Sides of cells have what they see of it (_dye), and the c of what flows (_flow): through
 * the faces between rows r - 2 and r - 1 north_flow, through the west faces of row r - 2 west_flow. east_flow is
 * what the fluxes along y change in row r - 2. */
#undef LINE
#define LINE(T, X) STATE_LINES(T, X) T(c, X) T(dye, X)
#undef SIDE_ROWS
#if STEPPED_BED
#define SIDE_ROWS(R, name) R(name##_h) R(name##_n) R(name##_t) R(name##_w) R(name##_dye) R(name##_flow)
#else
#define SIDE_ROWS(R, name) R(name##_h) R(name##_n) R(name##_t) R(name##_dye) R(name##_flow)
#endif
#undef PASSING_OF_STEPS
#if STEPPED_BED
#define PASSING_OF_STEPS(V) V(from_hu) V(from_hv) V(base_dye) V(new_dye)
#else
#define PASSING_OF_STEPS(V) V(base_dye) V(new_dye)
#endif
#define TAKE_DYE(m, a, k)   (HERE(ROW(m, dye, 2)) = GET(ROW(m, dye, 2), (a)->carried.from + (k)))
#endif /* WITH_TRACER */

/* Over terrain most ground may be dry: rows without water are found, and what is zero there is not computed. */
#define SKIPS_DRY STEPPED_BED

DECLARE_LINES
struct march {
    LINE_MEMBERS
    KEPT(ROW_MEMBER, PATTERN_MEMBER, PASSING_MEMBER)
    int x, y, w, h; /* first cell of the block, its extent */
    long first;     /* offset of column 0 of row 0 */
    unsigned dry;   /* bit k: row r - k has no water */
    struct advance by;
    counter *counters;
#ifdef TILED
    const struct tiling *tiling;
    int tile; /* its slot, which is its number in `place`, too */
    int tile_nx;
    struct ends ends;
    int moved; /* of this thread's columns, what tiling.h says of a block */
#endif /* TILED */
};

/* A side of a cell, in rows. WHERE: HERE, or WEST_OF. */
#define PUT_SIDE(m, name, side)                                                               \
    (HERE((m)->name##_h) = (side).h, HERE((m)->name##_n) = (side).un,                         \
     HERE((m)->name##_t) = (side).ut, PUT_LEVEL(m, name, (side).w))
#define SIDE(WHERE, m, name)                                                                  \
    side_of(WHERE((m)->name##_h), WHERE((m)->name##_n), WHERE((m)->name##_t), LEVEL(WHERE, m, name))

/* The surface of a row as in open water, which is symmetric, in rows. */
#define PUT_OPEN(m, w) (HERE((m)->half) = (w).to_high, HERE((m)->low) = (w).low, HERE((m)->high) = (w).high)
#define OPEN(m)        surface_of(-HERE((m)->half), HERE((m)->half), HERE((m)->low), HERE((m)->high))

/* A column of the row that begins at offset k. */
#define TAKE_COLUMN(m, a, k)                                                                  \
    do {                                                                                      \
        HERE(ROW(m, eta, 2)) = GET(ROW(m, eta, 2), (a)->q.eta + (k));                         \
        HERE(ROW(m, qx, 2)) = GET(ROW(m, qx, 2), (a)->q.hu + (k));                            \
        HERE(ROW(m, qy, 2)) = GET(ROW(m, qy, 2), (a)->q.hv + (k));                            \
        HERE(ROW(m, b, 2)) = GET(ROW(m, b, 2), (a)->ground.corner + (k));                     \
        HERE(ROW(m, e, 2)) = GET_EAST(ROW(m, b, 2), (a)->ground.corner + (k));                \
        TAKE_CENTRE(m, a, k);                                                                 \
        TAKE_VELOCITIES(m, (a)->p);                                                           \
    } while (0)

/* Once for all slopes and faces that a cell has a part in. */
#if STEPPED_BED
#define TAKE_VELOCITIES(m, p)                                                                 \
    do {                                                                                      \
        const real part = limited_part(                                                       \
            depth_of(HERE(ROW(m, eta, 2)), HERE(ROW(m, c, 2)), (p).still), p);                 \
        HERE(ROW(m, qx, 2)) = part * HERE(ROW(m, qx, 2));                                     \
        HERE(ROW(m, qy, 2)) = part * HERE(ROW(m, qy, 2));                                     \
    } while (0)
#else
#define TAKE_VELOCITIES(m, p) ((void)0)
#endif

/* Row r comes in, the others move on. Rows that do not come as a whole come in while go_north computes,
 * but for the first two, which it does not follow. */
FN void take_row(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const long k = m->first + r * a->pitch;
    MARCH_LINES(m);
    LOAD_ROW(ROW(m, eta, 2), a->q.eta + k, m->w);
    LOAD_ROW(ROW(m, qx, 2), a->q.hu + k, m->w);
    LOAD_ROW(ROW(m, qy, 2), a->q.hv + k, m->w);
    LOAD_ROW(ROW(m, b, 2), a->ground.corner + k, m->w);
    LOAD_CENTRES(m, a, k);
#ifdef WITH_TRACER
    LOAD_ROW(ROW(m, dye, 2), a->carried.from + k, m->w);
    if (WHOLE_ROWS || r < 0)
        FOR_COLUMNS TAKE_DYE(m, a, k);
#endif /* WITH_TRACER */
    if (WHOLE_ROWS || r < 0)
        FOR_COLUMNS TAKE_COLUMN(m, a, k);
}

/* A cell of row k of the lines, 0 to 2, with its discharges across the faces that a direction looks at;
 * WHERE: HERE, WEST_OF or EAST_OF. RISE: of the surface from one of row k to one of row l. */
#define CELL(WHERE, m, k, across, along, p)                                                   \
    cell_on(WHERE(ROW(m, eta, k)), WHERE(ROW(m, across, k)), WHERE(ROW(m, along, k)),         \
            CENTRE(WHERE, m, k), p)
#define CELL_LEVEL(WHERE, m, k, p)                                                            \
    cell_on(WHERE(ROW(m, eta, k)), REAL(0), REAL(0), CENTRE(WHERE, m, k), p)
#define RISE(FROM, k, TO, l, m, p)                                                            \
    rise_between(CELL_LEVEL(FROM, m, k, p), CELL_LEVEL(TO, m, l, p))

/* The cell of row r - 1 with those beside it along y. */
#define ALONG_Y(m, p)                                                                         \
    three_cells(CELL(HERE, m, 0, qy, qx, p), CELL(HERE, m, 1, qy, qx, p),                     \
                CELL(HERE, m, 2, qy, qx, p), RISE(HERE, 0, HERE, 1, m, p),                    \
                RISE(HERE, 1, HERE, 2, m, p),                                                 \
                bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, e, 1))),                          \
                bed_at_face(HERE(ROW(m, b, 2)), HERE(ROW(m, e, 2))))

/* The same along x in row r - 2. */
#define ALONG_X(m, p)                                                                         \
    three_cells(CELL(WEST_OF, m, 0, qx, qy, p), CELL(HERE, m, 0, qx, qy, p),                  \
                CELL(EAST_OF, m, 0, qx, qy, p), HERE(m->step_x), EAST_OF(m->step_x),          \
                bed_at_face(HERE(ROW(m, b, 0)), HERE(ROW(m, b, 1))),                          \
                bed_at_face(HERE(ROW(m, e, 0)), HERE(ROW(m, e, 1))))

#ifdef WITH_TRACER
#include "fused_tracer.h"
#endif /* WITH_TRACER */

/* The ends of the cells of row r - 1, and where those of the row before are known the flux between the two.
 * `shore`: not all of the row is open water. */
FN void cross_north(const struct warp warp, struct march *m, const struct physics p, int shore,
                    int flux)
{
    FOR_COLUMNS {
        const struct three s = ALONG_Y(m, p);
        const struct halves ends = reconstructed_from(OPEN(m), s, shore, p);
        const struct side before = SIDE(HERE, m, north);
        PUT_SIDE(m, north, ends.high);
        HERE(m->source_y) = HERE(m->source_n);
        HERE(m->source_n) = ends.source;
        if (flux) {
            const struct flux g =
                flux_between(before, ends.low, s.before.rest, s.here.rest, p.g);
#ifdef WITH_TRACER
            DYE_NORTH(m, p, ends, 1, HERE(m->gw), g.h);
#endif /* WITH_TRACER */
            HERE(m->yw) = HERE(m->gw) - g.h, HERE(m->gw) = g.h;
            HERE(m->yhv) = HERE(m->ghv) - g.n, HERE(m->ghv) = g.n_after;
            HERE(m->yhu) = HERE(m->ghu) - g.t, HERE(m->ghu) = g.t;
            if (SUBSTEP == 0)
                HERE(m->fastest_y) =
                    max_bits(HERE(m->fastest_y), bits_of(faster(before, ends.low, p.g)));
        }
#ifdef WITH_TRACER
        if (!flux)
            DYE_NORTH(m, p, ends, 0, REAL(0), REAL(0));
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
    const long k = m->first + r * a->pitch;
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
        if (SKIPS_DRY)
            wet |= !no_water(CELL(HERE, m, 2, qy, qx, p), p);
    }
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

/* Of row r - 2 what is between its cells. */
FN void cross_east(const struct warp warp, struct march *m, const struct physics p, int shore)
{
    FOR_COLUMNS {
        const struct halves ends = reconstructed_from(OPEN(m), ALONG_X(m, p), shore, p);
        PUT_SIDE(m, west, ends.low);
        PUT_SIDE(m, east, ends.high);
        HERE(m->source_x) = ends.source;
#ifdef WITH_TRACER
        const struct dyes d = dyes_of(WEST_OF(ROW(m, dye, 0)), HERE(ROW(m, dye, 0)), EAST_OF(ROW(m, dye, 0)),
                                      WET(WEST_OF, m, 0, p), WET(EAST_OF, m, 0, p), ends.low.h,
                                      ends.high.h, p.theta);
        HERE(m->west_dye) = d.low;
        HERE(m->east_dye) = d.high;
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
    }
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
        return;
    }
    FOR_COLUMNS {
        HERE(m->step_x) = RISE(WEST_OF, 0, HERE, 0, m, p);
    }
    FOR_COLUMNS {
        const struct surface w = open_water(ALONG_X(m, p), p);
        PUT_OPEN(m, w);
        shore |= at_shore(w, p);
    }
    if (SOME_COLUMN(shore))
        cross_east(warp, m, p, 1);
    else
        cross_east(warp, m, p, 0);
}

/* What crosses the domain's edges, for the volume balance: of row r - 2 in the west and in the east;
 * north of that row, where it is the last, and south of row r - 1, where that is the first. */
FN void keep_rims(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const int row = r - HALO;
    if (m->x == 0 && row >= 0)
        FOR_INNER(HALO, 1) keep(&a->rim[WEST][m->y + row], HERE(m->fw), SUBSTEP);
    if (m->x + m->w == a->span.nx && row >= 0)
        FOR_INNER(HALO + m->w, 1) keep(&a->rim[EAST][m->y + row], HERE(m->fw), SUBSTEP);
    if (m->y == 0 && row == -1)
        FOR_INNER(HALO, m->w) keep(&a->rim[SOUTH][m->x + COLUMN - HALO], HERE(m->gw), SUBSTEP);
    if (m->y + m->h == a->span.ny && row == m->h - 1)
        FOR_INNER(HALO, m->w) keep(&a->rim[NORTH][m->x + COLUMN - HALO], HERE(m->gw), SUBSTEP);
}

#ifdef TILED
#include "fused_tiles.h"
#endif /* TILED */

/* Where rows have velocities discharges come once more. */
#if STEPPED_BED
#define DISCHARGE(m, again, q, from) GET((m)->again, from)
#define LOAD_AGAIN(m, a, k)                   \
    do {                                      \
        LOAD_ROW((m)->from_hu, (a)->q.hu + (k), (m)->w); \
        LOAD_ROW((m)->from_hv, (a)->q.hv + (k), (m)->w); \
    } while (0)
#else
#define DISCHARGE(m, again, q, from) HERE(ROW(m, q, 0))
#define LOAD_AGAIN(m, a, k)          ((void)0)
#endif

#define BED_OF_CORNERS(m)                                      \
    (REAL(0.25) * ((HERE(ROW(m, b, 0)) + HERE(ROW(m, b, 1))) + \
                   (HERE(ROW(m, e, 0)) + HERE(ROW(m, e, 1)))))

/* Row r - 2 becomes what it is after the substep. The sums are grouped as in flux.cu. */
FN void finish_row(const struct warp warp, struct march *m, const struct fused_args *a, int r,
                   int forced)
{
    const struct physics p = a->p;
    const long k = m->first + (r - HALO) * a->pitch;
#ifdef TILED
    int moved = 0;
#endif /* TILED */
    FOR_COLUMNS {
        struct state from, base, rate, q;
        const real bed = ASKS_CENTRES ? CENTRE(HERE, m, 0) : BED_OF_CORNERS(m);
        const real floor = bed - rest_above(bed, p);
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
        q = dried(stepped(base, from, rate, floor, m->by, own), floor, p, &HERE(m->gained));
#ifdef WITH_TRACER
        DYE_AFTER(m, a, k, base, from, rate, floor, q.eta - floor, forced);
#endif /* WITH_TRACER */
        PUT(a->to.eta + k, m->new_eta, m->w, q.eta);
        PUT(a->to.hu + k, m->new_hu, m->w, q.hu);
        PUT(a->to.hv + k, m->new_hv, m->w, q.hv);
#ifdef TILED
        if (KEEPS_MAP)
            moved |= IS_INNER(m) & (moves(base, q, rate, floor, p.dry) | DYE_MOVES(m, a, k))
                         ? MOVES_AT_COLUMN(m)
                         : 0;
#endif /* TILED */
    }
#ifdef TILED
    m->moved |= moved ? moved | moves_at_row(m, r - HALO) : 0;
#endif /* TILED */
}

/* Counting is rare. */
FN void count_gains(const struct warp warp, struct march *m, const struct fused_args *a)
{
    const real units = a->p.units * a->p.weight;
    int changed = 0;
    FOR_CELLS(m->w) {
        changed |= HERE(m->gained) != REAL(0);
    }
    if (changed)
        FOR_INNER(HALO, m->w)
        {
            COUNT(m->counters + CLIPPED_IN, HERE(m->gained) * units);
        }
}

/* Rows are expected so many rows before they are needed, between the loops of a row: requests that
 * come all at once wait for each other. */
#ifndef EXPECTED
#define EXPECTED 2
#endif

/* Everything about row r - 2 that comes after its state and its north faces. */
FN void complete_row(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const long k = m->first + (r - HALO) * a->pitch, next = k + EXPECTED * a->pitch;
    EXPECT_ROW(a->q.eta + next + HALO * a->pitch, m->w);
    EXPECT_ROW(a->q.hu + next + HALO * a->pitch, m->w);
    LOAD_AGAIN(m, a, k);
    go_east(warp, m, a);
    EXPECT_ROW(a->q.hv + next + HALO * a->pitch, m->w);
    EXPECT_ROW(a->ground.corner + next + HALO * a->pitch, m->w);
    EXPECT_CENTRES(m, a, next + HALO * a->pitch);
    if (a->rim[WEST])
        keep_rims(warp, m, a, r);
#ifdef TILED
    keep_tile_rims(warp, m, r);
#endif /* TILED */
#ifdef WITH_TRACER
    if (a->rim[WEST])
        keep_dyes(warp, m, a, r);
    EXPECT_ROW(a->carried.from + next + HALO * a->pitch, m->w);
    if (SUBSTEP == 0) {
        EXPECT_STORE(a->carried.to + next, m->w);
    } else {
        EXPECT_ROW(a->carried.base + next, m->w);
        LOAD_ROW(m->base_dye, a->carried.base + k, m->w);
    }
#endif /* WITH_TRACER */
    if (SUBSTEP == 0) {
        EXPECT_STORE(a->to.eta + next, m->w);
        EXPECT_STORE(a->to.hu + next, m->w);
        EXPECT_STORE(a->to.hv + next, m->w);
    } else {
        EXPECT_ROW(a->base.eta + next, m->w);
        EXPECT_ROW(a->base.hu + next, m->w);
        EXPECT_ROW(a->base.hv + next, m->w);
    }
#if FRICTION == 2
    EXPECT_ROW(a->roughness + next, m->w);
    LOAD_ROW(m->rough, a->roughness + k, m->w);
#endif
    if (a->force.eta) {
        LOAD_ROW(m->force_eta, a->force.eta + k, m->w);
        LOAD_ROW(m->force_hu, a->force.hu + k, m->w);
        LOAD_ROW(m->force_hv, a->force.hv + k, m->w);
        finish_row(warp, m, a, r, 1);
    } else {
        finish_row(warp, m, a, r, 0);
    }
    STORE_ROW(a->to.eta + k, m->new_eta, m->w);
    STORE_ROW(a->to.hu + k, m->new_hu, m->w);
    STORE_ROW(a->to.hv + k, m->new_hv, m->w);
#ifdef WITH_TRACER
    STORE_ROW(a->carried.to + k, m->new_dye, m->w);
    count_dye(warp, m, a, k);
#endif /* WITH_TRACER */
#ifdef TILED
    push_ends(warp, m, a, k);
#endif /* TILED */
    count_gains(warp, m, a);
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
    m.first = at(a.pitch, X0 - HALO, Y0);
#if PRECISION == 64
    m.by.dt = SUBSTEP == 0 ? a.ahead->dt : a.clock->dt;
#else
    m.by.dt = SUBSTEP == 0 ? a.ahead->single : a.clock->dt_single;
#endif
    /* The first substep runs before the clock has counted its step. */
    m.by.dither = dither_of(a.clock->steps + (SUBSTEP == 0), a.stride);
    m.counters = SUBSTEP == 0 ? a.ahead->counters : a.counters;

    take_row(warp, &m, &a, -2);
    take_row(warp, &m, &a, -1);
    take_row(warp, &m, &a, 0);
    go_north(warp, &m, &a, 0, 0);
    take_row(warp, &m, &a, 1);
    go_north(warp, &m, &a, 1, 1);
    if (a.rim[WEST])
        keep_rims(warp, &m, &a, 1);
#ifdef TILED
    keep_tile_rims(warp, &m, 1);
#endif /* TILED */
#ifdef WITH_TRACER
    if (a.rim[WEST])
        keep_dyes(warp, &m, &a, 1);
#endif /* WITH_TRACER */
    UNROLL(UNROLLED)
    for (int r = HALO; r < m.h + HALO; r++) {
        if (SUBSTEP == 1) {
            const long k = m.first + (r - HALO) * a.pitch;
            LOAD_ROW(m.base_eta, a.base.eta + k, m.w);
            LOAD_ROW(m.base_hu, a.base.hu + k, m.w);
            LOAD_ROW(m.base_hv, a.base.hv + k, m.w);
        }
        take_row(warp, &m, &a, r);
        go_north(warp, &m, &a, r, 1);
        complete_row(warp, &m, &a, r);
    }
#ifdef TILED
    push_rows(warp, &m, &a);
    if (KEEPS_MAP && tiling.moved) {
        int sides = 0;
        for (int bit = 0; bit < MOVES_BITS; bit++)
            sides |= (SOME_COLUMN(m.moved & 1 << bit) != 0) << bit;
        ONCE tiling.moved[BLOCK_ID] = (bits)sides;
    }
#endif /* TILED */

    if (SUBSTEP == 0) {
        real x, y;
        LARGEST_IN(x, m.fastest_x, HALO, m.w + 1);
        LARGEST_IN(y, m.fastest_y, HALO, m.w);
        ONCE a.block_speed[BLOCK_ID] = max_bits(bits_of(x * a.p.inv_dx), bits_of(y * a.p.inv_dy));
    }
}
