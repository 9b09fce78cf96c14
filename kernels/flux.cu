/* Net rate of change R of every cell from the fluxes in x (DIRECTIONS 1), in y (2) or in both (3) and the
 * bed's slope; SUBSTEP 0 also finds the largest wave speed (thesis 2.3, "flux kernels", and 3.1; paper III,
 * eq. 3). TRANSPOSED: the state is stored transposed, the bed is not.
 *
 * Processes one direction after the other: first the slopes of each cell, once, and the states at its two
 * faces; then the flux through each face. It reads the state in place, and neighbours from a cache:
 * instructions limit the kernel, and copying the state to a tile would take more of them. */
#ifdef DRAINING
#define KNOWS_DT (SUBSTEP != 0) /* a first substep ends before it is */
#define PASSAGE  way_x
#endif /* DRAINING */
#include "num/face.h"
#ifdef WITH_TRACER
#include "num/tracer.h"
/* A block needs one and a half times the registers. */
#if defined(WANTED_THREADS) && PRECISION == 32 && !EARLY_EXIT
#undef WANTED_THREADS
#define WANTED_THREADS (SM_THREADS * (STEPPED_BED ? 4 : 5) / 8)
#endif
#endif /* WITH_TRACER */

#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

#define ALONG_X ((DIRECTIONS & 1) != 0)
#define ALONG_Y ((DIRECTIONS & 2) != 0)

#define SIDE_REALS (3 + STEPPED_BED)
#ifdef DRAINING
#undef SIDE_REALS
#define SIDE_REALS (4 + STEPPED_BED)
#endif /* DRAINING */
enum { LOW, HIGH, ENDS };

/* Fluxes through faces: of mass (h), of momentum across (n, n_after: see struct flux) and along them (t). */
#define FACES(rows, columns)                                             \
    struct {                                                             \
        real h[rows][columns], n[rows][columns], n_after[rows][columns]; \
        real t[rows][columns];                                           \
    }

TILES
{
    /* Depth, velocity normal and tangential to the face, and over a bed with steps the level, on each
     * cell's lower and higher face, from the cell before the block's first to the one behind its last.
     * Both directions use these. */
    real end[ENDS][SIDE_REALS][BH + 2 * ALONG_Y][BW + 2 * ALONG_X];
    real source_x[ALONG_X ? BH : 1][BW + 2], source_y[ALONG_Y ? BH + 2 : 1][BW];
    FACES(ALONG_X ? BH : 1, BW + 1) west;
    FACES(ALONG_Y ? BH + 1 : 1, BW) south;
    real bed[TRANSPOSED ? BH : 1][BW + 5]; /* on the west faces, from that of the second cell before */
#ifdef WITH_TRACER
    real dye[ENDS][BH + 2 * ALONG_Y][BW + 2 * ALONG_X]; /* what the faces see of c, like `end` */
    real dye_west[ALONG_X ? BH : 1][BW + 1], dye_south[ALONG_Y ? BH + 1 : 1][BW]; /* of the flux */
#endif /* WITH_TRACER */
};

FN void put_side(struct tiles *t, int end, int j, int i, struct side s)
{
    t->end[end][0][j][i] = s.h;
    t->end[end][1][j][i] = s.un;
    t->end[end][2][j][i] = s.ut;
    if (STEPPED_BED)
        t->end[end][SIDE_REALS - 1][j][i] = s.w;
#ifdef DRAINING
    t->end[end][3][j][i] = s.most;
#endif /* DRAINING */
}

FN struct side side_at(const struct tiles *t, int end, int j, int i)
{
    return side_of(t->end[end][0][j][i], t->end[end][1][j][i], t->end[end][2][j][i],
                   STEPPED_BED ? t->end[end][SIDE_REALS - 1][j][i] : REAL(0));
}

#ifdef DRAINING
FN struct side side_to_drain(const struct tiles *t, int end, int j, int i)
{
    struct side s = side_at(t, end, j, i);
    s.most = t->end[end][3][j][i];
    return s;
}
#define side_at side_to_drain
#endif /* DRAINING */

/* Stores the two sides of a cell; returns its source. */
FN real put_ends(struct tiles *t, int j, int i, struct halves ends)
{
    put_side(t, LOW, j, i, ends.low);
    put_side(t, HIGH, j, i, ends.high);
    return ends.source;
}

