/* How much of the last step's limit in y a split scheme had better try: thesis 3.1.2 and 3.1.3. */
#include <math.h>
#include <stdio.h>

#include "core/log.h"
#include "core/registry.h"
#include "core/sorted.h"
#include "experiments/measure/measure.h"

/* 0.95 is the default. */
static const double factors[] = {0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1};
enum { FACTORS = sizeof factors / sizeof *factors, RUNS = 3 };
static const int standard[BACKENDS] = {[CPU] = 256, [CUDA] = 2048};

/* Runs with one factor; `last` is the last that was ok. */
struct trial_of {
    struct whole_run last;
    double wall[RUNS];
    size_t runs;
};

static enum err enter(const struct measure *m, const struct whole_run *r, int run)
{
    char before[256], after[256];
    snprintf(before, sizeof before, "%s\t%s\t%s\t%d\t%d\t%.2f\t%d", r->flow_case->name,
             r->scheme->name, precision_names[r->precision], r->nx, r->ny, r->dt_factor, run);
    snprintf(after, sizeof after, "%s\t%lu\t%lu\t%.6f\t%.2f", r->blocks, r->steps, r->redone,
             r->wall, measure_rate(r));
    return measure_row(m, &experiment_dt_factor, r, before, after);
}

static void print(const struct whole_run *of, struct trial_of all[FACTORS])
{
    double least = (double)INFINITY;
    int best = -1;
    printf("%s, %s, %s, %d x %d cells\n", of->flow_case->name, of->scheme->name,
           precision_names[of->precision], of->n, of->n);
    printf("%6s %7s %7s %10s\n", "r", "steps", "redone", "median s");
    for (int k = 0; k < FACTORS; k++) {
        if (!all[k].runs) {
            printf("%6.2f no run was ok\n", factors[k]);
            continue;
        }
        const double median = sorted_median(all[k].wall, all[k].runs);
        printf("%6.2f %7lu %7lu %10.4f\n", factors[k], all[k].last.steps, all[k].last.redone,
               median);
        if (median < least) {
            least = median;
            best = k;
        }
    }
    if (best >= 0)
        printf("fastest: r = %.2f\n", factors[best]);
}

/* All factors, interleaved. */
static enum err sweep(struct measure *m, struct whole_run of)
{
    struct trial_of all[FACTORS] = {{.runs = 0}};
    log_info("dt_factor: %s, %s, %d x %d cells", of.flow_case->name, of.scheme->name, of.n, of.n);
    for (int run = 0; run < RUNS; run++) {
        for (int k = 0; k < FACTORS; k++) {
            struct whole_run r = of;
            r.dt_factor = factors[k];
            TRY(measure_run(m, &r));
            TRY(enter(m, &r, run + 1));
            if (r.outcome != DB_OK) {
                log_warning("r = %.2f: %s: %s", factors[k], db_outcomes[r.outcome], r.reason);
                continue;
            }
            all[k].last = r;
            all[k].wall[all[k].runs++] = r.wall;
        }
    }
    print(&of, all);
    return ERR_OK;
}

static enum err run(struct measure *m)
{
    const int n = m->setup.nx ? m->setup.nx : standard[m->setup.backend];
    const struct flow_case sine = measure_unit_cells(find_case("sine"), n);
    const struct flow_case *const flows[] = {find_case("circular-dam"), &sine, NULL};
    for (int f = 0; flows[f]; f++) {
        for (int k = 0; schemes[k]; k++) {
            const struct whole_run of = {.flow_case = flows[f],
                                         .scheme = schemes[k],
                                         .precision = m->setup.precision == F64 ? F64 : F32,
                                         .n = n,
                                         .cfl = schemes[k]->cfl};
            if (schemes[k]->split)
                TRY(sweep(m, of));
        }
    }
    return ERR_OK;
}

const struct experiment experiment_dt_factor = {
    .name = "dt_factor",
    .title = "the factor of the split schemes' time step: steps, redone steps, time (thesis 3.1.2)",
    .columns = "case\tscheme\tprecision\tnx\tny\tr\trun\tsession\toutcome\treason\tblocks\tsteps\t"
               "redone\twall_s\tmcells_per_s",
    .how =
        "fast mode, default plug-ins, each scheme at the Courant number it claims; blocks of the "
        "database; early exit off; factors interleaved; time of stepping; the sine has cells of 1 "
        "m",
    .run = run,
};
