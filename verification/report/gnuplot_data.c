/* What gnuplot is told about a case: files, times and errors, as variables and data blocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"

static enum err read_series(const struct report *r, int run, struct table *series)
{
    char path[REPORT_PATH];
    run_file(r, run, "series", path);
    return table_read(series, path, NULL);
}

/* The last snapshot that checks look at. In results.tsv times have five digits. */
static int judged_row(const struct table *series, double judged)
{
    int row = series->rows - 1;
    while (row > 0 && strtod(table_at(series, row, 0), NULL) > judged * (1 + 1e-4))
        row--;
    return row;
}

/* An array of strings; gnuplot's start at 1 and may not be empty. */
static void write_array(FILE *script, const char *name, int count)
{
    fprintf(script, "%ss = %d\narray %s[%d]\n", name, count, name, count ? count : 1);
}

/* A list of runs: NAMEs = how many; NAME[k] its profile, NAME_series[k], NAME_scheme[k],
 * NAME_n[k] (its cells), NAME_t[k], the time of the last snapshot that checks look at, and
 * NAME_row[k], where in the profile that snapshot begins. */
static enum err write_runs(const struct report *r, const struct choice *c, FILE *script,
                           const char *name, const int *runs, int count)
{
    char path[REPORT_PATH];
    write_array(script, name, count);
    for (int part = 0; part < 5; part++) {
        static const char *const parts[] = {"series", "scheme", "n", "t", "row"};
        fprintf(script, "array %s_%s[%d]\n", name, parts[part], count ? count : 1);
    }
    for (int k = 0; k < count; k++) {
        struct table series;
        run_file(r, runs[k], "profile", path);
        fprintf(script, "%s[%d] = ", name, k + 1);
        gnuplot_file(script, path);
        run_file(r, runs[k], "series", path);
        fprintf(script, "; %s_series[%d] = ", name, k + 1);
        gnuplot_file(script, path);
        fprintf(script, "; %s_scheme[%d] = ", name, k + 1);
        gnuplot_text(script, table_at(&r->runs, runs[k], RUN_SCHEME));
        fprintf(script, "; %s_n[%d] = %d", name, k + 1, table_int(&r->runs, runs[k], RUN_NX));
        enum err e = read_series(r, runs[k], &series);
        if (!e) {
            const int row = judged_row(&series, c->judged);
            fprintf(script, "; %s_t[%d] = %.17g; %s_row[%d] = %d\n", name, k + 1,
                    series.rows ? strtod(table_at(&series, row, 0), NULL) : 0, name, k + 1,
                    row > 0 ? row * table_int(&r->runs, runs[k], RUN_NX) : 0);
        }
        table_free(&series);
        TRY(e);
    }
    return ERR_OK;
}

/* The lead's snapshots, and the names of the norms. */
static enum err write_series(const struct report *r, const struct choice *c, FILE *script)
{
    struct table series;
    enum err e = read_series(r, c->lead, &series);
    if (!e) {
        write_array(script, "snapshot", series.rows);
        for (int k = 0; k < series.rows; k++)
            fprintf(script, "snapshot[%d] = %.17g\n", k + 1, strtod(table_at(&series, k, 0), NULL));
        write_array(script, "norm_name", series.columns - 1);
        for (int k = 1; k < series.columns; k++) {
            fprintf(script, "norm_name[%d] = ", k);
            gnuplot_text(script, table_at(&series, -1, k));
            fputc('\n', script);
        }
    }
    table_free(&series);
    return e;
}

/* A row of the block: cells, and every norm at the last snapshot that checks look at. */
static enum err write_errors_of(const struct report *r, const struct choice *c, int run,
                                FILE *script)
{
    struct table series;
    enum err e = read_series(r, run, &series);
    if (!e && series.rows) {
        fputs(table_at(&r->runs, run, RUN_NX), script);
        for (int k = 1; k < series.columns; k++)
            fprintf(script, "\t%s", table_at(&series, judged_row(&series, c->judged), k));
        fputc('\n', script);
    }
    table_free(&series);
    return e;
}

static void write_variant_names(const struct report *r, const struct choice *c, FILE *script)
{
    write_array(script, "variant", c->variant_count);
    for (int k = 0; k < c->variant_count; k++) {
        char name[300], plugins[200];
        const int like = runs_agree(r, c->lead, c->variants[k], RUN_PRECISION, RUN_PRECISION);
        snprintf(name, sizeof name, "%s %s%s%s", table_at(&r->runs, c->variants[k], RUN_SCHEME),
                 run_plugins(r, c->variants[k], ' ', plugins), like ? "" : " ",
                 like ? "" : table_at(&r->runs, c->variants[k], RUN_PRECISION));
        fprintf(script, "variant[%d] = ", k + 1);
        gnuplot_text(script, name);
        fputc('\n', script);
    }
}

