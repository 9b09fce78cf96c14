/* Describes every experiment as an artifact, for the paper's appendix. */
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

/* Settings that may vary without affecting the rules' answers. */
static void put_rules(const struct exhibit *x, FILE *f)
{
    const struct showing *s = exhibit_first(x);
    int rules = 0;
    for (int k = 0; s && k < s->figure.claims.count; k++) {
        const struct claim *c = &s->figure.claims.claim[k];
        if (!c->holds)
            continue;
        fprintf(f, "%s\\emph{%s}~(", rules++ ? "; " : "", c->id);
        tex_text(f, c->since);
        fputs("): ", f);
        tex_text(f, c->holds);
    }
    fputs(rules ? "" : "none is judged", f);
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

static void put_artifact(const struct gallery *g, const struct exhibit *x, FILE *f)
{
    fprintf(f, "\\shoalartifact{%s}{", x->experiment.name);
    tex_text(f, exhibit_setting(x, "title"));
    fputs("}{", f);
    put_follows(x, f);
    fputs("}{", f);
    put_set_up(x, f);
    fputs("}{", f);
    put_needs(x, f);
    fputs("}{", f);
    put_rules(x, f);
    fputs("}{%\n", f);
    for (int k = 0; k < x->count; k++)
        if (x->showing[k].drawn)
            put_sessions(g, x, &x->showing[k], f);
    fputs("}\n", f);
}

static void write_artifacts(FILE *f, const void *context)
{
    const struct gallery *g = context;
    fputs("% Written by `shoal plot --all`.\n", f);
    for (int k = 0; k < g->count; k++)
        put_artifact(g, &g->exhibit[k], f);
}

enum err paper_artifacts(const struct gallery *g)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.*s/paper/artifacts.tex", PATH_LENGTH - 300, g->folder);
    return outfile_print(path, write_artifacts, g);
}
