/* Simulations from scenes that fail the test where something is wrong. */
#include "tests/support/of_each_kind.h"
#include "tests/support/simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "tests/support/blocks.h"
#include "verification/run/invariant.h"

void configure(struct config *c, const char *scheme, enum precision p)
{
    struct variant v = {.precision = p, .backend = CPU, .mode = STRICT};
    snprintf(v.scheme, sizeof v.scheme, "%s", scheme ? scheme : "");
    variant_configure(c, &v);
    c->early_exit = EARLY_EXIT_AUTO;
    log_quiet(1);
}

void configure_block(struct config *c, const char *kernel, int w, int h)
{
    struct block_choice *b = &c->blocks[c->block_count++];
    snprintf(b->kernel, sizeof b->kernel, "%s", kernel);
    b->block = (struct block){w, h};
}

void configure_blocks(struct config *c, struct block b, int threads)
{
    for (const char *const *name = find_scheme(c->scheme)->kernels; *name; name++) {
        const struct kernel *k = find_kernel(*name);
        const struct block possible = threads ? possible_block(k, b) : b;
        if (k->tuned)
            configure_block(c, *name, possible.w, possible.h);
    }
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

struct outcome simulated(const struct config *c, const struct scene *s)
{
    struct outcome o;
    char text[256];
    if (simulate(c, s, &o) || o.broken)
        fail_msg("%s, %d x %d cells: %s", described(c), s->nx, s->ny, err_message());
    if (differ(&o.state, &o.state, 0, text, sizeof text))
        fail_msg("%s, %d x %d cells: not finite: %s", described(c), s->nx, s->ny, text);
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

struct sim *create(const struct config *c, const struct scene *s)
{
    struct sim *sim = NULL;
    if (simulation_create(&sim, c, s))
        fail_msg("%s: %s", described(c), err_message());
    return sim;
}

struct outcome outcome_of(const struct config *c, struct sim *sim, const struct scene *s)
{
    struct outcome o;
    if (simulation_outcome(sim, s, &o))
        fail_msg("%s: %s", described(c), err_message());
    return o;
}

int flooded(const struct scene *s, const struct outcome *o)
{
    int n = 0;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const int dry =
                !(s->field[0][scene_cell(s, i, j)] > scene_bed_centre(s, o->precision, i, j));
            n += dry && outcome_depth(o, i, j) >= o->dry;
        }
    return n;
}

void expect_same(const struct config *c, const char *what, const struct scene *expected,
                 const struct scene *got, int exactly)
{
    char text[256];
    if (differ(expected, got, exactly, text, sizeof text))
        fail_msg("%s: %s: %s", described(c), what, text);
}

void for_every_scheme(void (*check)(const struct config *c))
{
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; p < (answers_for_its_kind(schemes[k]->name) ? PRECISIONS : F64); p++) {
            struct config c;
            configure(&c, schemes[k]->name, (enum precision)p);
            check(&c);
        }
}
