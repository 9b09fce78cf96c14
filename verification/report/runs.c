/* Which runs a case's figures show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verification/report/report_parts.h"

enum { MOST = 512 }; /* runs of a case */

static const struct variant *variant_at(const struct report *r, int job)
{
    return &run_at(r, job)->variant;
}

int runs_done(const struct report *r, const char *name, int *list, int room)
{
    int n = 0;
    for (int k = 0; k < r->of->plan->count && n < room; k++) {
        const struct job *j = &r->of->plan->job[k];
        if (j->kind == JOB_RUN && !j->sweep && strcmp(j->run.flow_case->name, name) == 0 &&
            r->of->outcome[k].state == DONE && !r->of->outcome[k].err)
            list[n++] = k;
    }
    return n;
}

/* How near a run is to what a figure prefers to show: the report's subject, or the default scheme,
 * in f64, on the CPU. */
static int nearness(const struct report *r, const struct variant *v)
{
    return 16 * (r->own && variant_is(v, r->own)) + 8 * variant_has_default_scheme(v) +
           4 * variant_has_default_plugins(v) + 2 * (v->precision == F64) + (v->backend == CPU);
}

static void add_run(const struct report *r, int run, int *list, int *n)
{
    int k = *n;
    if (k == CHOSEN)
        return;
    for (; k > 0 && run_at(r, list[k - 1])->n > run_at(r, run)->n; k--)
        list[k] = list[k - 1];
    list[k] = run;
    ++*n;
}

int runs_of_variant(const struct report *r, int job, int list[CHOSEN])
{
    int all[MOST], count = 0;
    const int n = runs_done(r, run_at(r, job)->flow_case->name, all, MOST);
    for (int k = 0; k < n; k++)
        if (variant_is(variant_at(r, job), variant_at(r, all[k])))
            add_run(r, all[k], list, &count);
    return count;
}

/* In a figure that compares schemes, everything else equals the lead. */
static int like_the_lead_with(const struct report *r, const struct choice *c, int cells,
                              const int *list, int n, int *found)
{
    int count = 0;
    for (int k = 0; k < n; k++)
        if (run_at(r, list[k])->n == cells && count < CHOSEN &&
            alike_but_for_scheme(variant_at(r, c->lead), variant_at(r, list[k])))
            found[count++] = list[k];
    return count;
}

/* The finest of the resolutions that most schemes have. */
static void choose_schemes(const struct report *r, struct choice *c, const int *list, int n)
{
    int best = 0;
    for (int k = 0; k < n; k++) {
        const int cells = run_at(r, list[k])->n;
        const int count = like_the_lead_with(r, c, cells, list, n, c->schemes);
        if (count > c->scheme_count || (count == c->scheme_count && cells > best)) {
            best = cells;
            c->scheme_count = count;
        }
    }
    c->scheme_count = like_the_lead_with(r, c, best, list, n, c->schemes);
}

static void look_into_lead(const struct report *r, struct choice *c)
{
    const struct norm *norm[CASE_NORMS];
    const struct flow_case *of = run_at(r, c->lead)->flow_case;
    const struct measured *m = measured_at(r, c->lead);
    c->norms = case_norms(of, norm);
    c->snapshots = m->snapshots;
    c->cells_judged = m->snapshots && m->t[m->snapshots - 1] <= c->judged * (1 + 1e-4);
    c->compared = of->exact || of->exact_value || of->verify->reference;
}

/* In the other precision only the lead's: one line is enough to show the effect of rounding. */
static int fits_the_lead(const struct report *r, const struct choice *c, int job)
{
    struct variant like = *variant_at(r, c->lead);
    const struct variant *v = variant_at(r, job);
    return (like.precision == v->precision && like.backend == v->backend) ||
           (like.precision = v->precision, variant_is(&like, v));
}

static void choose_variants(const struct report *r, struct choice *c, const int *list, int n)
{
    for (int k = 0; k < n; k++) {
        int first = 1, resolutions = 0;
        for (int m = 0; m < n; m++) {
            const int same = variant_is(variant_at(r, list[k]), variant_at(r, list[m]));
            first &= !(same && m < k);
            resolutions += same;
        }
        if (first && resolutions > 1 && c->variant_count < CHOSEN && fits_the_lead(r, c, list[k]))
            c->variants[c->variant_count++] = list[k];
    }
}

/* A case may continue after its reference is no longer valid: figures stop where the checks do. */
static void look_into_checks(const struct report *r, struct choice *c)
{
    const struct rows of = rows_of(r, c->name);
    c->judged = -1;
    for (int k = of.first; k < of.end; k++) {
        const char *text = r->line[k]->time;
        char *end;
        const double t = strtod(text, &end);
        if (end > text && !*end && t > c->judged)
            c->judged = t;
        c->published += r->line[k]->kind == LINE_PUBLISHED;
    }
    if (c->judged < 0)
        c->judged = (double)INFINITY;
}

static int keeps_cells(const struct report *r, int job)
{
    return run_at(r, job)->flow_case->verify->scatter;
}

void choose_runs(const struct report *r, const char *name, struct choice *c)
{
    int list[MOST];
    const int n = runs_done(r, name, list, MOST);
    *c = (struct choice){.name = name, .lead = -1, .cells = -1};
    look_into_checks(r, c);
    for (int k = 0, most = -1; k < n; k++) {
        const int near = nearness(r, variant_at(r, list[k]));
        if (near > most || (near == most && run_at(r, list[k])->n > run_at(r, c->lead)->n)) {
            c->lead = list[k];
            most = near;
        }
    }
    if (c->lead < 0)
        return;
    c->ladder_count = runs_of_variant(r, c->lead, c->ladder);
    c->cells = keeps_cells(r, c->lead) ? c->lead : -1;
    choose_schemes(r, c, list, n);
    choose_variants(r, c, list, n);
    look_into_lead(r, c);
}
