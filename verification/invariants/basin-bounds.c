/* Shares stay between 0 and 1 at the step that a scheme claims, from random states. */
#include <math.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/random.h"
#include "verification/run/simulate.h"

static int applies(const struct variant *v)
{
    const struct scheme *s = variant_scheme(v);
    return s && s->bounded;
}

/* By how much an unknown leaves its bounds, at most. */
static double excess(const struct scene *s)
{
    double most = 0;
    for (int k = 0; k < s->system->unknowns; k++) {
        const struct unknown *u = &s->system->unknown[k];
        for (size_t c = 0; u->low < u->high && c < scene_cell(s, 0, s->ny); c++) {
            const double x = s->field[k][c];
            most = isfinite(x) ? fmax(most, fmax(u->low - x, x - u->high)) : (double)INFINITY;
        }
    }
    return most;
}

/* Steep basins in which neighbours have nothing in common and some cells one sediment only: each has a limit of its
 * own, and is in its first few steps at it. */
static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const unsigned long basins[] = {10, 40, 200};
    const int nx = 12, ny = 9;
    double most = 0;
    struct config c;
    variant_configure(&c, v);
    c.steps = 4;
    for (unsigned long seed = 1; seed <= basins[effort]; seed++) {
        struct scene s;
        struct outcome o;
        TRY(scene_basin(&s, variant_system(v), nx, ny, 10, 1, seed));
        const enum err e = simulate(&c, &s, &o);
        scene_free(&s);
        TRY(e);
        most = o.broken ? (double)INFINITY : fmax(most, excess(&o.state));
        outcome_free(&o);
    }
    found(f, "by how much shares leave 0 to 1", nx, most,
          v->mode == STRICT ? 0 : 4 * precision_epsilon(v->precision),
          v->mode == STRICT ? "the limit of the step keeps them inside"
                            : "4 eps: fast mode contracts and reorders");
    return ERR_OK;
}

extern const struct invariant invariant_basin_bounds;
const struct invariant invariant_basin_bounds = {
    .name = "basin-bounds",
    .title = "shares of sediments stay between 0 and 1",
    .why = "thousands of random cells at the longest step: catches a limit that is too long, or "
           "looks at too few cells",
    .of = OF_BASINS,
    .quick = 1,
    .applies = applies,
    .measure = measure,
};
