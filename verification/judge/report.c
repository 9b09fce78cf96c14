/* The judgement as report.md and report.html: its sections after each other, with their figures. */
#include <string.h>

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
    markdown_heading(f, 2, "What must hold of every %s", subject_words[j->subject.kind]);
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

/* Of what failed all, or what each flow says first. */
static enum err write_verification(FILE *f, const struct judging *j, int all)
{
    const struct verdicts *v = &j->s.verdicts;
    const char *word = subject_words[j->subject.kind];
    const int failed = verdicts_count(v, VERDICT_FAIL);
    markdown_heading(f, 2, "Verification");
    markdown_print(f,
                   "By flows with known solutions, and what every run must keep: %d checks hold, "
                   "%d fail, %d values are noted.",
                   verdicts_count(v, VERDICT_OK), failed, verdicts_count(v, VERDICT_NOTE));
    if (j->subject.kind != SUBJECT_CASE)
        markdown_print(f,
                       " `build/shoal verify --%s %s` runs finer grids, every scheme and both "
                       "precisions.",
                       word, j->subject.name);
    fputs("\n\n", f);
    TRY(report_lines(v, all ? LINES_FAILED : LINES_FAILED_FIRST, f));
    if (j->beyond) {
        markdown_print(f,
                       "%d miss a limit in flows whose limits hold for the default %s only: they "
                       "count as no failure, but say where this one is weak.\n\n",
                       j->beyond, word);
        TRY(report_lines(v, all ? LINES_BEYOND : LINES_BEYOND_FIRST, f));
    }
    if (!all)
        return ERR_OK;
    markdown_heading(f, 4, "All %d lines", v->count);
    return report_lines(v, LINES_ALL, f);
}

enum err section_verification(FILE *f, const struct judging *j)
{
    return write_verification(f, j, 0);
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

static void write_top(FILE *f, const struct judging *j, const struct drawings *d)
{
    const int held = judging_count(j, HOLDS), failed = judging_count(j, FAILS);
    section_head(f, j);
    if (failed)
        markdown_print(f, "**%d of %d checks fail.**\n\n", failed, held + failed);
    else
        markdown_print(f, "All %d checks hold.\n\n", held);
    drawings_missing(d, f);
    write_faults(f, j);
    section_glance(f, j);
    if (j->broken)
        fputs("It does not compile, so nothing was computed with it and nothing compared.\n\n", f);
}

static void write_pictures(FILE *f, const struct drawings *d)
{
    markdown_heading(f, 2, "Pictures");
    section_drawings(f, d, "profile");
    section_drawings(f, d, "map");
}

static void write_tail(FILE *f, const struct judging *j)
{
    markdown_heading(f, 2, "How it was measured");
    report_facts(j->facts, f);
    fputs(
        "Errors are the same on every machine: strict mode, f64, early exit off. Times are this "
        "machine's. Beside this page lie `errors.tsv`, `checks.tsv` and `speed.tsv`; `figures/` "
        "has the figures and their scripts: `gnuplot -e \"picture='a.pdf'\" figures/NAME.gp` draws "
        "one for a paper.\n",
        f);
}

struct judged {
    const struct judging *j;
    const struct drawings *d;
};

static enum err print(FILE *f, const void *context)
{
    const struct judged *both = context;
    const struct judging *j = both->j;
    const struct drawings *d = both->d;
    write_top(f, j, d);
    section_contract(f, j);
    TRY(write_verification(f, j, 1));
    if (!j->broken) {
        section_errors(f, j, d);
        section_times(f, j, d);
        section_speed(f, j, d);
        write_pictures(f, d);
    }
    write_tail(f, j);
    return ERR_OK;
}

enum err judgement_write(const struct judging *j, const struct drawings *d)
{
    const struct judged both = {j, d};
    char stem[PATH_LENGTH];
    snprintf(stem, sizeof stem, "%.4000s/report", j->output);
    return markdown_report(stem, 1, print, &both);
}
