/* Data about a case for gnuplot: files, times and errors, as variables and data blocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"

static void write_file(const struct report *r, int job, const char *kind, FILE *script)
{
    char name[256], path[PATH_LENGTH];
    run_name(run_at(r, job), name);
    snprintf(path, sizeof path, "%.3800s/data/%s.%s.tsv", r->of->folder, name, kind);
    gnuplot_file(script, path);
}

/* The last snapshot that checks look at. In their lines times have five digits. */
static int judged_snapshot(const struct measured *m, double judged)
{
    int k = m->snapshots - 1;
    while (k > 0 && m->t[k] > judged * (1 + 1e-4))
        k--;
    return k;
}

/* An array of strings; gnuplot's start at 1 and may not be empty. */
static void write_array(FILE *script, const char *name, int count)
{
    fprintf(script, "%ss = %d\narray %s[%d]\n", name, count, name, count ? count : 1);
}

/* A list of runs: NAMEs = how many; NAME[k] its profile, NAME_series[k], NAME_scheme[k],
 * NAME_n[k] (its cells), NAME_t[k], the time of the last snapshot that checks look at, and
 * NAME_row[k], where in the profile that snapshot begins. */
static void write_runs(const struct report *r, const struct choice *c, FILE *script,
                       const char *name, const int *runs, int count)
{
    static const char *const parts[] = {"series", "scheme", "n", "t", "row"};
    write_array(script, name, count);
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        fprintf(script, "array %s_%s[%d]\n", name, parts[part], count ? count : 1);
    for (int k = 0; k < count; k++) {
        const struct measured *m = measured_at(r, runs[k]);
        const int at = judged_snapshot(m, c->judged);
        fprintf(script, "%s[%d] = ", name, k + 1);
        write_file(r, runs[k], "profile", script);
        fprintf(script, "; %s_series[%d] = ", name, k + 1);
        write_file(r, runs[k], "series", script);
        fprintf(script, "; %s_scheme[%d] = ", name, k + 1);
        gnuplot_text(script, run_at(r, runs[k])->variant.scheme);
        fprintf(script, "; %s_n[%d] = %d; %s_t[%d] = %.9g; %s_row[%d] = %d\n", name, k + 1, m->nx,
                name, k + 1, at < 0 ? 0 : m->t[at], name, k + 1, at > 0 ? at * m->nx : 0);
    }
}

/* The lead's snapshots, and the names of the norms. */
static void write_series(const struct report *r, const struct choice *c, FILE *script)
{
    const struct measured *m = measured_at(r, c->lead);
    const struct norm *norm[CASE_NORMS];
    const int norms = case_norms(run_at(r, c->lead)->flow_case, norm);
    write_array(script, "snapshot", m->snapshots);
    for (int k = 0; k < m->snapshots; k++)
        fprintf(script, "snapshot[%d] = %.9g\n", k + 1, m->t[k]);
    write_array(script, "norm_name", norms);
    for (int k = 0; k < norms; k++) {
        fprintf(script, "norm_name[%d] = ", k + 1);
        gnuplot_text(script, norm[k]->name);
        fputc('\n', script);
    }
}

static void write_variant_names(const struct report *r, const struct choice *c, FILE *script)
{
    write_array(script, "variant", c->variant_count);
    for (int k = 0; k < c->variant_count; k++) {
        const struct variant *v = &run_at(r, c->variants[k])->variant;
        char name[VARIANT_TEXT], plugins[PLUGINS_TEXT];
        const int like = v->precision == run_at(r, c->lead)->variant.precision;
        snprintf(name, sizeof name, "%s %s%s%s", v->scheme, variant_plugins(v, plugins),
                 like ? "" : " ", like ? "" : variant_precision(v));
        fprintf(script, "variant[%d] = ", k + 1);
        gnuplot_text(script, name);
        fputc('\n', script);
    }
}

/* $errors: a set for each variant, a line for each resolution: cells, and every norm at the last snapshot that
 * checks look at. */
