/* Net rate of change R of every cell from the fluxes in x (DIRECTIONS 1), in y (2) or in both (3) and
 * the bed's slope; SUBSTEP 0 also finds the largest wave speed (thesis 2.3, "flux kernels", and 3.1;
 * paper III, eq. 3). TRANSPOSED: the state is stored the other way round, the bed is not.
 *
 * One direction after the other: first each cell's slopes, once, and what its two faces see of it;
 * then the flux through each face. The state is read where it lies, a cell's neighbours from a cache:
 * the kernel is limited by instructions, and a tile of the state would take more of them. */
#include "num/face.h"

#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

#define ALONG_X ((DIRECTIONS & 1) != 0)
#define ALONG_Y ((DIRECTIONS & 2) != 0)

#define SIDE_REALS (3 + STEPPED_BED)
enum { LOW, HIGH, ENDS };

TILES
{
    /* Depth, velocity normal and tangential to the face, and over a bed with steps the level, on each
     * cell's lower and higher face, from the cell before the block's first to the one behind its last.
     * Both directions use these. */
    real end[ENDS][SIDE_REALS][BH + 2 * ALONG_Y][BW + 2 * ALONG_X];
    real source_x[ALONG_X ? BH : 1][BW + 2], source_y[ALONG_Y ? BH + 2 : 1][BW];
    /* Fluxes through the west and the south face of each cell; _after: see struct flux. */
    real fw[ALONG_X ? BH : 1][BW + 1], fhu[ALONG_X ? BH : 1][BW + 1], fhv[ALONG_X ? BH : 1][BW + 1];
    real gw[ALONG_Y ? BH + 1 : 1][BW], ghu[ALONG_Y ? BH + 1 : 1][BW], ghv[ALONG_Y ? BH + 1 : 1][BW];
    real fhu_after[ALONG_X ? BH : 1][BW + 1], ghv_after[ALONG_Y ? BH + 1 : 1][BW];
    real bed[TRANSPOSED ? BH : 1][BW + 5]; /* on the west faces, from that of the second cell before */
};

FN void put(struct tiles *t, int end, int j, int i, struct side s)
{
    t->end[end][0][j][i] = s.h;
    t->end[end][1][j][i] = s.un;
    t->end[end][2][j][i] = s.ut;
    if (STEPPED_BED)
        t->end[end][SIDE_REALS - 1][j][i] = s.w;
}

FN struct side got(const struct tiles *t, int end, int j, int i)
{
    struct side s;
    s.h = t->end[end][0][j][i];
    s.un = t->end[end][1][j][i];
    s.ut = t->end[end][2][j][i];
    s.w = STEPPED_BED ? t->end[end][SIDE_REALS - 1][j][i] : REAL(0);
    return s;
}

/* Levels of the bed at the centres of three cells on a line; 0 where nobody asks. */
struct beds {
    real before, here, after;
};

FN struct beds beds_at(const real *centre, long step)
{
    struct beds b;
    b.before = ASKS_CENTRES ? centre[-step] : REAL(0);
    b.here = ASKS_CENTRES ? centre[0] : REAL(0);
    b.after = ASKS_CENTRES ? centre[step] : REAL(0);
    return b;
}

/* The bed at the centre of a cell of row j of the tile, the second before the block's first being 0: the mean of
 * two faces, to the bit (struct ground). */
FN real turned_bed(const struct tiles *t, int j, int i)
{
    return REAL(0.5) * (t->bed[j][i] + t->bed[j][i + 1]);
}

FN struct beds turned_beds(const struct tiles *t, int j, int i)
{
    struct beds b;
    b.before = turned_bed(t, j, i);
    b.here = turned_bed(t, j, i + 1);
    b.after = turned_bed(t, j, i + 2);
    return b;
}

/* On a line of cells `step` apart, from the one at offset k. */
FN struct three three_at(const real *eta, const real *normal, const real *tangential, long k, long step,
                         const struct beds bed, const struct physics p)
{
    const long before = k - step, after = k + step;
    struct three s;
    s.before = cell_with(eta[before], normal[before], tangential[before], bed.before, p);
    s.here = cell_with(eta[k], normal[k], tangential[k], bed.here, p);
    s.after = cell_with(eta[after], normal[after], tangential[after], bed.after, p);
    s.rise_to = rise_between(s.before, s.here);
    s.rise_from = rise_between(s.here, s.after);
    return s;
}

/* The level at rest above a bed; nobody asks where the bed has no steps. */
FN real rest_of(real bed, const struct physics p)
{
    return STEPPED_BED ? at_rest(bed, p.still) : REAL(0);
}

