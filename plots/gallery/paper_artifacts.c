/* Describes every experiment as an artifact, for the paper's appendix. */
#include <stdlib.h>
#include <string.h>

#include "core/base/output_file.h"
#include "plots/gallery/paper.h"
#include "plots/gallery/tex.h"

static const char *measure_value(const struct exhibit *x, const char *key)
{
    return experiment_value(&x->experiment, experiment_section(&x->experiment, "measure", 0), key);
}

static void put_follows(const struct exhibit *x, FILE *f)
{
    const struct section *top = experiment_section(&x->experiment, "", 0);
    const char *figure;
    int k = 0;
    for (; (figure = experiment_value_at(&x->experiment, top, "figure", k)); k++) {
        fputs(k ? ", " : "", f);
        tex_text(f, figure);
    }
    fputs(k ? "" : "new", f);
}

/* What [measure] says, in the file's words. */
static void put_set_up(const struct exhibit *x, FILE *f)
{
    const struct section *measure = experiment_section(&x->experiment, "measure", 0);
    int count = 0;
    for (int k = 0; measure && k < measure->count; k++) {
        const struct setting *s = &x->experiment.file.setting[measure->first + k];
        if (strcmp(s->key, "takes") == 0 || strcmp(s->key, "needs") == 0)
            continue;
        fputs(count++ ? "; " : "", f);
        tex_text(f, s->key);
        fputs(" = ", f);
        tex_text(f, s->value);
    }
    fputs(count ? "" : "nothing of its own: rows of others", f);
}

static void put_needs(const struct exhibit *x, FILE *f)
{
    const char *takes = measure_value(x, "takes"), *needs = measure_value(x, "needs"),
               *historical = experiment_historical(&x->experiment);
    if (historical)
        tex_text(f, historical);
    else if (takes)
        tex_text(f, takes);
    else
        fputs("no time of its own", f);
    if (needs && !historical) {
        fputs("; ", f);
        tex_text(f, needs);
    }
}

/* "3.4 MB", "12 kB" */
static void put_size(long bytes, FILE *f)
{
    if (bytes >= 1000000)
        fprintf(f, "%.1f~MB", (double)bytes / 1e6);
    else
        fprintf(f, "%ld~kB", (bytes + 999) / 1000);
}

/* What it takes on disk. */
static void put_disk(const struct gallery *g, const struct exhibit *x, FILE *f)
{
    const long rows = paper_row_bytes(g, &x->experiment), drawn = paper_exhibit_bytes(g, x);
    if (rows) {
        put_size(rows, f);
        fputs(" of rows, of all devices", f);
    }
    fputs(rows && drawn ? "; " : "", f);
    if (drawn) {
        put_size(drawn, f);
        fputs(" when drawn", f);
    }
    fputs(rows || drawn ? "" : "none", f);
}

/* What was found where it was measured. */
static void put_found(const struct gallery *g, const struct exhibit *x, int which, FILE *f)
{
    for (int k = 0; k < x->count; k++) {
        const struct showing *s = &x->showing[k];
        if (!s->open || which >= s->figure.claims.count)
            continue;
        const struct claim *c = &s->figure.claims.claim[which];
        if (c->verdict == VERDICT_UNKNOWN)
            continue;
        fputs("\\shoalfound{", f);
        tex_text(f, x->common ? "all devices" : gallery_device(g, s));
        fputs("}{", f);
        tex_text(f, c->ours);
        if (c->runs > 1)
            fprintf(f, " [%d runs]", c->runs);
        fprintf(f, "}{%s}%%\n", claim_verdicts[c->verdict]);
    }
}

/* The claims, the bars of their rules, and what was found, with its interval: what may vary while verdicts stay. */
static void put_claims(const struct gallery *g, const struct exhibit *x, FILE *f)
{
    const struct showing *s = exhibit_first(x);
    for (int k = 0; s && k < s->figure.claims.count; k++) {
        const struct claim *c = &s->figure.claims.claim[k];
        const char *const code[] = {c->holds, c->partly, c->since};
        fprintf(f, "\\shoaljudged{%s}{", c->id);
        tex_text(f, c->text);
        for (size_t m = 0; m < sizeof code / sizeof *code; m++) {
            fputs("}{", f);
            tex_code(f, code[m] ? code[m] : "");
        }
        fputs("}{%\n", f);
        put_found(g, x, k, f);
        fputs("}%\n", f);
    }
}

