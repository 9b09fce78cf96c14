/* results.tsv, runs.tsv, environment.tsv, data/kappa.tsv: tab separated, the first line names the
 * columns; junit.xml: what CI systems read. */
#include "verification/run/result_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/output_file.h"
#include "core/base/paths.h"

struct report {
    const struct verdicts *verdicts;
    const struct plan *plan;
    const struct job_outcome *outcome;
    const struct fact *facts;
};

static void write_results(FILE *f, const void *report)
{
    const struct report *r = report;
    fputs("case\tscheme\tlimiter\tflux\treconstruction\tprecision\tbackend\tn\ttime\tnorm\tvalue\tl"
          "imit\tkind\tverdict\t"
          "seconds\twhy\n",
          f);
    for (int k = 0; k < r->verdicts->count; k++) {
        const struct line *l = &r->verdicts->line[k];
        fprintf(f, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%.9g\t%.9g\t%s\t%s\t%.3f\t%s\n",
                l->case_name, l->variant.scheme, l->variant.limiter, variant_flux(&l->variant),
                variant_reconstruction(&l->variant), variant_precision(&l->variant),
                variant_backend(&l->variant), l->n, l->time, l->what, l->value, l->limit,
                line_kinds[l->kind], verdict_names[l->verdict], l->seconds, l->why);
    }
}

static void write_runs(FILE *f, const void *report)
{
    const struct report *r = report;
    fputs("case\tscheme\tlimiter\tflux\treconstruction\tprecision\tbackend\tnx\tny\tkappa\tdry\tdt_"
          "min\tdt_max\tsteps\t"
          "redone\tmass_error\tclipped\tleast_depth\tsteady_at\tseconds\tdigest\n",
          f);
    for (int k = 0; k < r->plan->count; k++) {
        const struct job *j = &r->plan->job[k];
        const struct measured *m = &r->outcome[k].measured;
        const struct variant *v = &j->run.variant;
        if (j->kind != JOB_RUN || j->sweep || r->outcome[k].state != DONE || r->outcome[k].err)
            continue;
        fprintf(f,
                "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%.9g\t%.9g\t%.9g\t%.9g\t%lu\t%lu\t%.3e\t%."
                "3e\t%.3e\t",
                j->run.flow_case->name, v->scheme, v->limiter, variant_flux(v),
                variant_reconstruction(v), variant_precision(v), variant_backend(v), m->nx, m->ny,
                m->kappa, m->dry, m->dt_min, m->dt_max, m->steps, m->redone, m->mass_error,
                m->clipped, m->least_depth);
        fprintf(f, "%.9g\t%.3f\t%s\n", m->steady_at, r->outcome[k].seconds, m->digest);
    }
}

static void write_environment(FILE *f, const void *report)
{
    const struct report *r = report;
    fputs("key\tvalue\n", f);
    for (int k = 0; k < FACTS && r->facts[k].name[0]; k++)
        fprintf(f, "%s\t%s\n", r->facts[k].name, r->facts[k].value);
}

static int norm_of(const struct flow_case *c, const char *name)
{
    const struct norm *list[CASE_NORMS];
    const int n = case_norms(c, list);
    for (int k = 0; k < n; k++)
        if (strcmp(list[k]->name, name) == 0)
            return k;
    return 0;
}

static void write_kappa(FILE *f, const void *report)
{
    const struct report *r = report;
    fputs("kappa\terror_h\terror_q\tdt_min\tsteps\tn\tusual\n", f);
    for (int k = 0; k < r->plan->count; k++) {
        const struct job *j = &r->plan->job[k];
        const struct measured *m = &r->outcome[k].measured;
        if (!j->sweep || r->outcome[k].state != DONE || r->outcome[k].err)
            continue;
        struct run usual = j->run;
        usual.kappa = (double)NAN;
        const int same = plan_find(r->plan, &usual);
        fprintf(f, "%.9g\t%.9g\t%.9g\t%.9g\t%lu\t%d\t%.9g\n", m->kappa,
                m->value[norm_of(j->run.flow_case, norm_l1_h.name)][m->snapshots - 1],
                m->value[norm_of(j->run.flow_case, norm_l1_q.name)][m->snapshots - 1], m->dt_min,
                m->steps, m->nx, same < 0 ? (double)NAN : r->outcome[same].measured.kappa);
    }
}

static void write_escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, f);
        else if ((unsigned char)*text >= ' ')
            fputc((unsigned char)*text < 0x7f ? *text : '?', f); /* it may be half a letter */
    }
}

/* Notes are no tests. */
static void write_junit(FILE *f, const void *report)
{
    const struct report *r = report;
    const int failed = verdicts_count(r->verdicts, VERDICT_FAIL);
    fprintf(f,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"%d\" failures=\"%d\">\n"
            "<testsuite name=\"shoal verify\" tests=\"%d\" failures=\"%d\">\n",
            failed + verdicts_count(r->verdicts, VERDICT_OK), failed,
            failed + verdicts_count(r->verdicts, VERDICT_OK), failed);
    for (int k = 0; k < r->verdicts->count; k++) {
        const struct line *l = &r->verdicts->line[k];
        char plugins[PLUGINS_TEXT];
        if (l->verdict == VERDICT_NOTE)
            continue;
        fprintf(f, "<testcase classname=\"%s.%s.%s.%s.%s\" name=\"n=%d t=%s ", l->case_name,
                l->variant.scheme, variant_plugins(&l->variant, plugins),
                variant_precision(&l->variant), variant_backend(&l->variant), l->n, l->time);
        write_escaped(f, l->what);
        fprintf(f, "\" time=\"%.3f\"", l->seconds);
        if (l->verdict == VERDICT_OK) {
            fputs("/>\n", f);
            continue;
        }
        fprintf(f, "><failure message=\"%.6g, limit %.6g: ", l->value, l->limit);
        write_escaped(f, l->why);
        fputs("\"/></testcase>\n", f);
    }
    fputs("</testsuite>\n</testsuites>\n", f);
}

static enum err write_one(const char *folder, const char *name,
                          void (*write)(FILE *f, const void *report), const struct report *r)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    return outfile_print(path, write, r);
}

enum err files_environment(const char *folder, const struct fact facts[FACTS])
{
    const struct report r = {.facts = facts};
    return write_one(folder, "environment.tsv", write_environment, &r);
}

enum err files_write(const char *folder, const struct verdicts *v, const struct plan *p,
                     const struct job_outcome *o, const struct fact facts[FACTS])
{
    const struct report r = {v, p, o, facts};
    int sweeps = 0;
    for (int k = 0; k < p->count; k++)
        sweeps += p->job[k].sweep;
    TRY(write_one(folder, "results.tsv", write_results, &r));
    TRY(write_one(folder, "runs.tsv", write_runs, &r));
    TRY(files_environment(folder, facts));
    if (sweeps)
        TRY(write_one(folder, "data/kappa.tsv", write_kappa, &r));
    return write_one(folder, "junit.xml", write_junit, &r);
}
