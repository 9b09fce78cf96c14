/* Made-up runs of a made-up case, and what `shoal verify` says of them. Include after cmocka.h. */
#ifndef SHOAL_TEST_VERDICTS_H
#define SHOAL_TEST_VERDICTS_H

#include <math.h>
#include <string.h>

#include "verification/run/verdict.h"

/* A case with two norms; a test fills in what it asks. */
static struct check asked[8];
static struct published others[2];
static struct verification verification;
static struct flow_case toy;

/* Runs of it at 10 and 20 cells and those on the other backend, with their outcomes. */
enum { COARSE, FINE, COARSE_TWIN, FINE_TWIN, JOBS };
static struct job jobs[JOBS];
static struct plan plan;
static struct job_outcome outcomes[JOBS];
static struct verdicts verdicts;

static inline int set_up(void **state)
{
    (void)state;
    memset(asked, 0, sizeof asked);
    memset(others, 0, sizeof others);
    memset(outcomes, 0, sizeof outcomes);
    verification =
        (struct verification){.checks = asked, .published = others, .ladder = {10, 20}, .usual = 2};
    toy = (struct flow_case){.name = "toy", .nx = 20, .ny = 20, .t_end = 8};
    toy.verify = &verification;
    plan = (struct plan){.count = JOBS, .job = jobs};
    for (int k = 0; k < JOBS; k++) {
        struct measured *m = &outcomes[k].measured;
        const enum backend_kind on = k < COARSE_TWIN ? CPU : CUDA;
        jobs[k] = (struct job){.kind = JOB_RUN, .needs = {-1, -1}};
        jobs[k].run = (struct run){.flow_case = &toy, .n = k % 2 ? 20 : 10, .kappa = (double)NAN};
        jobs[k].run.variant =
            (struct variant){.scheme = "rk2", .limiter = "minmod", .precision = F64, .backend = on};
        m->snapshots = 2;
        m->t[0] = 4;
        m->t[1] = 8;
        m->steady_at = (double)NAN;
        strcpy(m->digest, "same");
    }
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    verdicts_free(&verdicts);
    return 0;
}

/* The first norm at both times. */
static inline void measured(int job, double first, double last)
{
    outcomes[job].measured.value[0][0] = first;
    outcomes[job].measured.value[0][1] = last;
}

static inline void ended(int job)
{
    outcomes[job].state = DONE;
}

static inline void judged(int job)
{
    ended(job);
    assert_int_equal(verdicts_judge(&verdicts, &plan, outcomes, job), ERR_OK);
}

static inline int lines(const char *what)
{
    int n = 0;
    for (int k = 0; k < verdicts.count; k++)
        n += strcmp(verdicts.line[k].what, what) == 0;
    return n;
}

/* The only line about it. */
static inline const struct line *line(const char *what)
{
    static const struct line none;
    const struct line *found = &none;
    for (int k = 0; k < verdicts.count; k++)
        found = strcmp(verdicts.line[k].what, what) == 0 ? &verdicts.line[k] : found;
    if (lines(what) != 1)
        fail_msg("%d lines are about '%s'", lines(what), what);
    return found;
}

static inline void again(void)
{
    tear_down(NULL);
    set_up(NULL);
}

#define JUDGING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
