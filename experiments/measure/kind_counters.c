/* Bytes and operations of a run's kernels, by the device's own counters. */
#include <stdio.h>

#include "experiments/measure/ceilings.h"

static const struct option options[] = {
    {.name = "steps",
     OPTION_IN(struct config, steps, long),
     .low = 1,
     .high = 1000,
     .initial = "5"},
    {.name = NULL},
};

/* Simulated time that no run of a few steps reaches, s; and what is too large for any cache, bytes. */
static const double NO_END = 1e6;
static const size_t COPIED = (size_t)512 << 20;

static enum err ready(const struct experiment *x, enum backend_kind backend,
                      const struct measure_points *all)
{
    (void)all;
    if (backend != CUDA)
        FAIL(ABSENT, "only NVIDIA GPUs have counters: measure %s with --backend cuda", x->name);
    return ERR_OK;
}

/* In a separate process; this one has tested that the point can run. */
static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct config *c = &o->config;
    struct counted all;
    struct ceilings ceilings;
    measure_close(o);
    snprintf(c->input, sizeof c->input, "%s", p->flow_case->name);
    c->nx = p->nx;
    c->ny = o->ny;
    c->t_end = NO_END;
    TRY(measure_options(m->experiment, m->setup.backend, options, c));
    TRY(counters_read(c, &all));
    TRY(ceilings_measure(m, p->precision, COPIED, &ceilings));
    for (int k = 0; k < all.count; k++)
        TRY(counted_enter(m, p, o->ny, &all.at[k]));
    return ceilings_enter(m, p, o->ny, &ceilings);
}

const struct measure_kind kind_counters = {
    .name = "counters",
    .title = "what kernels move and compute, by the device's counters",
    .options = options,
    .row_columns = "kernel",
    .columns = CEILING_COLUMNS,
    .how =
        "Nsight Compute over a run of a few steps, clocks as they are; of each kernel the longest "
        "launch; operations: additions and multiplications in the run's precision that threads "
        "executed; ceiling-copy: of 512 MiB; ceilings: the fastest launch of ten, in fast mode",
    .ready = ready,
    .run = run,
};
