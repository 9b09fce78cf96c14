/* A substep of RK2 in one pass over memory: fluxes in both directions, the bed's source, forcing,
 * time integration, friction and drying, with no rate of change in between. The numbers are those of
 * flux.cu followed by rk.cu, to the bit; each cell's slopes and each face's flux are computed once.
 *
 * SUBSTEP 0 makes Q* = Q + dt R(Q) with the dt that ahead.cu tries, and finds the wave speeds that
 * decide whether it was right; SUBSTEP 1 makes (Q + Q* + dt R(Q*))/2, and `to` may be `base`.
 *
 * When row r has come in at the north end, the slopes along y of row r - 1 are known, so the flux
 * between rows r - 2 and r - 1, so row r - 2 can be finished. */
#include "rows.h"

#include "fused.h"
#include "num/face.h"
#include "num/update.h"

#if STEPPED_BED && BULK
#error "BULK has no row of the bed ahead: leave it out where the reconstruction has a stepped bed"
#endif
#ifdef STAGE /* the stage has 16 bits a value */
#if BULK
#error "BULK copies rows of reals: leave out STAGE"
#endif
#include "stage16.h"
#endif

#ifndef UNROLLED
#define UNROLLED 1 /* rows that a turn of the loop takes on a GPU */
#endif

/* The rows kept. 0, 1, 2: of rows r - 2, r - 1 and r, the state; of the bed the corners at their south
 * ends, western (b) and eastern (e) ones. The ends of cells (depth, velocity across the face and along
 * it): of row r - 1, later r - 2, towards the north, of row r - 2 towards west and east. The rest is of
 * row r - 2: fluxes through its south (g) and west (f) faces, the flux through the south less that
 * through the north (y), what else it is computed from, and what it becomes.
 * Over a bed with steps b1, b2 and e1, e2 are the corners south and north of row r, c the levels at the
 * cells' centres; the ends have surface levels (l), momentum a second flux, and source_n is of row
 * r - 1. */
#if STEPPED_BED
#define LINE_OF_STEPS(T, X) T(c, X) T(d, X)
#define KEPT_OF_STEPS(R) R(north_l) R(west_l) R(east_l) R(fhu_after) R(source_x) R(source_y) R(source_n)
#else
#define LINE_OF_STEPS(T, X)
#define KEPT_OF_STEPS(R)
#endif
#if FRICTION == 2
#define KEPT_OF_FRICTION(V) V(rough)
#else
#define KEPT_OF_FRICTION(V)
#endif
#define LINE(T, X) T(w, X) T(hu, X) T(hv, X) T(b, X) T(e, X) LINE_OF_STEPS(T, X)
#define KEPT(R, P, V)                                                                              \
    ROWS_OF_LINES(R) KEPT_OF_STEPS(R) R(north_h) R(north_n) R(north_t) R(west_h) R(west_n)         \
    R(west_t) R(east_h) R(east_n) R(east_t) R(gw) R(ghu) R(ghv) R(fw) R(fhu) R(fhv) R(yw) R(yhu)   \
    R(yhv) R(gained) V(base_w) V(base_hu) V(base_hv) V(force_w) V(force_hu) V(force_hv) V(new_w)   \
    V(new_hu) V(new_hv) KEPT_OF_FRICTION(V) P(fastest_x) P(fastest_y)

DECLARE_LINES
struct march {
    LINE_MEMBERS
    KEPT(ROW_MEMBER, PATTERN_MEMBER, PASSING_MEMBER)
    struct feed feed;
    int x, y, w, h; /* first cell of the block, its extent */
    long first;     /* offset of column 0 of row 0 */
    real dt;
    counter *counters;
};

#define INCOMING(a, k) (a)->q.w + (k), (a)->q.hu + (k), (a)->q.hv + (k), (a)->bed + (k)

/* Of the row that begins at offset k: where the corners are that come in with it. */
#define BED_AT(a, k) ((a)->bed + (k) + (STEPPED_BED ? (a)->pitch : 0))

