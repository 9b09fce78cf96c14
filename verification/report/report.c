/* The report: puts lines and runs in order, and its sections after each other. */
#include "verification/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "core/picture/markdown_page.h"
#include "core/registry/registry.h"
#include "verification/report/report_parts.h"
#include "verification/run/session.h"

/* By case, "-" at the end; lines of a case stay in their order, which is that of their places in memory. */
static int by_case(const void *a, const void *b)
{
    const struct line *x = *(const struct line *const *)a, *y = *(const struct line *const *)b;
    const int none = (*x->case_name == '-') - (*y->case_name == '-');
    const int order = none ? none : strcmp(x->case_name, y->case_name);
    return order ? order : x < y ? -1 : x > y;
}

struct rows rows_of(const struct report *r, const char *case_name)
{
    struct rows found = {0, 0};
    while (found.first < r->lines && strcmp(r->line[found.first]->case_name, case_name) != 0)
        found.first++;
    if (found.first == r->lines)
        return (struct rows){0, 0};
    found.end = found.first;
    while (found.end < r->lines && strcmp(r->line[found.end]->case_name, case_name) == 0)
        found.end++;
    return found;
}

/* If tables have no room for all, the rest is in results.tsv. */
static void add_scheme(struct report *r, const struct variant *v)
{
    int k = 0;
    while (k < r->schemes && strcmp(r->scheme[k], v->scheme) != 0)
        k++;
    if (k < r->schemes || k == SCHEMES_SHOWN)
        return;
    r->scheme[r->schemes++] = v->scheme;
    for (; k > 0 && variant_has_default_scheme(v); k--) {
        r->scheme[k] = r->scheme[k - 1];
        r->scheme[k - 1] = v->scheme;
    }
}

static int rank(const struct line *l)
{
    const struct variant *v = &l->variant;
    return 8 * (strcmp(l->case_name, "-") != 0) + 4 * variant_has_default_plugins(v) +
           2 * (v->precision == F64) + (v->backend == CPU);
}

enum err report_open(struct report *r)
{
    const struct verdicts *v = r->of->verdicts;
    int most = -1;
    r->lines = v->count;
    r->line = calloc((size_t)v->count + 1, sizeof(struct line *));
    if (!r->line)
        FAIL(MEMORY, "no memory for a report on %d checks", v->count);
    for (int k = 0; k < v->count; k++) {
        r->line[k] = &v->line[k];
        add_scheme(r, &v->line[k].variant);
        if (rank(r->line[k]) > most) {
            most = rank(r->line[k]);
            r->typical = v->line[k].variant;
        }
    }
    qsort(r->line, (size_t)r->lines, sizeof(struct line *), by_case);
    return ERR_OK;
}

void report_close(struct report *r)
{
    drawings_free(&r->drawings);
    free(r->line);
    r->line = NULL;
}

/* A stopped one reports its progress. */
static void write_verdict(const struct report *r, FILE *f)
{
    const int failed = verdicts_count(r->of->verdicts, VERDICT_FAIL),
              judged = failed + verdicts_count(r->of->verdicts, VERDICT_OK);
    const char *complete = fact_of(r->of->facts, "complete");
    if (strncmp(complete, "no", 2) == 0) {
        const char *done = complete + 2 + strspn(complete + 2, ": ");
        markdown_print(f, "**Stopped: %s done, %d of %d checks fail.**\n\n",
                       *done ? done : "not all jobs", failed, judged);
    } else if (failed) {
        markdown_print(f, "**%d of %d checks fail.**\n\n", failed, judged);
    } else if (judged) {
        markdown_print(f, "All %d checks hold.\n\n", judged);
    } else {
        markdown_print(f, "**Nothing was judged.**\n\n");
    }
}

static void write_scope(const struct report *r, FILE *f)
{
    int cases_run = 0;
    for (int k = 0; k < r->lines; k = rows_of(r, r->line[k]->case_name).end)
        cases_run += strcmp(r->line[k]->case_name, "-") != 0;
    if (r->lines == 0)
        return;
    markdown_print(f, "%d case%s", cases_run, cases_run == 1 ? "" : "s");
    for (int k = 0; k < r->schemes; k++)
        markdown_print(f, "%s%s", k ? ", " : "; schemes ", r->scheme[k]);
    markdown_print(f, "; %d more values, not judged.\n\n",
                   verdicts_count(r->of->verdicts, VERDICT_NOTE));
}

