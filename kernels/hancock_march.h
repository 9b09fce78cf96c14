/* The rows that hancock.cu keeps on its march, and how they are loaded. */
#ifndef SHOAL_HANCOCK_MARCH_H
#define SHOAL_HANCOCK_MARCH_H

#include "rows.h"

/* Subtracted once instead of in every depth. */
#if defined(FAST) && WHOLE_ROWS
#define FROM_STILL 1
#endif

#include "hancock.h"
#include "num/predictor.h"

/* Row r is the one loaded last. Lines 0, 1 and 2 are rows r - 2, r - 1 and r, as in fused_march.h: eta; the
 * limited quantities (qx, qy); the bed at the western (b) and eastern (e) corners of the cells' south faces
 * and at their centres (c). Sides of cells of row r - 1 after half a step have depth (_h), velocity across
 * the face (_n) and along it (_t), and over a bed with steps the level (_w). step_x is the rise of the
 * surface to a cell of row r - 1 from the one in the west. gw, ghu, ghv: the flux between rows r - 2 and r -
 * 1 as the northern cell sees it; yw, yhu, yhv: the changes that fluxes along y, and the bed, make in row r -
 * 2, times dy. fw, fhu, fhv: the fluxes through the west faces of row r - 1, fhu_after as the cell in the
 * east sees it; xw, xhu, xhv: the changes they make, times dx, of row r - 2, then of row r - 1. source_x and
 * source_n are the bed's sources along x and y of row r - 1, drag_n the rate of its friction, drag that of
 * row r - 2. The rest: of row r - 2 water gained by clipping, forcing and the new state; of row r - 1 forcing
 * (lead_), roughness and the rates of the last step. */
#if STEPPED_BED
#define SIDE_ROWS(R, name)        R(name##_h) R(name##_n) R(name##_t) R(name##_w)
#define PASSING_OF_STEPS(V)       V(from_hu) V(from_hv)
#define PUT_LEVEL(m, name, level) HERE((m)->name##_w) = (level)
#define LEVEL(WHERE, m, name)     WHERE((m)->name##_w)
#else
#define SIDE_ROWS(R, name) R(name##_h) R(name##_n) R(name##_t)
#define PASSING_OF_STEPS(V)
#define PUT_LEVEL(m, name, level) ((void)(level))
#define LEVEL(WHERE, m, name)     REAL(0)
#endif
#if FRICTION
#define ROWS_OF_FRICTION(R) R(drag) R(drag_n)
#else
#define ROWS_OF_FRICTION(R)
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
#define LOAD_CENTRES(m, a, k)   LOAD_OWN(ROW(m, c, 2), (a)->ground.centre + (k), (m)->w)
#define EXPECT_CENTRES(m, a, k) EXPECT_OWN((a)->ground.centre + (k), (m)->w)
#else /* the bed is the mean of the four corners */
#define LINE(T, X)              STATE_LINES(T, X)
#define CENTRE(WHERE, m, k)     REAL(0)
#define TAKE_CENTRE(m, a, k)    ((void)0)
#define LOAD_CENTRES(m, a, k)   ((void)0)
#define EXPECT_CENTRES(m, a, k) ((void)0)
#endif
#define SIDES_OF_CELLS(R) SIDE_ROWS(R, north) SIDE_ROWS(R, west) SIDE_ROWS(R, east)
#define FLUXES(R)         R(gw) R(ghu) R(ghv) R(fw) R(fhu) R(fhu_after) R(fhv)
#define CHANGES(R)        R(xw) R(xhu) R(xhv) R(yw) R(yhu) R(yhv)
#define OTHERS(R)         R(step_x) R(source_x) R(source_n) R(gained)
#ifdef ON_CPU
/* hancock_loops.h: of row r - 1 the surface of open water, half the rise across a cell (_tilt) and the depths at the
 * ends; and sides in the south and, for the next row, in the north. */
#define SURFACE_ROWS(R, name) R(name##_tilt) R(name##_low) R(name##_high)
#define ROWS_OF_LOOPS(R) \
    SURFACE_ROWS(R, open_x) SURFACE_ROWS(R, open_y) SIDE_ROWS(R, low) SIDE_ROWS(R, high)
#undef OTHERS
#define OTHERS(R) R(step_x) R(source_x) R(source_n) R(gained) ROWS_OF_LOOPS(R)
#endif /* ON_CPU */
#define STATES_FORCE(V) \
    V(force_eta)        \
    V(force_hu) V(force_hv) V(lead_eta) V(lead_hu) V(lead_hv) V(last)
#define STATES_NEW(V) V(new_eta) V(new_hu) V(new_hv) V(taken)
/* hancock_edges.h */
#if WHOLE_ROWS
#define ROWS_OF_EDGES(P)
#else
#define ROWS_OF_EDGES(P) P(kept)
#endif
/* clang-format off */
#define KEPT(R, P, V)                                                                       \
    ROWS_OF_LINES(R) SIDES_OF_CELLS(R) FLUXES(R) CHANGES(R) OTHERS(R) ROWS_OF_FRICTION(R)   \
    STATES_FORCE(V) STATES_NEW(V) PASSING_OF_STEPS(V) PASSING_OF_FRICTION(V)                \
    P(fastest_x) P(fastest_y) ROWS_OF_EDGES(P)
/* clang-format on */

/* Over terrain most ground may be dry: rows without water are detected and skipped. */
#define SKIPS_DRY STEPPED_BED

