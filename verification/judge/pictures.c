/* Scripts of a judgement's figures. The drawing is in plots/judge. */
#include <stdio.h>
#include <string.h>

#include "verification/judge/judge.h"

/* What the default is called in figures and texts: the number of what is judged, counted from 0. */
static int lead(const struct judging *j)
{
    return j->own < 0 ? j->standard : j->own;
}

/* Begins a script with what all of them know. */
static enum err begin(const struct judging *j, struct drawings *d, const char *name, FILE **out)
{
    TRY(drawing_begin(d, name, out));
    fprintf(*out, "entries = %d\nown = %d\nstandard = %d\narray name[%d]\n", j->entries,
            lead(j) + 1, j->standard + 1, j->entries);
    for (int e = 0; e < j->entries; e++) {
        fprintf(*out, "name[%d] = ", e + 1);
        gnuplot_text(*out, j->entry[e].name);
        fputc('\n', *out);
    }
    return ERR_OK;
}

static void data_path(const struct judging *j, int trial, int entry, int rung, const char *kind,
                      char path[PATH_LENGTH])
{
    char name[256];
    run_name(&j->s.plan.job[j->cell[trial][entry][rung].job].run, name);
    snprintf(path, PATH_LENGTH, "%.3800s/%s.%s.tsv", j->data, name, kind);
}

static void write_path(FILE *f, const char *variable, int index, const char *path)
{
    fprintf(f, "%s[%d] = ", variable, index);
    gnuplot_file(f, path);
    fputc('\n', f);
}

static void write_common(const struct judging *j, int trial, int rung, FILE *f)
{
    const struct trial *t = &j->trial[trial];
    const struct measured *m = study_run(j, trial, lead(j), rung);
    const int snapshot = t->at >= 1 && t->at <= m->snapshots ? t->at : m->snapshots;
    fputs("case = ", f);
    gnuplot_text(f, t->flow_case.name);
    fprintf(f, "\ncompared = %d\nn = %d\nrow = %d\nt = %.9g\n",
            t->flow_case.exact || t->ask.reference ? 1 : 0, m->nx, (snapshot - 1) * m->nx,
            m->t[snapshot - 1]);
}

static enum err add_profile(const struct judging *j, struct drawings *d, int trial, int rung)
{
    const struct trial *t = &j->trial[trial];
    const char *own = j->entry[lead(j)].name, *standard = j->entry[j->standard].name;
    char name[100], path[PATH_LENGTH];
    FILE *f;
    snprintf(name, sizeof name, "profile-%.60s", t->flow_case.name);
    TRY(begin(j, d, name, &f));
    write_common(j, trial, rung, f);
    fprintf(f, "array file[%d]\n", j->entries);
    for (int e = 0; e < j->entries; e++) {
        data_path(j, trial, e, rung, "profile", path);
        write_path(f, "file", e + 1, j->cell[trial][e][rung].failed ? "" : path);
    }
    return drawing_end(
        d, f, "judge", "", "profile",
        "%s, %d cells: the middle row by %s%s%s, and the reference; below, the differences "
        "to it%s.",
        t->flow_case.name, t->ladder[rung], own, lead(j) == j->standard ? "" : " and ",
        lead(j) == j->standard ? "" : standard,
        j->entries > 2 ? ", all others in grey (some may lie outside)" : "");
}

static enum err add_map(const struct judging *j, struct drawings *d, int trial, int rung)
{
    const struct trial *t = &j->trial[trial];
    const struct flow_case *c = &t->flow_case;
    const char *own = j->entry[lead(j)].name, *standard = j->entry[j->standard].name;
    const int both = lead(j) != j->standard && !j->cell[trial][j->standard][rung].failed;
    char name[100], path[PATH_LENGTH];
    FILE *f;
    snprintf(name, sizeof name, "map-%.60s", c->name);
    TRY(begin(j, d, name, &f));
    write_common(j, trial, rung, f);
    fprintf(f, "x0 = %.9g\nx1 = %.9g\ny0 = %.9g\ny1 = %.9g\narray cells[2]\n", c->x0, c->x0 + c->lx,
            c->y0, c->y0 + c->ly);
    data_path(j, trial, lead(j), rung, "cells", path);
    write_path(f, "cells", 1, path);
    data_path(j, trial, j->standard, rung, "cells", path);
    write_path(f, "cells", 2, both ? path : "");
    return drawing_end(
        d, f, "judge", "", "map",
        "%s, %d cells across, at the end: depth by %s%s%s. Blue: too deep, red: too shallow.",
        c->name, t->ladder[rung], own,
        both ? ", its difference to the reference, and in the same colours that of " : "",
        both ? standard : "");
}

