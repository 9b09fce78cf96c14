/* Net rate of change R of every cell from the fluxes in x (DIRECTIONS 1), in y (2) or in both (3) and
 * the bed's slope; SUBSTEP 0 also finds the largest wave speed (thesis 2.3, "flux kernels", and 3.1;
 * paper III, eq. 3). TRANSPOSED: the state is stored the other way round, the bed is not. */
#include "num/face.h"

#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

#define ALONG_X ((DIRECTIONS & 1) != 0)
#define ALONG_Y ((DIRECTIONS & 2) != 0)
#define AX      (2 * ALONG_X) /* apron of the state, and half of it of the bed */
#define AY      (2 * ALONG_Y)

TILES
{
    real w[BH + 2 * AY][BW + 2 * AX], hu[BH + 2 * AY][BW + 2 * AX], hv[BH + 2 * AY][BW + 2 * AX];
    real bed[BH + 1 + AY][BW + 1 + AX];
    /* Fluxes through the west and the south face of each cell. */
    real fw[ALONG_X ? BH : 1][BW + 1], fhu[ALONG_X ? BH : 1][BW + 1], fhv[ALONG_X ? BH : 1][BW + 1];
    real gw[ALONG_Y ? BH + 1 : 1][BW], ghu[ALONG_Y ? BH + 1 : 1][BW], ghv[ALONG_Y ? BH + 1 : 1][BW];
};

/* Stores a flux through the rim, or adds it to those of earlier substeps. */
FN void keep(real *rim, real flux, int add)
{
    *rim = add ? *rim + flux : flux;
}

KERNEL(flux, struct flux_args)
{
    if (a.clock->halt)
        return;
    if (EARLY_EXIT && a.wet.skip[BLOCK_ID])
        return;
    FOR_TILE(i, j, 2 * AX, 2 * AY) {
        long k = at(a.pitch, X0 + i - AX, Y0 + j - AY);
        t->w[j][i] = a.q.w[k];
        t->hu[j][i] = a.q.hu[k];
        t->hv[j][i] = a.q.hv[k];
    }
    if (TRANSPOSED) {
        FOR_TRANSPOSED(i, j, 1 + AX, 1 + AY) {
            t->bed[j][i] = a.bed[at(a.bed_pitch, Y0 + j - ALONG_Y, X0 + i - ALONG_X)];
        }
    } else {
        FOR_TILE(i, j, 1 + AX, 1 + AY) {
            t->bed[j][i] = a.bed[at(a.bed_pitch, X0 + i - ALONG_X, Y0 + j - ALONG_Y)];
        }
    }
    SYNC;

    MAX_LANES(fastest);
    if (ALONG_X)
        FOR_TILE(i, j, 1, 0) {
            struct cell c[4];
            real b[3], speed;
            for (int k = 0; k < 4; k++) {
                c[k].w = t->w[j + AY][i + k];
                c[k].n = t->hu[j + AY][i + k];
                c[k].t = t->hv[j + AY][i + k];
            }
            for (int k = 0; k < 3; k++)
                b[k] = bed_at_face(t->bed[j + ALONG_Y][i + k], t->bed[j + ALONG_Y + 1][i + k]);
            struct flux f = flux_through_face(c, b, a.p, &speed);
            t->fw[j][i] = f.h;
            t->fhu[j][i] = f.n;
            t->fhv[j][i] = f.t;
            if (SUBSTEP == 0)
                TAKE_MAX(fastest, i, speed * a.p.inv_dx);
        }
    if (ALONG_Y)
        FOR_TILE(i, j, 0, 1) {
            struct cell c[4];
            real b[3], speed;
            for (int k = 0; k < 4; k++) {
                c[k].w = t->w[j + k][i + AX];
                c[k].n = t->hv[j + k][i + AX];
                c[k].t = t->hu[j + k][i + AX];
            }
            for (int k = 0; k < 3; k++)
                b[k] = bed_at_face(t->bed[j + k][i + ALONG_X], t->bed[j + k][i + ALONG_X + 1]);
            struct flux f = flux_through_face(c, b, a.p, &speed);
            t->gw[j][i] = f.h;
            t->ghv[j][i] = f.n;
            t->ghu[j][i] = f.t;
            if (SUBSTEP == 0)
                TAKE_MAX(fastest, i, speed * a.p.inv_dy);
        }
    SYNC;

    /* The sums are grouped by direction: transposing the problem transposes the bits, and adding up
     * the results of two kernels gives those of one. */
    FOR_TILE(i, j, 0, 0) {
        long k = at(a.pitch, X0 + i, Y0 + j);
        real w = t->w[j + AY][i + AX];
        real b00 = t->bed[j + ALONG_Y][i + ALONG_X], b10 = t->bed[j + ALONG_Y][i + ALONG_X + 1];
        real b01 = t->bed[j + ALONG_Y + 1][i + ALONG_X];
        real b11 = t->bed[j + ALONG_Y + 1][i + ALONG_X + 1];
        real rw = REAL(0), rhu = REAL(0), rhv = REAL(0);
        if (ALONG_X) {
            real source = bed_source(w, bed_at_face(b00, b01), bed_at_face(b10, b11), a.p.g);
            rw = (t->fw[j][i] - t->fw[j][i + 1]) * a.p.inv_dx;
            rhu = ((t->fhu[j][i] - t->fhu[j][i + 1]) + source) * a.p.inv_dx;
            rhv = (t->fhv[j][i] - t->fhv[j][i + 1]) * a.p.inv_dx;
        }
        if (ALONG_Y) {
            real source = bed_source(w, bed_at_face(b00, b10), bed_at_face(b01, b11), a.p.g);
            real gw = (t->gw[j][i] - t->gw[j + 1][i]) * a.p.inv_dy;
            real ghu = (t->ghu[j][i] - t->ghu[j + 1][i]) * a.p.inv_dy;
            real ghv = ((t->ghv[j][i] - t->ghv[j + 1][i]) + source) * a.p.inv_dy;
            rw = ALONG_X ? rw + gw : gw;
            rhu = ALONG_X ? rhu + ghu : ghu;
            rhv = ALONG_X ? rhv + ghv : ghv;
        }
        a.r.w[k] = rw;
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
