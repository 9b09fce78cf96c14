/* The plan of an experiment that a test writes; include after cmocka.h. */
#ifndef SHOAL_TEST_PLANNED_H
#define SHOAL_TEST_PLANNED_H

#include "experiments/measure/measure.h"
#include "tests/support/experiments.h"

/* The plan of home/experiments/it.ini. */
static struct {
    struct experiment x;
    struct point *point;
    int count;
} plan;

static inline enum err make_plan(const char *wanted, struct measure_setup setup)
{
    write_experiment(wanted);
    assert_fine(experiment_read(&plan.x, "it"));
    return measure_plan(&plan.x, &setup, &plan.point, &plan.count);
}

static inline void forget_plan(void)
{
    free(plan.point);
    experiment_free(&plan.x);
}

static const struct measure_setup on_cpu = {.backend = CPU, .threads = 1, .precision = -1};

static inline void planned(const char *wanted)
{
    assert_fine(make_plan(wanted, on_cpu));
}

#endif
