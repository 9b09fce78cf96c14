/* Net rate of change R of every cell from the fluxes in both directions and the bed's slope;
 * substep 0 also finds the largest wave speed (thesis 2.3, "flux kernels"; paper III, eq. 3). */
#include "num/face.h"

TILES
{
    real w[BH + 4][BW + 4], hu[BH + 4][BW + 4], hv[BH + 4][BW + 4]; /* from cell (-2,-2) */
    real bed[BH + 3][BW + 3];                                       /* from corner (-1,-1) */
    real fw[BH][BW + 1], fhu[BH][BW + 1], fhv[BH][BW + 1];          /* west face of each cell */
    real gw[BH + 1][BW], ghu[BH + 1][BW], ghv[BH + 1][BW];          /* south face of each cell */
};

KERNEL(flux_fgh, struct flux_args)
{
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 4, 4) {
        long k = at(a.pitch, X0 + i - 2, Y0 + j - 2);
        t->w[j][i] = a.q.w[k];
        t->hu[j][i] = a.q.hu[k];
        t->hv[j][i] = a.q.hv[k];
    }
    FOR_TILE(i, j, 3, 3) {
        t->bed[j][i] = a.bed[at(a.pitch, X0 + i - 1, Y0 + j - 1)];
    }
    SYNC;

    MAX_LANES(fastest);
    FOR_TILE(i, j, 1, 0) {
        struct cell c[4];
        real b[3], speed;
        for (int k = 0; k < 4; k++) {
            c[k].w = t->w[j + 2][i + k];
            c[k].n = t->hu[j + 2][i + k];
            c[k].t = t->hv[j + 2][i + k];
        }
        for (int k = 0; k < 3; k++)
            b[k] = bed_at_face(t->bed[j + 1][i + k], t->bed[j + 2][i + k]);
        struct flux f = flux_through_face(c[0], c[1], c[2], c[3], b[0], b[1], b[2], a.p, &speed);
        t->fw[j][i] = f.h;
        t->fhu[j][i] = f.n;
        t->fhv[j][i] = f.t;
        if (SUBSTEP == 0)
            TAKE_MAX(fastest, i, speed * a.p.inv_dx);
    }
    FOR_TILE(i, j, 0, 1) {
        struct cell c[4];
        real b[3], speed;
        for (int k = 0; k < 4; k++) {
            c[k].w = t->w[j + k][i + 2];
            c[k].n = t->hv[j + k][i + 2];
            c[k].t = t->hu[j + k][i + 2];
        }
        for (int k = 0; k < 3; k++)
            b[k] = bed_at_face(t->bed[j + k][i + 1], t->bed[j + k][i + 2]);
        struct flux f = flux_through_face(c[0], c[1], c[2], c[3], b[0], b[1], b[2], a.p, &speed);
        t->gw[j][i] = f.h;
        t->ghv[j][i] = f.n;
        t->ghu[j][i] = f.t;
        if (SUBSTEP == 0)
            TAKE_MAX(fastest, i, speed * a.p.inv_dy);
    }
    SYNC;

    /* The sums are grouped by direction, so that transposing the problem transposes the bits. */
    FOR_TILE(i, j, 0, 0) {
        long k = at(a.pitch, X0 + i, Y0 + j);
        real w = t->w[j + 2][i + 2];
        real b00 = t->bed[j + 1][i + 1], b10 = t->bed[j + 1][i + 2];
        real b01 = t->bed[j + 2][i + 1], b11 = t->bed[j + 2][i + 2];
        real sx = bed_source(w, bed_at_face(b00, b01), bed_at_face(b10, b11), a.p.g);
        real sy = bed_source(w, bed_at_face(b00, b10), bed_at_face(b01, b11), a.p.g);
        a.r.w[k] = (t->fw[j][i] - t->fw[j][i + 1]) * a.p.inv_dx +
                   (t->gw[j][i] - t->gw[j + 1][i]) * a.p.inv_dy;
        a.r.hu[k] = ((t->fhu[j][i] - t->fhu[j][i + 1]) + sx) * a.p.inv_dx +
                    (t->ghu[j][i] - t->ghu[j + 1][i]) * a.p.inv_dy;
        a.r.hv[k] = (t->fhv[j][i] - t->fhv[j][i + 1]) * a.p.inv_dx +
                    ((t->ghv[j][i] - t->ghv[j + 1][i]) + sy) * a.p.inv_dy;
    }
    if (a.edge) { /* for the volume balance: west, east, south and north rim in turn */
        real *west = a.edge, *east = west + a.span.ny, *south = east + a.span.ny;
        real *north = south + a.span.nx;
        if (X0 == 0)
            FOR_SPAN(j, CELLS_Y) west[Y0 + j] = t->fw[j][0];
        if (X0 + CELLS_X == a.span.nx)
            FOR_SPAN(j, CELLS_Y) east[Y0 + j] = t->fw[j][CELLS_X];
        if (Y0 == 0)
            FOR_SPAN(i, CELLS_X) south[X0 + i] = t->gw[0][i];
        if (Y0 + CELLS_Y == a.span.ny)
            FOR_SPAN(i, CELLS_X) north[X0 + i] = t->gw[CELLS_Y][i];
    }
    if (SUBSTEP == 0)
        BLOCK_MAX(a.block_speed[BLOCK_ID], fastest);
}