KERNEL(flux, struct flux_args)
{
    if (a.clock->halt)
        return;
    if (EARLY_EXIT && a.wet.skip[BLOCK_ID])
        return;
    if (TRANSPOSED) {
        UNROLL(1) FOR_TRANSPOSED(i, j, 5, 0) {
            const long k = at(a.bed_pitch, Y0 + j, X0 + i - 2);
            t->bed[j][i] = bed_at_face(a.ground.corner[k], a.ground.corner[k + 1]);
        }
        SYNC;
    }
    MAX_LANES(fastest);
    if (ALONG_X) {
        UNROLL(1) FOR_TILE(i, j, 2, 0) {
            const long k = at(a.pitch, X0 + i - 1, Y0 + j);
            const long m = at(a.bed_pitch, X0 + i - 1, Y0 + j), up = m + a.bed_pitch;
            const real *b = a.ground.corner;
            const struct beds bed =
                TRANSPOSED ? turned_beds(t, j, i) : beds_at(a.ground.centre + m, 1);
            struct three s = three_at(a.q.eta, a.q.hu, a.q.hv, k, 1, bed, a.p);
            s.low = TRANSPOSED ? t->bed[j][i + 1] : bed_at_face(b[m], b[up]);
            s.high = TRANSPOSED ? t->bed[j][i + 2] : bed_at_face(b[m + 1], b[up + 1]);
            const struct halves ends = reconstructed(s, a.p);
            put(t, LOW, j, i, ends.low);
            put(t, HIGH, j, i, ends.high);
            t->source_x[j][i] = ends.source;
        }
        SYNC;
        UNROLL(1) FOR_TILE(i, j, 1, 0) {
            const long m = at(a.bed_pitch, X0 + i, Y0 + j);
            const struct side l = got(t, HIGH, j, i), r = got(t, LOW, j, i + 1);
            const struct flux f =
                flux_between(l, r, rest_of(TRANSPOSED ? turned_bed(t, j, i + 1) : a.ground.centre[m - 1], a.p),
                             rest_of(TRANSPOSED ? turned_bed(t, j, i + 2) : a.ground.centre[m], a.p), a.p.g);
            t->fw[j][i] = f.h;
            t->fhu[j][i] = f.n;
            t->fhu_after[j][i] = f.n_after;
            t->fhv[j][i] = f.t;
            if (SUBSTEP == 0)
                TAKE_MAX(fastest, i, faster(l, r, a.p.g) * a.p.inv_dx);
        }
        SYNC;
    }
    if (ALONG_Y) {
        UNROLL(1) FOR_TILE(i, j, 0, 2) {
            const long k = at(a.pitch, X0 + i, Y0 + j - 1);
            const long m = at(a.bed_pitch, X0 + i, Y0 + j - 1), up = m + a.bed_pitch;
            const real *b = a.ground.corner;
            struct three s =
                three_at(a.q.eta, a.q.hv, a.q.hu, k, a.pitch,
                         beds_at(a.ground.centre + m, a.bed_pitch), a.p);
            s.low = bed_at_face(b[m], b[m + 1]);
            s.high = bed_at_face(b[up], b[up + 1]);
            const struct halves ends = reconstructed(s, a.p);
            put(t, LOW, j, i, ends.low);
            put(t, HIGH, j, i, ends.high);
            t->source_y[j][i] = ends.source;
        }
        SYNC;
        UNROLL(1) FOR_TILE(i, j, 0, 1) {
            const long m = at(a.bed_pitch, X0 + i, Y0 + j);
            const struct side l = got(t, HIGH, j, i), r = got(t, LOW, j + 1, i);
            const struct flux f =
                flux_between(l, r, rest_of(a.ground.centre[m - a.bed_pitch], a.p),
                             rest_of(a.ground.centre[m], a.p), a.p.g);
            t->gw[j][i] = f.h;
            t->ghv[j][i] = f.n;
            t->ghv_after[j][i] = f.n_after;
            t->ghu[j][i] = f.t;
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
            rw = (t->fw[j][i] - t->fw[j][i + 1]) * a.p.inv_dx;
            rhu = ((t->fhu_after[j][i] - t->fhu[j][i + 1]) + t->source_x[j][i + 1]) * a.p.inv_dx;
            rhv = (t->fhv[j][i] - t->fhv[j][i + 1]) * a.p.inv_dx;
        }
        if (ALONG_Y) {
            real gw = (t->gw[j][i] - t->gw[j + 1][i]) * a.p.inv_dy;
            real ghu = (t->ghu[j][i] - t->ghu[j + 1][i]) * a.p.inv_dy;
            real ghv = ((t->ghv_after[j][i] - t->ghv[j + 1][i]) + t->source_y[j + 1][i]) * a.p.inv_dy;
            rw = ALONG_X ? rw + gw : gw;
            rhu = ALONG_X ? rhu + ghu : ghu;
            rhv = ALONG_X ? rhv + ghv : ghv;
        }
        a.r.eta[k] = rw;
        a.r.hu[k] = rhu;
        a.r.hv[k] = rhv;
    }

    /* What crosses the domain's edges, for the volume balance. */
    if (ALONG_X && a.rim[WEST] && X0 == 0)
        UNROLL(1) FOR_SPAN(j, CELLS_Y) keep(&a.rim[WEST][Y0 + j], t->fw[j][0], a.rim_add);
    if (ALONG_X && a.rim[EAST] && X0 + CELLS_X == a.span.nx)
        UNROLL(1) FOR_SPAN(j, CELLS_Y) keep(&a.rim[EAST][Y0 + j], t->fw[j][CELLS_X], a.rim_add);
    if (ALONG_Y && a.rim[SOUTH] && Y0 == 0)
        UNROLL(1) FOR_SPAN(i, CELLS_X) keep(&a.rim[SOUTH][X0 + i], t->gw[0][i], a.rim_add);
    if (ALONG_Y && a.rim[NORTH] && Y0 + CELLS_Y == a.span.ny)
        UNROLL(1) FOR_SPAN(i, CELLS_X) keep(&a.rim[NORTH][X0 + i], t->gw[CELLS_Y][i], a.rim_add);
    if (SUBSTEP == 0)
        BLOCK_MAX(a.block_speed[BLOCK_ID], fastest);
}
