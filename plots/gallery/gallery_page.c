/* The gallery's page: counts, contents, claims; then an article for each experiment. */
#include <string.h>

#include "core/base/version.h"
#include "core/picture/markdown.h"
#include "core/picture/markdown_page.h"
#include "plots/gallery/gallery_parts.h"

const char *gallery_device(const struct gallery *g, const struct showing *s)
{
    for (int k = 0; k < g->devices.count; k++)
        if (strcmp(g->devices.at[k].device, s->device) == 0)
            return plot_device_title(&g->devices.at[k]);
    return "all devices";
}

static void write_origin(const struct gallery *g, FILE *f)
{
    markdown_print(f,
                   "Made from measurements stored with the code, by Shoal %s (commit %s). Devices:",
                   shoal_version, shoal_commit);
    for (int k = 0; k < g->devices.count; k++) {
        const struct plot_device *d = &g->devices.at[k];
        if (g->devices.at[k].rank == 1)
            markdown_print(f, "%s %s (`%s`)", k ? "," : "", plot_device_title(d), d->device);
    }
    fputs(g->devices.count ? ".\n\n" : " none.\n\n", f);
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static void write_counts(const struct gallery *g, FILE *f)
{
    const int verdicts = gallery_verdicts(g);
    markdown_print(f,
                   "# Shoal: figures and tables\n\n%d figure%s, %d table%s, %d missing, %d "
                   "verdict%s on published claims",
                   g->figures, plural(g->figures), g->tables, plural(g->tables), g->missing,
                   verdicts, plural(verdicts));
    for (int k = 0, any = 0; k < VERDICT_NOTE; k++)
        if (g->claims[k] && k != VERDICT_UNKNOWN)
            markdown_print(f, "%s %d %s", any++ ? "," : ":", g->claims[k], claim_verdicts[k]);
    markdown_print(f,
                   "; %d of rules that are younger than their data. %d time%s a claim was not "
                   "measured on a device that its experiment is meant for. ",
                   g->younger, g->claims[VERDICT_UNKNOWN], plural(g->claims[VERDICT_UNKNOWN]));
    markdown_print(f, "Also %d verdict%s on our own expectations, and %d note%s.\n\n", g->own,
                   plural(g->own), g->claims[VERDICT_NOTE], plural(g->claims[VERDICT_NOTE]));
    write_origin(g, f);
    if (*g->device)
        markdown_print(f, "Narrowed down to `%s`.\n\n", g->device);
    if (!g->faults)
        return;
    fputs("> **This page is not complete:**\n>\n", f);
    for (int k = 0; k < g->faults; k++)
        markdown_print(f, "> - %s\n", g->fault[k].text);
    fputc('\n', f);
}

/* That of a GPU if there is one, else the first: most claims are about GPUs. */
static const struct showing *thumbnail(const struct exhibit *x)
{
    const struct showing *first = NULL;
    for (int k = 0; k < x->count; k++) {
        const struct showing *s = &x->showing[k];
        if (!s->drawn)
            continue;
        if (!s->figure.device || s->figure.device->backend == CUDA)
            return s;
        first = first ? first : s;
    }
    return first;
}

void gallery_link(const struct exhibit *x, char anchor[300])
{
    markdown_anchor(exhibit_setting(x, "title"), anchor, 300);
}

static void write_card(const struct exhibit *x, FILE *f)
{
    const struct showing *s = thumbnail(x);
    char anchor[300];
    gallery_link(x, anchor);
    if (s && !x->table)
        markdown_print(f, "- [![](%s.svg) %s](#%s) ", s->figure.stem, exhibit_setting(x, "title"),
                       anchor);
    else
        markdown_print(f, "- [%s](#%s) (%s) ", exhibit_setting(x, "title"), anchor,
                       s ? "table" : "missing");
    gallery_follows(x, "", f);
    fputc('\n', f);
}

static int begins_chapter(const struct gallery *g, int k)
{
    return k == 0 || strcmp(exhibit_setting(&g->exhibit[k], "chapter"),
                            exhibit_setting(&g->exhibit[k - 1], "chapter")) != 0;
}

static void write_contents(const struct gallery *g, FILE *f)
{
    for (int k = 0; k < g->count; k++) {
        if (begins_chapter(g, k)) {
            fputs(k ? "\n" : "", f);
            markdown_print(f, "**%s**\n\n", exhibit_setting(&g->exhibit[k], "chapter"));
        }
        write_card(&g->exhibit[k], f);
    }
    fputc('\n', f);
}

static void verdict_cell(const struct claim *c, struct markdown_table *t)
{
    char more[64] = "";
    if (c->runs && c->runs < ENOUGH_RUNS)
        snprintf(more, sizeof more, ", %d run%s", c->runs, plural(c->runs));
    markdown_cell(t, c->verdict == VERDICT_FAILS ? "**%s**%s%s" : "%s%s%s",
                  claim_verdicts[c->verdict], more, c->younger ? " (younger rule)" : "");
}

/* A row for each device; the first has the claim. */
static void claim_rows(const struct gallery *g, const struct exhibit *x, int which,
                       struct markdown_table *t)
{
    char anchor[300];
    int row = 0;
    gallery_link(x, anchor);
    for (int k = 0; k < x->count; k++) {
        const struct showing *s = &x->showing[k];
        if (!s->open || which >= s->figure.claims.count)
            continue;
        const struct claim *c = &s->figure.claims.claim[which];
        if (row++ == 0) {
            markdown_cell(t, "[%s](#%s) %s", c->text, anchor, c->where ? c->where : "");
            markdown_cell(t, "%s", exhibit_published(x, which));
        } else {
            markdown_cell(t, "%s", "");
            markdown_cell(t, "%s", "");
        }
        markdown_cell(t, "%s", x->common ? "all devices" : gallery_device(g, s));
        verdict_cell(c, t);
        markdown_cell(t, "%s", c->verdict == VERDICT_UNKNOWN ? "" : c->ours);
    }
}

/* Of publications, and notes on them; or our own. */
static void claim_table(const struct gallery *g, int own, FILE *f)
{
    const char *const heads[] = {"claim", own ? "expected" : "published", "on", "verdict", "ours"};
    struct markdown_table t = {0};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        markdown_column(&t, 0, "%s", heads[k]);
    for (int k = 0; k < g->count; k++) {
        const struct showing *s = exhibit_first(&g->exhibit[k]);
        for (int m = 0; s && m < s->figure.claims.count; m++)
            if ((s->figure.claims.claim[m].kind == CLAIM_OWN) == own)
                claim_rows(g, &g->exhibit[k], m, &t);
    }
    markdown_heading(f, 2, own ? "Our own expectations" : "Claims and findings");
    markdown_table_end(&t, f);
}

static void write_claims(const struct gallery *g, FILE *f)
{
    claim_table(g, 0, f);
    fputs(
        "A range contains the median with 97 %: that of six to nine runs, of more runs without as "
        "many of the outermost ones as that allows; for fewer runs, whose number is given with the "
        "verdict, it is at least Student's interval for 97 %. "
        "*Undecided*: the rule is true in one part of the range and false in another, or there is "
        "only one run. *Younger rule*: it was written, or changed, after the oldest measurement "
        "that it judges. *Note*: a claim that any faster device would pass has no verdict.\n\n",
        f);
    if (g->own)
        claim_table(g, 1, f);
}

static enum err print(FILE *f, const void *context)
{
    const struct gallery *g = context;
    write_counts(g, f);
    write_contents(g, f);
    write_claims(g, f);
    for (int k = 0; k < g->count; k++) {
        if (begins_chapter(g, k))
            markdown_heading(f, 2, "%s", exhibit_setting(&g->exhibit[k], "chapter"));
        gallery_article(g, &g->exhibit[k], f);
    }
    return ERR_OK;
}

enum err gallery_page(const struct gallery *g)
{
    char stem[PATH_LENGTH];
    snprintf(stem, sizeof stem, "%.*s/index", PATH_LENGTH - 300, g->folder);
    return markdown_report(stem, 0, print, g);
}
