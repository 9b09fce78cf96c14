/* Which runs a case's figures show, and what gnuplot is told about them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/options/run_config.h"
#include "verification/report/report_parts.h"

enum { MOST = 512 }; /* runs of a case */

static const char *run_text(const struct report *r, int run, int column)
{
    return table_at(&r->runs, run, column);
}

static int cells_across(const struct report *r, int run)
{
    return table_int(&r->runs, run, RUN_NX);
}

const char *run_plugins(const struct report *r, int run, char between, char text[200])
{
    struct config usual;
    config_case_defaults(&usual);
    int n = snprintf(text, 200, "%.60s", run_text(r, run, RUN_LIMITER));
    if (strcmp(run_text(r, run, RUN_FLUX), usual.flux) != 0)
        n += snprintf(text + n, 200 - (size_t)n, "%c%.60s", between, run_text(r, run, RUN_FLUX));
    if (strcmp(run_text(r, run, RUN_RECONSTRUCTION), usual.reconstruction) != 0)
        snprintf(text + n, 200 - (size_t)n, "%c%.60s", between,
                 run_text(r, run, RUN_RECONSTRUCTION));
    return text;
}

/* "RUN.KIND.tsv", as run_name (measure.c) makes it; `mode` is ".fast" or "". */
static void file_name(const struct report *r, int run, const char *mode, const char *kind,
                      char name[512])
{
    char plugins[200];
    snprintf(name, 512, "%s.%s.%s.%s.%s.%s%s.%s.tsv", run_text(r, run, RUN_CASE),
             run_text(r, run, RUN_SCHEME), run_plugins(r, run, '+', plugins),
             run_text(r, run, RUN_PRECISION), run_text(r, run, RUN_BACKEND),
             run_text(r, run, RUN_NX), mode, kind);
}

int run_file(const struct report *r, int run, const char *kind, char path[REPORT_PATH])
{
    static const char *const modes[] = {".fast", ""};
    char name[512];
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        file_name(r, run, modes[k], kind, name);
        const int n = snprintf(path, REPORT_PATH, "%s/data/%s", r->folder, name);
        if (n < REPORT_PATH && access(path, R_OK) == 0)
            return 1;
    }
    return 0;
}

int runs_agree(const struct report *r, int a, int b, int first, int last)
{
    for (int column = first; column <= last; column++)
        if (strcmp(run_text(r, a, column), run_text(r, b, column)) != 0)
            return 0;
    return 1;
}

/* How near a run is to what a figure would rather show: the default scheme, in f64, on the CPU. */
static int nearness(const struct report *r, int run, const struct config *defaults)
{
    return 8 * (strcmp(run_text(r, run, RUN_SCHEME), defaults->scheme) == 0) +
           4 * (strcmp(run_text(r, run, RUN_LIMITER), defaults->limiter) == 0 &&
                strcmp(run_text(r, run, RUN_FLUX), defaults->flux) == 0 &&
                strcmp(run_text(r, run, RUN_RECONSTRUCTION), defaults->reconstruction) == 0) +
           2 * (strcmp(run_text(r, run, RUN_PRECISION), "f64") == 0) +
           (strcmp(run_text(r, run, RUN_BACKEND), "cpu") == 0);
}

/* The runs of the case whose data are there, each once: those of the sweep over kappa come with the
 * same name. */
static int usable_runs(const struct report *r, const char *name, int *list, int room)
{
    char path[REPORT_PATH];
    int n = 0;
    const struct rows of = rows_with(&r->runs, RUN_CASE, name);
    for (int run = of.first; run < of.end && n < room; run++) {
        int again = 0;
        for (int k = 0; k < n && !again; k++)
            again = runs_agree(r, list[k], run, RUN_CASE, RUN_NX);
        if (!again && run_file(r, run, "profile", path) && run_file(r, run, "series", path))
            list[n++] = run;
    }
    return n;
}

static void add(const struct report *r, int run, int *list, int *n)
{
    int k = *n;
    if (k == CHOSEN)
        return;
    for (; k > 0 && cells_across(r, list[k - 1]) > cells_across(r, run); k--)
        list[k] = list[k - 1];
    list[k] = run;
    ++*n;
}

/* In a figure that compares schemes, all else is like the lead. */
static int alike_but_for_scheme(const struct report *r, int lead, int run)
{
    return runs_agree(r, lead, run, RUN_LIMITER, RUN_BACKEND);
}

int runs_of_variant(const struct report *r, int run, int list[CHOSEN])
{
    int all[MOST], count = 0;
    const int n = usable_runs(r, run_text(r, run, RUN_CASE), all, MOST);
    for (int k = 0; k < n; k++)
        if (runs_agree(r, run, all[k], RUN_SCHEME, RUN_BACKEND))
            add(r, all[k], list, &count);
    return count;
}

