/* How long a scheme takes to come within an error: the fastest step is not the fastest answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/log.h"
#include "core/registry.h"
#include "core/sorted.h"
#include "experiments/measure/measure.h"
#include "verification/means.h"
#include "verification/verify.h"

/* A smooth flow, and one with a shock. */
static const char *const flows[] = {"vortex", "circular-dam", NULL};

enum { SIZES = 4, RUNS = 3, MOST = 32, COARSEST = 8 };
static const int standard[BACKENDS] = {[CPU] = 256, [CUDA] = 1024}; /* the finest */

static const double ENOUGH = 2; /* s */

/* A scheme's runs of a case in a precision, coarse to fine; those that were not ok are left out. */
struct curve {
    const struct scheme *scheme;
    double l1[SIZES], wall[SIZES]; /* s, the median */
    int n[SIZES], count;
};

static enum err enter(const struct measure *m, const struct whole_run *r, int run)
{
    char before[256], after[256];
    snprintf(before, sizeof before, "%s\t%s\t%s\t%d\t%d\t%d", r->flow_case->name, r->scheme->name,
             precision_names[r->precision], r->nx, r->ny, run);
    snprintf(after, sizeof after, "%s\t%g\t%lu\t%lu\t%.6e\t%.6f\t%.2f", r->blocks, r->cfl, r->steps,
             r->redone, r->l1, r->wall, measure_rate(r));
    return measure_row(m, &experiment_accuracy, r, before, after);
}

/* A run that takes long is not disturbed by much: it is not repeated. */
static enum err run_one(const struct measure *m, struct whole_run r, struct curve *c)
{
    double wall[RUNS] = {0}, sum = 0;
    size_t run = 0;
    while (run < RUNS && sum < ENOUGH) {
        TRY(measure_run(m, &r));
        TRY(enter(m, &r, (int)run + 1));
        if (r.outcome != DB_OK) {
            log_warning("%s %s %d x %d: %s: %s", r.flow_case->name, r.scheme->name, r.nx, r.ny,
                        db_outcomes[r.outcome], r.reason);
            return ERR_OK;
        }
        wall[run++] = r.wall;
        sum += r.wall;
    }
    c->n[c->count] = r.nx;
    c->l1[c->count] = r.l1;
    c->wall[c->count++] = sorted_median(wall, run);
    return ERR_OK;
}

/* All schemes in all precisions at one size, against one solution. */
static enum err run_size(struct measure *m, const struct flow_case *f, int n,
                         struct curve curves[PRECISIONS][MOST])
{
    enum precision list[PRECISIONS];
    const int precisions = measure_precisions(m, list);
    const size_t cells = (size_t)n * (size_t)n;
    const struct grid_info g = {n, n, f->x0, f->y0, f->lx / n, f->ly / n};
    double *depth = malloc(3 * cells * sizeof *depth);
    enum err e = ERR_OK;
    if (!depth)
        FAIL(MEMORY, "no memory for the solution of %s in %d x %d cells", f->name, n, n);
    reference_means(f, &g, verify_end(f), depth, depth + cells, depth + 2 * cells);
    for (int p = 0; p < precisions; p++) {
        log_info("accuracy: %s, %d x %d cells, %s", f->name, n, n, precision_names[list[p]]);
        for (int k = 0; k < MOST && schemes[k]; k++) {
            struct curve *c = &curves[list[p]][k];
            c->scheme = schemes[k];
            const struct whole_run r = {.flow_case = f,
                                        .scheme = schemes[k],
                                        .precision = list[p],
                                        .n = n,
                                        .cfl = schemes[k]->cfl,
                                        .dt_factor = (double)NAN,
                                        .depth = depth};
            TRY_OUT(run_one(m, r, c));
        }
    }
out:
    free(depth);
    return e;
}

/* Seconds to an error, by a power law between two runs; NAN where it is not between any. */
static double seconds_to(const struct curve *c, double l1)
{
    for (int k = 1; k < c->count; k++) {
        const double a = c->l1[k - 1], b = c->l1[k];
        if (!(a >= l1 && l1 >= b && a > b))
            continue;
        const double share = log(a / l1) / log(a / b);
        return exp((1 - share) * log(c->wall[k - 1]) + share * log(c->wall[k]));
    }
    return (double)NAN;
}