/* $errors: a set for each variant, a line for each resolution. */
static enum err write_errors(const struct report *r, const struct choice *c, FILE *script)
{
    write_variant_names(r, c, script);
    fputs("$errors << END\n", script);
    for (int k = 0; k < c->variant_count; k++) {
        int runs[CHOSEN];
        const int n = runs_of_variant(r, c->variants[k], runs);
        for (int m = 0; m < n; m++)
            TRY(write_errors_of(r, c, runs[m], script));
        fputs("\n\n", script);
    }
    fputs("END\n", script);
    return ERR_OK;
}

/* Is this row another code's value beside the lead's variant? */
static int is_published(const struct report *r, const struct choice *c, int row)
{
    static const int like_the_lead[][2] = {
        {RESULT_SCHEME, RUN_SCHEME},       {RESULT_LIMITER, RUN_LIMITER},
        {RESULT_FLUX, RUN_FLUX},           {RESULT_RECONSTRUCTION, RUN_RECONSTRUCTION},
        {RESULT_PRECISION, RUN_PRECISION}, {RESULT_BACKEND, RUN_BACKEND}};
    if (!result_published(r, row))
        return 0;
    for (size_t k = 0; k < sizeof like_the_lead / sizeof *like_the_lead; k++)
        if (!result_is(r, row, like_the_lead[k][0],
                       table_at(&r->runs, c->lead, like_the_lead[k][1])))
            return 0;
    return 1;
}

static int same_curve(const struct report *r, int a, int b)
{
    return result_is(r, a, RESULT_NORM, table_at(&r->results, b, RESULT_NORM)) &&
           result_is(r, a, RESULT_WHY, table_at(&r->results, b, RESULT_WHY));
}

static void write_curve(const struct report *r, const int *row, int count, int first, FILE *script)
{
    const struct table *t = &r->results;
    for (int k = first; k < count; k++)
        if (same_curve(r, row[first], row[k]))
            fprintf(script, "%s\t%s\t%s\n", table_at(t, row[k], RESULT_N),
                    table_at(t, row[k], RESULT_VALUE), table_at(t, row[k], RESULT_LIMIT));
    fputs("\n\n", script);
}

/* $published: a set for each norm and other code: cells, ours, theirs. */
static void write_published(const struct report *r, const struct choice *c, FILE *script)
{
    enum { MOST = 256 };
    const struct rows of = rows_with(&r->results, RESULT_CASE, c->name);
    int row[MOST], opens[MOST], count = 0, curves = 0;
    for (int k = of.first; k < of.end && count < MOST; k++)
        if (is_published(r, c, k))
            row[count++] = k;
    for (int k = 0; k < count; k++) {
        int known = 0;
        for (int m = 0; m < k && !known; m++)
            known = same_curve(r, row[m], row[k]);
        if (!known)
            opens[curves++] = k;
    }
    write_array(script, "curve", curves);
    fprintf(script, "array curve_norm[%d]\n", curves ? curves : 1);
    for (int k = 0; k < curves; k++) {
        fprintf(script, "curve[%d] = ", k + 1);
        gnuplot_text(script, table_at(&r->results, row[opens[k]], RESULT_WHY));
        fprintf(script, "; curve_norm[%d] = ", k + 1);
        gnuplot_text(script, table_at(&r->results, row[opens[k]], RESULT_NORM));
        fputc('\n', script);
    }
    fputs("$published << END\n", script);
    for (int k = 0; k < curves; k++)
        write_curve(r, row, count, opens[k], script);
    fputs("END\n", script);
}

enum err figure_data(const struct report *r, const struct choice *c, FILE *script)
{
    char path[REPORT_PATH];
    const struct flow_case *flow_case = find_case(c->name);
    fputs("case = ", script);
    gnuplot_text(script, c->name);
    fprintf(script, "\ngravity = %.17g\nkappa = %.17g\ndry = %.17g\n",
            flow_case ? flow_case->gravity : (double)NAN,
            strtod(table_at(&r->runs, c->lead, RUN_KAPPA), NULL),
            strtod(table_at(&r->runs, c->lead, RUN_DRY), NULL));
    fprintf(script, "compared = %d\n", c->compared);
    TRY(write_series(r, c, script));
    TRY(write_runs(r, c, script, "lead", &c->lead, 1));
    TRY(write_runs(r, c, script, "ladder", c->ladder, c->ladder_count));
    TRY(write_runs(r, c, script, "scheme", c->schemes, c->scheme_count));
    TRY(write_errors(r, c, script));
    write_published(r, c, script);
    if (c->cells >= 0) {
        run_file(r, c->cells, "cells", path);
        fputs("cells = ", script);
        gnuplot_file(script, path);
        fprintf(script, "\ncells_nx = %d\ncells_ny = %d\n", table_int(&r->runs, c->cells, RUN_NX),
                table_int(&r->runs, c->cells, RUN_NY));
    }
    return ERR_OK;
}
