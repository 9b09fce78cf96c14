/* Runs scenes. */
#include "tests/support/simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/initial.h"
#include "core/log.h"
#include "core/registry.h"

void configure(struct config *c, const char *scheme, enum precision p)
{
    config_defaults(c);
    if (scheme)
        snprintf(c->scheme, sizeof c->scheme, "%s", scheme);
    snprintf(c->backend, sizeof c->backend, "cpu");
    c->precision = (int)p;
    c->mode = STRICT;
    c->threads = 1;
    c->cfl = find_scheme(c->scheme)->cfl;
}

void configure_block(struct config *c, const char *kernel, int w, int h)
{
    struct block_choice *b = &c->blocks[c->block_count++];
    snprintf(b->kernel, sizeof b->kernel, "%s", kernel);
    b->block = (struct block){w, h};
}

const char *described(const struct config *c)
{
    static const char *const orders[] = {"", " reversed", " shuffled"};
    static char text[512];
    int n = snprintf(text, sizeof text, "%s %s %s %s %s %s%s", c->scheme, c->limiter, c->flux,
                     c->precision == F64 ? "f64" : "f32", c->mode == STRICT ? "strict" : "fast",
                     c->backend, orders[c->order]);
    for (int k = 0; k < c->block_count; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %s=%dx%d", c->blocks[k].kernel,
                      c->blocks[k].block.w, c->blocks[k].block.h);
    if (c->threads != 1)
        snprintf(text + n, sizeof text - (size_t)n, " %d threads", c->threads);
    return text;
}

static double bed_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    return s->bed[(size_t)j * ((size_t)s->nx + 1) + (size_t)i];
}

static struct flow water_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    size_t k = (size_t)j * (size_t)s->nx + (size_t)i;
    return (struct flow){s->field[0][k], s->field[1][k], s->field[2][k]};
}

static struct forcing force_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    size_t k = (size_t)j * (size_t)s->nx + (size_t)i;
    return (struct forcing){s->force[0][k], s->force[1][k], s->force[2][k]};
}

enum err simulation_create(struct sim **sim, const struct config *c, const struct scene *s)
{
    struct scene read = *s;
    struct setup setup = {
        .config = c,
        .grid = {s->nx, s->ny, 0, 0, s->dx, s->dy},
        .t_end = s->t_end,
        .gravity = 9.81,
        .manning = s->manning,
        .drag = s->drag,
        .kappa = s->kappa,
        .source = {.context = &read,
                   .bed = bed_of,
                   .water = water_of,
                   .discharges = 1,
                   .force = s->forced ? force_of : NULL},
    };
    memcpy(setup.boundary, s->boundary, sizeof setup.boundary);
    memcpy(setup.edge, s->edge, sizeof setup.edge);
    log_quiet(1);
    return sim_create(sim, &setup);
}

/* A field as doubles: exact in either precision. */
static enum err fetch(struct sim *sim, int field, double *to)
{
    size_t n = (size_t)sim->grid.nx * (size_t)sim->grid.ny;
    TRY(sim_download(sim, field, to));
    if (sim->real_size == sizeof *to)
        return ERR_OK;
    const char *from = (const char *)to;
    for (size_t k = n; k-- > 0;) { /* downwards: nothing is overwritten before it is read */
        float x;
        memcpy(&x, from + k * sizeof x, sizeof x);
        to[k] = (double)x;
    }
    return ERR_OK;
}

enum err simulation_outcome(struct sim *sim, const struct scene *s, struct outcome *o)
{
    enum err e = ERR_OK;
    *o = (struct outcome){.state = scene_shifted(s, 0, 0),
                          .clock = sim->now,
                          .volume0 = sim->volume0,
                          .dry = sim->initial->dry};
    for (int k = 0; k < 3; k++)
        TRY_OUT(fetch(sim, k, o->state.field[k]));
    TRY_OUT(sim_balance(sim, &o->balance));
    return ERR_OK;
out:
    outcome_free(o);
    return e;
}

enum err simulate(const struct config *c, const struct scene *s, struct outcome *o)
{
    struct sim *sim = NULL;
    TRY(simulation_create(&sim, c, s));
    enum err e = sim_run(sim, (double)INFINITY, NULL);
    if (e == ERR_OK || e == ERR_BROKEN) {
        enum err fetched = simulation_outcome(sim, s, o);
        e = fetched ? fetched : e;
    }
    sim_destroy(sim);
    return e;
}

void outcome_free(struct outcome *o)
{
    scene_free(&o->state);
}

double mass_error(const struct outcome *o)
{
    const struct balance *b = &o->balance;
    return (b->volume - o->volume0 - b->inflow - b->clipped_in + b->dried_out) / o->volume0;
}

struct outcome simulated(const struct config *c, const struct scene *s)
{
    struct outcome o;
    char text[256];
    if (simulate(c, s, &o))
        fail_msg("%s, %d x %d cells: %s", described(c), s->nx, s->ny, err_message());
    if (scene_broken(&o.state, text, sizeof text))
        fail_msg("%s, %d x %d cells: %s", described(c), s->nx, s->ny, text);
    return o;
}

struct outcome simulated_steps(const struct config *c, const struct scene *s, long steps)
{
    struct config some = *c;
    some.steps = steps;
    struct outcome o = simulated(&some, s);
    const unsigned long odd = (unsigned long)(find_scheme(c->scheme)->steps - 1);
    if (o.clock.steps < (unsigned long)steps || o.clock.steps > (unsigned long)steps + odd)
        fail_msg("%s: %lu steps, not %ld", described(c), o.clock.steps, steps);
    return o;
}

void expect_same(const struct config *c, const char *what, const struct scene *expected,
                 const struct scene *got, int exactly)
{
    char text[256];
    if (scene_differs(expected, got, exactly, text, sizeof text))
        fail_msg("%s: %s: %s", described(c), what, text);
}

void for_every_scheme(void (*check)(const struct config *c))
{
    for (int k = 0; schemes[k]; k++)
        for (int p = 0; p < PRECISIONS; p++) {
            struct config c;
            configure(&c, schemes[k]->name, (enum precision)p);
            check(&c);
        }
}