/* A column of that row. */
#define TAKE_COLUMN(m, a, k)                               \
    do {                                                   \
        HERE(ROW(m, w, 2)) = GET(ROW(m, w, 2), (a)->q.w + (k));      \
        HERE(ROW(m, hu, 2)) = GET(ROW(m, hu, 2), (a)->q.hu + (k));   \
        HERE(ROW(m, hv, 2)) = GET(ROW(m, hv, 2), (a)->q.hv + (k));   \
        TAKE_CORNERS(m, BED_AT(a, k));                     \
        TAKE_CENTRE(m);                                    \
    } while (0)
#define TAKE_CORNERS(m, from)                    \
    do {                                         \
        HERE(ROW(m, b, 2)) = GET(ROW(m, b, 2), from);      \
        HERE(ROW(m, e, 2)) = GET_EAST(ROW(m, b, 2), from); \
        MEND_LAST(m, from);                      \
    } while (0)
/* The centre in the outermost column counts, and there a warp's neighbour in the east is missing. */
#if STEPPED_BED
#define TAKE_CENTRE(m)                                                                           \
    do {                                                                                         \
        HERE(ROW(m, c, 2)) =                                                                          \
            bed_at_centre(HERE(ROW(m, b, 1)), HERE(ROW(m, e, 1)), HERE(ROW(m, b, 2)), HERE(ROW(m, e, 2)));           \
        HERE(ROW(m, d, 2)) = bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, b, 2)));                               \
    } while (0)
#define MEND_LAST(m, from)                                \
    if (WHOLE_ROWS && COLUMN == (m)->w + 2 * HALO - 1)    \
        HERE(ROW(m, e, 2)) = (from)[COLUMN + 1]
#else
#define TAKE_CENTRE(m)     ((void)0)
#define MEND_LAST(m, from) ((void)0)
#endif

/* South of the first row, which begins at offset k. */
FN void take_first_corners(const struct warp warp, struct march *m, const struct fused_args *a, long k)
{
    (void)warp, (void)m, (void)a, (void)k;
#if STEPPED_BED
    LOAD_ROW(ROW(m, b, 2), a->bed + k, m->w);
    FOR_COLUMNS TAKE_CORNERS(m, a->bed + k);
#endif
}

/* Row r comes in, the others move on. Rows that do not come as a whole come in while go_north computes,
 * but for the first two, which it does not follow. */
FN void take_row(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const long k = m->first + r * a->pitch;
    MARCH_LINES(m);
    AWAIT_ROWS(m->feed);
#if defined(STAGE) && SUBSTEP == 1
    LOAD_STAGE(ROW(m, w, 2), a->q.w, k, m->w);
    LOAD_STAGE(ROW(m, hu, 2), a->q.hu, k, m->w);
    LOAD_STAGE(ROW(m, hv, 2), a->q.hv, k, m->w);
    FOR_COLUMNS {
        HERE(ROW(m, w, 2)) = a->level + HERE(ROW(m, w, 2));
    }
#else
    LOAD_FED(ROW(m, w, 2), m->feed, 0, a->q.w + k, m->w);
    LOAD_FED(ROW(m, hu, 2), m->feed, 1, a->q.hu + k, m->w);
    LOAD_FED(ROW(m, hv, 2), m->feed, 2, a->q.hv + k, m->w);
#endif
    LOAD_FED(ROW(m, b, 2), m->feed, 3, BED_AT(a, k), m->w);
    SEND_ROWS(m->feed, INCOMING(a, k), a->pitch, m->h + HALO - r, m->w);
    if (WHOLE_ROWS || r < 0)
        FOR_COLUMNS TAKE_COLUMN(m, a, k);
}

/* Along y: the ends of the cells of row r - 1, and where those of the row before are known the flux
 * between the two. */