DECLARE_LINES
struct march {
    LINE_MEMBERS
    KEPT(ROW_MEMBER, PATTERN_MEMBER, PASSING_MEMBER)
    int x, y, w, h; /* first cell of the block, its extent */
    int imposing;   /* an edge that imposes numbers may fix ends: hancock_edges.h */
    int driven;     /* that, or the case has forcing */
    long offset;    /* offset of row r, on a GPU of the thread's own first column in it */
    unsigned dry;   /* bit k: row r - k has no water */
    real dt, lx, ly, dither;
    counter *counters;
#ifdef TILED
    /* The first cell of the block in its tile, and the tile's extent; row r - 2 of the block; march_moves.h. */
    int tile_x, tile_nx;
    int ready;
    int moved;
    const struct tiling *tiling; /* march_push.h */
    int tile;
    struct ends ends;
#endif /* TILED */
};

/* A side of a cell, in rows. WHERE: HERE, or WEST_OF. */
#define PUT_SIDE(m, name, side)                                       \
    (HERE((m)->name##_h) = (side).h, HERE((m)->name##_n) = (side).un, \
     HERE((m)->name##_t) = (side).ut, PUT_LEVEL(m, name, (side).w))
#define SIDE(WHERE, m, name) \
    side_of(WHERE((m)->name##_h), WHERE((m)->name##_n), WHERE((m)->name##_t), LEVEL(WHERE, m, name))

/* A column of the row that begins at offset k. */
#define TAKE_COLUMN(m, a, k)                                                   \
    do {                                                                       \
        HERE(ROW(m, eta, 2)) = GET(ROW(m, eta, 2), (a)->q.eta + (k));          \
        HERE(ROW(m, qx, 2)) = GET(ROW(m, qx, 2), (a)->q.hu + (k));             \
        HERE(ROW(m, qy, 2)) = GET(ROW(m, qy, 2), (a)->q.hv + (k));             \
        HERE(ROW(m, b, 2)) = GET(ROW(m, b, 2), (a)->ground.corner + (k));      \
        HERE(ROW(m, e, 2)) = GET_EAST(ROW(m, b, 2), (a)->ground.corner + (k)); \
        TAKE_CENTRE(m, a, k);                                                  \
        TAKE_VELOCITIES(m, (a)->p);                                            \
    } while (0)

#if STEPPED_BED
#define TAKE_VELOCITIES(m, p)                                                               \
    do {                                                                                    \
        const real part =                                                                   \
            limited_part(depth_of(HERE(ROW(m, eta, 2)), HERE(ROW(m, c, 2)), (p).still), p); \
        HERE(ROW(m, qx, 2)) = part * HERE(ROW(m, qx, 2));                                   \
        HERE(ROW(m, qy, 2)) = part * HERE(ROW(m, qy, 2));                                   \
    } while (0)
#else
#define TAKE_VELOCITIES(m, p) ((void)0)
#endif

/* Loads row r and moves the others on. */
FN void take_row(const struct warp warp, struct march *m, const struct hancock_args *a)
{
    const long k = m->offset += a->pitch;
    MARCH_LINES(m);
    LOAD_OWN(ROW(m, eta, 2), a->q.eta + k, m->w);
    LOAD_OWN(ROW(m, qx, 2), a->q.hu + k, m->w);
    LOAD_OWN(ROW(m, qy, 2), a->q.hv + k, m->w);
    LOAD_OWN(ROW(m, b, 2), a->ground.corner + k, m->w);
    LOAD_CENTRES(m, a, k);
    if (FROM_STILL)
        FOR_COLUMNS HERE(ROW(m, b, 2)) = HERE(ROW(m, b, 2)) - a->p.still;
    FOR_COLUMNS TAKE_COLUMN(m, a, k);
}

/* A cell of row k of the lines, 0 to 2, with its discharges across the faces that a direction looks at;
 * WHERE: HERE, WEST_OF or EAST_OF. RISE: of the surface from one of row k to one of row l. */
#define CELL(WHERE, m, k, across, along, p)                                           \
    cell_on(WHERE(ROW(m, eta, k)), WHERE(ROW(m, across, k)), WHERE(ROW(m, along, k)), \
            CENTRE(WHERE, m, k), p)
#define CELL_LEVEL(WHERE, m, k, p) \
    cell_on(WHERE(ROW(m, eta, k)), REAL(0), REAL(0), CENTRE(WHERE, m, k), p)
#define RISE(FROM, k, TO, l, m, p) rise_between(CELL_LEVEL(FROM, m, k, p), CELL_LEVEL(TO, m, l, p))

/* The cell of row r - 1 with those beside it along y, and along x. */
#define ALONG_Y(m, p)                                                                              \
    three_cells(CELL(HERE, m, 0, qy, qx, p), CELL(HERE, m, 1, qy, qx, p),                          \
                CELL(HERE, m, 2, qy, qx, p), RISE(HERE, 0, HERE, 1, m, p),                         \
                RISE(HERE, 1, HERE, 2, m, p), bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, e, 1))), \
                bed_at_face(HERE(ROW(m, b, 2)), HERE(ROW(m, e, 2))))
#define ALONG_X(m, p)                                                                \
    three_cells(CELL(WEST_OF, m, 1, qx, qy, p), CELL(HERE, m, 1, qx, qy, p),         \
                CELL(EAST_OF, m, 1, qx, qy, p), HERE(m->step_x), EAST_OF(m->step_x), \
                bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, b, 2))),                 \
                bed_at_face(HERE(ROW(m, e, 1)), HERE(ROW(m, e, 2))))

/* The bed's level in a cell of row k; `next` is k + 1. */
#define BED(m, k, next)                                                          \
    (ASKS_CENTRES ? CENTRE(HERE, m, k)                                           \
                  : REAL(0.25) * ((HERE(ROW(m, b, k)) + HERE(ROW(m, b, next))) + \
                                  (HERE(ROW(m, e, k)) + HERE(ROW(m, e, next)))))

#endif
