/* Which simulations launch the kernels that are to be tuned. Each scheme makes two passes without
 * computing anything, to find its launches. */
#include "experiments/tuner/stage_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/registry/scheme.h"
#include "core/sim/sim.h"

/* With early exit only moving cells are computed: a wave must spread before these keep a device
 * busy. It moves about a quarter of a cell per step, and few cells cost little. */
enum { STEPS = 200, MOST_KERNELS = 64 };

static enum err nothing_compile(const struct device *dev, const struct recipe *r, char *path)
{
    (void)dev, (void)r;
    *path = '\0';
    return ERR_OK;
}

static enum err nothing_load(struct device *dev, const struct recipe *r, const char *path,
                             struct loaded **k)
{
    (void)dev, (void)r, (void)path, (void)k;
    return ERR_OK;
}

static enum err nothing_alloc(struct device *dev, size_t bytes, void **p)
{
    static char somewhere;
    (void)dev, (void)bytes;
    *p = &somewhere;
    return ERR_OK;
}

static enum err nothing_fill(struct device *dev, void *p, int byte, size_t bytes)
{
    (void)dev, (void)p, (void)byte, (void)bytes;
    return ERR_OK;
}

static enum err nothing_copy(struct device *dev, void *to, const void *from, size_t bytes)
{
    (void)dev, (void)to, (void)from, (void)bytes;
    return ERR_OK;
}

static enum err nothing_launch(struct device *dev, struct loaded *k, int gx, int gy,
                               const void *args, size_t bytes)
{
    (void)dev, (void)k, (void)gx, (void)gy, (void)args, (void)bytes;
    return ERR_OK;
}

static enum err nothing_peek(struct device *dev, const void *from, size_t bytes)
{
    (void)dev, (void)from, (void)bytes;
    return ERR_OK;
}

static enum err nothing_sync(struct device *dev)
{
    (void)dev;
    return ERR_OK;
}

static enum err nothing_mark(struct device *dev, int number)
{
    (void)dev, (void)number;
    return ERR_OK;
}

static enum err nothing_between(struct device *dev, int from, int to, double *seconds)
{
    (void)dev, (void)from, (void)to;
    *seconds = 0;
    return ERR_OK;
}

static const struct backend nothing = {
    .compile = nothing_compile,
    .load = nothing_load,
    .alloc = nothing_alloc,
    .fill = nothing_fill,
    .upload = nothing_copy,
    .download = nothing_copy,
    .copy = nothing_copy,
    .launch = nothing_launch,
    .peek = nothing_peek,
    .sync = nothing_sync,
    .mark = nothing_mark,
    .between = nothing_between,
};

/* The kernels wanted, and which of them a pass launches: bit n for number n. */
struct wanted {
    const struct kernel *const *kernels;
    unsigned long launched;
};

static enum err note(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct wanted *w = context;
    (void)bytes;
    for (int n = 0; w->kernels[n]; n++) {
        int counts = 0;
        if (w->kernels[n] != k->recipe.kernel)
            continue;
        TRY(stage_counts(k->recipe.kernel, args, &counts));
        w->launched |= (unsigned long)counts << n;
    }
    return ERR_OK;
}

/* Two passes, because a scheme may begin with one of another kind; the second counts. */
static enum err two_passes(struct sim *s, struct wanted *w)
{
    if (s->scheme->setup)
        TRY(s->scheme->setup(s));
    TRY(s->scheme->step(s));
    s->passes = 1;
    s->hook = (struct launch_hook){note, w};
    return s->scheme->step(s);
}

static struct recipe any_block(const char *kernel)
{
    return (struct recipe){.kernel = find_kernel(kernel), .block = {1, 1}};
}

static enum err ask(const struct scheme *scheme, const struct config *c, struct wanted *w)
{
    void *somewhere;
    struct sim *s = calloc(1, sizeof *s);
    if (!s)
        FAIL(MEMORY, "no memory to ask scheme %s what it launches", scheme->name);
    s->config = c;
    s->scheme = scheme;
    s->backend = &nothing;
    s->grid = (struct grid_info){8, 8, 0, 0, 1, 1};
    s->real_size = sizeof(float);
    nothing_alloc(NULL, 0, &somewhere);
    s->system = find_system(scheme->system);
    s->now.fixed_dt = isnan(c->dt) ? 0 : c->dt;
    for (int k = 0; k < STATES * UNKNOWNS; k++)
        s->state[k / UNKNOWNS][k % UNKNOWNS] = &s->array[0];
    for (int k = 0; k < RATES * UNKNOWNS; k++)
        s->rate[k / UNKNOWNS][k % UNKNOWNS] = &s->array[0];
    s->array[0].memory = somewhere;
    s->ground = (struct ground){somewhere, somewhere};
    s->block_speed = somewhere;
    for (int k = 0; scheme->kernels[k]; k++)
        s->kernels[k].recipe = any_block(scheme->kernels[k]);
    s->auxiliary[GHOSTS_KERNEL].recipe = any_block("boundary");
    s->auxiliary[GHOSTS_TURNED].recipe = any_block("boundary_t");
    s->auxiliary[CLOCK_KERNEL].recipe = any_block("clock");
    w->launched = 0;
    enum err e = two_passes(s, w);
    if (scheme->teardown)
        scheme->teardown(s);
    free(s);
    return e;
}

