/* No water appears or disappears. */
#include <math.h>

#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

/* Each substep rounds every level by half a spacing, at random: a share of about
 * eps |w|/h sqrt(2 steps / cells) of the volume in the end, 5e-7 in f32 and 1e-15 in f64 here. */
static double limit(const struct variant *v)
{
    if (!variant_is_symmetric(v))
        return LEAK;
    return v->precision == F64 ? 1e-13 : 1e-6;
}

static const char *const LEAKS = "a plug-in is not SYMMETRIC: walls leak, but no more than that";
static const char *const WHY = "rounding, up to 10,000 steps: a random walk; a lost flux is 1e-4 "
                               "and more";

/* Along how many of the four edges there is water that does not stand as at first. */
static int edges_reached(const struct scene *before, const struct outcome *o)
{
    const int nx = before->nx, ny = before->ny;
    int reached[EDGES] = {0};
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const size_t k = scene_cell(before, i, j);
            if (outcome_depth(o, i, j) > 0 &&
                fabs(before->field[0][k] - o->state.field[0][k]) > 1e-3) {
                reached[WEST] |= i == 0;
                reached[EAST] |= i == nx - 1;
                reached[SOUTH] |= j == 0;
                reached[NORTH] |= j == ny - 1;
            }
        }
    return reached[WEST] + reached[EAST] + reached[SOUTH] + reached[NORTH];
}

static enum err run(const struct variant *v, const struct scene *s, long steps, const char *what,
                    const char *clipping, struct findings *f)
{
    struct config c;
    struct outcome o;
    variant_configure(&c, v);
    c.steps = steps;
    TRY(simulate(&c, s, &o));
    const double error = fabs(outcome_mass_error(&o)), moved = o.balance.clipped_in;
    const int broken = o.broken || !isfinite(error),
              missed = broken ? 0 : EDGES - edges_reached(s, &o);
    /* The balance includes clipping: without clipping it is the change of volume. */
    found(f, what, s->nx, broken ? (double)INFINITY : error, limit(v),
          variant_is_symmetric(v) ? WHY : LEAKS);
    if (moved != 0)
        found(f, clipping, s->nx, moved / o.volume0, (double)NAN,
              "reported; accounted for in the mass error");
    outcome_free(&o);
    if (missed)
        FAIL(CHECK, "invariant mass: %d edges were not reached by waves in %ld steps: no test",
             missed, steps);
    return ERR_OK;
}

/* Bores between four walls, over a bed that is nowhere dry. */
static enum err wet(const struct variant *v, long steps, struct findings *f)
{
    struct scene s;
    TRY(scene_create(&s, 33, 26));
    s.kappa = 0.05;
    scene_random_bed(&s, -1.6, -0.6, 12);
    scene_level(&s, 0);
    scene_dam(&s, 12, 15, 7, 1.2);
    enum err e = run(v, &s, steps, "mass error, all wet", "clipped where all is wet", f);
    scene_free(&s);
    return e;
}

/* Fronts that move over a rough bed. */
static enum err shores(const struct variant *v, long steps, struct findings *f)
{
    struct scene s;
    TRY(scene_rough(&s, 33, 26));
    scene_dam(&s, 12, 15, 9, 1.5);
    enum err e = run(v, &s, steps, "mass error, wet and dry", "clipped volume", f);
    scene_free(&s);
    return e;
}

/* Water enters and leaves: checks the inflow of the balance. */
static enum err through(const struct variant *v, long steps, struct findings *f)
{
    struct scene s;
    TRY(scene_rough(&s, 33, 26));
    scene_dam(&s, 12, 15, 9, 1.5);
    scene_mixed_edges(&s);
    enum err e = run(v, &s, steps, "mass error, flow through the edges", "clipped, edges", f);
    scene_free(&s);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const long steps[] = {400, 1000, 10000};
    TRY(wet(v, steps[effort], f));
    TRY(shores(v, steps[effort], f));
    return through(v, steps[effort] / 2, f);
}

extern const struct invariant invariant_mass;
const struct invariant invariant_mass = {
    .name = "mass",
    .title = "a closed basin keeps its water, an open one accounts for it",
    .why = "fluxes leave one cell and enter the next, walls let nothing through, and drying and "
           "clipping are counted",
    .quick = 1,
    .carried = CARRIED_UNLESS_QUICK,
    .measure = measure,
};
