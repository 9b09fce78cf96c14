/* The gallery's article on one experiment: its figures, their origin, and what they show. */
#include <string.h>

#include "core/picture/markdown.h"
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
        markdown_print(f, k ? ", %s%s" : "%s%s", k ? "" : before, figure);
    if (!exhibit_setting(x, "figure"))
        fputs("new", f);
}

static void write_title(const struct exhibit *x, FILE *f)
{
    markdown_heading(f, 3, "%s", exhibit_setting(x, "title"));
    gallery_follows(x, "follows ", f);
    markdown_print(f, " · `experiments/%s.ini`\n\n", x->experiment.name);
}

/* A table prints its own caption. */
static void write_picture(const struct exhibit *x, const struct showing *s, FILE *f)
{
    const char *stem = s->figure.stem;
    char file[PATH_LENGTH];
    if (x->table) {
        if (table_print(&s->figure, TABLE_MARKDOWN, f))
            markdown_print(f, "%s\n\n", err_message());
        markdown_print(f, "[text](%s.txt) · [LaTeX](paper/%s.tex)", stem, stem);
    } else {
        snprintf(file, sizeof file, "%.4000s.svg", stem);
        markdown_image(f, file, "%s", exhibit_setting(x, "title"));
        markdown_print(f, "%s [SVG](%s.svg) · [PDF](%s.pdf)", s->figure.caption, stem, stem);
    }
    markdown_print(f, " · [data](data/%s.tsv)\n\n", stem);
}

static void write_fact(struct markdown_table *t, const char *name, const char *value)
{
    if (!value)
        return;
    markdown_cell(t, "%s", name);
    markdown_cell(t, "%s", value);
}

/* With their devices, if several are shown. */
const char *gallery_changes(const char *dirty)
{
    return strcmp(dirty, "yes") == 0       ? " with changes"
           : strcmp(dirty, "unknown") == 0 ? " (changes unknown)"
                                           : "";
}

static void write_sessions(const struct figure *figure, struct markdown_table *to)
{
    const struct rowset *sessions = &figure->tables.sessions;
    const int common = !figure->device, several = figure->several;
    for (size_t k = 0; k < sessions->rows; k++) {
        markdown_cell(to, "session %s", rowset_text(sessions, k, "session"));
        markdown_cell(to, "%s, commit %s%s%s%s%s%s", rowset_text(sessions, k, "started"),
                      rowset_text(sessions, k, "commit"),
                      gallery_changes(rowset_text(sessions, k, "dirty")), common ? ", " : "",
                      common ? rowset_text(sessions, k, "title") : "",
                      several ? ", environment " : "",
                      several ? rowset_text(sessions, k, "environment") : "");
    }
}

static void write_environment(const struct showing *s, FILE *f)
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
    struct markdown_table t = {0};
    markdown_heading(f, 4, "%s", *s->figure.foot ? s->figure.foot : "environment");
    markdown_column(&t, 0, "measured");
    markdown_column(&t, 0, "with");
    if (d) {
        markdown_cell(&t, "environment");
        markdown_cell(&t, "`%s`/`%s`", d->device, d->environment);
    }
    for (size_t k = 0; d && k < sizeof facts / sizeof *facts; k++)
        write_fact(&t, facts[k][1], db_manifest_get(&d->manifest, "environment", facts[k][0]));
    write_sessions(&s->figure, &t);
    markdown_table_end(&t, f);
    for (int k = 0; k < s->figure.tables.count; k++) {
        markdown_print(f, "Table `%s`:\n\n", s->figure.tables.at[k].name);
        markdown_block(f, s->figure.tables.at[k].query);
    }
}

static void write_showing(const struct gallery *g, const struct exhibit *x, const struct showing *s,
                          FILE *f)
{
    if (!x->common)
        markdown_print(f, "**%s**\n\n", gallery_device(g, s));
    if (!s->drawn) {
        markdown_print(f, "> Missing: %s\n\n",
                       *s->missing ? s->missing
                                   : "it could not be drawn: see the top of this page");
        return;
    }
    write_picture(x, s, f);
    if (s->partly)
        markdown_print(f, "> Incomplete: %s\n\n", s->partly);
    if (s->figure.tables.texts.stale)
        fputs("> Stale: kernels have changed since these rows were measured; measuring them again "
              "brings them up to date.\n\n",
              f);
}

