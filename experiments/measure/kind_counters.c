/* What the kernels of a run move and compute, by the device's own counters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/measure/ceilings.h"
#include "experiments/measure/counters.h"

static const struct option options[] = {
    {.name = "steps",
     OPTION_IN(struct config, steps, long),
     .low = 1,
     .high = 1000,
     .initial = "5"},
    {.name = NULL},
};
static const struct outcome ok = {DB_OK, "-"};

/* Simulated time that no run of a few steps reaches, s; and what is too large for any cache, bytes. */
static const double NO_END = 1e6;
static const size_t COPIED = (size_t)512 << 20;

/* The configuration of a point for a process of its own; whether it can run is tried here. */
static enum err settle(const struct measure *m, const struct point *p, struct config *c, int *ny,
                       struct outcome *outcome)
{
    struct opened o;
    const enum err e = measure_open(m, p, &o, outcome);
    *c = o.config;
    *ny = o.ny;
    measure_close(&o);
    snprintf(c->input, sizeof c->input, "%s", p->flow_case->name);
    c->nx = p->nx;
    c->ny = *ny;
    c->t_end = NO_END;
    return e ? e : measure_options(m->experiment, m->setup.backend, options, c);
}

static void put(char text[32], const char *format, double x)
{
    if (isnan(x))
        snprintf(text, 32, "-");
    else
        snprintf(text, 32, format, x);
}

static enum err enter(const struct measure *m, const struct point *p, int ny,
                      const struct counted_kernel *k)
{
    char cell[6][32], text[256];
    put(cell[0], "%.3f", k->us);
    put(cell[1], "%.0f", k->dram_bytes);
    put(cell[2], "%.0f", k->operations);
    put(cell[3], "%.2f", k->pct_sm);
    put(cell[4], "%.2f", k->pct_dram);
    put(cell[5], "%.0f", k->instructions);
    snprintf(text, sizeof text, "%s\t%s\t%s\t%s\t%s\t%s", cell[0], cell[1], cell[2], cell[3],
             cell[4], cell[5]);
    return measure_enter(m, p, ny, k->name, &ok, text);
}

static enum err count(const struct measure *m, const struct point *p, const struct config *c,
                      int ny)
{
    struct counted all;
    struct ceilings ceilings;
    TRY(counters_read(c, &all));
    TRY(ceilings_measure(m, p->precision, COPIED, &ceilings));
    for (int k = 0; k < all.count; k++)
        TRY(enter(m, p, ny, &all.at[k]));
    return ceilings_enter(m, p, ny, &ceilings);
}

static enum err measure(struct measure *m, const struct point *p)
{
    struct outcome outcome;
    struct config *c = malloc(sizeof *c);
    int ny = p->nx;
    if (!c)
        FAIL(MEMORY, "no memory for a configuration");
    enum err e = ERR_OK;
    if (m->setup.backend != CUDA)
        e = err_set(ERR_ABSENT, __FILE__, __LINE__,
                    "counters are read of NVIDIA GPUs only: measure %s with --backend cuda",
                    m->experiment->name);
    if (!e)
        e = settle(m, p, c, &ny, &outcome);
    if (!e && outcome.outcome == DB_OK)
        e = measure_judge(&outcome, count(m, p, c, ny));
    if (!e && outcome.outcome != DB_OK)
        e = measure_enter(m, p, ny, "-", &outcome, "");
    free(c);
    return e;
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
    .measure = measure,
};
