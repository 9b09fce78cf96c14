/* The report's sections of checks, orders and runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"
#include "verification/run/verify.h"

static struct rows all(const struct report *r)
{
    return (struct rows){0, r->lines};
}

static int every(const struct report *r, int row)
{
    return row < r->lines;
}

static int has_failed(const struct report *r, int row)
{
    return r->line[row]->verdict == VERDICT_FAIL;
}

static int is_beyond(const struct report *r, int row)
{
    return r->line[row]->beyond;
}

static int is_typical(const struct report *r, int row)
{
    return alike_but_for_scheme(&r->typical, &r->line[row]->variant);
}

static int is_accuracy(const struct report *r, int row)
{
    return r->line[row]->kind == LINE_ERROR && is_typical(r, row);
}

static int is_published(const struct report *r, int row)
{
    return r->line[row]->kind == LINE_PUBLISHED && is_typical(r, row);
}

static int count(const struct report *r, struct rows from, wanted_lines *wanted)
{
    int n = 0;
    for (int k = from.first; k < from.end; k++)
        n += wanted(r, k);
    return n;
}

enum err checks_failed(const struct report *r, FILE *f)
{
    const int n = count(r, all(r), has_failed);
    if (n == 0)
        return ERR_OK;
    markdown_heading(f, 2, "Failed: %d", n);
    return questions_write(r, all(r), has_failed, WITH_CASE, f);
}

enum err checks_beyond(const struct report *r, FILE *f)
{
    return questions_write(r, all(r), is_beyond, WITH_CASE, f);
}

enum err checks_all(const struct report *r, FILE *f)
{
    markdown_heading(f, 4, "All %d lines", r->lines);
    return questions_write(r, all(r), every, WITH_CASE, f);
}

enum err checks_published(const struct report *r, FILE *f)
{
    if (count(r, all(r), is_published) == 0)
        return ERR_OK;
    markdown_heading(f, 2, "Beside other codes");
    fputs("Each scheme's error, and its ratio to the other code's; below 1 it is better. Nothing "
          "here is judged.\n\n",
          f);
    return questions_write(r, all(r), is_published, WITH_CASE | WITH_CODES, f);
}

/* How many schemes have results for the same check. */
static int answers(const struct report *r, int row)
{
    int n = 0;
    for (int s = 0; s < r->schemes; s++)
        n += answer(r, row, r->scheme[s]) >= 0;
    return n;
}

/* Is this the finest grid that most schemes have, for this norm and time? */
static int is_finest(const struct report *r, int row)
{
    if (!is_accuracy(r, row))
        return 0;
    const struct line *l = r->line[row];
    const struct flow_case *c = find_case(l->case_name);
    const int steady = c && c->verify && c->verify->steady > 0;
    const struct rows of = rows_of(r, l->case_name);
    const int count_here = answers(r, row);
    for (int k = of.first; k < of.end; k++) {
        const struct line *o = r->line[k];
        if (o->n == l->n || strcmp(o->what, l->what) != 0 ||
            !(steady || strcmp(o->time, l->time) == 0) || !is_accuracy(r, k))
            continue;
        const int more = answers(r, k) - count_here;
        if (more > 0 || (more == 0 && o->n > l->n))
            return 0;
    }
    return 1;
}

/* The line that represents a case: with an order if there is one, preferably not 0. -1: none. */
static int line_of_case(const struct report *r, struct rows of)
{
    int first = -1;
    for (int k = of.first; k < of.end; k++) {
        if (!is_finest(r, k))
            continue;
        if (order_beside(r, r->line[k]))
            return k;
        if (first < 0 || !(fabs(r->line[first]->value) > 0))
            first = k;
    }
    return first;
}

static int verdicts(const struct report *r, struct rows of, enum verdict verdict)
{
    int n = 0;
    for (int k = of.first; k < of.end; k++)
        n += r->line[k]->verdict == verdict;
    return n;
}

static void contents_row(const struct report *r, struct markdown_table *t, const char *name)
{
    const struct rows of = rows_of(r, name);
    const int row = line_of_case(r, of), failed = verdicts(r, of, VERDICT_FAIL);
    case_cell(r, t, name);
    if (row >= 0) {
        markdown_cell(t, "%s", r->line[row]->what);
        markdown_cell(t, "%d", r->line[row]->n);
        answer_cells(r, t, row, 1, 1);
    }
    for (int k = 0; row < 0 && k < 2 + r->schemes; k++)
        markdown_cell(t, "%s", "");
    markdown_cell(t, "%d", verdicts(r, of, VERDICT_OK));
    markdown_cell(t, failed ? "**%d**" : "%d", failed);
}

/* The worst value of a property of every run, in one precision. */
static void write_worst(const struct report *r, const char *what, enum precision p, FILE *f)
{
    int runs = 0, of[VERDICTS] = {0};
    double worst = 0;
    char text[24];
    for (int k = 0; k < r->lines; k++) {
        const struct line *l = r->line[k];
        if (strcmp(l->what, what) != 0 || l->variant.precision != p)
            continue;
        runs++;
        of[l->verdict]++;
        worst = l->value > worst || isnan(l->value) ? l->value : worst;
    }
    if (!runs)
        return;
    markdown_print(f, "- %s in %s: at most %s in %d runs", what, precision_names[p],
                   number_text(worst, text), runs);
    if (of[VERDICT_OK] && of[VERDICT_NOTE])
        markdown_print(f, "; beyond the limit, but within rounding, in %d", of[VERDICT_NOTE]);
    fputs(of[VERDICT_FAIL] ? "; **too much**\n" : "\n", f);
}