static void write_errors(const struct report *r, const struct choice *c, FILE *script)
{
    write_variant_names(r, c, script);
    fputs("$errors << END\n", script);
    for (int k = 0; k < c->variant_count; k++) {
        int runs[CHOSEN];
        const int n = runs_of_variant(r, c->variants[k], runs);
        for (int i = 0; i < n; i++) {
            const struct measured *m = measured_at(r, runs[i]);
            const int at = judged_snapshot(m, c->judged);
            fprintf(script, "%d", m->nx);
            for (int norm = 0; norm < c->norms && at >= 0; norm++)
                fprintf(script, "\t%.9g", m->value[norm][at]);
            fputc('\n', script);
        }
        fputs("\n\n", script);
    }
    fputs("END\n", script);
}

static int same_curve(const struct line *a, const struct line *b)
{
    return strcmp(a->what, b->what) == 0 && strcmp(a->why, b->why) == 0;
}

/* $published: a set for each norm and other code: cells, ours, theirs; ours by the lead's variant. */
static void write_published(const struct report *r, const struct choice *c, FILE *script)
{
    enum { MOST = 256 };
    const struct rows of = rows_of(r, c->name);
    const struct line *line[MOST], *opens[MOST];
    int count = 0, curves = 0;
    for (int k = of.first; k < of.end && count < MOST; k++)
        if (r->line[k]->kind == LINE_PUBLISHED &&
            variant_is(&r->line[k]->variant, &run_at(r, c->lead)->variant)) {
            int known = 0;
            line[count++] = r->line[k];
            for (int m = 0; m < curves && !known; m++)
                known = same_curve(opens[m], r->line[k]);
            if (!known)
                opens[curves++] = r->line[k];
        }
    write_array(script, "curve", curves);
    fprintf(script, "array curve_norm[%d]\n", curves ? curves : 1);
    for (int k = 0; k < curves; k++) {
        fprintf(script, "curve[%d] = ", k + 1);
        gnuplot_text(script, opens[k]->why);
        fprintf(script, "; curve_norm[%d] = ", k + 1);
        gnuplot_text(script, opens[k]->what);
        fputc('\n', script);
    }
    fputs("$published << END\n", script);
    for (int k = 0; k < curves; k++) {
        for (int m = 0; m < count; m++)
            if (same_curve(opens[k], line[m]))
                fprintf(script, "%d\t%.9g\t%.9g\n", line[m]->n, line[m]->value, line[m]->limit);
        fputs("\n\n", script);
    }
    fputs("END\n", script);
}

/* unknowns = how many; unknown[k] its column, unknown_label[k] its axis label. */
static void write_unknowns(const struct system *system, FILE *script)
{
    char label[256];
    fprintf(script, "over_bed = %d\n", system->over_bed);
    write_array(script, "unknown", system->unknowns);
    fprintf(script, "array unknown_label[%d]\n", system->unknowns);
    for (int k = 0; k < system->unknowns; k++) {
        const struct system_variable v = measured_variable(system, k);
        const int pure = !*v.units || strcmp(v.units, "1") == 0;
        snprintf(label, sizeof label, "%s%s%s%s", v.title, pure ? "" : " (", pure ? "" : v.units,
                 pure ? "" : ")");
        fprintf(script, "unknown[%d] = ", k + 1);
        gnuplot_text(script, v.name);
        fprintf(script, "; unknown_label[%d] = ", k + 1);
        gnuplot_text(script, label);
        fputc('\n', script);
    }
}

void figure_data(const struct report *r, const struct choice *c, FILE *script)
{
    const struct flow_case *flow_case = run_at(r, c->lead)->flow_case;
    const struct measured *lead = measured_at(r, c->lead);
    fputs("case = ", script);
    gnuplot_text(script, c->name);
    fprintf(script, "\ngravity = %.17g\nkappa = %.9g\ndry = %.9g\ncompared = %d\n",
            flow_case->gravity, lead->kappa, lead->dry, c->compared);
    write_unknowns(find_system(flow_case->system ? flow_case->system : "shallow_water"), script);
    write_series(r, c, script);
    write_runs(r, c, script, "lead", &c->lead, 1);
    write_runs(r, c, script, "ladder", c->ladder, c->ladder_count);
    write_runs(r, c, script, "scheme", c->schemes, c->scheme_count);
    write_errors(r, c, script);
    write_published(r, c, script);
    if (c->cells >= 0) {
        fputs("cells = ", script);
        write_file(r, c->cells, "cells", script);
        fprintf(script, "\ncells_nx = %d\ncells_ny = %d\n", measured_at(r, c->cells)->nx,
                measured_at(r, c->cells)->ny);
    }
}
