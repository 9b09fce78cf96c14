/* Runs as the command line makes them, and their checkpoints in the scratch folder; include after
 * cmocka.h. */
#ifndef SHOAL_TEST_CHECKPOINTS_H
#define SHOAL_TEST_CHECKPOINTS_H

#include <math.h>
#include <string.h>

#include "tests/support/test.h"
#include "core/run/checkpoint_parts.h"
#include "core/sim/maxima.h"
#include "core/options/run_config.h"
#include "tests/support/scratch.h"
#include "tests/support/simulate.h"

enum { NX = 40, NY = 31, CELLS = NX * NY };

static char output[PATH_LENGTH], file[PATH_LENGTH + 32];
__attribute__((unused)) static size_t rows[SERIES]; /* ignored */

/* A run as the command line makes it; the problem must stay where it is. */
struct run {
    struct config c;
    struct problem p;
    struct sim *sim;
};

static inline void set(struct config *c, const char *option, const char *value)
{
    if (option_set(option_find(run_options, option), c, value))
        fail_msg("--%s %s: %s", option, value, err_message());
}

/* A dam that breaks over dry land, with a stream that enters and leaves. */
static inline struct config config_of(const char *scheme, enum precision precision)
{
    struct config c;
    configure(&c, scheme, precision);
    snprintf(c.input, sizeof c.input, "circular-dam-dry");
    snprintf(c.output, sizeof c.output, "%s", output);
    c.nx = NX;
    c.ny = NY;
    set(&c, "bc-west", "discharge:1");
    set(&c, "bc-east", "open");
    c.t_end = 0.6;
    return c;
}

static inline void start(struct run *r, const struct config *c)
{
    r->c = *c;
    fine(problem_open(&r->p, &r->c));
    if (sim_create(&r->sim, &r->p.setup))
        fail_msg("%s: %s", described(c), err_message());
}

static inline void end(struct run *r)
{
    sim_destroy(r->sim);
    problem_close(&r->p);
}

static inline void step_to(struct run *r, double t)
{
    if (sim_run(r->sim, t, NULL))
        fail_msg("%s: %s", described(&r->c), err_message());
}

static inline void keep(struct run *r)
{
    struct checkpoint *k;
    fine(checkpoint_open(&k, &(struct checkpoint_setup){
                                 .sim = r->sim, .problem = &r->p, .command_line = "shoal run"}));
    fine(checkpoint_write(k));
    checkpoint_close(&k);
}

/* Where a run is checkpointed that is compared with an uninterrupted one, which pauses there,
 * too: seconds. */
static const double KEPT_AT = 0.3;

static inline void run_straight(struct run *r, const struct config *c)
{
    start(r, c);
    step_to(r, KEPT_AT);
    step_to(r, (double)INFINITY);
}

static inline void keep_at(const struct config *c, double t)
{
    struct run r;
    start(&r, c);
    step_to(&r, t);
    keep(&r);
    end(&r);
}

/* A run restored from the checkpoint; the same, continued to its end. */
static inline void restore(struct run *r, const struct config *c)
{
    start(r, c);
    fine(checkpoint_restore(r->sim, &r->p, file, rows));
}

static inline void resume(struct run *r, const struct config *c)
{
    restore(r, c);
    step_to(r, (double)INFINITY);
}

/* Both runs have reached the same state in different ways. */
static inline void expect_equal(struct run *want, struct run *have, const char *what)
{
    static double a[CELLS], b[CELLS];
    const size_t bytes = CELLS * want->sim->real_size;
    const struct clock *x = &want->sim->now, *y = &have->sim->now;
    struct balance v, w;
    for (int k = 0; k < want->sim->system->unknowns; k++) {
        fine(sim_read(want->sim, sim_unknown(want->sim, k), NULL, a));
        fine(sim_read(have->sim, sim_unknown(have->sim, k), NULL, b));
        if (memcmp(a, b, bytes) != 0)
            fail_msg("%s: %s: %s differs", described(&want->c), what,
                     want->sim->system->unknown[k].name);
    }
    for (int k = 0; k < want->sim->system->conserveds; k++) {
        fine(sim_balance_of(want->sim, k, &v));
        fine(sim_balance_of(have->sim, k, &w));
        if (memcmp(&v, &w, sizeof v) != 0)
            fail_msg("%s: %s: the balance of %s differs", described(&want->c), what,
                     want->sim->system->conserved[k].name);
    }
    if (x->steps != y->steps || x->redone != y->redone || !(x->t - y->t == 0) ||
        !(x->dt_min - y->dt_min == 0) || !(x->dt_max - y->dt_max == 0))
        fail_msg("%s: %s: %lu steps, %lu redone, to %.17g s; not %lu, %lu, %.17g s",
                 described(&want->c), what, y->steps, y->redone, y->t, x->steps, x->redone, x->t);
    for (int k = 0; want->c.maxima && k < MAXIMA; k++) {
        fine(maxima_download(want->sim, (enum maximum)k, NULL, a));
        fine(maxima_download(have->sim, (enum maximum)k, NULL, b));
        if (memcmp(a, b, bytes) != 0)
            fail_msg("%s: %s: maximum %d differs", described(&want->c), what, k);
    }
}

/* The first run ends within a step that the uninterrupted run takes in full; then a run of `other` continues it. */
static inline void check_restart(const struct config *c, const struct config *other,
                                 const char *what)
{
    struct run straight, first, second;
    struct config shorter = *c;
    const double half = 0.5 * c->t_end;
    start(&straight, c);
    step_to(&straight, half);
    const double t = straight.sim->now.t;
    shorter.t_end = t + 0.3 * straight.sim->now.dt;
    step_to(&straight, (double)INFINITY);
    start(&first, &shorter);
    step_to(&first, half);
    if (!(first.sim->now.t - t == 0) || first.sim->now.halt != AT_PAUSE)
        fail_msg("%s: paused at %.17g s, not %.17g s", described(c), first.sim->now.t, t);
    keep(&first);
    end(&first);
    restore(&second, other);
    assert_true(second.sim->now.t - t == 0);
    step_to(&second, (double)INFINITY);
    expect_equal(&straight, &second, what);
    end(&straight);
    end(&second);
}

/* A run after some steps, with its checkpoint. */
static inline void start_and_keep(struct run *r)
{
    const struct config c = config_of("euler", F32);
    start(r, &c);
    step_to(r, KEPT_AT);
    keep(r);
}

static inline void expect_refusal(enum err code, enum err e, const char *part)
{
    if (e != code || !strstr(err_message(), part))
        fail_msg("error %d: '%s'; '%s' wanted", e, e ? err_message() : "none", part);
}

static inline int set_up(void **state)
{
    (void)state;
    scratch_create();
    scratch_path(output, "run.nc");
    snprintf(file, sizeof file, "%s" CHECKPOINT_ENDING, output);
    return 0;
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, scratch_remove)

#endif
