/* Runs of a test case with edges set by options; include after cmocka.h. */
#ifndef SHOAL_TESTS_EDGE_RUN_H
#define SHOAL_TESTS_EDGE_RUN_H

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/problem/problem.h"
#include "core/sim/sim.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

static inline int edge_run_set_up(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(2);
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return 0;
}

/* The case `f` with these options in strict mode on the CPU. Its files are in the scratch
 * folder. */
struct run {
    struct config config;
    struct problem problem;
    struct sim *sim;
};

static inline struct run *start(const struct flow_case *f, const char *scheme,
                                const char *const *options)
{
    char folder[PATH_LENGTH];
    struct run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(chdir(scratch), 0);
    const char *words[MOST_ARGUMENTS + 1] = {a_case(),      "--backend=cpu", "--mode=strict",
                                             "--threads=1", "--scheme",      scheme};
    for (int k = 0; options[k]; k++)
        words[6 + k] = options[k];
    ASSERT_READ(read_words(&r->config, words));
    ASSERT_READ(problem_open_case(&r->problem, f, &r->config));
    ASSERT_READ(sim_create(&r->sim, &r->problem.setup));
    assert_int_equal(chdir(folder), 0);
    return r;
}

#define START(f, scheme, ...) start((f), (scheme), (const char *const[]){__VA_ARGS__, NULL})

static inline void finish(struct run *r)
{
    sim_destroy(r->sim);
    problem_close(&r->problem);
    free(r);
}

static inline void go(struct run *r)
{
    if (sim_run(r->sim, (double)INFINITY, NULL))
        fail_msg("%s: %s", r->config.scheme, err_message());
}

static inline double *field_of(struct run *r, int field)
{
    const struct grid_info *g = &r->problem.setup.grid;
    double *all = calloc((size_t)g->nx * (size_t)g->ny, sizeof *all);
    assert_non_null(all);
    assert_int_equal(sim_download(r->sim, field, all), ERR_OK);
    return all;
}

static inline struct balance balance_of(struct run *r)
{
    struct balance b;
    assert_int_equal(sim_balance(r->sim, &b), ERR_OK);
    return b;
}

/* Number k of values in the run's precision, such as those of sim_depth. */
static inline double value_at(const struct run *r, const void *values, int k)
{
    return r->sim->real_size == sizeof(double) ? ((const double *)values)[k]
                                               : (double)((const float *)values)[k];
}

/* Inflow through a position of the rim so far, per metre. */
static inline double crossed(struct run *r, enum edge e, int position)
{
    const struct grid_info *g = &r->problem.setup.grid;
    const int n = 2 * (g->nx + g->ny);
    const int at[EDGES] = {0, g->ny, 2 * g->ny, 2 * g->ny + g->nx};
    double *sum = calloc((size_t)n, sizeof *sum);
    assert_non_null(sum);
    assert_int_equal(
        r->sim->backend->download(r->sim->device, sum, r->sim->rim_sum, (size_t)n * sizeof *sum),
        ERR_OK);
    const double x = sum[at[e] + position];
    free(sum);
    return x;
}

#endif