FN void go_north(const struct warp warp, struct march *m, const struct fused_args *a, int r,
                 int flux)
{
    const struct physics p = a->p;
    const long k = m->first + r * a->pitch;
    FOR_COLUMNS {
        if (!WHOLE_ROWS)
            TAKE_COLUMN(m, a, k);
        struct cell s[3];
        struct side before;
        s[0].w = HERE(ROW(m, w, 0)), s[0].n = HERE(ROW(m, hv, 0)), s[0].t = HERE(ROW(m, hu, 0));
        s[1].w = HERE(ROW(m, w, 1)), s[1].n = HERE(ROW(m, hv, 1)), s[1].t = HERE(ROW(m, hu, 1));
        s[2].w = HERE(ROW(m, w, 2)), s[2].n = HERE(ROW(m, hv, 2)), s[2].t = HERE(ROW(m, hu, 2));
#if STEPPED_BED
        s[0].b = HERE(ROW(m, c, 0)), s[1].b = HERE(ROW(m, c, 1)), s[2].b = HERE(ROW(m, c, 2));
#endif
#if STEPPED_BED
        const real bed = bed_at_face(HERE(ROW(m, b, 0)), HERE(ROW(m, e, 0)));
        const real bed_north = bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, e, 1)));
#else
        const real bed = bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, e, 1)));
        const real bed_north = bed_at_face(HERE(ROW(m, b, 2)), HERE(ROW(m, e, 2)));
#endif
        const struct halves ends = reconstructed(s[0], s[1], s[2], bed, bed_north, p);
        before.h = HERE(m->north_h), before.un = HERE(m->north_n), before.ut = HERE(m->north_t);
        before.b = bed;
#if STEPPED_BED
        before.w = HERE(m->north_l);
        HERE(m->north_l) = ends.high.w;
        HERE(m->source_y) = HERE(m->source_n);
        HERE(m->source_n) = ends.source;
#endif
        HERE(m->north_h) = ends.high.h;
        HERE(m->north_n) = ends.high.un;
        HERE(m->north_t) = ends.high.ut;
        if (flux) {
            const struct flux g = face_flux(before, ends.low, p.g);
            HERE(m->yw) = HERE(m->gw) - g.h, HERE(m->gw) = g.h;
            HERE(m->yhv) = HERE(m->ghv) - g.n, HERE(m->ghv) = g.n_after;
            HERE(m->yhu) = HERE(m->ghu) - g.t, HERE(m->ghu) = g.t;
            if (SUBSTEP == 0)
                HERE(m->fastest_y) =
                    max_bits(HERE(m->fastest_y), bits_of(faster(before, ends.low, p.g)));
        }
    }
}

