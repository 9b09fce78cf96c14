/* What the gallery says of one experiment: its figures, where they come from, and what they show. */
#include <string.h>

#include "plots/gallery/gallery_parts.h"

static const char *setting(const struct exhibit *x, const char *section, const char *key)
{
    return experiment_value(&x->experiment, experiment_section(&x->experiment, section, 0), key);
}

void gallery_follows(const struct exhibit *x, const char *before, FILE *f)
{
    const struct section *top = experiment_section(&x->experiment, "", 0);
    const char *figure;
    for (int k = 0; (figure = experiment_value_at(&x->experiment, top, "figure", k)); k++)
        gallery_print(f, "%s%s", k ? ", " : before, figure);
    if (!exhibit_setting(x, "figure"))
        fputs("new", f);
}

static void write_title(const struct exhibit *x, FILE *f)
{
    gallery_print(f, "<article id=\"%s\">\n<h3>%s</h3>\n<p class=\"soft\">", x->experiment.name,
                  exhibit_setting(x, "title"));
    gallery_follows(x, "follows ", f);
    gallery_print(f, " &middot; <code>experiments/%s.ini</code></p>\n", x->experiment.name);
}

static void write_picture(const struct exhibit *x, const struct showing *s, FILE *f)
{
    const struct figure *figure = &s->figure;
    if (x->table) {
        fputs("<div class=\"wide\">\n", f);
        if (table_print(figure, TABLE_HTML, f))
            gallery_print(f, "<p>%s</p>\n", err_message());
        fputs("</div>\n", f);
        return;
    }
    gallery_print(f, "<a href=\"%s.svg\"><img src=\"%s.svg\" alt=\"%s. %s\"", figure->stem,
                  figure->stem, exhibit_setting(x, "title"), figure->caption);
    if (s->width > 0 && s->height > 0)
        gallery_print(f, " width=\"%d\" height=\"%d\"", (int)s->width, (int)s->height);
    fputs(" loading=\"lazy\"></a>\n", f);
}

static void write_files(const struct exhibit *x, const struct showing *s, FILE *f)
{
    const char *stem = s->figure.stem;
    if (x->table)
        gallery_print(f, "<a href=\"%s.txt\">text</a> &middot; <a href=\"paper/%s.tex\">LaTeX</a>",
                      stem, stem);
    else
        gallery_print(f, "<a href=\"%s.svg\">SVG</a> &middot; <a href=\"%s.pdf\">PDF</a>", stem,
                      stem);
    gallery_print(f, " &middot; <a href=\"data/%s.tsv\">data</a>", stem);
}

static void write_fact(FILE *f, const struct plot_device *d, const char *name, const char *title)
{
    const char *value = db_manifest_get(&d->manifest, "environment", name);
    if (value)
        gallery_print(f, "<tr><th>%s</th><td>%s</td></tr>\n", title, value);
}

/* A session of one of the environments, with its device where several are shown. */
static void write_session(const struct gallery *g, const struct exhibit *x, const char *session,
                          FILE *f)
{
    char section[DB_SESSION + sizeof "sessions/"];
    snprintf(section, sizeof section, "sessions/%s", session);
    for (int k = 0; k < g->devices.count; k++) {
        const struct plot_device *d = &g->devices.at[k];
        const char *started = db_manifest_get(&d->manifest, section, "started");
        const char *commit = db_manifest_get(&d->manifest, section, "commit");
        const char *dirty = db_manifest_get(&d->manifest, section, "dirty");
        if (!started)
            continue;
        gallery_print(f, "<tr><th>session %s</th><td>%s, commit %s%s%s%s</td></tr>\n", session,
                      started, commit ? commit : "unknown",
                      dirty && strcmp(dirty, "yes") == 0 ? " with changes" : "",
                      x->common ? ", " : "", x->common ? plot_device_title(d) : "");
        return;
    }
}

static int named_before(const struct plot_tables *t, int before, const char *session)
{
    for (int k = 0; k < before; k++)
        if (strstr(t->at[k].session, session))
            return 1;
    return 0;
}

static void write_sessions(const struct gallery *g, const struct exhibit *x,
                           const struct showing *s, FILE *f)
{
    const struct plot_tables *t = &s->figure.tables;
    for (int k = 0; k < t->count; k++) {
        char text[sizeof t->at[k].session], *rest = text;
        snprintf(text, sizeof text, "%s", t->at[k].session);
        for (const char *one = strsep(&rest, " "); one; one = strsep(&rest, " "))
            if (strlen(one) == DB_SESSION && !named_before(t, k, one))
                write_session(g, x, one, f);
    }
}

static void write_environment(const struct gallery *g, const struct exhibit *x,
                              const struct showing *s, FILE *f)
{
    static const char *const facts[][2] = {
        {"compute_capability", "compute capability"},
        {"driver", "driver"},
        {"nvrtc", "NVRTC"},
        {"compiler", "compiler"},
        {"march", "architecture"},
        {"threads", "threads"},
        {"os", "system"},
    };
    const struct plot_device *d = s->figure.device;
    gallery_print(f, "<details><summary>%s</summary>\n<div class=\"wide\">\n<table>\n",
                  *s->figure.foot ? s->figure.foot : "environment");
    if (d)
        gallery_print(f, "<tr><th>environment</th><td><code>%s/%s</code></td></tr>\n", d->device,
                      d->environment);
    for (size_t k = 0; d && k < sizeof facts / sizeof *facts; k++)
        write_fact(f, d, facts[k][0], facts[k][1]);
    for (int k = 0; k < s->figure.tables.count; k++)
        gallery_print(f, "<tr><th>%s</th><td><code>%s</code></td></tr>\n",
                      s->figure.tables.at[k].name, s->figure.tables.at[k].query);
    write_sessions(g, x, s, f);
    fputs("</table>\n</div>\n</details>\n", f);
}

