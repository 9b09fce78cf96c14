/* Which kernels the time of a run goes into. */
#include <math.h>
#include <stdio.h>

#include "core/bench_profile.h"
#include "experiments/measure/measure.h"

static const struct measure_number number_of_steps = {"steps", 1, 10000, 10};
static const struct measure_number steps_before = {"after", 1, 1e6, 20};
static const struct outcome ok = {DB_OK, "-"};

/* Never reached: kernels do nothing after the end, and a case may be over too soon. */
static const double NO_END = 1e6;

static enum err enter_kernels(const struct measure *m, const struct point *p, int ny,
                              const struct step_profile *profile)
{
    for (int k = 0; k < profile->count; k++) {
        const struct kernel_time *t = &profile->at[k];
        char text[256], rate[64] = "-";
        if (!isnan(t->gb_per_s))
            snprintf(rate, sizeof rate, "%.1f", t->gb_per_s);
        snprintf(text, sizeof text, "%d\t%d\t%.3f\t%.3f\t%.5f\t%d\t%s\t%s\t%s", t->block.w,
                 t->block.h, t->launches, t->us, t->share, t->kernel->reals, rate, profile->method,
                 t->from);
        TRY(measure_enter(m, p, ny, t->kernel->name, &ok, text));
    }
    return ERR_OK;
}

static enum err profile(const struct measure *m, const struct point *p, struct sim *s)
{
    struct step_profile result;
    double steps, after;
    TRY(measure_number(m->experiment, m->setup.backend, &number_of_steps, &steps));
    TRY(measure_number(m->experiment, m->setup.backend, &steps_before, &after));
    sim_extend(s, NO_END);
    TRY(sim_step_many(s, (long)after));
    TRY(bench_profile_measure(s, (long)steps, &result));
    return enter_kernels(m, p, s->grid.ny, &result);
}

static enum err measure(struct measure *m, const struct point *p)
{
    struct opened o;
    struct outcome outcome;
    enum err e = measure_open(m, p, &o, &outcome);
    if (!e && o.sim)
        e = measure_judge(&outcome, profile(m, p, o.sim));
    if (!e && outcome.outcome != DB_OK)
        e = measure_enter(m, p, o.ny, "-", &outcome, "");
    measure_close(&o);
    return e;
}

const struct measure_kind kind_profile = {
    .name = "profile",
    .title = "which kernels the time of a run goes into",
    .keys = " after ",
    .row_columns = "kernel",
    .columns = "width\theight\tlaunches\tus\tshare\treals\tgb_per_s\tmethod\tfrom",
    .how = "some steps after others that let the flow move; us: of a launch, the median by cupti, "
           "else the mean; share: of the time of all kernels; gb_per_s: the reals a cell that must "
           "be moved, over us",
    .measure = measure,
};
