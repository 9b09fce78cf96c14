/* No depth below zero and nothing that is not a number, from thousands of random states on random
 * beds. Many states share a simulation, as plots between high ridges. */
#include <math.h>
#include <stdio.h>

#include "verification/run/invariant.h"
#include "verification/run/random.h"
#include "verification/run/simulate.h"

enum { PLOT = 8, PLOTS = 13 }; /* cells along a plot, plots along the domain */

/* The terrain of a plot, lengths in units of `size` m. */
struct plot {
    double size, rough, tilt_x, tilt_y, level, uneven, froude_x, froude_y, gusts;
    int stairs;
};

static int one_in(double n, struct sample *random)
{
    return sample_between(random, 0, n) < 1;
}

/* The wildest plot sets the time step, so each landscape is equally wild throughout: water that
 * falls (0), streams (1) or shoots, and changes from cell to cell (2). */
static struct plot any_plot(double size, int wild, struct sample *random)
{
    const double fastest[] = {0, 1, 5};
    struct plot t;
    t.size = size * pow(10, sample_between(random, -0.7, 0));
    t.rough = one_in(5, random) ? 0 : sample_between(random, 0, 1);
    t.tilt_x = sample_between(random, -0.3, 0.3);
    t.tilt_y = sample_between(random, -0.3, 0.3);
    t.level = sample_between(random, -1, 1.5);
    t.uneven = one_in(3, random) ? 0 : sample_between(random, 0, 1);
    t.froude_x = fastest[wild] * sample_between(random, -1, 1);
    t.froude_y = fastest[wild] * sample_between(random, -1, 1);
    t.gusts = wild == 2 ? sample_between(random, 0, 1) : 0;
    t.stairs = one_in(5, random);
    return t;
}

static void lay_bed(struct scene *s, int pi, int pj, const struct plot *t, struct sample *random)
{
    for (int y = 1; y < PLOT; y++)
        for (int x = 1; x < PLOT; x++) {
            double b = t->rough * sample_between(random, -1, 1) + t->tilt_x * (x - 0.5 * PLOT) +
                       t->tilt_y * (y - 0.5 * PLOT);
            s->bed[scene_corner(s, pi * PLOT + x, pj * PLOT + y)] =
                t->size * (t->stairs ? floor(2 * b) / 2 : b);
        }
}

/* The water has a separate level in every cell, or one for all. */
static void fill_scene(struct scene *s, int pi, int pj, const struct plot *t, struct sample *random)
{
    for (int y = 0; y < PLOT; y++)
        for (int x = 0; x < PLOT; x++) {
            const int i = pi * PLOT + x, j = pj * PLOT + y;
            const double bed = scene_bed_centre(s, F64, i, j);
            const double w = t->size * (t->level + t->uneven * sample_between(random, -1, 1));
            const double h = fmax(0, w - bed), q = h * sqrt(9.81 * h);
            const size_t k = scene_cell(s, i, j);
            s->field[0][k] = h > 0 ? w : bed;
            s->field[1][k] = q * t->froude_x * (1 + t->gusts * sample_between(random, -2, 0));
            s->field[2][k] = q * t->froude_y * (1 + t->gusts * sample_between(random, -2, 0));
        }
}

static enum err landscape(struct scene *s, double size, int wild, unsigned long seed)
{
    const int n = PLOT * PLOTS;
    struct sample random = {seed};
    TRY(scene_create(s, n, n));
    s->kappa = 0.01 * size;
    for (size_t k = 0; k < scene_corner(s, 0, n + 1); k++)
        s->bed[k] = 50 * size; /* the ridges: the rest of this between plots */
    for (int pj = 0; pj < PLOTS; pj++)
        for (int pi = 0; pi < PLOTS; pi++) {
            struct plot t = any_plot(size, wild, &random);
            lay_bed(s, pi, pj, &t, &random);
            fill_scene(s, pi, pj, &t, &random);
        }
    return ERR_OK;
}

/* The findings so far. */
struct tally {
    double states, sunk, odd, clipped;
};

static void look_for_odd(const struct outcome *o, struct tally *t)
{
    for (int j = 0; j < o->state.ny; j++)
        for (int i = 0; i < o->state.nx; i++) {
            const double depth = outcome_depth(o, i, j);
            t->sunk = depth < -t->sunk ? -depth : t->sunk;
        }
    t->odd += scene_gap(&o->state, &o->state, 0).values;
    t->clipped = fmax(t->clipped, o->balance.clipped_in / o->volume0);
}

/* Samples after the first step and at longer and longer intervals. */
static enum err run(const struct config *c, const struct scene *s, struct tally *t)
{
    enum err e = ERR_OK;
    struct sim *sim = NULL;
    TRY(simulation_create(&sim, c, s));
    for (long steps = 1; steps <= 16; steps *= 2) {
        struct outcome o;
        enum err stepped = sim_step_many(sim, steps);
        if (stepped && stepped != ERR_BROKEN)
            TRY_OUT(stepped);
        TRY_OUT(simulation_outcome(sim, s, &o));
        look_for_odd(&o, t);
        outcome_free(&o);
        if (stepped) {
            t->odd += 1;
            break;
        }
    }
    t->states += PLOTS * PLOTS;
out:
    sim_destroy(sim);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const int landscapes[] = {3, 12, 120};
    struct tally t = {0};
    struct config c;
    char why[128];
    variant_configure(&c, v);
    for (int k = 0; k < landscapes[effort]; k++) {
        struct scene s;
        TRY(landscape(&s, pow(10, (k * 3) % 7 - 3), k % 3, 1 + (unsigned long)k));
        enum err e = run(&c, &s, &t);
        scene_free(&s);
        TRY(e);
    }
    snprintf(why, sizeof why, "%.0f random states on random beds, of 0.2 mm to 1 km", t.states);
    found(f, "values that are not finite", PLOT, t.odd, 0, why);
    /* In fast mode the kernels round the bed at the centre otherwise than the host, here up to 50 km. */
    found(f, "largest depth below zero, m", PLOT, t.sunk,
          v->mode == STRICT ? 0 : 1e5 * precision_epsilon(v->precision), why);
    const int asked = v->mode == STRICT && variant_is_positive(v);
    found(f, "clipped share of the volume", PLOT, t.clipped, asked ? 1e-6 : (double)NAN,
          "positive up to Courant's number; only the second stage's own speeds and rounding may "
          "clip");
    return ERR_OK;
}

extern const struct invariant invariant_positivity;
const struct invariant invariant_positivity = {
    .name = "positivity",
    .title = "random terrain: no negative depth, no NaN",
    .why = "wet, dry, steep and fast at random: harder than real terrain",
    .quick = 1,
    .carried = CARRIED_UNLESS_QUICK,
    .measure = measure,
};
