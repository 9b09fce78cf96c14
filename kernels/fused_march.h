/* The rows that fused.cu keeps on its march, and how they are loaded. */
#ifndef SHOAL_FUSED_MARCH_H
#define SHOAL_FUSED_MARCH_H

#ifdef WITH_TRACER
#ifndef ROW_WARPS /* its rows take registers: rows.h */
#define ROW_WARPS                          \
    (PRECISION == 64 ? (WIDTH < 64   ? 12  \
                        : WIDTH < 96 ? 8   \
                                     : 4)  \
                     : (WIDTH < 64    ? 20 \
                        : WIDTH < 96  ? 16 \
                        : WIDTH < 128 ? 12 \
                                      : 8))
#endif
#endif /* WITH_TRACER */
#ifdef DRAINING
#ifndef ROW_WARPS /* with the usual ones these would spill */
#define ROW_WARPS                                          \
    (PRECISION == 32 && WIDTH == 64 && !SUBMERGED     ? 16 \
     : PRECISION == 32 && WIDTH == 128 && STEPPED_BED ? 8  \
     : PRECISION == 64 && WIDTH == 32 && STEPPED_BED  ? 12 \
                                                      : USUAL_WARPS)
#endif
#endif /* DRAINING */
#include "rows.h"

/* Subtracted once instead of in every depth. */
#if defined(FAST) && WHOLE_ROWS && !defined(WITH_TRACER)
#define FROM_STILL 1
#endif

#ifdef WITH_TRACER
/* In tiles corners end with the last row of cells. */
#if WHOLE_ROWS && !defined(TILED)
#define CENTRES_SELDOM 1
#endif
#endif /* WITH_TRACER */
#include "fused.h"
#ifdef DRAINING
#define KNOWS_DT     1
#define DRAINS_LATER 1
#define PASSAGE      passage_of(m->by.dt, p.inv_dy, p.inv_dx)
#endif /* DRAINING */
#include "num/face.h"
#ifdef WITH_TRACER
#include "num/tracer.h"
#endif /* WITH_TRACER */
#include "num/update.h"

/* The rows kept; r is the one loaded last.
 *
 * Lines 0, 1 and 2 are rows r - 2, r - 1 and r: eta; the quantities to limit (qx, qy: discharges, or
 * velocities over a bed with steps); the bed at the western (b) and eastern (e) corners of the cells' south
 * faces and at their centres (c). Sides of cells have depth (_h), velocity across the face (_n) and along it
 * (_t), and over a bed with steps the level (_w): `north` of row r - 1, `west` and `east` of row r - 2.
 * `half`, `low` and `high` are the surface of a row in open water; `step_x` is the rise of the surface to a
 * cell of row r - 2 from the one in the west. gw, ghu and ghv are the fluxes between rows r - 2 and r - 1;
 * yw, yhu and yhv those through the south of row r - 2 less those; fw, fhu and fhv those through the west
 * faces of row r - 2. The two sides of a face see different fluxes of momentum: fhu_after is that of the cell
 * in the east. `source_n` is the bed's source along y of row r - 1, source_x and source_y are those of row r
 * - 2. The rest is of row r - 2, too: water gained by clipping, the start of the step, forcing and the new
 * state. */
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
#else /* finish_row takes the mean of the four corners */
#define LINE(T, X)              STATE_LINES(T, X)
#define CENTRE(WHERE, m, k)     REAL(0)
#define TAKE_CENTRE(m, a, k)    ((void)0)
#define LOAD_CENTRES(m, a, k)   ((void)0)
#define EXPECT_CENTRES(m, a, k) ((void)0)
#endif
#define SIDES_OF_CELLS(R) SIDE_ROWS(R, north) SIDE_ROWS(R, west) SIDE_ROWS(R, east)
#define OPEN_WATER(R)     R(half) R(low) R(high) R(step_x)
#define FLUXES_Y(R)       R(gw) R(ghu) R(ghv) R(yw) R(yhu) R(yhv)
#define FLUXES_X(R)       R(fw) R(fhu) R(fhu_after) R(fhv)
#define SOURCES(R)        R(source_n) R(source_x) R(source_y) R(gained)
#define STATES_BASE(V)    V(base_eta) V(base_hu) V(base_hv)
#define STATES_FORCE(V)   V(force_eta) V(force_hu) V(force_hv)
#define STATES_NEW(V)     V(new_eta) V(new_hu) V(new_hv)
#ifdef DRAINING
/* Sides also hold twice the most that flows out of them (_most), but for the north one, where the lines tell it. */
#undef SOURCES
#define SOURCES(R) R(source_n) R(source_x) R(source_y) R(gained) R(west_most) R(east_most)
#endif /* DRAINING */
/* clang-format off */
#define KEPT(R, P, V)                                                                       \
    ROWS_OF_LINES(R) SIDES_OF_CELLS(R) OPEN_WATER(R) FLUXES_Y(R) FLUXES_X(R) SOURCES(R)     \
    STATES_BASE(V) STATES_FORCE(V) STATES_NEW(V) PASSING_OF_STEPS(V) PASSING_OF_FRICTION(V) \
    P(fastest_x) P(fastest_y)
