/* Which scheme is the fastest here: thesis 4.4.1, a sine on cells of 1 m, to 5 s, five runs. */
#include <math.h>
#include <stdio.h>

#include "core/log.h"
#include "core/registry.h"
#include "core/sorted.h"
#include "experiments/measure/measure.h"

/* The table's size: the thesis's RUNS; its tables 4.2 to 4.4 are made of these rows. */
enum { RUNS = 5, MOST = 32 };
static const int standard[BACKENDS] = {[CPU] = 1024, [CUDA] = 4096};

struct timed {
    const struct scheme *scheme;
    struct whole_run last; /* that was ok */
    double wall[RUNS];
    size_t runs;
    double median; /* s; INFINITY: no run was ok */
};

static enum err enter(const struct measure *m, const struct whole_run *r, int run)
{
    char before[256], after[256];
    snprintf(before, sizeof before, "%s\t%s\t%s\t%d\t%d\t%d", r->scheme->name, r->flow_case->name,
             precision_names[r->precision], r->nx, r->ny, run);
    snprintf(after, sizeof after, "%s\t%lu\t%lu\t%.6f\t%.3f\t%.2f", r->blocks, r->steps, r->redone,
             r->wall, (double)r->steps / r->wall, measure_rate(r));
    return measure_row(m, &experiment_schemes, r, before, after);
}

/* Interleaved: what drifts, drifts for all. */
static enum err run_all(struct measure *m, const struct flow_case *c, enum precision p,
                        struct timed *all, int count)
{
    for (int run = 0; run < RUNS; run++) {
        log_info("schemes: %s, %d x %d cells, run %d of %d of each", precision_names[p], c->nx,
                 c->ny, run + 1, RUNS);
        for (int k = 0; k < count; k++) {
            struct whole_run r = {.flow_case = c,
                                  .scheme = all[k].scheme,
                                  .precision = p,
                                  .n = c->nx,
                                  .cfl = (double)NAN,
                                  .dt_factor = (double)NAN};
            TRY(measure_run(m, &r));
            TRY(enter(m, &r, run + 1));
            if (r.outcome == DB_OK) {
                all[k].wall[all[k].runs++] = r.wall;
                all[k].last = r;
            } else {
                log_warning("%s: %s: %s", r.scheme->name, db_outcomes[r.outcome], r.reason);
            }
        }
    }
    return ERR_OK;
}

static void print(const struct flow_case *c, enum precision p, struct timed *all, int count)
{
    const struct timed *best = NULL;
    printf("%s, %d x %d cells, %s, %g s, %d runs\n", c->name, c->nx, c->ny, precision_names[p],
           c->t_end, RUNS);
    printf("%-8s %5s %6s %10s %22s %13s %11s  %s\n", "scheme", "order", "steps", "median s",
           "least to most s", "iterations/s", "Mcells/s", "blocks");
    for (int k = 0; k < count; k++) {
        struct timed *t = &all[k];
        const struct whole_run *r = &t->last;
        t->median = t->runs ? sorted_median(t->wall, t->runs) : (double)INFINITY;
        if (!t->runs) {
            printf("%-8s no run was ok\n", t->scheme->name);
            continue;
        }
        const double rate = (double)r->steps / t->median;
        printf("%-8s %5d %6lu %10.4f %10.4f to %8.4f %13.1f %11.1f  %s\n", t->scheme->name,
               t->scheme->order_time, r->steps, t->median, t->wall[0], t->wall[t->runs - 1], rate,
               rate * r->nx * r->ny / 1e6, r->blocks);
        if (t->scheme->order_time >= 2 && t->scheme->order_space >= 2 &&
            (!best || t->median < best->median))
            best = t;
    }
    if (best)
        printf("fastest of second order: %s\n", best->scheme->name);
}

static enum err run(struct measure *m)
{
    const int n = m->setup.nx ? m->setup.nx : standard[m->setup.backend];
    const struct flow_case c = measure_unit_cells(find_case("sine"), n);
    const enum precision p = m->setup.precision == F64 ? F64 : F32;
    struct timed all[MOST] = {{0}};
    int count = 0;
    for (; count < MOST && schemes[count]; count++)
        all[count].scheme = schemes[count];
    TRY(run_all(m, &c, p, all, count));
    print(&c, p, all, count);
    return ERR_OK;
}

const struct experiment experiment_schemes = {
    .name = "schemes",
    .title = "which scheme is the fastest, for `shoal run --scheme auto` (thesis 4.4.1)",
    .columns = "scheme\tcase\tprecision\tnx\tny\trun\tsession\toutcome\treason\tblocks\tsteps\t"
               "redone\twall_s\titerations_per_s\tmcells_per_s",
    .how =
        "cells of 1 m; fast mode, default plug-ins, Courant number 0.25; blocks of the database; "
        "early exit off: the flow moves everywhere; schemes interleaved; time of stepping",
    .run = run,
};