static void write_tally(const struct report *r, const char *scheme, FILE *f)
{
    int of[VERDICTS] = {0};
    for (int k = 0; k < r->lines; k++)
        if (strcmp(r->line[k]->variant.scheme, scheme) == 0)
            of[r->line[k]->verdict]++;
    markdown_print(f,
                   of[VERDICT_FAIL] ? "- %s: %d checks hold, **%d fail**\n"
                                    : "- %s: %d checks hold, %d fail\n",
                   scheme, of[VERDICT_OK], of[VERDICT_FAIL]);
}

void checks_contents(const struct report *r, FILE *f)
{
    static const char *const of_every_run[] = {"mass error", "negative depth", "clipped volume"};
    struct markdown_table t = {0};
    if (r->lines == 0)
        return;
    markdown_heading(f, 2, "Cases");
    if (count(r, all(r), is_accuracy))
        markdown_print(
            f,
            "One error of each case, with %s in %s on the finest grid that most schemes ran, "
            "and the order at which it falls; how many checks hold and fail.\n\n",
            r->typical.limiter, variant_precision(&r->typical));
    markdown_column(&t, 0, "case");
    markdown_column(&t, 0, "error");
    markdown_column(&t, 1, "cells");
    scheme_columns(r, &t);
    markdown_column(&t, 1, "hold");
    markdown_column(&t, 1, "fail");
    for (int k = 0; k < r->lines; k = rows_of(r, r->line[k]->case_name).end)
        contents_row(r, &t, r->line[k]->case_name);
    markdown_table_end(&t, f);
    for (int s = 0; s < r->schemes; s++)
        write_tally(r, r->scheme[s], f);
    for (size_t k = 0; k < sizeof of_every_run / sizeof *of_every_run; k++)
        for (int p = PRECISIONS - 1; p >= 0; p--)
            write_worst(r, of_every_run[k], (enum precision)p, f);
    fputc('\n', f);
}

/* What the norms of a case's table mean. */
static void write_meanings(const struct report *r, const char *name, FILE *f)
{
    const struct flow_case *c = find_case(name);
    const struct norm *norm[CASE_NORMS];
    const struct rows of = rows_of(r, name);
    const int n = c ? case_norms(c, norm) : 0;
    int written = 0;
    for (int m = 0; m < n; m++) {
        int used = 0;
        for (int k = of.first; k < of.end && !used; k++)
            used = strcmp(r->line[k]->what, norm[m]->name) == 0 && is_finest(r, k);
        if (used)
            markdown_print(f, written++ ? "; *%s*: %s" : "*%s*: %s", norm[m]->name,
                           norm[m]->meaning);
    }
    fputs(written ? ".\n\n" : "", f);
}

enum err checks_accuracy(const struct report *r, const char *name, FILE *f)
{
    if (count(r, rows_of(r, name), is_finest) == 0)
        return ERR_OK;
    TRY(questions_write(r, rows_of(r, name), is_finest, WITH_ORDERS, f));
    write_meanings(r, name, f);
    return ERR_OK;
}

enum err checks_of_case(const struct report *r, const char *name, FILE *f)
{
    const struct rows of = rows_of(r, name);
    const int failed = verdicts(r, of, VERDICT_FAIL);
    if (failed)
        markdown_heading(f, 4, "All %d lines of %s, %d failed", of.end - of.first, name, failed);
    else if (strcmp(name, "-") != 0)
        markdown_heading(f, 4, "All %d lines of %s", of.end - of.first, name);
    return questions_write(r, of, every, 0, f);
}

static void run_cells(const struct report *r, struct markdown_table *t, int job)
{
    const struct measured *m = measured_at(r, job);
    const struct variant *v = &run_at(r, job)->variant;
    const char *const words[] = {v->scheme,
                                 v->limiter,
                                 variant_flux(v),
                                 variant_reconstruction(v),
                                 variant_precision(v),
                                 variant_backend(v)};
    const double numbers[] = {m->nx,
                              m->ny,
                              m->kappa,
                              m->dry,
                              m->dt_min,
                              m->dt_max,
                              (double)m->steps,
                              (double)m->redone,
                              m->mass_error,
                              m->clipped,
                              m->least_depth,
                              m->steady_at,
                              r->of->outcome[job].seconds};
    char text[24];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        markdown_cell(t, "%s", words[k]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        markdown_cell(t, "%s", number_text(numbers[k], text));
}

void runs_of_case(const struct report *r, const char *name, FILE *f)
{
    enum { WORDS = 6, MOST = 1024 };
    static const char *const heads[] = {"scheme",
                                        "limiter",
                                        "flux",
                                        "reconstruction",
                                        "precision",
                                        "on",
                                        "nx",
                                        "ny",
                                        "kappa (m)",
                                        "dry below (m)",
                                        "least dt (s)",
                                        "largest dt (s)",
                                        "steps",
                                        "redone",
                                        "mass error",
                                        "clipped",
                                        "least depth (m)",
                                        "steady at (s)",
                                        "computing (s)"};
    int job[MOST];
    const int n = runs_done(r, name, job, MOST);
    struct markdown_table t = {0};
    if (n == 0)
        return;
    markdown_heading(f, 4, "How %s was run: %d run%s", name, n, n == 1 ? "" : "s");
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        markdown_column(&t, k >= WORDS, "%s", heads[k]);
    for (int k = 0; k < n; k++)
        run_cells(r, &t, job[k]);
    markdown_table_end(&t, f);
}
