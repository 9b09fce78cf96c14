/* Sections that compare an entry with all others of its kind: errors, times, speed. */
#include <string.h>

#include "core/picture/markdown.h"
#include "verification/judge/judge.h"
#include "verification/report/lines.h"

static void number_cell(struct markdown_table *t, double x)
{
    char text[24];
    markdown_cell(t, "%s", number_text(isfinite(x) ? x : (double)NAN, text));
}

/* The judged entry is in italics. */
static void name_cell(const struct judging *j, struct markdown_table *t, int entry)
{
    markdown_cell(t, entry == j->own ? "*%s*" : "%s", j->entry[entry].name);
}

/* "< 0.1": it was below the error on its coarsest grid. */
static void time_cell(struct markdown_table *t, double x, int beyond)
{
    char text[24];
    markdown_cell(t, "%s%s",
                  isnan(x) || !beyond ? ""
                  : beyond > 0        ? "> "
                                      : "< ",
                  number_text(x, text));
}

static int place_of(const struct judging *j, int trial, int entry)
{
    int order[ENTRIES], k = 0;
    study_rank(j, trial, order);
    while (order[k] != entry)
        k++;
    return k + 1;
}

/* How many times the default's error. */
static double beside_standard(const struct judging *j, int trial, int entry)
{
    const int last = j->trial[trial].rungs - 1;
    return j->cell[trial][entry][last].error / j->cell[trial][j->standard][last].error;
}

void section_glance(FILE *f, const struct judging *j)
{
    const char *standard = j->entry[j->standard].name;
    struct markdown_table t = {0};
    if (j->own < 0 || !j->trials)
        return;
    markdown_column(&t, 0, "flow");
    markdown_column(&t, 1, "place");
    markdown_column(&t, 1, "error beside %s", standard);
    markdown_column(&t, 1, "order");
    markdown_column(&t, 1, "time to the same error beside %s", standard);
    for (int k = 0; k < j->trials; k++) {
        const struct cell *own = &j->cell[k][j->own][j->trial[k].rungs - 1];
        int of_own, of_standard;
        const double a = study_time_to_error(j, k, j->own, &of_own),
                     b = study_time_to_error(j, k, j->standard, &of_standard);
        markdown_cell(&t, "%s: %s", j->trial[k].flow_case->name, j->trial[k].flow_case->title);
        if (own->failed)
            markdown_cell(&t, "**failed**");
        else
            markdown_cell(&t, "%d of %d", place_of(j, k, j->own), j->entries);
        number_cell(&t, beside_standard(j, k, j->own));
        number_cell(&t, own->order);
        time_cell(&t, a / b, of_own);
    }
    markdown_table_end(&t, f);
}

static void errors_row(const struct judging *j, struct markdown_table *t, int trial, int entry)
{
    const struct trial *of = &j->trial[trial];
    const struct cell *c = j->cell[trial][entry];
    const int last = of->rungs - 1, failed = c[last].failed;
    const struct measured *m = study_run(j, trial, entry, last);
    name_cell(j, t, entry);
    for (int k = 0; k < of->rungs; k++) {
        if (c[k].failed)
            markdown_cell(t, "**failed**");
        else
            number_cell(t, c[k].error);
    }
    number_cell(t, c[last].order);
    number_cell(t, beside_standard(j, trial, entry));
    number_cell(t, failed ? (double)NAN : (double)m->steps);
    number_cell(t, failed ? (double)NAN : c[last].wall);
    number_cell(t, failed ? (double)NAN : fabs(m->mass_error));
}

static void write_trial(FILE *f, const struct judging *j, int trial)
{
    const struct trial *of = &j->trial[trial];
    struct markdown_table t = {0};
    int order[ENTRIES];
    markdown_heading(f, 3, "%s: %s", of->flow_case->name, of->flow_case->title);
    if (of->norm)
        markdown_print(f, "%s: %s.\n\n", of->norm->name, of->norm->meaning);
    else
        fputs(
            "It has no exact solution and no reference, so there are no errors and no orders.\n\n",
            f);
    if (study_is_exact(j, trial))
        markdown_print(f, "Here %s.\n\n", STUDY_EXACT);
    markdown_column(&t, 0, "%s", subject_rivals(&j->subject));
    for (int k = 0; k < of->rungs; k++)
        markdown_column(&t, 1, "n=%d", of->ladder[k]);
    markdown_column(&t, 1, "order");
    markdown_column(&t, 1, "beside %s", j->entry[j->standard].name);
    markdown_column(&t, 1, "steps");
    markdown_column(&t, 1, "seconds");
    markdown_column(&t, 1, "mass error");
    study_rank(j, trial, order);
    for (int k = 0; k < j->entries; k++)
        errors_row(j, &t, trial, order[k]);
    markdown_table_end(&t, f);
}

