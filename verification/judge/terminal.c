/* The page on the terminal. */
#include <stdio.h>
#include <string.h>

#include "verification/judge/judge.h"
#include "verification/report/terminal_table.h"

static const char *const marks[] = {
    [HOLDS] = "ok", [FAILS] = "FAIL", [NOTED] = "note", [NOT_ASKED] = "-"};

int judging_count(const struct judging *j, enum answer which)
{
    static const enum verdict as[] = {
        [HOLDS] = VERDICT_OK, [FAILS] = VERDICT_FAIL, [NOTED] = VERDICT_NOTE};
    int n = which == NOT_ASKED ? 0 : verdicts_count(&j->verdicts, as[which]);
    for (int k = 0; k < j->remarks.count; k++)
        n += j->remarks.remark[k].answer == which;
    return n;
}

/* Text in lines of at most 100 letters, each after so many spaces but the first. */
static void print_wrapped(const char *text, int indent)
{
    enum { WIDTH = 100 };
    int column = indent;
    for (const char *word = text; *word;) {
        const int n = (int)strcspn(word, " ");
        if (column > indent && column + 1 + n > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", n, word);
        column += n;
        word += n + (int)strspn(word + n, " ");
    }
    putchar('\n');
}

void terminal_head(const struct judging *j)
{
    const struct subject *s = &j->subject;
    printf("%s %s: %s", subject_words[s->kind], s->name, s->title);
    if (s->cite && *s->cite)
        printf(" (%s)", s->cite);
    printf("\non %s, kernels by %s\n\n", j->cpu, j->compiler);
}

/* Of the column of checks. */
static int width_of_checks(const struct remarks *r)
{
    int width = 0;
    for (int k = 0; k < r->count; k++) {
        const int n = (int)strlen(r->remark[k].check);
        width = n > width ? n : width;
    }
    return width;
}

void terminal_contract(const struct judging *j)
{
    const int width = width_of_checks(&j->remarks), indent = width + 9;
    printf("What must hold of every %s\n", subject_words[j->subject.kind]);
    for (int k = 0; k < j->remarks.count; k++) {
        const struct remark *r = &j->remarks.remark[k];
        printf("  %-5s%-*s  ", marks[r->answer], width, r->check);
        print_wrapped(r->sentence, indent);
        if (!*r->example)
            continue;
        char text[sizeof r->example + 32];
        snprintf(text, sizeof text, "smallest example: %s", r->example);
        printf("%*s", indent, "");
        print_wrapped(text, indent);
    }
    putchar('\n');
    fflush(stdout);
}

static int same_flow(const struct line *a, const struct line *b)
{
    return strcmp(a->case_name, b->case_name) == 0 &&
           strcmp(a->variant.scheme, b->variant.scheme) == 0 &&
           a->variant.backend == b->variant.backend && a->variant.precision == b->variant.precision;
}

/* How many lines of the same flow are wanted, too, after line k; -1: one before it was. */
static int others_of(const struct verdicts *v, int k, int (*wanted)(const struct line *l))
{
    int n = 0;
    for (int m = 0; m < v->count; m++)
        if (m != k && wanted(&v->line[m]) && same_flow(&v->line[k], &v->line[m])) {
            if (m < k)
                return -1;
            n++;
        }
    return n;
}

static void print_verdict(const struct judging *j, const struct line *l, int others)
{
    static const char *const relation[] = {"at most", "at least", "at most", "beside"};
    char text[640], value[24], limit[24];
    const int compiling = strcmp(l->what, "compiles") == 0; /* for whatever flow came first */
    int n = 0;
    if (j->own < 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s: ", l->variant.scheme);
    if (l->variant.backend == CUDA)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "on the GPU in %s: ", precision_names[l->variant.precision]);
    if (l->n && !compiling)
        n += snprintf(text + n, sizeof text - (size_t)n, "n=%d, ", l->n);
    n += snprintf(text + n, sizeof text - (size_t)n, "%s", l->what);
    if (isnan(l->limit))
        n += snprintf(text + n, sizeof text - (size_t)n, ": %s", l->why);
    else
        n += snprintf(text + n, sizeof text - (size_t)n, " %s, %s %s",
                      isnan(l->value) ? (strcmp(l->what, "steady at") == 0 ? "never" : "no number")
                                      : number_text(l->value, value),
                      relation[l->kind], number_text(l->limit, limit));
    if (others)
        snprintf(text + n, sizeof text - (size_t)n, "; and %d more here", others);
    printf("  %-5s%-23s ", l->beyond ? "note" : verdict_names[l->verdict],
           compiling || strcmp(l->case_name, "-") == 0 ? "(any flow)" : l->case_name);
    print_wrapped(text, 31);
}

/* A line for each flow, about its coarsest grid. */
static void print_lines(const struct judging *j, int (*wanted)(const struct line *l))
{
    enum { SHOWN = 12 };
    int shown = 0, left = 0;
    for (int k = 0; k < j->verdicts.count; k++) {
        const struct line *l = &j->verdicts.line[k];
        const int others = wanted(l) ? others_of(&j->verdicts, k, wanted) : -1;
        if (others < 0)
            continue;
        if (shown++ < SHOWN)
            print_verdict(j, l, others);
        else
            left += 1 + others;
    }
    if (left)
        printf("  ... and %d more, all in the report\n", left);
}

static int has_failed(const struct line *l)
{
    return l->verdict == VERDICT_FAIL;
}

static int is_beyond(const struct line *l)
{
    return l->beyond;
}

void terminal_verification(const struct judging *j)
{
    const struct verdicts *v = &j->verdicts;
    const char *word = subject_words[j->subject.kind];
    const int failed = verdicts_count(v, VERDICT_FAIL);
    printf("Verification by flows with known solutions, and what every run must keep:\n"
           "%d checks hold, %d fail, %d noted\n",
           verdicts_count(v, VERDICT_OK), failed, verdicts_count(v, VERDICT_NOTE));
    print_lines(j, has_failed);
    if (failed && j->subject.kind != SUBJECT_CASE)
        printf("  Again, and further: build/shoal verify --%s %s --precision f64\n", word,
               j->subject.name);
    if (j->beyond) {
        printf("  Where limits hold for the default %s only, %d missed (no failure):\n", word,
               j->beyond);
        print_lines(j, is_beyond);
    }
    putchar('\n');
}

/* Without a reference there are runs, but no errors. */
static void print_runs(const struct judging *j, int trial)
{
    const struct trial *t = &j->trial[trial];
    const int last = t->rungs - 1;
    char mass[24], time[24];
    printf("%s: %s; %s\n  %-17s %10s %12s %12s   with n=%d\n", t->flow_case.name,
           t->flow_case.title, t->norm ? STUDY_EXACT : "no reference, so no errors",
           subject_rivals(&j->subject), "steps", "seconds", "mass error", t->ladder[last]);
    for (int e = 0; e < j->entries; e++) {
        const struct cell *c = &j->cell[trial][e][last];
        const struct measured *m = study_run(j, trial, e, last);
        printf("%c %-17s", e == j->own ? '*' : ' ', j->entry[e].name);
        if (c->failed)
            printf(" %10s\n", "failed");
        else
            printf(" %10lu %12s %12s\n", m->steps, number_text(c->wall, time),
                   number_text(fabs(m->mass_error), mass));
    }
    putchar('\n');
}

static void print_error_row(const struct judging *j, int trial, int e)
{
    const struct trial *t = &j->trial[trial];
    const struct cell *c = j->cell[trial][e];
    const int last = t->rungs - 1;
    const double times = c[last].error / j->cell[trial][j->standard][last].error;
    int beyond;
    const double wall = study_time_to_error(j, trial, e, &beyond);
    char text[24];
    printf("%c %-17s", e == j->own ? '*' : ' ', j->entry[e].name);
    for (int n = 0; n <= last; n++)
        printf(" %10s", c[n].failed ? "failed" : number_text(c[n].error, text));
    snprintf(text, sizeof text, "%.2f", c[last].order);
    printf("  %5s", isnan(c[last].order) ? "-" : text);
    snprintf(text, sizeof text, "%.3g", times);
    printf("  %-16s", isfinite(times) ? text : "-");
    printf("  %s%s\n",
           isnan(wall)  ? ""
           : beyond > 0 ? "> "
           : beyond < 0 ? "< "
                        : "",
           number_text(wall, text));
}

static void print_trial(const struct judging *j, int trial)
{
    const struct trial *t = &j->trial[trial];
    int order[ENTRIES];
    char text[24];
    printf("%s: %s; %s\n  %-17s", t->flow_case.name, t->flow_case.title, t->norm->name,
           subject_rivals(&j->subject));
    for (int k = 0; k < t->rungs; k++) {
        snprintf(text, sizeof text, "n=%d", t->ladder[k]);
        printf(" %10s", text);
    }
    printf("  order  x %-14s  s to %s\n", j->entry[j->standard].name,
           number_text(study_error_to_reach(j, trial), text));
    study_rank(j, trial, order);
    for (int k = 0; k < j->entries; k++)
        print_error_row(j, trial, order[k]);
    putchar('\n');
}

void terminal_comparison(const struct judging *j)
{
    if (!j->trials)
        return;
    if (study_has_errors(j))
        printf(
            "Errors in f64 beside every other %s, the least on the finest grid first%s.\nLast "
            "column: "
            "seconds, on one thread in strict mode, until the error is what %s has on\nthe second "
            "grid (>: more, not reached; <: less, reached on the first one).\n\n",
            subject_rivals(&j->subject), j->own >= 0 ? "; * is this one" : "",
            j->entry[j->standard].name);
    for (int t = 0; t < j->trials; t++)
        if (j->trial[t].norm && !study_is_exact(j, t))
            print_trial(j, t);
        else
            print_runs(j, t);
}

static void print_speed(const struct judging *j, enum backend_kind on)
{
    const struct timings *t = j->timings;
    int order[ENTRIES];
    for (int e = 0; e < j->entries; e++) {
        int k = e;
        for (; k > 0 && t->speed[on][e].step < t->speed[on][order[k - 1]].step; k--)
            order[k] = order[k - 1];
        order[k] = e;
    }
    for (int k = 0; k < j->entries; k++) {
        const struct speed *s = &t->speed[on][order[k]];
        if (isnan(s->step))
            continue;
        printf("%c %-17s %9.4f ms   %.3f (%.3f to %.3f)\n", order[k] == j->own ? '*' : ' ',
               j->entry[order[k]].name, 1e3 * s->step, s->ratio, s->low, s->high);
    }
}

void terminal_speed(const struct judging *j)
{
    const struct timings *t = j->timings;
    if (!t)
        return;
    if (*t->message)
        printf("Not timed: %s\n\n", t->message);
    for (int on = 0; on < BACKENDS; on++) {
        if (!t->cells[on])
            continue;
        printf("Time of a step on %s: f32, fast mode, %d cells across, ",
               on == CPU ? "the CPU" : "the GPU", t->cells[on]);
        if (on == CPU)
            printf("%d thread%s, ", j->threads, j->threads == 1 ? "" : "s");
        printf("default blocks;\nmedian of %d interleaved rounds, beside %s in the same round "
               "(and its quartiles)\n",
               t->rounds, j->entry[j->standard].name);
        print_speed(j, (enum backend_kind)on);
        putchar('\n');
    }
    int equal, all;
    study_gpu_runs(j, &equal, &all);
    if (all)
        printf("CPU and GPU in strict mode: the same bits in %d of %d runs (%s)\n\n", equal, all,
               j->gpu.name);
    if (!j->on_cuda) {
        char text[sizeof j->gpu.why + 32];
        snprintf(text, sizeof text, "No GPU was judged: %s",
                 j->gpu.here ? "--backend cpu" : j->gpu.why);
        print_wrapped(text, 0);
        putchar('\n');
    }
}

void terminal_tail(const struct judging *j)
{
    printf("report: %s/report.html\n", j->output);
}
