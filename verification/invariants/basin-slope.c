/* An even slope over coefficients that grow evenly rises evenly, and its share changes evenly: fluxes by the mean of
 * two cells' coefficients, or by the upper cell's, differ from face to face by the same amount. */
#include <math.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/random.h"
#include "verification/run/simulate.h"

/* Within one step cells next to an edge lack a neighbour, and those next to them see it. */
enum { NX = 13, NY = 11, EDGE = 2 };

/* From cell to cell to the east, and to the north. All numbers are exact in f32. */
static const double fall[2] = {0.25, 0.125};                 /* m */
static const double more[2][2] = {{0.5, 0.25}, {0.25, 0.5}}; /* of sand, of mud, m2/s */
static const double least[2] = {0.25, 0.5};
static const double share = 0.375;

static int applies(const struct variant *v)
{
    const struct scheme *s = variant_scheme(v);
    return s && strcmp(s->system, "sediment") == 0;
}

static double even(const double per_cell[2], int i, int j)
{
    return per_cell[0] * i + per_cell[1] * j;
}

static void fill(struct scene *s)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const size_t c = scene_cell(s, i, j);
            s->field[0][c] = even(fall, NX / 2 - i, NY / 2 - j);
            s->field[1][c] = share;
            for (int k = 0; k < 2; k++)
                s->given[k][c] = least[k] + even(more[k], i, j);
        }
}

/* What enters a cell more than leaves it, of sand (k 0) or of mud: the divergence of the flux, m/s. */
static double gain(const struct scene *s, int k)
{
    const double part = k == 0 ? share : 1 - share;
    return -part / s->constant[k] *
           (fall[0] * more[k][0] / (s->dx * s->dx) + fall[1] * more[k][1] / (s->dy * s->dy));
}

/* The largest errors of both unknowns after a step of dt. */
static void errors(const struct scene *start, const struct scene *end, double dt, double off[2])
{
    const double sand = gain(start, 0), mud = gain(start, 1);
    const double rise[2] = {dt * (sand + mud),
                            dt * ((1 - share) * sand - share * mud) / start->constant[2]};
    off[0] = off[1] = 0;
    for (int j = EDGE; j < NY - EDGE; j++)
        for (int i = EDGE; i < NX - EDGE; i++)
            for (int k = 0; k < 2; k++) {
                const size_t c = scene_cell(start, i, j);
                const double x = fabs(end->field[k][c] - start->field[k][c] - rise[k]);
                off[k] = isfinite(x) ? fmax(off[k], x) : (double)INFINITY;
            }
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    static const char why[] =
        "exact for the mean of two coefficients and for the upper one: rounding";
    struct config c;
    struct scene s;
    struct outcome o;
    double off[2] = {0};
    (void)effort;
    variant_configure(&c, v);
    c.steps = 1;
    TRY(scene_basin(&s, variant_system(v), NX, NY, 0, 0, 1));
    fill(&s);
    const enum err e = simulate(&c, &s, &o);
    if (!e) {
        errors(&s, &o.state, o.clock.dt, off);
        const double most = 8 * precision_epsilon(v->precision); /* h is 2 m at most */
        found(f, "height of an even slope after a step, m", NX, off[0], most, why);
        found(f, "share of sand on it, error", NX, off[1], most, why);
        outcome_free(&o);
    }
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_basin_slope;
const struct invariant invariant_basin_slope = {
    .name = "basin-slope",
    .title = "an even slope over coefficients that grow evenly stays even",
    .why = "one step is known in every cell: catches another mean of coefficients, a compaction "
           "ratio of the other sediment, a wrong sign",
    .of = OF_BASINS,
    .quick = 1,
    .applies = applies,
    .measure = measure,
};