/* Along x, in row r - 2. */
FN void go_east(const struct warp warp, struct march *m, const struct fused_args *a)
{
    const struct physics p = a->p;
    FOR_COLUMNS {
        struct cell s[3];
        s[0].w = WEST_OF(ROW(m, w, 0)), s[0].n = WEST_OF(ROW(m, hu, 0)), s[0].t = WEST_OF(ROW(m, hv, 0));
        s[1].w = HERE(ROW(m, w, 0)), s[1].n = HERE(ROW(m, hu, 0)), s[1].t = HERE(ROW(m, hv, 0));
        s[2].w = EAST_OF(ROW(m, w, 0)), s[2].n = EAST_OF(ROW(m, hu, 0)), s[2].t = EAST_OF(ROW(m, hv, 0));
#if STEPPED_BED
        s[0].b = WEST_OF(ROW(m, c, 0)), s[1].b = HERE(ROW(m, c, 0)), s[2].b = EAST_OF(ROW(m, c, 0));
        const real bed = HERE(ROW(m, d, 0)), bed_east = EAST_OF(ROW(m, d, 0));
#else
        const real bed = bed_at_face(HERE(ROW(m, b, 0)), HERE(ROW(m, b, 1)));
        const real bed_east = bed_at_face(HERE(ROW(m, e, 0)), HERE(ROW(m, e, 1)));
#endif
        const struct halves ends = reconstructed(s[0], s[1], s[2], bed, bed_east, p);
        HERE(m->west_h) = ends.low.h;
        HERE(m->west_n) = ends.low.un;
        HERE(m->west_t) = ends.low.ut;
        HERE(m->east_h) = ends.high.h;
        HERE(m->east_n) = ends.high.un;
        HERE(m->east_t) = ends.high.ut;
#if STEPPED_BED
        HERE(m->west_l) = ends.low.w;
        HERE(m->east_l) = ends.high.w;
        HERE(m->source_x) = ends.source;
#endif
    }
    FOR_COLUMNS {
        struct side l, r;
        l.h = WEST_OF(m->east_h), l.un = WEST_OF(m->east_n), l.ut = WEST_OF(m->east_t);
        r.h = HERE(m->west_h), r.un = HERE(m->west_n), r.ut = HERE(m->west_t);
#if STEPPED_BED
        l.w = WEST_OF(m->east_l), r.w = HERE(m->west_l);
#else
        l.b = r.b = bed_at_face(HERE(ROW(m, b, 0)), HERE(ROW(m, b, 1)));
#endif
        const struct flux f = face_flux(l, r, p.g);
        HERE(m->fw) = f.h, HERE(m->fhu) = f.n, HERE(m->fhv) = f.t;
#if STEPPED_BED
        HERE(m->fhu_after) = f.n_after;
#endif
        if (SUBSTEP == 0)
            HERE(m->fastest_x) = max_bits(HERE(m->fastest_x), bits_of(faster(l, r, p.g)));
    }
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

/* Row r - 2 becomes what it is after the substep. The sums are grouped as in flux.cu. */
FN void finish_row(const struct warp warp, struct march *m, const struct fused_args *a, int r,
                   int forced)
{
    const struct physics p = a->p;
    const long k = m->first + (r - HALO) * a->pitch;
    FOR_COLUMNS {
        struct state from, base, rate, q;
#if STEPPED_BED
        const real bed = HERE(ROW(m, c, 0)), in = HERE(m->fhu_after);
        const real source_x = HERE(m->source_x), source_y = HERE(m->source_y);
#else
        const real b00 = HERE(ROW(m, b, 0)), b10 = HERE(ROW(m, e, 0)), b01 = HERE(ROW(m, b, 1)), b11 = HERE(ROW(m, e, 1));
        const real bed = bed_at_centre(b00, b10, b01, b11), in = HERE(m->fhu);
        const real w = HERE(ROW(m, w, 0));
        const real source_x = bed_source(w, bed_at_face(b00, b01), bed_at_face(b10, b11), p.g);
        const real source_y = bed_source(w, bed_at_face(b00, b10), bed_at_face(b01, b11), p.g);
#endif
        from.w = HERE(ROW(m, w, 0)), from.hu = HERE(ROW(m, hu, 0)), from.hv = HERE(ROW(m, hv, 0));
#if defined(STAGE) && SUBSTEP == 1
        from.w = max2(from.w, bed);
#endif
        base = from;
        if (SUBSTEP == 1) {
            base.w = GET(m->base_w, a->base.w + k);
            base.hu = GET(m->base_hu, a->base.hu + k);
            base.hv = GET(m->base_hv, a->base.hv + k);
        }
        rate.w = (HERE(m->fw) - EAST_OF(m->fw)) * p.inv_dx + HERE(m->yw) * p.inv_dy;
        rate.hu = ((in - EAST_OF(m->fhu)) + source_x) * p.inv_dx +
                  HERE(m->yhu) * p.inv_dy;
        rate.hv = (HERE(m->fhv) - EAST_OF(m->fhv)) * p.inv_dx +
                  (HERE(m->yhv) + source_y) * p.inv_dy;
        if (forced) {
            rate.w = rate.w + GET(m->force_w, a->force.w + k);
            rate.hu = rate.hu + GET(m->force_hu, a->force.hu + k);
            rate.hv = rate.hv + GET(m->force_hv, a->force.hv + k);
        }
        struct physics own = p;
#if FRICTION == 2
        own.friction = GET(m->rough, a->roughness + k);
#endif
        q = dried(stepped(base, from, rate, bed, m->dt, own), bed, p, &HERE(m->gained));
#if defined(STAGE) && SUBSTEP == 0
        q.w = deviation(q.w, bed, a->level);
#endif
        PUT(a->to.w + k, m->new_w, m->w, q.w);
        PUT(a->to.hu + k, m->new_hu, m->w, q.hu);
        PUT(a->to.hv + k, m->new_hv, m->w, q.hv);
    }
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
            COUNT(m->counters + CLIPPED_IN, positive(HERE(m->gained)) * units);
            COUNT(m->counters + DRIED_OUT, positive(-HERE(m->gained)) * units);
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
    EXPECT_ROW(a->q.w + next + HALO * a->pitch, m->w);
    EXPECT_ROW(a->q.hu + next + HALO * a->pitch, m->w);
    go_east(warp, m, a);
    EXPECT_ROW(a->q.hv + next + HALO * a->pitch, m->w);
    EXPECT_ROW(a->bed + next + HALO * a->pitch, m->w);
    if (a->rim[WEST])
        keep_rims(warp, m, a, r);
    if (SUBSTEP == 0) {
        EXPECT_STORE(a->to.w + next, m->w);
        EXPECT_STORE(a->to.hu + next, m->w);
        EXPECT_STORE(a->to.hv + next, m->w);
    } else {
        EXPECT_ROW(a->base.w + next, m->w);
        EXPECT_ROW(a->base.hu + next, m->w);
        EXPECT_ROW(a->base.hv + next, m->w);
    }
#if FRICTION == 2
    EXPECT_ROW(a->roughness + next, m->w);
    LOAD_ROW(m->rough, a->roughness + k, m->w);
#endif
    if (a->force.w) {
        LOAD_ROW(m->force_w, a->force.w + k, m->w);
        LOAD_ROW(m->force_hu, a->force.hu + k, m->w);
        LOAD_ROW(m->force_hv, a->force.hv + k, m->w);
        finish_row(warp, m, a, r, 1);
    } else {
        finish_row(warp, m, a, r, 0);
    }
#if defined(STAGE) && SUBSTEP == 0
    STORE_STAGE(a->to.w, k, m->new_w, m->w);
    STORE_STAGE(a->to.hu, k, m->new_hu, m->w);
    STORE_STAGE(a->to.hv, k, m->new_hv, m->w);
#else
    STORE_ROW(a->to.w + k, m->new_w, m->w);
    STORE_ROW(a->to.hu + k, m->new_hu, m->w);
    STORE_ROW(a->to.hv + k, m->new_hv, m->w);
#endif
    count_gains(warp, m, a);
}

CLUSTERED(struct fused_args)
KERNEL(fused, struct fused_args)
{
    if (a.clock->halt || (SUBSTEP == 1 && a.clock->rejected))
        return;
    THIS_WARP;
    THESE_ROWS(struct march, KEPT)
    THESE_LINES
    m.x = X0, m.y = Y0, m.w = CELLS_X, m.h = CELLS_Y;
    m.first = at(a.pitch, X0 - HALO, Y0);
#if PRECISION == 64
    m.dt = SUBSTEP == 0 ? a.ahead->dt : a.clock->dt;
#else
    m.dt = SUBSTEP == 0 ? a.ahead->single : a.clock->dt_single;
#endif
    m.counters = SUBSTEP == 0 ? a.ahead->counters : a.counters;

    OPEN_FEED(m.feed, INCOMING(&a, m.first - HALO * a.pitch), a.pitch, m.h + 2 * HALO, m.w);
    take_first_corners(warp, &m, &a, m.first - HALO * a.pitch);
    take_row(warp, &m, &a, -2);
    take_row(warp, &m, &a, -1);
    take_row(warp, &m, &a, 0);
    go_north(warp, &m, &a, 0, 0);
    take_row(warp, &m, &a, 1);
    go_north(warp, &m, &a, 1, 1);
    if (a.rim[WEST])
        keep_rims(warp, &m, &a, 1);
    UNROLL(UNROLLED)
    for (int r = HALO; r < m.h + HALO; r++) {
        if (SUBSTEP == 1) {
            const long k = m.first + (r - HALO) * a.pitch;
            LOAD_ROW(m.base_w, a.base.w + k, m.w);
            LOAD_ROW(m.base_hu, a.base.hu + k, m.w);
            LOAD_ROW(m.base_hv, a.base.hv + k, m.w);
        }
        take_row(warp, &m, &a, r);
        go_north(warp, &m, &a, r, 1);
        complete_row(warp, &m, &a, r);
    }

    if (SUBSTEP == 0) {
        real x, y;
        LARGEST_IN(x, m.fastest_x, HALO, m.w + 1);
        LARGEST_IN(y, m.fastest_y, HALO, m.w);
        ONCE a.block_speed[BLOCK_ID] = max_bits(bits_of(x * a.p.inv_dx), bits_of(y * a.p.inv_dy));
    }
}
