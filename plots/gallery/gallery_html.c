/* The gallery's page: counts, contents, claims; then an article for each experiment. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "core/picture/html.h"
#include "core/base/output_file.h"
#include "core/base/version.h"
#include "plots/gallery/gallery_parts.h"

static const char *const verdict_classes[VERDICTS] = {"holds", "partly", "fails", "unknown"};

void gallery_print(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    for (const char *s = fmt; *s; s++) {
        if (s[0] == '%' && s[1] == 's')
            html_text(f, va_arg(ap, const char *));
        else if (s[0] == '%' && s[1] == 'd')
            fprintf(f, "%d", va_arg(ap, int));
        else
            fputc(*s, f);
        s += s[0] == '%' && (s[1] == 's' || s[1] == 'd');
    }
    va_end(ap);
}

void gallery_verdict(FILE *f, enum verdict v)
{
    gallery_print(f, "<span class=\"verdict %s\">%s</span>", verdict_classes[v], claim_verdicts[v]);
}

const char *gallery_device(const struct gallery *g, const struct showing *s)
{
    for (int k = 0; k < g->devices.count; k++)
        if (strcmp(g->devices.at[k].device, s->device) == 0)
            return plot_device_title(&g->devices.at[k]);
    return "all devices";
}

static enum err copy_style(FILE *f)
{
    char path[PATH_LENGTH], text[4096];
    TRY(paths_file("plots/gallery/gallery.css", path));
    FILE *style = fopen(path, "r");
    if (!style)
        FAIL(INPUT, "%s: %s", path, strerror(errno));
    for (size_t n; (n = fread(text, 1, sizeof text, style)) > 0;)
        fwrite(text, 1, n, f);
    fclose(style);
    return ERR_OK;
}

static enum err write_head(const struct gallery *g, FILE *f)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Shoal: figures and tables</title>\n<style>\n",
          f);
    TRY(copy_style(f));
    gallery_print(f,
                  "</style>\n</head>\n<body>\n<h1>Shoal: figures and tables</h1>\n"
                  "<p class=\"soft\">Made from measurements stored with the code, by Shoal %s "
                  "(commit %s). Devices:",
                  shoal_version, shoal_commit);
    for (int k = 0; k < g->devices.count; k++) {
        const struct plot_device *d = &g->devices.at[k];
        if (gallery_latest(&g->devices, k))
            gallery_print(f, "%s %s (<code>%s</code>)", k ? "," : "", plot_device_title(d),
                          d->device);
    }
    gallery_print(f, "%s.</p>\n", g->devices.count ? "" : " none");
    return ERR_OK;
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static void write_counts(const struct gallery *g, FILE *f)
{
    int claims = 0;
    for (int k = 0; k < VERDICTS; k++)
        claims += g->claims[k];
    gallery_print(f,
                  "<ul class=\"counts\">\n<li><b>%d</b> figure%s</li>\n<li><b>%d</b> table%s</li>\n"
                  "<li><b>%d</b> missing</li>\n<li><b>%d</b> verdict%s on published claims:</li>\n",
                  g->figures, plural(g->figures), g->tables, plural(g->tables), g->missing, claims,
                  plural(claims));
    for (int k = 0; k < VERDICTS; k++)
        if (g->claims[k])
            gallery_print(f, "<li class=\"%s\"><b>%d</b> %s</li>\n", verdict_classes[k],
                          g->claims[k], claim_verdicts[k]);
    fputs("</ul>\n", f);
    if (*g->device)
        gallery_print(f, "<p class=\"soft\">Narrowed down to <code>%s</code>.</p>\n", g->device);
    if (!g->faults)
        return;
    fputs("<div class=\"faults\">\n<p><b>This page is not complete:</b></p>\n<ul>\n", f);
    for (int k = 0; k < g->faults; k++)
        gallery_print(f, "<li>%s</li>\n", g->fault[k].text);
    fputs("</ul>\n</div>\n", f);
}

/* Of a GPU if there is one, else the first: most of what was claimed is about GPUs. */
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

