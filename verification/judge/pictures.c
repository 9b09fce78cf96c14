/* Figures of a judgement: their scripts, and gnuplot at work on them. The drawing is in plots/judge. */
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "verification/judge/judge.h"

/* What the default is called in figures and texts: the number of what is judged, counted from 0. */
static int lead(const struct judging *j)
{
    return j->own < 0 ? j->standard : j->own;
}

/* Begins a script, figures/NAME.gp, with what all of them know. */
static enum err begin(const struct judging *j, struct pictures *p, const char *name, FILE **out)
{
    const char *home;
    struct picture *q = &p->picture[p->count];
    TRY(paths_home(&home));
    snprintf(q->name, sizeof q->name, "%s", name);
    snprintf(q->script, sizeof q->script, "%.3900s/figures", j->output);
    TRY(paths_folder(q->script, "choose another with --output"));
    snprintf(q->script, sizeof q->script, "%.3900s/figures/%s.gp", j->output, name);
    TRY(outfile_open(&p->file, q->script, out));
    FILE *f = *out;
    fputs("home = ", f);
    gnuplot_text(f, home);
    fprintf(f, "\nnumber = %d\nentries = %d\nown = %d\nstandard = %d\narray name[%d]\n", p->count,
            j->entries, lead(j) + 1, j->standard + 1, j->entries);
    for (int e = 0; e < j->entries; e++) {
        fprintf(f, "name[%d] = ", e + 1);
        gnuplot_text(f, j->entry[e].name);
        fputc('\n', f);
    }
    return ERR_OK;
}

static enum err finish(struct pictures *p, FILE *f, const char *script)
{
    struct picture *q = &p->picture[p->count++];
    fprintf(f,
            "load home.'/plots/style.gp'\nload home.'/plots/judge/common.gp'\n"
            "load home.'/plots/judge/%s.gp'\n",
            script);
    q->run.script = q->script;
    return outfile_close(&p->file, f);
}

