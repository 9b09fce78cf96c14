/* Norms for waves on still water or dry ground. */
#include "verification/references/dam.h"

#include <math.h>

static double outer_depth(const struct snapshot *s)
{
    const struct flow_case *c = s->flow_case;
    double x = c->x0 + c->lx, y = c->y0 + c->ly;
    return fmax(0, case_start(c, x, y).w - c->bed(x, y));
}

static double excess_h(const struct snapshot *s)
{
    double difference = 0, excess = 0, outer = outer_depth(s);
    for (int k = 0; k < s->grid.nx * s->grid.ny; k++) {
        difference += fabs(s->h[k] - s->rh[k]);
        excess += fabs(s->rh[k] - outer);
    }
    return difference / excess;
}

/* In cells from the west. */
static double place_of(const double *h, int nx, double level)
{
    int i = nx - 1;
    while (i > 0 && h[i] < level)
        i--;
    return i == nx - 1 ? i : i + (h[i] - level) / (h[i] - h[i + 1]);
}

static double front(const struct snapshot *s)
{
    int nx = s->grid.nx;
    size_t row = (size_t)(s->grid.ny / 2) * (size_t)nx;
    double crest = 0, outer = outer_depth(s);
    for (int i = 0; i < nx; i++)
        crest = fmax(crest, s->rh[row + (size_t)i]);
    double level = outer + (outer > 0 ? 0.5 : 0.1) * (crest - outer);
    return fabs(place_of(s->h + row, nx, level) - place_of(s->rh + row, nx, level));
}

const struct norm norm_excess_h = {
    "L1 excess h", "sum of |h - reference| over sum of |reference - depth outside|", excess_h};
const struct norm norm_front = {"front", "distance of the front from the reference's, in cells",
                                front};