static void write_card(const struct exhibit *x, FILE *f)
{
    const struct showing *s = thumbnail(x);
    gallery_print(f, "<a class=\"card\" href=\"#%s\">", x->experiment.name);
    if (s && !x->table)
        gallery_print(f, "<img src=\"%s.svg\" alt=\"\" loading=\"lazy\">", s->figure.stem);
    else
        gallery_print(f, "<span class=\"none\">%s</span>", s ? "table" : "missing");
    gallery_print(f, "<b>%s</b><span class=\"soft\">", exhibit_setting(x, "title"));
    gallery_follows(x, "", f);
    fputs("</span></a>\n", f);
}

static int begins_chapter(const struct gallery *g, int k)
{
    return k == 0 || strcmp(exhibit_setting(&g->exhibit[k], "chapter"),
                            exhibit_setting(&g->exhibit[k - 1], "chapter")) != 0;
}

static void write_contents(const struct gallery *g, FILE *f)
{
    fputs("<nav>\n", f);
    for (int k = 0; k < g->count; k++) {
        if (begins_chapter(g, k)) {
            fputs(k ? "</div>\n" : "", f);
            gallery_print(f, "<h4>%s</h4>\n<div class=\"grid\">\n",
                          exhibit_setting(&g->exhibit[k], "chapter"));
        }
        write_card(&g->exhibit[k], f);
    }
    fputs(g->count ? "</div>\n</nav>\n" : "</nav>\n", f);
}

static void write_claim(const struct gallery *g, const struct exhibit *x, int which, FILE *f)
{
    const struct claim *c = &exhibit_first(x)->figure.claims.claim[which];
    gallery_print(f,
                  "<tr><td><a href=\"#claim-%s\">%s</a> <span class=\"soft\">%s</span></td>"
                  "<td data-of=\"Published\">%s</td><td data-of=\"Ours\">",
                  c->id, c->text, c->where ? c->where : "", c->published);
    for (int k = 0; k < x->count; k++) {
        const struct showing *s = &x->showing[k];
        if (!s->open || which >= s->figure.claims.count)
            continue;
        c = &s->figure.claims.claim[which];
        fputs("<div><span class=\"said\">", f);
        if (!x->common)
            gallery_print(f, "%s: ", gallery_device(g, s));
        gallery_verdict(f, c->verdict);
        fputs("</span>", f);
        if (c->verdict != VERDICT_UNKNOWN)
            gallery_print(f, " %s", c->ours);
        fputs("</div>", f);
    }
    fputs("</td></tr>\n", f);
}

static void write_claims(const struct gallery *g, FILE *f)
{
    int any = 0;
    for (int k = 0; k < g->count; k++) {
        const struct showing *s = exhibit_first(&g->exhibit[k]);
        for (int m = 0; s && m < s->figure.claims.count; m++) {
            if (!any++)
                fputs("<h2 id=\"claims\">What was claimed, and what we find</h2>\n"
                      "<table class=\"claims\">\n<thead><tr><th>Claim</th><th>Published</th>"
                      "<th>Ours</th></tr></thead>\n<tbody>\n",
                      f);
            write_claim(g, &g->exhibit[k], m, f);
        }
    }
    fputs(any ? "</tbody>\n</table>\n" : "", f);
}

struct page {
    const struct gallery *g;
    enum err *e;
};

static void write_page(FILE *f, const void *context)
{
    const struct page *page = context;
    const struct gallery *g = page->g;
    *page->e = write_head(g, f);
    write_counts(g, f);
    write_contents(g, f);
    write_claims(g, f);
    for (int k = 0; k < g->count; k++) {
        if (begins_chapter(g, k))
            gallery_print(f, "<h2>%s</h2>\n", exhibit_setting(&g->exhibit[k], "chapter"));
        gallery_article(g, &g->exhibit[k], f);
    }
    fputs("</body>\n</html>\n", f);
}

enum err gallery_page(const struct gallery *g)
{
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    const struct page page = {g, &e};
    snprintf(path, sizeof path, "%.*s/index.html", PATH_LENGTH - 300, g->folder);
    TRY(outfile_print(path, write_page, &page));
    return e;
}