#define PUT_FLUX(faces, j, i, f)                            \
    ((faces).h[j][i] = (f).h, (faces).n[j][i] = (f).n,      \
     (faces).n_after[j][i] = (f).n_after, (faces).t[j][i] = (f).t)

/* The bed at the centre of a cell: at offset m, or in a transposed state of column i and row j of the block. The
 * mean of two faces is that of four corners to the bit (struct ground). */
FN real bed_of(const struct flux_args *a, const struct tiles *t, long m, int j, int i)
{
    return TRANSPOSED ? REAL(0.5) * (t->bed[j][i + 2] + t->bed[j][i + 3]) : a->ground.centre[m];
}

/* A cell at offset k with its discharges across and along a face; `bed` is unused where nothing needs it. */
FN struct cell cell_at(const real *eta, const real *across, const real *along, long k, real bed,
                       const struct physics p)
{
    return limited(cell_on(eta[k], across[k], along[k], ASKS_CENTRES ? bed : REAL(0), p), p);
}

/* A cell with those beside it along x. It is at offset k, over the bed at offset m, in column i and row j. */
FN struct three three_in_x(const struct flux_args *a, const struct tiles *t, long k, long m, int j,
                           int i)
{
    const struct fields q = a->q;
    const real *b = a->ground.corner + m, *up = b + a->bed_pitch;
    const struct cell before =
        cell_at(q.eta, q.hu, q.hv, k - 1, bed_of(a, t, m - 1, j, i - 1), a->p);
    const struct cell here = cell_at(q.eta, q.hu, q.hv, k, bed_of(a, t, m, j, i), a->p);
    const struct cell after =
        cell_at(q.eta, q.hu, q.hv, k + 1, bed_of(a, t, m + 1, j, i + 1), a->p);
    return three_cells(before, here, after, rise_between(before, here), rise_between(here, after),
                       TRANSPOSED ? t->bed[j][i + 2] : bed_at_face(b[0], up[0]),
                       TRANSPOSED ? t->bed[j][i + 3] : bed_at_face(b[1], up[1]));
}

/* The same along y. */
FN struct three three_in_y(const struct flux_args *a, long k, long m)
{
    const struct fields q = a->q;
    const real *b = a->ground.corner + m, *up = b + a->bed_pitch, *centre = a->ground.centre + m;
    const struct cell before =
        cell_at(q.eta, q.hv, q.hu, k - a->pitch, centre[-a->bed_pitch], a->p);
    const struct cell here = cell_at(q.eta, q.hv, q.hu, k, centre[0], a->p);
    const struct cell after = cell_at(q.eta, q.hv, q.hu, k + a->pitch, centre[a->bed_pitch], a->p);
    return three_cells(before, here, after, rise_between(before, here), rise_between(here, after),
                       bed_at_face(b[0], b[1]), bed_at_face(up[0], up[1]));
}

#ifdef WITH_TRACER
FN int wet_at(const struct flux_args *a, long k, long m)
{
    return depth_of(a->q.eta[k], a->ground.centre[m], a->p.still) > REAL(0);
}

/* Stores what the faces of a cell see of c; the cell's neighbours lie `step` before and after it, their beds
 * `bed_step`. The depths at its faces are already stored. */
FN void put_dyes(const struct flux_args *a, struct tiles *t, int j, int i, long k, long m, long step,
                 long bed_step)
{
    const real *c = a->carried.from + k;
    const struct dyes d =
        dyes_of(c[-step], c[0], c[step], wet_at(a, k - step, m - bed_step),
                wet_at(a, k + step, m + bed_step), t->end[LOW][0][j][i], t->end[HIGH][0][j][i],
                a->p.theta);
    t->dye[LOW][j][i] = d.low;
    t->dye[HIGH][j][i] = d.high;
}