static void write_errors(const struct judging *j, FILE *f, int over)
{
    fprintf(f, "trials = %d\nover = %d\narray panel[%d]\narray aim[%d]\n", j->trials, over,
            j->trials, j->trials);
    for (int t = 0; t < j->trials; t++) {
        char text[120];
        snprintf(text, sizeof text, "%s, %s", j->trial[t].flow_case.name,
                 j->trial[t].norm ? j->trial[t].norm->name : "no reference");
        fprintf(f, "panel[%d] = ", t + 1);
        gnuplot_text(f, text);
        fprintf(f, "\naim[%d] = %.9g\n", t + 1, study_error_to_reach(j, t));
    }
    fputs("$errors << END\n", f);
    for (int t = 0; t < j->trials; t++)
        for (int e = 0; e < j->entries; e++) {
            for (int k = 0; k < j->trial[t].rungs; k++)
                fprintf(f, "%d\t%.9g\t%.9g\n", j->trial[t].ladder[k], j->cell[t][e][k].error,
                        j->cell[t][e][k].wall);
            fputs("\n\n", f);
        }
    fputs("END\n", f);
}

static enum err add_errors(const struct judging *j, struct drawings *d, const char *name, int over)
{
    FILE *f;
    TRY(begin(j, d, name, &f));
    write_errors(j, f, over);
    if (over == 1)
        return drawing_end(
            d, f, "judge", "", "errors",
            "Error over resolution. Thick: %s%s; grey: slopes 1 and 2. A line that is lower is "
            "more accurate, one that is steeper gains more from smaller cells.",
            j->entry[lead(j)].name, lead(j) == j->standard ? "" : "; dashed: the default");
    return drawing_end(
        d, f, "judge", "", "errors",
        "Error over the time that it takes. Further down and to the left is better: a %s that is "
        "slower may still be first to reach an error. Grey: the error of %s on its second grid.",
        subject_rivals(&j->subject), j->entry[j->standard].name);
}

static enum err add_speed(const struct judging *j, struct drawings *d, enum backend_kind on)
{
    static const char *const names[BACKENDS] = {[CPU] = "speed-cpu", [CUDA] = "speed-cuda"};
    int order[ENTRIES];
    const int count = study_rank_speed(j, on, order);
    FILE *f;
    if (!count)
        return ERR_OK;
    TRY(begin(j, d, names[on], &f));
    fprintf(f, "array row[%d]\n", count);
    for (int k = 0; k < count; k++)
        fprintf(f, "row[%d] = %d\n", k + 1, order[k] + 1);
    fputs("$speed << END\n", f);
    for (int k = 0; k < count; k++) {
        const struct speed *s = &j->timings->speed[on][order[k]];
        fprintf(f, "%d\t%.9g\t%.9g\t%.9g\n", order[k] + 1, s->ratio, s->low, s->high);
    }
    fputs("END\n", f);
    return drawing_end(
        d, f, "judge", "", "speed",
        "Median of %d rounds and the quartiles. Bars that overlap cannot be told apart here.",
        j->timings->rounds);
}

static enum err add_all(const struct judging *j, struct drawings *d)
{
    for (int t = 0; t < j->trials; t++) {
        const int rung = j->trial[t].rungs - 1;
        if (j->cell[t][lead(j)][rung].failed)
            continue;
        TRY(add_profile(j, d, t, rung));
        if (j->trial[t].flow_case.ny > 1 &&
            !study_is_exact(j, t)) /* else no difference has a colour */
            TRY(add_map(j, d, t, rung));
    }
    if (study_has_errors(j)) {
        TRY(add_errors(j, d, "errors", 1));
        TRY(add_errors(j, d, "times", 3));
    }
    for (int on = 0; on < BACKENDS && j->timings; on++)
        TRY(add_speed(j, d, (enum backend_kind)on));
    return ERR_OK;
}

enum err pictures_draw(const struct judging *j, struct drawings *d)
{
    if (d->no_gnuplot)
        return ERR_OK;
    TRY(add_all(j, d));
    return drawings_make(d);
}