static void write_showing(const struct gallery *g, const struct exhibit *x, const struct showing *s,
                          FILE *f)
{
    if (!x->common)
        gallery_print(f, "<h4>%s</h4>\n", gallery_device(g, s));
    if (!s->drawn) {
        gallery_print(f, "<p class=\"missing\">Missing: %s</p>\n",
                      *s->missing ? s->missing : "it could not be drawn: see the top of this page");
        return;
    }
    fputs("<figure>\n", f);
    write_picture(x, s, f);
    /* A table says its caption itself. */
    gallery_print(f, "<figcaption>%s ", x->table ? "" : s->figure.caption);
    write_files(x, s, f);
    fputs("</figcaption>\n</figure>\n", f);
    if (s->partly)
        gallery_print(f, "<p class=\"missing\">Incomplete: %s</p>\n", s->partly);
    if (s->figure.tables.texts.stale)
        fputs("<p class=\"missing\">Stale: kernels have changed since these rows were measured; "
              "measuring them again brings them up to date.</p>\n",
              f);
    write_environment(g, x, s, f);
}

static const char *or_none(const char *text)
{
    return text && *text ? text : "-";
}

static void write_claim(const struct gallery *g, const struct exhibit *x, int which, FILE *f)
{
    const struct claim *c = &exhibit_first(x)->figure.claims.claim[which];
    gallery_print(f,
                  "<dl class=\"claim\" id=\"claim-%s\">\n<dt>%s</dt>\n<dd class=\"soft\">%s</dd>\n"
                  "<dd><span class=\"soft\">Published</span> %s</dd>\n",
                  c->id, c->text, or_none(c->where), or_none(c->published));
    for (int k = 0; k < x->count; k++) {
        const struct showing *s = &x->showing[k];
        if (!s->open || which >= s->figure.claims.count)
            continue;
        c = &s->figure.claims.claim[which];
        gallery_print(f, "<dd><span class=\"soft\">%s</span> ",
                      x->common ? "Ours" : gallery_device(g, s));
        gallery_verdict(f, c->verdict);
        if (c->verdict != VERDICT_UNKNOWN)
            gallery_print(f, " %s", *c->finding ? c->finding : c->ours);
        fputs("</dd>\n", f);
    }
    fputs("</dl>\n", f);
}

/* What measures the rows of a [data] section; "" where nothing needs to be. */
static void find_command(const struct exhibit *x, const struct section *data, char *command,
                         size_t n)
{
    const char *query = experiment_value(&x->experiment, data, "sql");
    char name[DB_NAME + 1] = "";
    *command = '\0';
    if (query)
        database_experiment(query, name);
    if (*name)
        snprintf(command, n, "shoal measure %s", name);
    else if (query && strstr(query, "certificate_"))
        snprintf(command, n, "shoal certify --record");
    else if (query && !database_measured(query))
        return;
    else if (setting(x, "measure", "kind"))
        snprintf(command, n, "shoal measure %s", x->experiment.name);
    else
        snprintf(command, n, "shoal tune");
}

static void write_commands(const struct exhibit *x, FILE *f)
{
    const char *takes = setting(x, "measure", "takes"), *needs = setting(x, "measure", "needs");
    const struct section *data;
    char before[8][EXPERIMENT_NAME + 32];
    int known = 0;
    fputs("<pre>", f);
    for (int k = 0; known < 8 && (data = experiment_section(&x->experiment, "data", k)); k++) {
        int m = 0;
        find_command(x, data, before[known], sizeof before[known]);
        while (strcmp(before[m], before[known]) != 0)
            m++;
        if (m == known && *before[known])
            gallery_print(f, "%s\n", before[known++]);
    }
    gallery_print(f, "shoal plot %s</pre>\n", x->experiment.name);
    if (takes || needs)
        gallery_print(f, "<p class=\"soft\">%s%s%s%s%s</p>\n", takes ? "Measuring takes " : "",
                      takes ? takes : "", takes && needs ? "; " : "", needs ? "it needs " : "",
                      needs ? needs : "");
}

void gallery_article(const struct gallery *g, const struct exhibit *x, FILE *f)
{
    const struct showing *first = exhibit_first(x);
    write_title(x, f);
    if (x->count == 0)
        gallery_print(f, "<p class=\"missing\">Missing: %s</p>\n",
                      or_none(exhibit_setting(x, "missing")));
    for (int k = 0; k < x->count; k++)
        write_showing(g, x, &x->showing[k], f);
    for (int k = 0; first && k < first->figure.claims.count; k++)
        write_claim(g, x, k, f);
    write_commands(x, f);
    fputs("</article>\n", f);
}