/* The change of c in the cell at column i and row j of the block. */
FN void put_change(const struct flux_args *a, const struct tiles *t, int j, int i, long k, long m)
{
    const real c = a->carried.from[k];
    const int wet = wet_at(a, k, m);
    real x = REAL(0), y = REAL(0), fills_x = REAL(0), fills_y = REAL(0);
    if (ALONG_X) {
        x = dye_change(dye_faces(t->west.h[j][i], t->dye_west[j][i], t->west.h[j][i + 1],
                                 t->dye_west[j][i + 1]),
                       c, wet, a->p.inv_dx);
        fills_x = (t->west.h[j][i] - t->west.h[j][i + 1]) * a->p.inv_dx;
    }
    if (ALONG_Y) {
        y = dye_change(dye_faces(t->south.h[j][i], t->dye_south[j][i], t->south.h[j + 1][i],
                                 t->dye_south[j + 1][i]),
                       c, wet, a->p.inv_dy);
        fills_y = (t->south.h[j][i] - t->south.h[j + 1][i]) * a->p.inv_dy;
    }
    a->carried.r[k] = !ALONG_X ? y : !ALONG_Y ? x : dye_changes(x, y, wet, fills_x, fills_y);
}
#endif /* WITH_TRACER */

#ifdef TILED
#ifdef ON_CPU
/* The last vector of a row overlaps the one before: in a narrow tile a loop over what remains, cell by cell, would take as
 * long as all vectors. No phase reads what it writes, so it may write that twice. */
#undef FOR_TILE
#define LANES (512 / PRECISION)
#define FOR_TILE(i, j, ex, ey)                                                         \
    for (int j = 0, tile_w = CELLS_X + (ex), tile_h = CELLS_Y + (ey); j < tile_h; j++) \
        for (int last = 0; last < 2; last++)                                           \
    INDEPENDENT for (int i = last && tile_w > LANES ? tile_w - LANES : 0,              \
                         end = last ? tile_w : tile_w / LANES * LANES;                 \
                     i < end; i++)
#endif /* ON_CPU */
#endif /* TILED */