/* What a stage with this setup launches. */
static enum err ask_setup(const struct stage_setup *setup, struct wanted *w)
{
    struct config *c = malloc(sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory for a configuration");
    *c = setup->config;
    c->early_exit = setup->early_exit ? EARLY_EXIT_ON : EARLY_EXIT_OFF;
    c->dt = setup->fixed ? 1 : (double)NAN;
    const enum err e = ask(find_scheme(setup->scheme), c, w);
    free(c);
    return e;
}

int stage_launches(const struct stage_setup *setup, const struct kernel *k)
{
    const struct kernel *const one[] = {k, NULL};
    struct wanted w = {.kernels = one};
    return ask_setup(setup, &w) == ERR_OK && w.launched;
}

/* The ways to run a scheme that launch separate kernels: early exit for water, fixed steps for
 * other systems. */
static int choose_way(const struct scheme *scheme, const struct kernel *asked, int way,
                      struct stage_setup *s)
{
    const int water = scheme_moves_water(scheme);
    if (way > 1 || (s->config.positivity == BY_DRAINING && !(scheme->drained_cfl > 0)))
        return 0;
    s->scheme = scheme->name;
    s->early_exit = water && way;
    s->fixed = !water && way;
    if (asked->define)
        snprintf(s->config.define, sizeof s->config.define, "%s", asked->define);
    return 1;
}

/* The flow for a scheme's kernels: of the requested case, if it has the scheme's system. */
static void choose_flow(struct stage_setup *s, const struct config *asked)
{
    const struct scheme *scheme = find_scheme(s->scheme);
    const struct system *system = find_system(scheme->system);
    const struct flow_case *f = find_case(asked->input);
    snprintf(s->config.scheme, sizeof s->config.scheme, "%s", s->scheme);
    if (system->tuned_on && !(f && scheme_solves(scheme, case_system(f))))
        snprintf(s->config.input, sizeof s->config.input, "%s", system->tuned_on);
    if (!asked->precision_chosen)
        s->config.precision = (int)system->precision;
    s->config.precision_chosen = 1;
}

/* Makes it the setup that launches most kernels of `left`, and removes these from `left`. */
static enum err most_useful(const struct kernel *const kernels[], struct stage_setup *best,
                            unsigned long *left)
{
    const struct kernel *const asked = kernels[__builtin_ctzl(*left)];
    struct stage_setup *s = malloc(sizeof *s);
    unsigned long launched = 0;
    enum err e = ERR_OK;
    if (!s)
        FAIL(MEMORY, "no memory for a configuration");
    *s = *best;
    for (int k = 0; schemes[k] && !e; k++)
        for (int way = 0; choose_way(schemes[k], asked, way, s) && !e; way++) {
            struct wanted w = {.kernels = kernels};
            e = ask_setup(s, &w);
            if (e == ERR_USAGE) /* it has no such switch */
                e = ERR_OK;
            if (e ||
                __builtin_popcountl(w.launched & *left) <= __builtin_popcountl(launched & *left))
                continue;
            launched = w.launched;
            *best = *s;
        }
    free(s);
    TRY(e);
    if (!(launched & *left))
        FAIL(KERNEL, "no scheme%s launches kernel %s in every step: it cannot be tuned",
             best->config.positivity == BY_DRAINING ? " with --positivity draining" : "",
             asked->name);
    *left &= ~launched;
    return ERR_OK;
}

/* Cells along the longer side. */
static enum err find_length(const struct config *config, int *cells)
{
    struct problem p;
    struct config *c = malloc(sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory for a configuration");
    *c = *config;
    *c->scheme = '\0'; /* that of the case's equations */
    const enum err e = problem_open(&p, c);
    free(c);
    *cells = p.setup.grid.nx > p.setup.grid.ny ? p.setup.grid.nx : p.setup.grid.ny;
    problem_close(&p);
    return e;
}

static enum err cover(const struct kernel *const kernels[], const struct config *config,
                      struct stage_setup setups[MOST_STAGES], int *stages)
{
    int n = 0, length;
    while (kernels[n])
        n++;
    if (n >= MOST_KERNELS)
        FAIL(USAGE, "%d kernels to tune at once: at most %d", n, MOST_KERNELS - 1);
    TRY(find_length(config, &length));
    for (unsigned long left = (1ul << n) - 1; left;) {
        struct stage_setup *s = &setups[*stages];
        if (*stages == MOST_STAGES)
            FAIL(USAGE, "these %d kernels need more than %d simulations: tune fewer at once", n,
                 MOST_STAGES);
        *s = (struct stage_setup){.config = *config};
        TRY(most_useful(kernels, s, &left));
        choose_flow(s, config);
        s->steps = s->early_exit && length > STEPS ? length : STEPS;
        ++*stages;
    }
    return ERR_OK;
}

int stages_for(const struct kernel *const kernels[], const struct config *config,
               struct stage_setup setups[MOST_STAGES])
{
    int stages = 0;
    return cover(kernels, config, setups, &stages) ? -1 : stages;
}
