/* No depth below zero and nothing that is not a number, from thousands of random states on random
 * beds. Many states share a simulation, as plots between high ridges. */
#include <math.h>
#include <stdio.h>

#include "verification/patch.h"

enum { PLOT = 8, PLOTS = 13 }; /* cells along a plot, plots along the domain */

/* What a plot is like, lengths in units of `size` m. */
struct plot {
    double size, rough, tilt_x, tilt_y, level, uneven, froude_x, froude_y, gusts;
    int stairs;
};

static int one_in(double n, unsigned long *random)
{
    return patch_random(random, 0, n) < 1;
}

/* The time step is that of the wildest plot, so each landscape is as wild throughout: water that falls
 * (0), streams (1) or shoots, and changes from cell to cell (2). */
static struct plot any_plot(double size, int wild, unsigned long *random)
{
    const double fastest[] = {0, 1, 5};
    struct plot t;
    t.size = size * pow(10, patch_random(random, -0.7, 0));
    t.rough = one_in(5, random) ? 0 : patch_random(random, 0, 1);
    t.tilt_x = patch_random(random, -0.3, 0.3);
    t.tilt_y = patch_random(random, -0.3, 0.3);
    t.level = patch_random(random, -1, 1.5);
    t.uneven = one_in(3, random) ? 0 : patch_random(random, 0, 1);
    t.froude_x = fastest[wild] * patch_random(random, -1, 1);
    t.froude_y = fastest[wild] * patch_random(random, -1, 1);
    t.gusts = wild == 2 ? patch_random(random, 0, 1) : 0;
    t.stairs = one_in(5, random);
    return t;
}

static void lay_bed(struct patch *p, int pi, int pj, const struct plot *t, unsigned long *random)
{
    for (int y = 1; y < PLOT; y++)
        for (int x = 1; x < PLOT; x++) {
            double b = t->rough * patch_random(random, -1, 1) + t->tilt_x * (x - 0.5 * PLOT) +
                       t->tilt_y * (y - 0.5 * PLOT);
            size_t k = (size_t)(pj * PLOT + y) * ((size_t)p->nx + 1) + (size_t)(pi * PLOT + x);
            p->bed[k] = t->size * (t->stairs ? floor(2 * b) / 2 : b);
        }
}

/* The water has a level of its own in every cell, or one for all. */
static void fill(struct patch *p, int pi, int pj, const struct plot *t, unsigned long *random)
{
    for (int y = 0; y < PLOT; y++)
        for (int x = 0; x < PLOT; x++) {
            const int i = pi * PLOT + x, j = pj * PLOT + y;
            const double *b = p->bed + (size_t)j * ((size_t)p->nx + 1) + (size_t)i;
            const double bed = 0.25 * ((b[0] + b[p->nx + 2]) + (b[1] + b[p->nx + 1]));
            const double w = t->size * (t->level + t->uneven * patch_random(random, -1, 1));
            const double h = fmax(0, w - bed), q = h * sqrt(9.81 * h);
            const size_t k = (size_t)j * (size_t)p->nx + (size_t)i;
            p->field[0][k] = h > 0 ? w : bed;
            p->field[1][k] = q * t->froude_x * (1 + t->gusts * patch_random(random, -2, 0));
            p->field[2][k] = q * t->froude_y * (1 + t->gusts * patch_random(random, -2, 0));
        }
}

static enum err landscape(struct patch *p, double size, int wild, unsigned long seed)
{
    const int n = PLOT * PLOTS;
    TRY(patch_create(p, n, n));
    p->kappa = 0.01 * size;
    for (size_t k = 0; k < ((size_t)n + 1) * ((size_t)n + 1); k++)
        p->bed[k] = 50 * size; /* the ridges: what is left of this between plots */
    for (int pj = 0; pj < PLOTS; pj++)
        for (int pi = 0; pi < PLOTS; pi++) {
            struct plot t = any_plot(size, wild, &seed);
            lay_bed(p, pi, pj, &t, &seed);
            fill(p, pi, pj, &t, &seed);
        }
    return ERR_OK;
}

/* What was seen so far. */
struct tally {
    double states, sunk, odd, clipped;
};

static void look_for_odd(const struct outcome *o, struct tally *t)
{
    const size_t n = (size_t)o->state.nx * (size_t)o->state.ny;
    for (size_t c = 0; c < n; c++) {
        t->sunk = o->depth[c] < -t->sunk ? -o->depth[c] : t->sunk;
        for (int k = 0; k < 3; k++)
            t->odd += !isfinite(o->state.field[k][c]);
    }
    t->clipped = fmax(t->clipped, o->balance.clipped_in / o->volume0);
}

/* Looks after the first step and at longer and longer intervals. */
static enum err run(const struct config *c, const struct patch *p, struct tally *t)
{
    enum err e = ERR_OK;
    struct sim *sim = NULL;
    TRY(patch_open(&sim, c, p));
    for (long steps = 1; steps <= 16; steps *= 2) {
        struct outcome o;
        enum err stepped = sim_step_many(sim, steps);
        if (stepped && stepped != ERR_BROKEN)
            TRY_OUT(stepped);
        TRY_OUT(patch_look(sim, p, &o));
        look_for_odd(&o, t);
        patch_outcome_free(&o);
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
        struct patch p;
        TRY(landscape(&p, pow(10, (k * 3) % 7 - 3), k % 3, 1 + (unsigned long)k));
        enum err e = run(&c, &p, &t);
        patch_free(&p);
        TRY(e);
    }
    snprintf(why, sizeof why, "%.0f random states on random beds, of 0.2 mm to 1 km", t.states);
    found(f, "values that are not finite", PLOT, t.odd, 0, why);
    /* In fast mode the kernels round the bed at the centre otherwise than the host, here up to 50 km. */
    found(f, "largest depth below zero, m", PLOT, t.sunk,
          v->mode == STRICT ? 0 : 1e5 * precision_epsilon(v->precision), why);
    found(f, "clipped share of the volume", PLOT, t.clipped, v->mode == STRICT ? 1e-6 : (double)NAN,
          "positive up to Courant's number; only the second stage's own speeds and rounding may "
          "clip");
    return ERR_OK;
}

extern const struct invariant invariant_positivity;
const struct invariant invariant_positivity = {
    .name = "positivity",
    .title = "random terrain: no negative depth, no NaN",
    .why =
        "wet, dry, steep and fast at random: what a scheme survives here it survives in the field",
    .quick = 1,
    .measure = measure,
};
