/* Water at rest stays at rest, dry land stays dry. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/run/invariant.h"
#include "verification/run/random.h"
#include "verification/run/simulate.h"

static const char *const IMMERSED = "immersed: fluxes and bed source cancel to the last bit";
static const char *const FLOW = "20 eps h c: rounding of pressures, which does not accumulate";

/* The state before the first step, and the result. */
static enum err before_and_after(const struct config *c, const struct scene *s, long steps,
                                 struct scene *before, struct outcome *after)
{
    struct config counted = *c;
    counted.steps = steps;
    TRY(simulation_start(c, s, before));
    return simulate(&counted, s, after);
}

/* A random bed from 1.6 m to 0.3 m under the water. */
static enum err lake(const struct variant *v, const struct config *c, int effort,
                     struct findings *f)
{
    enum err e = ERR_OK;
    const long steps[] = {300, 1500, 20000};
    const double deepest = 1.6, eps = precision_epsilon(v->precision);
    struct scene s;
    struct scene before = {0};
    struct outcome after = {0};
    TRY(scene_create(&s, 33, 26));
    s.kappa = 0.05;
    scene_random_bed(&s, -1.23, 0.07, 11);
    scene_level(&s, 0.37);
    TRY_OUT(before_and_after(c, &s, steps[effort], &before, &after));
    struct gap gap = scene_gap(&before, &after.state, 0);
    found(f, "change of level in a lake at rest, m", s.nx, gap.level,
          v->mode == STRICT ? 0 : 4 * eps * deepest,
          v->mode == STRICT ? IMMERSED : "4 eps h: fast mode contracts and reorders");
    found(f, "discharge in a lake at rest, m2/s", s.nx, gap.discharge,
          (v->mode == STRICT ? 20 : 50) * eps * deepest * sqrt(9.81 * deepest),
          v->mode == STRICT ? FLOW : "50 eps h c: rounding, and fast mode contracts");
out:
    scene_free(&before);
    outcome_free(&after);
    scene_free(&s);
    return e;
}

/* From a column on: in strict mode how many values have other bits. In fast mode the kernels round the
 * bed's level at the centre otherwise than the host: the largest change in spacings at 100 m. */
static double changes(const struct variant *v, const struct scene *a, const struct scene *b,
                      int from)
{
    double changed = 0, most = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < a->ny; j++)
            for (int i = from; i < a->nx; i++) {
                const size_t c = scene_cell(a, i, j);
                const double was = a->field[k][c], is = b->field[k][c];
                changed += memcmp(&was, &is, sizeof is) != 0;
                most = fmax(most, isfinite(is) ? fabs(was - is) : (double)INFINITY);
            }
    return v->mode == STRICT ? changed : most / (100 * precision_epsilon(v->precision));
}

static void found_dry(struct findings *f, const struct variant *v, const char *where,
                      double changed, int n)
{
    char what[64];
    snprintf(what, sizeof what, "%s on %s", v->mode == STRICT ? "values that change" : "change",
             where);
    if (v->mode == STRICT)
        found(f, what, n, changed, 0, "no water, no flux: the bits do not change");
    else
        found(f, what, n, changed, 2, "no water, no flux: the bed's rounding at 100 m");
}

/* All dry, in steps of 0.1 s: without waves Courant's rule does not limit the step. */
static enum err desert(const struct variant *v, const struct config *c, struct findings *f)
{
    enum err e = ERR_OK;
    struct config fixed = *c;
    struct scene s;
    struct scene before = {0};
    struct outcome after = {0};
    fixed.dt = 0.1;
    TRY(scene_create(&s, 33, 26));
    s.kappa = 0.05;
    scene_random_bed(&s, -3, 100, 5);
    scene_level(&s, -50);
    TRY_OUT(before_and_after(&fixed, &s, 100, &before, &after));
    found_dry(f, v, "dry land", changes(v, &before, &after.state, 0), s.nx);
out:
    scene_free(&before);
    outcome_free(&after);
    scene_free(&s);
    return e;
}

/* A stirred sea, a ridge that it cannot climb, and low land behind. */
static enum err coast(const struct variant *v, const struct config *c, struct findings *f)
{
    enum err e = ERR_OK;
    enum { SEA = 15, LAND = 20 };
    struct scene s;
    struct scene before = {0};
    struct outcome after = {0};
    TRY(scene_create(&s, 36, 12));
    s.kappa = 0.05;
    scene_random_bed(&s, -1, 1, 6);
    scene_level(&s, -50);
    scene_coast(&s, SEA, LAND);
    TRY_OUT(before_and_after(c, &s, 200, &before, &after));
    found_dry(f, v, "land behind a ridge", changes(v, &before, &after.state, LAND), s.nx);
out:
    scene_free(&before);
    outcome_free(&after);
    scene_free(&s);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    struct config c;
    variant_configure(&c, v);
    TRY(lake(v, &c, effort, f));
    TRY(desert(v, &c, f));
    return coast(v, &c, f);
}

extern const struct invariant invariant_lake_at_rest;
const struct invariant invariant_lake_at_rest = {
    .name = "lake-at-rest",
    .title = "water at rest and dry land stay as they are",
    .why = "the bed's source must balance the pressure exactly where all cells are wet, and dry "
           "land must stay dry",
    .quick = 1,
    .measure = measure,
};