KERNEL(flux, struct flux_args)
{
    if (a.clock->halt)
        return;
    if (EARLY_EXIT && a.wet.skip[BLOCK_ID])
        return;
    if (TRANSPOSED) {
        UNROLL(1) FOR_TRANSPOSED(i, j, 5, 0) {
            const long m = at(a.bed_pitch, Y0 + j, X0 + i - 2);
            t->bed[j][i] = bed_at_face(a.ground.corner[m], a.ground.corner[m + 1]);
        }
        SYNC;
    }
    MAX_LANES(fastest);
#ifdef DRAINING
    const real dt = KNOWS_DT ? step_length(a.clock) : REAL(1);
    const struct passage way_x = passage_of(dt, a.p.inv_dx, a.p.inv_dy);
    const struct passage way_y = passage_of(dt, a.p.inv_dy, a.p.inv_dx);
    (void)way_x, (void)way_y;
#endif /* DRAINING */
    if (ALONG_X) {
        UNROLL(1) FOR_TILE(i, j, 2, 0) {
            const long k = at(a.pitch, X0 + i - 1, Y0 + j), m = at(a.bed_pitch, X0 + i - 1, Y0 + j);
            const struct three s = three_in_x(&a, t, k, m, j, i - 1);
            t->source_x[j][i] = put_ends(t, j, i, reconstructed(s, a.p));
#ifdef WITH_TRACER
            put_dyes(&a, t, j, i, k, m, 1, 1);
#endif /* WITH_TRACER */
        }
        SYNC;
        UNROLL(1) FOR_TILE(i, j, 1, 0) {
            const long m = at(a.bed_pitch, X0 + i, Y0 + j);
            const struct side l = side_at(t, HIGH, j, i), r = side_at(t, LOW, j, i + 1);
            const struct flux f =
                flux_between(l, r, rest_above(bed_of(&a, t, m - 1, j, i - 1), a.p),
                             rest_above(bed_of(&a, t, m, j, i), a.p), a.p.g);
            PUT_FLUX(t->west, j, i, f);
#ifdef WITH_TRACER
            t->dye_west[j][i] = dye_through(f.h, t->dye[HIGH][j][i], t->dye[LOW][j][i + 1]);
#endif /* WITH_TRACER */
            if (SUBSTEP == 0)
                TAKE_MAX(fastest, i, faster(l, r, a.p.g) * a.p.inv_dx);
        }
        SYNC;
    }
#ifdef DRAINING
#undef PASSAGE
#define PASSAGE way_y
#endif /* DRAINING */
    if (ALONG_Y) {
        UNROLL(1) FOR_TILE(i, j, 0, 2) {
            const long k = at(a.pitch, X0 + i, Y0 + j - 1), m = at(a.bed_pitch, X0 + i, Y0 + j - 1);
            t->source_y[j][i] = put_ends(t, j, i, reconstructed(three_in_y(&a, k, m), a.p));
#ifdef WITH_TRACER
            put_dyes(&a, t, j, i, k, m, a.pitch, a.bed_pitch);
#endif /* WITH_TRACER */
        }
        SYNC;
        UNROLL(1) FOR_TILE(i, j, 0, 1) {
            const real *centre = a.ground.centre + at(a.bed_pitch, X0 + i, Y0 + j);
            const struct side l = side_at(t, HIGH, j, i), r = side_at(t, LOW, j + 1, i);
            const struct flux f = flux_between(l, r, rest_above(centre[-a.bed_pitch], a.p),
                                               rest_above(centre[0], a.p), a.p.g);
            PUT_FLUX(t->south, j, i, f);
#ifdef WITH_TRACER
            t->dye_south[j][i] = dye_through(f.h, t->dye[HIGH][j][i], t->dye[LOW][j + 1][i]);
#endif /* WITH_TRACER */
            if (SUBSTEP == 0)
                TAKE_MAX(fastest, i, faster(l, r, a.p.g) * a.p.inv_dy);
        }
        SYNC;
    }

    /* The sums are grouped by direction: transposing the problem transposes the bits, and adding up
     * the results of two kernels gives those of one. */
    UNROLL(1) FOR_TILE(i, j, 0, 0) {
        long k = at(a.pitch, X0 + i, Y0 + j);
        real rw = REAL(0), rhu = REAL(0), rhv = REAL(0);
        if (ALONG_X) {
            rw = (t->west.h[j][i] - t->west.h[j][i + 1]) * a.p.inv_dx;
            rhu = ((t->west.n_after[j][i] - t->west.n[j][i + 1]) + t->source_x[j][i + 1]) * a.p.inv_dx;
            rhv = (t->west.t[j][i] - t->west.t[j][i + 1]) * a.p.inv_dx;
        }
        if (ALONG_Y) {
            real gw = (t->south.h[j][i] - t->south.h[j + 1][i]) * a.p.inv_dy;
            real ghu = (t->south.t[j][i] - t->south.t[j + 1][i]) * a.p.inv_dy;
            real ghv = ((t->south.n_after[j][i] - t->south.n[j + 1][i]) + t->source_y[j + 1][i]) *
                       a.p.inv_dy;
            rw = ALONG_X ? rw + gw : gw;
            rhu = ALONG_X ? rhu + ghu : ghu;
            rhv = ALONG_X ? rhv + ghv : ghv;
        }
#ifdef WITH_TRACER
        put_change(&a, t, j, i, k, at(a.bed_pitch, X0 + i, Y0 + j));
#endif /* WITH_TRACER */
        a.r.eta[k] = rw;
        a.r.hu[k] = rhu;
        a.r.hv[k] = rhv;
    }

    /* What crosses the domain's edges, for the volume balance. */
    if (ALONG_X && a.rim[WEST] && X0 == 0)
        UNROLL(1) FOR_SPAN(j, CELLS_Y) keep(&a.rim[WEST][Y0 + j], t->west.h[j][0], a.rim_add);
    if (ALONG_X && a.rim[EAST] && X0 + CELLS_X == a.span.nx)
        UNROLL(1) FOR_SPAN(j, CELLS_Y) keep(&a.rim[EAST][Y0 + j], t->west.h[j][CELLS_X], a.rim_add);
    if (ALONG_Y && a.rim[SOUTH] && Y0 == 0)
        UNROLL(1) FOR_SPAN(i, CELLS_X) keep(&a.rim[SOUTH][X0 + i], t->south.h[0][i], a.rim_add);
    if (ALONG_Y && a.rim[NORTH] && Y0 + CELLS_Y == a.span.ny)
        UNROLL(1) FOR_SPAN(i, CELLS_X) keep(&a.rim[NORTH][X0 + i], t->south.h[CELLS_Y][i], a.rim_add);
#ifdef WITH_TRACER
    real *const *rim = a.carried.rim;
    if (ALONG_X && rim[WEST] && X0 == 0)
        UNROLL(1) FOR_SPAN(j, CELLS_Y)
            keep(&rim[WEST][Y0 + j], t->west.h[j][0] * t->dye_west[j][0], a.rim_add);
    if (ALONG_X && rim[EAST] && X0 + CELLS_X == a.span.nx)
        UNROLL(1) FOR_SPAN(j, CELLS_Y)
            keep(&rim[EAST][Y0 + j], t->west.h[j][CELLS_X] * t->dye_west[j][CELLS_X], a.rim_add);
    if (ALONG_Y && rim[SOUTH] && Y0 == 0)
        UNROLL(1) FOR_SPAN(i, CELLS_X)
            keep(&rim[SOUTH][X0 + i], t->south.h[0][i] * t->dye_south[0][i], a.rim_add);
    if (ALONG_Y && rim[NORTH] && Y0 + CELLS_Y == a.span.ny)
        UNROLL(1) FOR_SPAN(i, CELLS_X)
            keep(&rim[NORTH][X0 + i], t->south.h[CELLS_Y][i] * t->dye_south[CELLS_Y][i], a.rim_add);
#endif /* WITH_TRACER */
#ifdef TILED
    /* The same in tiles, whose positions along the edges are not those of their cells in memory. */
    if (ALONG_X && tiling.rim[WEST] && X0 == 0 && (here.edges & 1 << WEST))
        UNROLL(1) FOR_SPAN(j, CELLS_Y)
            keep(&tiling.rim[WEST][here.j0 + TILE_Y0 + j], t->west.h[j][0], a.rim_add);
    if (ALONG_X && tiling.rim[EAST] && X0 + CELLS_X == here.nx && (here.edges & 1 << EAST))
        UNROLL(1) FOR_SPAN(j, CELLS_Y)
            keep(&tiling.rim[EAST][here.j0 + TILE_Y0 + j], t->west.h[j][CELLS_X], a.rim_add);
    if (ALONG_Y && tiling.rim[SOUTH] && TILE_Y0 == 0 && (here.edges & 1 << SOUTH))
        UNROLL(1) FOR_SPAN(i, CELLS_X)
            keep(&tiling.rim[SOUTH][here.i0 + X0 + i], t->south.h[0][i], a.rim_add);
    if (ALONG_Y && tiling.rim[NORTH] && TILE_Y0 + CELLS_Y == here.ny && (here.edges & 1 << NORTH))
        UNROLL(1) FOR_SPAN(i, CELLS_X)
            keep(&tiling.rim[NORTH][here.i0 + X0 + i], t->south.h[CELLS_Y][i], a.rim_add);
#ifdef WITH_TRACER
    real *const *dyes = tiling.carried;
    if (ALONG_X && dyes[WEST] && X0 == 0 && (here.edges & 1 << WEST))
        UNROLL(1) FOR_SPAN(j, CELLS_Y)
            keep(&dyes[WEST][here.j0 + TILE_Y0 + j], t->west.h[j][0] * t->dye_west[j][0], a.rim_add);
    if (ALONG_X && dyes[EAST] && X0 + CELLS_X == here.nx && (here.edges & 1 << EAST))
        UNROLL(1) FOR_SPAN(j, CELLS_Y)
            keep(&dyes[EAST][here.j0 + TILE_Y0 + j],
                 t->west.h[j][CELLS_X] * t->dye_west[j][CELLS_X], a.rim_add);
    if (ALONG_Y && dyes[SOUTH] && TILE_Y0 == 0 && (here.edges & 1 << SOUTH))
        UNROLL(1) FOR_SPAN(i, CELLS_X)
            keep(&dyes[SOUTH][here.i0 + X0 + i], t->south.h[0][i] * t->dye_south[0][i], a.rim_add);
    if (ALONG_Y && dyes[NORTH] && TILE_Y0 + CELLS_Y == here.ny && (here.edges & 1 << NORTH))
        UNROLL(1) FOR_SPAN(i, CELLS_X)
            keep(&dyes[NORTH][here.i0 + X0 + i],
                 t->south.h[CELLS_Y][i] * t->dye_south[CELLS_Y][i], a.rim_add);
#endif /* WITH_TRACER */
#endif /* TILED */
    if (SUBSTEP == 0)
        BLOCK_MAX(a.block_speed[BLOCK_ID], fastest);
}