static void data_path(const struct judging *j, int trial, int entry, int rung, const char *kind,
                      char path[PATH_LENGTH])
{
    char name[256];
    run_name(&j->plan.job[j->cell[trial][entry][rung].job].run, name);
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

static enum err add_profile(const struct judging *j, struct pictures *p, int trial, int rung)
{
    const struct trial *t = &j->trial[trial];
    const char *own = j->entry[lead(j)].name, *standard = j->entry[j->standard].name;
    struct picture *q = &p->picture[p->count];
    char name[100], path[PATH_LENGTH];
    FILE *f;
    snprintf(name, sizeof name, "profile-%.60s", t->flow_case.name);
    TRY(begin(j, p, name, &f));
    write_common(j, trial, rung, f);
    fprintf(f, "array file[%d]\n", j->entries);
    for (int e = 0; e < j->entries; e++) {
        data_path(j, trial, e, rung, "profile", path);
        write_path(f, "file", e + 1, j->cell[trial][e][rung].failed ? "" : path);
    }
    snprintf(q->alt, sizeof q->alt,
             "Two curves over x for %s: the water along the middle row by %s, by %s and by the "
             "reference; below, how far each is from the reference.",
             t->flow_case.name, own, standard);
    snprintf(q->caption, sizeof q->caption,
             "%s, %d cells: the middle row by %s%s%s, and the reference; below, the differences "
             "to it%s.",
             t->flow_case.name, t->ladder[rung], own, lead(j) == j->standard ? "" : " and ",
             lead(j) == j->standard ? "" : standard,
             j->entries > 2 ? ", all others in grey (some may lie outside)" : "");
    return finish(p, f, "profile");
}

static enum err add_map(const struct judging *j, struct pictures *p, int trial, int rung)
{
    const struct trial *t = &j->trial[trial];
    const struct flow_case *c = &t->flow_case;
    const char *own = j->entry[lead(j)].name, *standard = j->entry[j->standard].name;
    const int both = lead(j) != j->standard && !j->cell[trial][j->standard][rung].failed;
    struct picture *q = &p->picture[p->count];
    char name[100], path[PATH_LENGTH];
    FILE *f;
    snprintf(name, sizeof name, "map-%.60s", c->name);
    TRY(begin(j, p, name, &f));
    write_common(j, trial, rung, f);
    fprintf(f, "x0 = %.9g\nx1 = %.9g\ny0 = %.9g\ny1 = %.9g\narray cells[2]\n", c->x0, c->x0 + c->lx,
            c->y0, c->y0 + c->ly);
    data_path(j, trial, lead(j), rung, "cells", path);
    write_path(f, "cells", 1, path);
    data_path(j, trial, j->standard, rung, "cells", path);
    write_path(f, "cells", 2, both ? path : "");
    snprintf(q->alt, sizeof q->alt,
             "Maps of %s at the end: the depth by %s, and its difference to the reference%s%s.",
             c->name, own, both ? ", beside that of " : "", both ? standard : "");
    snprintf(q->caption, sizeof q->caption,
             "%s, %d cells across, at the end: depth by %s%s%s. Blue: too deep, red: too shallow.",
             c->name, t->ladder[rung], own,
             both ? ", its difference to the reference, and in the same colours that of " : "",
             both ? standard : "");
    return finish(p, f, "map");
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

static enum err add_errors(const struct judging *j, struct pictures *p, const char *name, int over)
{
    const char *rival = subject_rivals(&j->subject);
    struct picture *q = &p->picture[p->count];
    FILE *f;
    TRY(begin(j, p, name, &f));
    write_errors(j, f, over);
    snprintf(q->alt, sizeof q->alt, "Error over %s, a panel for each flow, a line for each %s.",
             over == 1 ? "the number of cells" : "computing time", rival);
    if (over == 1)
        snprintf(
            q->caption, sizeof q->caption,
            "Error over resolution. Thick: %s%s; grey: slopes 1 and 2. A line that is lower is "
            "more accurate, one that is steeper gains more from smaller cells.",
            j->entry[lead(j)].name, lead(j) == j->standard ? "" : "; dashed: the default");
    else
        snprintf(q->caption, sizeof q->caption,
                 "Error over the time that it takes. Further down and to the left is better: a "
                 "%s that is slower may still be first to reach an error. Grey: the error of %s on "
                 "its second grid.",
                 rival, j->entry[j->standard].name);
    return finish(p, f, "errors");
}

static enum err add_speed(const struct judging *j, struct pictures *p, enum backend_kind on)
{
    static const char *const names[BACKENDS] = {[CPU] = "speed-cpu", [CUDA] = "speed-cuda"};
    struct picture *q = &p->picture[p->count];
    int order[ENTRIES], count = 0;
    FILE *f;
    for (int e = 0; e < j->entries; e++)
        if (!isnan(j->timings->speed[on][e].ratio)) {
            int k = count++;
            for (; k > 0 &&
                   j->timings->speed[on][e].ratio < j->timings->speed[on][order[k - 1]].ratio;
                 k--)
                order[k] = order[k - 1];
            order[k] = e;
        }
    if (!count)
        return ERR_OK;
    TRY(begin(j, p, names[on], &f));
    fprintf(f, "array row[%d]\n", count);
    for (int k = 0; k < count; k++)
        fprintf(f, "row[%d] = %d\n", k + 1, order[k] + 1);
    fputs("$speed << END\n", f);
    for (int k = 0; k < count; k++) {
        const struct speed *s = &j->timings->speed[on][order[k]];
        fprintf(f, "%d\t%.9g\t%.9g\t%.9g\n", order[k] + 1, s->ratio, s->low, s->high);
    }
    fputs("END\n", f);
    snprintf(q->alt, sizeof q->alt, "Time of a step of every %s beside %s on %s.",
             subject_rivals(&j->subject), j->entry[j->standard].name,
             on == CPU ? "the CPU" : "the GPU");
    snprintf(q->caption, sizeof q->caption,
             "Median of %d rounds and the quartiles. Bars that overlap cannot be told apart here.",
             j->timings->rounds);
    return finish(p, f, "speed");
}

static enum err add_all(const struct judging *j, struct pictures *p)
{
    for (int t = 0; t < j->trials; t++) {
        const int rung = j->trial[t].rungs - 1;
        if (j->cell[t][lead(j)][rung].failed)
            continue;
        TRY(add_profile(j, p, t, rung));
        if (j->trial[t].flow_case.ny > 1 &&
            !study_is_exact(j, t)) /* else no difference has a colour */
            TRY(add_map(j, p, t, rung));
    }
    if (study_has_errors(j)) {
        TRY(add_errors(j, p, "errors", 1));
        TRY(add_errors(j, p, "times", 3));
    }
    for (int on = 0; on < BACKENDS && j->timings; on++)
        TRY(add_speed(j, p, (enum backend_kind)on));
    return ERR_OK;
}

enum err pictures_draw(const struct judging *j, struct pictures *p)
{
    struct gnuplot_run *runs[PICTURES];
    int bad = 0;
    p->no_gnuplot = !gnuplot_present();
    if (p->no_gnuplot) {
        log_warning(
            "no figures in the report: gnuplot was not found, or does not run; on Debian or "
            "Ubuntu install gnuplot-nox");
        return ERR_OK;
    }
    TRY(add_all(j, p));
    for (int k = 0; k < p->count; k++)
        runs[k] = &p->picture[k].run;
    TRY(gnuplot_draw(runs, p->count));
    for (int k = 0; k < p->count; k++)
        if (p->picture[k].run.err && !bad++)
            log_warning("a figure is missing in the report, which shows what gnuplot says; try: "
                        "gnuplot %s",
                        p->picture[k].script);
    return ERR_OK;
}

void pictures_free(struct pictures *p)
{
    for (int k = 0; k < p->count; k++)
        gnuplot_free(&p->picture[k].run);
}
