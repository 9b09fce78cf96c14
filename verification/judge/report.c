/* The judgement as report.md and report.html: its sections in order, with their figures. */
#include <signal.h>
#include <string.h>

#include "core/base/signals.h"
#include "core/picture/markdown.h"
#include "core/picture/markdown_page.h"
#include "verification/judge/judge.h"
#include "verification/report/lines.h"
#include "verification/report/report.h"

int judging_count(const struct judging *j, enum answer which)
{
    static const enum verdict as[] = {
        [HOLDS] = VERDICT_OK, [FAILS] = VERDICT_FAIL, [NOTED] = VERDICT_NOTE};
    int n = which == NOT_ASKED ? 0 : verdicts_count(&j->s.verdicts, as[which]);
    for (int k = 0; k < j->remarks.count; k++)
        n += j->remarks.remark[k].answer == which;
    return n;
}

void section_head(FILE *f, const struct judging *j)
{
    const struct subject *s = &j->subject;
    markdown_print(f, "# %s %s: %s", subject_words[s->kind], s->name, s->title);
    if (s->cite && *s->cite)
        markdown_print(f, " (%s)", s->cite);
    fputs("\n\n", f);
}

void section_contract(FILE *f, const struct judging *j)
{
    static const char *const marks[] = {
        [HOLDS] = "ok", [FAILS] = "**FAIL**", [NOTED] = "note", [NOT_ASKED] = "not asked"};
    struct markdown_table t = {0};
    markdown_heading(f, 2, "Properties of every %s", subject_words[j->subject.kind]);
    if (j->subject.kind == SUBJECT_CASE)
        fputs("A case says where it comes from, how large it is and what its edges are, gives bed "
              "and initial water as formulas, and, to be verified, an exact solution or a computed "
              "reference, a ladder of resolutions, and checks with a limit and a reason each: "
              "`verification/README.md`, *Adding a case*.\n\n",
              f);
    markdown_column(&t, 0, "check");
    markdown_column(&t, 0, "answer");
    markdown_column(&t, 0, "what was found");
    for (int k = 0; k < j->remarks.count; k++) {
        const struct remark *r = &j->remarks.remark[k];
        markdown_cell(&t, "%s", r->check);
        markdown_cell(&t, marks[r->answer], 0);
        if (*r->example)
            markdown_cell(&t, "%s; smallest failing example: `%s`", r->sentence, r->example);
        else
            markdown_cell(&t, "%s", r->sentence);
    }
    markdown_table_end(&t, f);
}

enum err section_verification(FILE *f, const struct judging *j)
{
    const struct verdicts *v = &j->s.verdicts;
    const char *word = subject_words[j->subject.kind];
    markdown_heading(f, 2, "Verification");
    markdown_print(f,
                   "Flows with known solutions, and properties of every run: %d checks hold, %d "
                   "fail, %d values are noted.",
                   verdicts_count(v, VERDICT_OK), verdicts_count(v, VERDICT_FAIL),
                   verdicts_count(v, VERDICT_NOTE));
    if (j->subject.kind != SUBJECT_CASE)
        markdown_print(f,
                       " `build/shoal verify --%s %s` runs finer grids, every scheme and both "
                       "precisions.",
                       word, j->subject.name);
    fputs("\n\n", f);
    TRY(checks_failed(&j->report, f));
    if (!j->beyond)
        return ERR_OK;
    markdown_print(f,
                   "%d miss a limit in flows whose limits hold for the default %s only: they are "
                   "not failures, but show where this one is weak.\n\n",
                   j->beyond, word);
    return checks_beyond(&j->report, f);
}

/* The first failures, each with its sentence. */
static void write_faults(FILE *f, const struct judging *j)
{
    enum { SHOWN = 6 };
    const int left = judging_count(j, FAILS);
    int shown = 0;
    for (int k = 0; k < j->remarks.count && shown < SHOWN; k++) {
        const struct remark *r = &j->remarks.remark[k];
        if (r->answer != FAILS)
            continue;
        shown++;
        markdown_print(f, *r->example ? "> - **%s**: %s `%s`\n" : "> - **%s**: %s\n", r->check,
                       r->sentence, r->example);
    }
    for (int k = 0; k < j->s.verdicts.count && shown < SHOWN; k++) {
        const struct line *l = &j->s.verdicts.line[k];
        char value[24], limit[24];
        if (l->verdict != VERDICT_FAIL)
            continue;
        shown++;
        markdown_print(f, "> - **%s**, %d cells: %s", l->case_name, l->n, l->what);
        if (isnan(l->limit))
            markdown_print(f, ": %s\n", l->why);
        else
            markdown_print(f, " %s, limit %s\n", number_text(l->value, value),
                           number_text(l->limit, limit));
    }
    if (left > shown)
        markdown_print(f, "> - and %d more, below\n", left - shown);
    fputs(left ? "\n" : "", f);
}

static void write_top(FILE *f, const struct judging *j)
{
    const int held = judging_count(j, HOLDS), failed = judging_count(j, FAILS);
    section_head(f, j);
    if (failed)
        markdown_print(f, "**%d of %d checks fail.**\n\n", failed, held + failed);
    else
        markdown_print(f, "All %d checks hold.\n\n", held);
    drawings_missing(&j->report.drawings, f);
    write_faults(f, j);
    section_glance(f, j);
    if (j->broken)
        fputs("It does not compile, so nothing was computed with it and nothing compared.\n\n", f);
}

static void write_figures(FILE *f, const struct judging *j)
{
    for (int t = 0; t < j->trials; t++) {
        markdown_heading(f, 2, "Figures of %s", j->trial[t].flow_case->name);
        figures_drawn(&j->report, j->trial[t].flow_case->name, f);
    }
}

static void write_tail(FILE *f, const struct judging *j)
{
    markdown_heading(f, 2, "How it was measured");
    report_facts(j->facts, f);
    fputs(
        "Errors are the same on every machine: strict mode, f64, early exit off. Times are this "
        "machine's. `errors.tsv`, `checks.tsv` and `speed.tsv` are beside this page; `figures/` "
        "has the figures and their scripts: `gnuplot -e \"picture='a.pdf'\" figures/NAME.gp` draws "
        "one for a paper.\n",
        f);
}

static enum err print(FILE *f, const void *context)
{
    const struct judging *j = context;
    write_top(f, j);
    section_contract(f, j);
    TRY(section_verification(f, j));
    TRY(checks_all(&j->report, f));
    if (!j->broken) {
        section_errors(f, j);
        section_times(f, j);
        section_speed(f, j);
        write_figures(f, j);
    }
    write_tail(f, j);
    return ERR_OK;
}

enum err judgement_write(struct judging *j)
{
    char stem[PATH_LENGTH];
    snprintf(stem, sizeof stem, "%.4000s/report", j->output);
    TRY(report_figures_open(&j->report));
    for (int t = 0; t < j->trials && !j->broken; t++)
        TRY(report_figures_add(&j->report, j->trial[t].flow_case->name));
    TRY(report_figures_draw(&j->report));
    signals_hold(SIG_BLOCK); /* while a file is written */
    const enum err e = markdown_report(stem, 1, print, j);
    signals_hold(SIG_UNBLOCK);
    return e;
}