static int like_the_lead_with(const struct report *r, const struct choice *c, int nx,
                              const int *list, int n, int *found)
{
    int count = 0;
    for (int k = 0; k < n; k++)
        if (cells_across(r, list[k]) == nx && alike_but_for_scheme(r, c->lead, list[k]) &&
            count < CHOSEN)
            found[count++] = list[k];
    return count;
}

/* The finest of the resolutions that most schemes have. */
static void choose_schemes(const struct report *r, struct choice *c, const int *list, int n)
{
    int best = 0;
    for (int k = 0; k < n; k++) {
        const int nx = cells_across(r, list[k]);
        const int count = like_the_lead_with(r, c, nx, list, n, c->schemes);
        if (count > c->scheme_count || (count == c->scheme_count && nx > best)) {
            best = nx;
            c->scheme_count = count;
        }
    }
    c->scheme_count = like_the_lead_with(r, c, best, list, n, c->schemes);
}

static void look_into_lead(const struct report *r, struct choice *c)
{
    static const char *const profile_columns[] = {"rh", NULL};
    char path[REPORT_PATH];
    struct table t;
    run_file(r, c->lead, "series", path);
    if (!table_read(&t, path, NULL)) {
        c->norms = t.columns - 1;
        c->snapshots = t.rows;
        c->cells_judged =
            t.rows && strtod(table_at(&t, t.rows - 1, 0), NULL) <= c->judged * (1 + 1e-4);
    }
    table_free(&t);
    run_file(r, c->lead, "profile", path);
    if (!table_read(&t, path, profile_columns))
        c->compared = t.rows && strcmp(table_at(&t, 0, 0), "nan") != 0;
    table_free(&t);
}

static void choose_variants(const struct report *r, struct choice *c, const int *list, int n)
{
    for (int k = 0; k < n; k++) {
        int first = 1, resolutions = 0;
        for (int m = 0; m < n; m++) {
            const int same = runs_agree(r, list[k], list[m], RUN_SCHEME, RUN_BACKEND);
            first &= !(same && m < k);
            resolutions += same;
        }
        /* In the other precision only the lead's: rounding shows, or does not, in one line. */
        if (first && resolutions > 1 && c->variant_count < CHOSEN &&
            (runs_agree(r, c->lead, list[k], RUN_PRECISION, RUN_BACKEND) ||
             (runs_agree(r, c->lead, list[k], RUN_SCHEME, RUN_RECONSTRUCTION) &&
              runs_agree(r, c->lead, list[k], RUN_BACKEND, RUN_BACKEND))))
            c->variants[c->variant_count++] = list[k];
    }
}

/* A case may go on after its reference has ceased to hold: figures stop where the checks do. */
static double last_judged(const struct report *r, const char *name)
{
    const struct rows of = rows_with(&r->results, RESULT_CASE, name);
    double last = -1;
    for (int k = of.first; k < of.end; k++) {
        const char *text = table_at(&r->results, k, RESULT_TIME);
        char *end;
        const double t = strtod(text, &end);
        if (end > text && !*end && t > last)
            last = t;
    }
    return last < 0 ? (double)INFINITY : last;
}

void choose_runs(const struct report *r, const char *name, struct choice *c)
{
    static const char kind[] = "cells";
    char path[REPORT_PATH];
    struct config defaults;
    int list[MOST];
    const int n = usable_runs(r, name, list, MOST);
    *c = (struct choice){.name = name, .lead = -1, .cells = -1, .judged = last_judged(r, name)};
    const struct rows of = rows_with(&r->results, RESULT_CASE, name);
    for (int k = of.first; k < of.end; k++)
        c->published += result_published(r, k);
    config_case_defaults(&defaults);
    for (int k = 0, most = -1; k < n; k++) {
        const int near = nearness(r, list[k], &defaults);
        if (near > most || (near == most && cells_across(r, list[k]) > cells_across(r, c->lead))) {
            c->lead = list[k];
            most = near;
        }
    }
    if (c->lead < 0)
        return;
    for (int k = 0; k < n; k++) {
        if (runs_agree(r, c->lead, list[k], RUN_SCHEME, RUN_BACKEND))
            add(r, list[k], c->ladder, &c->ladder_count);
        if (run_file(r, list[k], kind, path) &&
            (c->cells < 0 || cells_across(r, list[k]) > cells_across(r, c->cells)))
            c->cells = list[k];
    }
    if (run_file(r, c->lead, kind, path))
        c->cells = c->lead;
    choose_schemes(r, c, list, n);
    choose_variants(r, c, list, n);
    look_into_lead(r, c);
}