static void put_sessions(const struct gallery *g, const struct exhibit *x, const struct showing *s,
                         FILE *f)
{
    const struct rowset *all = &s->figure.tables.sessions;
    fputs("\\shoalrows{", f);
    tex_text(f, x->common ? "all devices" : gallery_device(g, s));
    fprintf(f, "}{%zu}{", s->figure.tables.count ? s->figure.tables.at[0].answer.rows : 0);
    tex_text(f, s->figure.stem);
    fputs("}{", f);
    for (size_t k = 0; k < all->rows; k++) {
        fputs(k ? ", " : "", f);
        tex_text(f, rowset_text(all, k, "session"));
        fputs(" of ", f);
        tex_text(f, rowset_text(all, k, "started"));
        fputs(" (commit ", f);
        tex_text(f, rowset_text(all, k, "commit"));
        fprintf(f, "%s)", gallery_changes(rowset_text(all, k, "dirty")));
    }
    fputs(all->rows ? "}\n" : "none: it is computed}\n", f);
}

/* SQL without its comments, which end with a line. */
static void put_sql(const char *query, FILE *f)
{
    char *text = strdup(query);
    char *to = text;
    for (const char *from = query; to && *from;) {
        if (strncmp(from, "--", 2) == 0)
            from += strcspn(from, "\n");
        else
            *to++ = *from++;
    }
    if (to) {
        *to = '\0';
        tex_code(f, text);
    }
    free(text);
}

/* The query that lists the rows. */
static void put_query(const struct exhibit *x, const struct showing *s, FILE *f)
{
    fputs("\\shoalsql{", f);
    put_sql(s->figure.tables.count ? s->figure.tables.at[0].query : "", f);
    fputs("}{", f);
    if (!x->common)
        fprintf(f, " -{}-device %s", s->device);
    fputs("}%\n", f);
}

static void put_artifact(const struct gallery *g, const struct exhibit *x, FILE *f)
{
    int drawn = 0;
    fprintf(f, "\\shoalartifact{%s}{", x->experiment.name);
    tex_text(f, exhibit_setting(x, "title"));
    fputs("}{", f);
    put_follows(x, f);
    fputs("}{", f);
    put_set_up(x, f);
    fputs("}{", f);
    put_needs(x, f);
    fputs("}{", f);
    put_disk(g, x, f);
    fputs("}{%\n", f);
    put_claims(g, x, f);
    fputs("}{%\n", f);
    for (int k = 0; k < x->count; k++) {
        if (!x->showing[k].drawn)
            continue;
        put_sessions(g, x, &x->showing[k], f);
        if (drawn++ == 0)
            put_query(x, &x->showing[k], f);
    }
    fputs("}\n", f);
}

/* Where numbers are from that no experiment has. */
static void put_sources(const struct gallery *g, FILE *f)
{
    static const char *const sources[][2] = {
        {"count", "what make figures counts: the line that it prints, and build/figures/index.md"},
        {"interval", "the functions low and high of queries: tuning_db/README.md"},
        {"verify",
         "make verify: build/verify/results.tsv, a line for each check, and environment.tsv"},
        {"shoal", "the program itself: shoal --version"},
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        fprintf(f, "\\shoalsource{%s}{%s}{", sources[k][0], sources[k][0]);
        tex_code(f, sources[k][1]);
        fputs("}\n", f);
    }
    for (int k = 0; k < g->devices.count; k++) {
        const struct plot_device *d = &g->devices.at[k];
        if (d->rank != 1)
            continue;
        fprintf(f, "\\shoalsource{environment/%s}{", d->device);
        tex_text(f, plot_device_title(d));
        fprintf(f, "}{tuning\\_db/%s/%s/manifest.json, latest session of %s; ", d->device,
                d->environment, d->latest);
        tex_code(f, "shoal db sql \"SELECT * FROM environments\" --device ");
        fprintf(f, "%s}\n", d->device);
    }
}

static void write_artifacts(FILE *f, const void *context)
{
    const struct gallery *g = context;
    fputs("% Written by `shoal plot --all`.\n", f);
    for (int k = 0; k < g->count; k++)
        put_artifact(g, &g->exhibit[k], f);
    put_sources(g, f);
}

enum err paper_artifacts(const struct gallery *g)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.*s/paper/artifacts.tex", PATH_LENGTH - 300, g->folder);
    return outfile_print(path, write_artifacts, g);
}