/* clang-format on */

#ifdef WITH_TRACER
/* The lines hold c, too (dye). Sides of cells hold the c that they see (_dye), and fluxes the c that flows
 * (_flow): north_flow through the faces between rows r - 2 and r - 1, west_flow through the west faces of row r
 * - 2. east_flow is what the fluxes along y change in row r - 2, then what all of them do. */
#undef LINE
#if ASKS_CENTRES
#define LINE(T, X) STATE_LINES(T, X) T(c, X) T(dye, X)
#else
#define LINE(T, X) STATE_LINES(T, X) T(dye, X)
/* Only careful code looks at centres, of rows r - 2 and r. */
#undef OPEN_WATER
#define OPEN_WATER(R) R(half) R(low) R(high) R(step_x) R(centre0) R(centre2)
#endif
#undef SIDE_ROWS
#if STEPPED_BED
#define SIDE_ROWS(R, name) \
    R(name##_h) R(name##_n) R(name##_t) R(name##_w) R(name##_dye) R(name##_flow)
#else
#define SIDE_ROWS(R, name) R(name##_h) R(name##_n) R(name##_t) R(name##_dye) R(name##_flow)
#endif
#undef PASSING_OF_STEPS
#if STEPPED_BED
#define PASSING_OF_STEPS(V) V(from_hu) V(from_hv) V(base_dye) V(new_dye)
#else
#define PASSING_OF_STEPS(V) V(base_dye) V(new_dye)
#endif
#define TAKE_DYE(m, a, k) (HERE(ROW(m, dye, 2)) = GET(ROW(m, dye, 2), (a)->carried.from + (k)))
#endif /* WITH_TRACER */

/* Over terrain most ground may be dry: rows without water are detected and skipped. */
#define SKIPS_DRY STEPPED_BED

DECLARE_LINES
struct march {
    LINE_MEMBERS
    KEPT(ROW_MEMBER, PATTERN_MEMBER, PASSING_MEMBER)
    int x, y, w, h; /* first cell of the block, its extent */
    int rims;       /* the flow through the domain's edges is recorded, and the block touches one */
    long offset;    /* of row r: OFFSET */
    int thin;       /* row r - 2 has thin water: DRIES_LATER */
    unsigned dry;   /* bit k: row r - k has no water */
#ifdef DRAINING
    int rushed; /* row r - 1 takes care, in this thread's columns: rushes() */
    struct gentle gentle;
#endif /* DRAINING */
#ifdef WITH_TRACER
    unsigned scant; /* bit k: row r - k may have a cell without water, in this thread's columns */
    int clips;      /* clipping has added water to row r - 2: DRIES_LATER */
    real top;       /* bed at the highest corner north of row r, in this thread's columns */
    const struct fused_args *args;
#endif /* WITH_TRACER */
    struct advance by;
    counter *counters;
#ifdef TILED
    const struct tiling *tiling;
    int tile; /* its slot, which is also its index in `place` */
    int tile_nx;
    struct ends ends;
    /* for this thread's columns, the tile data of a block (tiling.h) */
    int moved;
#endif /* TILED */
};

/* Offset of row r, on a GPU of the thread's own first column in it. In tiles each thread adds that column
 * again, which saves a register. */
#ifdef TILED
#define OFFSET(m)    ((m)->offset + OWN_COLUMN((m)->w))
#define OWN_START(m) 0
#else
#define OFFSET(m)    (m)->offset
#define OWN_START(m) OWN_COLUMN((m)->w)
#endif /* TILED */

/* A side of a cell, in rows. WHERE: HERE, or WEST_OF. */
#define PUT_SIDE(m, name, side)                                       \
    (HERE((m)->name##_h) = (side).h, HERE((m)->name##_n) = (side).un, \
     HERE((m)->name##_t) = (side).ut, PUT_LEVEL(m, name, (side).w))
#define SIDE(WHERE, m, name) \
    side_of(WHERE((m)->name##_h), WHERE((m)->name##_n), WHERE((m)->name##_t), LEVEL(WHERE, m, name))

#ifdef DRAINING
FN struct side side_giving(struct side s, real most)
{
    s.most = most;
    return s;
}
#undef PUT_SIDE
#undef SIDE
#define PUT_SIDE(m, name, side)                                       \
    (HERE((m)->name##_h) = (side).h, HERE((m)->name##_n) = (side).un, \
     HERE((m)->name##_t) = (side).ut, PUT_LEVEL(m, name, (side).w), PUT_MOST_##name(m, side))
#define SIDE(WHERE, m, name)                                                              \
    side_giving(side_of(WHERE((m)->name##_h), WHERE((m)->name##_n), WHERE((m)->name##_t), \
                        LEVEL(WHERE, m, name)),                                           \
                MOST_##name(WHERE, m))
#define PUT_MOST_north(m, side) ((void)(side).most)
#define PUT_MOST_west(m, side)  (HERE((m)->west_most) = (side).most)
#define PUT_MOST_east(m, side)  (HERE((m)->east_most) = (side).most)
#define MOST_west(WHERE, m)     WHERE((m)->west_most)
#define MOST_east(WHERE, m)     WHERE((m)->east_most)
/* Inside cross_north, of row r - 2. */
#define MOST_north(WHERE, m)                                                         \
    shared_out_high(WHERE((m)->north_h),                                             \
                    store_of(CELL(WHERE, m, 0, qy, qx, p),                           \
                             bed_at_face(WHERE(ROW(m, b, 0)), WHERE(ROW(m, e, 0))),  \
                             bed_at_face(WHERE(ROW(m, b, 1)), WHERE(ROW(m, e, 1)))), \
                    PASSAGE, shore, p)
#endif /* DRAINING */

/* The surface of a row as in open water, which is symmetric, in rows. */
#define PUT_OPEN(m, w) \
    (HERE((m)->half) = (w).to_high, HERE((m)->low) = (w).low, HERE((m)->high) = (w).high)
#define OPEN(m) surface_of(-HERE((m)->half), HERE((m)->half), HERE((m)->low), HERE((m)->high))

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

/* Computed once for all slopes and faces that use a cell. */
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

#ifdef WITH_TRACER
#include "fused_wet.h"
#endif /* WITH_TRACER */

/* Loads row r and moves the others on. Rows that are not loaded as a whole are loaded while go_north
 * computes, except the first two, which precede it. */
FN void take_row(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    m->offset += a->pitch;
    const long k = OFFSET(m);
    MARCH_LINES(m);
    LOAD_OWN(ROW(m, eta, 2), a->q.eta + k, m->w);
    LOAD_OWN(ROW(m, qx, 2), a->q.hu + k, m->w);
    LOAD_OWN(ROW(m, qy, 2), a->q.hv + k, m->w);
    LOAD_OWN(ROW(m, b, 2), a->ground.corner + k, m->w);
    LOAD_CENTRES(m, a, k);
#ifdef WITH_TRACER
    LOAD_OWN(ROW(m, dye, 2), a->carried.from + k, m->w);
    if (WHOLE_ROWS || r < 0)
        FOR_COLUMNS TAKE_DYE(m, a, k);
    const real south = m->top;
    LOOK_AHEAD(warp, m, a);
#endif /* WITH_TRACER */
    if (FROM_STILL)
        FOR_COLUMNS HERE(ROW(m, b, 2)) = HERE(ROW(m, b, 2)) - a->p.still;
    if (WHOLE_ROWS || r < 0)
        FOR_COLUMNS TAKE_COLUMN(m, a, k);
#ifdef WITH_TRACER
    if (WHOLE_ROWS || r < 0)
        note_scant(warp, m, a->p, south);
#endif /* WITH_TRACER */
}

/* A cell of row k of the lines, 0 to 2, with its discharges across the faces that a direction looks at;
 * WHERE: HERE, WEST_OF or EAST_OF. RISE: of the surface from one of row k to one of row l. */
#define CELL(WHERE, m, k, across, along, p)                                           \
    cell_on(WHERE(ROW(m, eta, k)), WHERE(ROW(m, across, k)), WHERE(ROW(m, along, k)), \
            CENTRE(WHERE, m, k), p)
#define CELL_LEVEL(WHERE, m, k, p) \
    cell_on(WHERE(ROW(m, eta, k)), REAL(0), REAL(0), CENTRE(WHERE, m, k), p)
#define RISE(FROM, k, TO, l, m, p) rise_between(CELL_LEVEL(FROM, m, k, p), CELL_LEVEL(TO, m, l, p))

/* The cell of row r - 1 with those beside it along y. */
#define ALONG_Y(m, p)                                                                              \
    three_cells(CELL(HERE, m, 0, qy, qx, p), CELL(HERE, m, 1, qy, qx, p),                          \
                CELL(HERE, m, 2, qy, qx, p), RISE(HERE, 0, HERE, 1, m, p),                         \
                RISE(HERE, 1, HERE, 2, m, p), bed_at_face(HERE(ROW(m, b, 1)), HERE(ROW(m, e, 1))), \
                bed_at_face(HERE(ROW(m, b, 2)), HERE(ROW(m, e, 2))))

/* The same along x in row r - 2. */
#define ALONG_X(m, p)                                                                \
    three_cells(CELL(WEST_OF, m, 0, qx, qy, p), CELL(HERE, m, 0, qx, qy, p),         \
                CELL(EAST_OF, m, 0, qx, qy, p), HERE(m->step_x), EAST_OF(m->step_x), \
                bed_at_face(HERE(ROW(m, b, 0)), HERE(ROW(m, b, 1))),                 \
                bed_at_face(HERE(ROW(m, e, 0)), HERE(ROW(m, e, 1))))

#endif