/* Why no device has it. */
static const char *why_nowhere(const struct exhibit *x)
{
    const char *historical = experiment_historical(&x->experiment),
               *missing = exhibit_setting(x, "missing");
    return historical ? historical : missing ? missing : "no device here is one that it is for";
}

static const char *or_none(const char *text)
{
    return text && *text ? text : "-";
}

/* "holds: 2.5 (2.4 to 2.6); of 3 runs, the rule is younger than they are". The sentence begins with
 * the verdict, so that it cannot contradict it. */
static void write_verdict(const struct claim *c, FILE *f)
{
    markdown_print(f, c->verdict == VERDICT_FAILS ? "**%s**" : "%s", claim_verdicts[c->verdict]);
    if (c->verdict == VERDICT_UNKNOWN) {
        fputc('\n', f);
        return;
    }
    markdown_print(f, ": %s", c->ours);
    if (c->runs > 1)
        markdown_print(f, " [%d runs]", c->runs);
    if (c->younger)
        fputs(" (the rule is younger than the data)", f);
    markdown_print(f, ".%s%s\n", *c->remark ? " " : "", c->remark);
}

/* What is compared, what was free to choose, and the rule. */
static void write_rule(const struct claim *c, FILE *f)
{
    if (*c->compares)
        markdown_print(f, "  - Compared: %s\n", c->compares);
    if (*c->chosen)
        markdown_print(f, "  - Our own choice: %s\n", c->chosen);
    if (!c->holds)
        return;
    markdown_print(f, "  - Rule of %s: it holds where `%s`", *c->since ? c->since : "no date",
                   c->holds);
    if (c->partly)
        markdown_print(f, ", partly where `%s`", c->partly);
    fputs(".\n", f);
}

static void write_claim(const struct gallery *g, const struct exhibit *x, int which, FILE *f)
{
    const struct claim *c = &exhibit_first(x)->figure.claims.claim[which];
    markdown_print(f, "- %s (%s) %s: %s\n", c->text, or_none(c->where),
                   c->kind == CLAIM_OWN ? "Expected" : "Published",
                   or_none(exhibit_published(x, which)));
    for (int k = 0; k < x->count; k++) {
        const struct showing *s = &x->showing[k];
        if (!s->open || which >= s->figure.claims.count)
            continue;
        markdown_print(f, "  - %s: ", x->common ? "ours" : gallery_device(g, s));
        write_verdict(&s->figure.claims.claim[which], f);
    }
    write_rule(c, f);
}

/* The command that measures the rows of a [data] section; "" if none is needed. */
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
    if (experiment_historical(&x->experiment)) {
        markdown_print(f, "```\nshoal plot %s\n```\n\n", x->experiment.name);
        return;
    }
    const char *takes = setting(x, "measure", "takes"), *needs = setting(x, "measure", "needs");
    const struct section *data;
    char before[8][EXPERIMENT_NAME + 32], all[sizeof before + EXPERIMENT_NAME + 32] = "";
    int known = 0;
    for (int k = 0; known < 8 && (data = experiment_section(&x->experiment, "data", k)); k++) {
        int m = 0;
        find_command(x, data, before[known], sizeof before[known]);
        while (strcmp(before[m], before[known]) != 0)
            m++;
        if (m == known && *before[known])
            strcat(strcat(all, before[known++]), "\n");
    }
    snprintf(all + strlen(all), EXPERIMENT_NAME + 32, "shoal plot %s\n", x->experiment.name);
    markdown_block(f, all);
    if (takes || needs)
        markdown_print(f, "%s%s%s%s%s\n\n", takes ? "Measuring takes " : "", takes ? takes : "",
                       takes && needs ? "; " : "", needs ? "it needs " : "", needs ? needs : "");
}

void gallery_article(const struct gallery *g, const struct exhibit *x, FILE *f)
{
    const struct showing *first = exhibit_first(x);
    const int claims = first ? first->figure.claims.count : 0;
    write_title(x, f);
    if (x->count == 0)
        markdown_print(f, "> Missing: %s\n\n", why_nowhere(x));
    for (int k = 0; k < x->count; k++)
        write_showing(g, x, &x->showing[k], f);
    for (int k = 0; k < claims; k++)
        write_claim(g, x, k, f);
    fputs(claims ? "\n" : "", f);
    write_commands(x, f);
    for (int k = 0; k < x->count; k++)
        if (x->showing[k].drawn)
            write_environment(&x->showing[k], f);
}