void report_facts(const struct fact facts[FACTS], FILE *f)
{
    struct markdown_table t = {0};
    markdown_column(&t, 0, "what");
    markdown_column(&t, 0, "which");
    for (int k = 0; k < FACTS && facts[k].name[0]; k++) {
        if (strcmp(facts[k].name, "complete") == 0)
            continue;
        markdown_cell(&t, "%s", facts[k].name);
        markdown_cell(&t, "%s", facts[k].value);
    }
    markdown_table_end(&t, f);
}

static enum err write_case(const struct report *r, const char *name, FILE *f)
{
    const struct flow_case *c = find_case(name);
    markdown_heading(f, 2, "%s", name);
    if (c)
        markdown_print(f, c->cite ? "%s (%s)\n\n" : "%s\n\n", c->title, c->cite);
    TRY(checks_accuracy(r, name, f));
    figures_of_case(r, name, f);
    TRY(checks_of_case(r, name, f));
    runs_of_case(r, name, f);
    return ERR_OK;
}

static enum err write_every_scheme(const struct report *r, FILE *f)
{
    markdown_heading(f, 2, "%s", every_scheme);
    fputs("Properties of every scheme, whatever the flow:\n\n", f);
    for (int k = 0; invariants[k]; k++)
        markdown_print(f, "- `%s`: %s; %s\n", invariants[k]->name, invariants[k]->title,
                       invariants[k]->why);
    fputc('\n', f);
    if (rows_of(r, "-").end)
        return checks_of_case(r, "-", f);
    fputs("Nothing of this was run.\n\n", f);
    return ERR_OK;
}

static void write_tail(FILE *f)
{
    fputs("---\n\nEach value is shown with its limit, the largest allowed error or the least "
          "allowed order, where schemes have different limits. A value that is only *noted* "
          "neither holds nor fails; its reason says why. The scripts of the figures are in "
          "`figures/` beside this page: `gnuplot -e \"picture='a.pdf'\" figures/NAME.gp` draws one "
          "for a paper.\n",
          f);
}

static enum err print(FILE *f, const void *context)
{
    const struct report *r = context;
    markdown_print(f, "# Shoal: verification\n\n");
    write_verdict(r, f);
    write_scope(r, f);
    drawings_missing(&r->drawings, f);
    markdown_heading(f, 4, "Made with %s", fact_of(r->of->facts, "cpu"));
    report_facts(r->of->facts, f);
    TRY(checks_failed(r, f));
    checks_contents(r, f);
    TRY(checks_published(r, f));
    for (int k = 0; k < r->lines; k = rows_of(r, r->line[k]->case_name).end)
        if (strcmp(r->line[k]->case_name, "-") != 0)
            TRY(write_case(r, r->line[k]->case_name, f));
    TRY(write_every_scheme(r, f));
    figures_left_out(r, f);
    write_tail(f);
    return ERR_OK;
}

enum err report_write(const struct reported *what, FILE *terminal)
{
    struct report r = {.of = what, .linked = 1};
    char stem[PATH_LENGTH];
    enum err e = ERR_OK;
    snprintf(stem, sizeof stem, "%.4000s/report", what->folder);
    TRY_OUT(report_open(&r));
    TRY_OUT(report_figures_open(&r));
    for (int k = 0; k < r.lines; k = rows_of(&r, r.line[k]->case_name).end)
        TRY_OUT(report_figures_add(&r, r.line[k]->case_name));
    TRY_OUT(report_figures_draw(&r));
    TRY_OUT(markdown_report(stem, 1, print, &r));
    r.linked = 0;
    fputc('\n', terminal);
    checks_contents(&r, terminal);
    e = checks_failed(&r, terminal);
out:
    report_close(&r);
    return e;
}
