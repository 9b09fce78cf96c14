/* The numbers of a judgement as tab separated files; the first line names the columns. */
#include <stdio.h>

#include "core/base/output_file.h"
#include "verification/judge/judge.h"

static const char *const answers[] = {
    [HOLDS] = "ok", [FAILS] = "FAIL", [NOTED] = "note", [NOT_ASKED] = "not asked"};

static void print_checks(FILE *f, const void *context)
{
    const struct judging *j = context;
    fputs("part\tcheck\tn\ttime\tvalue\tlimit\tverdict\twhy\texample\n", f);
    for (int k = 0; k < j->remarks.count; k++) {
        const struct remark *r = &j->remarks.remark[k];
        fprintf(f, "contract\t%s\t0\t-\tnan\tnan\t%s\t%s\t%s\n", r->check, answers[r->answer],
                r->sentence, r->example);
    }
    for (int k = 0; k < j->s.verdicts.count; k++) {
        const struct line *l = &j->s.verdicts.line[k];
        fprintf(f, "%s\t%s\t%d\t%s\t%.9g\t%.9g\t%s\t%s\t\n", l->case_name, l->what, l->n, l->time,
                l->value, l->limit, verdict_names[l->verdict], l->why);
    }
}

static void print_errors(FILE *f, const void *context)
{
    const struct judging *j = context;
    fprintf(f, "case\t%s\tn\tnorm\terror\torder\tsteps\ttime_s\tmass_error\n",
            subject_rivals(&j->subject));
    for (int t = 0; t < j->trials; t++)
        for (int e = 0; e < j->entries; e++)
            for (int k = 0; k < j->trial[t].rungs; k++) {
                const struct cell *c = &j->cell[t][e][k];
                const struct measured *m = study_run(j, t, e, k);
                fprintf(f, "%s\t%s\t%d\t%s\t%.9g\t%.4f\t%lu\t%.6g\t%.3e\n",
                        j->trial[t].flow_case->name, j->entry[e].name, j->trial[t].ladder[k],
                        j->trial[t].norm ? j->trial[t].norm->name : "-", c->error, c->order,
                        m->steps, c->wall, m->mass_error);
            }
}

static void print_speeds(FILE *f, const void *context)
{
    const struct judging *j = context;
    fprintf(f, "backend\t%s\tn\tstep_s\tratio\tlow\thigh\n", subject_rivals(&j->subject));
    for (int on = 0; on < BACKENDS; on++)
        for (int e = 0; j->timings && j->timings->cells[on] && e < j->entries; e++) {
            const struct speed *s = &j->timings->speed[on][e];
            fprintf(f, "%s\t%s\t%d\t%.6g\t%.6g\t%.6g\t%.6g\n", on == CPU ? "cpu" : "cuda",
                    j->entry[e].name, j->timings->cells[on], s->step, s->ratio, s->low, s->high);
        }
}

enum err numbers_write(const struct judging *j)
{
    static const struct {
        const char *name;
        void (*print)(FILE *f, const void *context);
    } files[] = {{"checks", print_checks}, {"errors", print_errors}, {"speed", print_speeds}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "%.4000s/%s.tsv", j->output, files[k].name);
        TRY(outfile_print(path, files[k].print, j));
    }
    return ERR_OK;
}