static void print_curves(const struct curve *curve)
{
    printf("%-8s", "scheme");
    for (int k = 0; k < SIZES; k++)
        printf("  %5s %9s %9s", "n", "L1 h", "s");
    putchar('\n');
    for (int s = 0; s < MOST && curve[s].scheme; s++) {
        printf("%-8s", curve[s].scheme->name);
        for (int k = 0; k < curve[s].count; k++)
            printf("  %5d %9.3e %9.3g", curve[s].n[k], curve[s].l1[k], curve[s].wall[k]);
        puts(curve[s].count ? "" : " no run was ok");
    }
}

static void print_target(const struct curve *curve, double l1)
{
    const struct curve *best = NULL;
    double least = (double)INFINITY;
    printf("to L1 h = %.2e:", l1);
    for (int s = 0; s < MOST && curve[s].scheme; s++) {
        const double t = seconds_to(&curve[s], l1);
        if (isnan(t))
            printf("  %s -", curve[s].scheme->name);
        else
            printf("  %s %.3g s", curve[s].scheme->name, t);
        if (t < least) {
            least = t;
            best = &curve[s];
        }
    }
    printf("  fastest: %s\n", best ? best->scheme->name : "-");
}

/* The smallest error all schemes come to, and the largest all begin with. */
static void print_targets(const struct curve *curve)
{
    double fine = 0, coarse = (double)INFINITY;
    for (int s = 0; s < MOST && curve[s].scheme; s++) {
        if (!curve[s].count)
            continue;
        fine = fmax(fine, curve[s].l1[curve[s].count - 1]);
        coarse = fmin(coarse, curve[s].l1[0]);
    }
    if (!(fine > 0) || !(coarse > fine)) {
        puts("no error lies between the coarsest and the finest runs of all schemes");
        return;
    }
    print_target(curve, coarse);
    print_target(curve, sqrt(coarse * fine));
    print_target(curve, fine);
}

static enum err run_case(struct measure *m, const struct flow_case *f, int finest)
{
    enum precision list[PRECISIONS];
    const int precisions = measure_precisions(m, list);
    struct curve(*curves)[MOST] = calloc(PRECISIONS, sizeof *curves);
    enum err e = ERR_OK;
    if (!curves)
        FAIL(MEMORY, "no memory for the runs of %s", f->name);
    for (int size = 0, n = finest / COARSEST; size < SIZES; size++, n *= 2)
        TRY_OUT(run_size(m, f, n, curves));
    for (int p = 0; p < precisions; p++) {
        printf("%s, %s, to %g s\n", f->name, precision_names[list[p]], verify_end(f));
        print_curves(curves[list[p]]);
        print_targets(curves[list[p]]);
    }
out:
    free(curves);
    return e;
}

/* With the case's reference computed, where it takes a computation. */
static enum err with_reference(struct measure *m, const struct flow_case *f, int finest)
{
    struct reference *r = f->verify ? f->verify->reference : NULL;
    enum err e = ERR_OK;
    if (!r)
        return run_case(m, f, finest);
    r->table = calloc(r->doubles, sizeof *r->table);
    if (!r->table)
        FAIL(MEMORY, "no memory for the reference solution of %s", f->name);
    TRY_OUT(r->compute(r->table));
    TRY_OUT(run_case(m, f, finest));
out:
    free(r->table);
    r->table = NULL;
    return e;
}

static enum err run(struct measure *m)
{
    const int n = m->setup.nx ? m->setup.nx : standard[m->setup.backend];
    if (n % COARSEST)
        FAIL(USAGE, "--nx %d: accuracy halves it three times; take a multiple of %d", n, COARSEST);
    for (const char *const *name = flows; *name; name++)
        TRY(with_reference(m, find_case(*name), n));
    return ERR_OK;
}

const struct experiment experiment_accuracy = {
    .name = "accuracy",
    .title = "how long each scheme takes to come within an error of a known solution",
    .columns =
        "case\tscheme\tprecision\tnx\tny\trun\tsession\toutcome\treason\tblocks\tcfl\tsteps\t"
        "redone\tl1\twall_s\tmcells_per_s",
    .how =
        "fast mode, default plug-ins, each scheme at the Courant number it claims; blocks of the "
        "database; early exit off; l1: sum of differences of depth over sum of depth, at the end; "
        "time of stepping",
    .run = run,
};