void section_errors(FILE *f, const struct judging *j)
{
    if (!j->trials)
        return;
    markdown_heading(f, 2, "Errors beside every other %s", subject_rivals(&j->subject));
    fputs("The same flow on the same grids in f64, all other choices being the defaults, each "
          "scheme at the Courant number that it claims. Sorted by error on the finest grid; the "
          "order is that between the last two grids. Steps, seconds (on one thread in strict mode) "
          "and mass error are those of the finest grid.\n\n",
          f);
    for (int k = 0; k < j->trials; k++)
        write_trial(f, j, k);
}

/* A row for each entry, a column for each flow. */
static void write_times(FILE *f, const struct judging *j)
{
    struct markdown_table t = {0};
    markdown_column(&t, 0, "seconds until");
    for (int k = 0; k < j->trials; k++)
        markdown_column(&t, 1, "%s", j->trial[k].flow_case->name);
    markdown_cell(&t, "the error is");
    for (int k = 0; k < j->trials; k++)
        number_cell(&t, study_error_to_reach(j, k));
    markdown_cell(&t, "as by %s with", j->entry[j->standard].name);
    for (int k = 0; k < j->trials; k++)
        markdown_cell(&t, "%d cells", j->trial[k].ladder[STATED]);
    for (int e = 0; e < j->entries; e++) {
        name_cell(j, &t, e);
        for (int k = 0; k < j->trials; k++) {
            int beyond;
            const double wall = study_time_to_error(j, k, e, &beyond);
            time_cell(&t, wall, beyond);
        }
    }
    markdown_table_end(&t, f);
}

void section_times(FILE *f, const struct judging *j)
{
    if (!study_has_errors(j))
        return;
    markdown_heading(f, 2, "Time to a given error");
    markdown_print(
        f,
        "How long each %s takes to reach the error that %s has on the named grid: "
        "interpolated between its own grids, in logarithms. >: not reached on the finest grid, "
        "which takes so long; <: reached on the coarsest one already. The time is the number of "
        "steps times the median time of one, in strict mode on one thread, as the errors were "
        "computed.\n\n",
        subject_rivals(&j->subject), j->entry[j->standard].name);
    write_times(f, j);
}

/* Fastest first. */
static void write_speed(FILE *f, const struct judging *j, enum backend_kind on)
{
    const struct speed *speed = j->timings->speed[on];
    int order[ENTRIES];
    struct markdown_table t = {0};
    const int count = study_rank_speed(j, on, order);
    markdown_column(&t, 0, "%s", subject_rivals(&j->subject));
    markdown_column(&t, 1, "a step (ms)");
    markdown_column(&t, 1, "beside %s", j->entry[j->standard].name);
    markdown_column(&t, 1, "quartiles");
    for (int k = 0; k < count; k++) {
        const struct speed *s = &speed[order[k]];
        char low[24], high[24];
        name_cell(j, &t, order[k]);
        number_cell(&t, 1e3 * s->step);
        number_cell(&t, s->ratio);
        markdown_cell(&t, "%s to %s", number_text(s->low, low), number_text(s->high, high));
    }
    markdown_table_end(&t, f);
}

static void write_backend(FILE *f, const struct judging *j, enum backend_kind on)
{
    const struct timings *t = j->timings;
    char threads[40] = "";
    if (on == CPU)
        snprintf(threads, sizeof threads,
                 j->threads == 1 ? "one thread, processor time, " : "%d threads, ", j->threads);
    markdown_print(
        f,
        "Time of a step on the %s: whole steps, boundaries and the choice of the time step "
        "included, %sf32, fast mode, %d cells across, early exit off, default blocks, the same for "
        "all. All are timed in turn in %d rounds; the ratio is the median of the ratios in each "
        "round, with their quartiles.%s\n\n",
        on == CPU ? "CPU" : "GPU", threads, t->cells[on], t->rounds,
        j->subject.kind >= SUBJECT_SCHEME
            ? " Steps of schemes differ in length, so times to an error say more."
            : "");
    write_speed(f, j, on);
}

void section_speed(FILE *f, const struct judging *j)
{
    const struct timings *t = j->timings;
    int equal, all;
    if (!t)
        return;
    markdown_heading(f, 2, "Speed on this machine");
    if (*t->message)
        markdown_print(f, "**Not timed**: %s\n\n", t->message);
    for (int on = 0; on < BACKENDS; on++)
        if (t->cells[on])
            write_backend(f, j, (enum backend_kind)on);
    study_gpu_runs(j, &equal, &all);
    if (all)
        markdown_print(f,
                       "CPU and GPU in strict mode gave the same bits in %d of %d runs, in both "
                       "precisions (%s).\n\n",
                       equal, all, j->gpu.name);
    if (!j->on_cuda)
        markdown_print(f, "No GPU was judged: %s.\n\n", j->gpu.here ? "--backend cpu" : j->gpu.why);
}
