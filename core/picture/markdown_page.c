/* Converts Markdown to HTML by md4c, and adds what Markdown cannot express. */
#include "core/picture/markdown_page.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/shared_library.h"
#include "core/base/whole_file.h"
#include "core/picture/markdown.h"

/* Declarations of md4c-html.h and md4c.h, which may be missing where Shoal is built. */
enum { TABLES = 0x100, NO_HTML = 0x20 | 0x40, XHTML = 0x8 };
struct md4c {
    int (*html)(const char *text, unsigned size,
                void (*output)(const char *text, unsigned size, void *context), void *context,
                unsigned parser, unsigned renderer);
};

/* Stays open: a process that makes a page ends soon. */
static int open_library(struct md4c *api)
{
    static const struct library_symbol symbols[] = {{"md_html", offsetof(struct md4c, html)}};
    const char *name = getenv("SHOAL_LIBMD4C");
    void *library = dlopen(name && *name ? name : "libmd4c-html.so.0", RTLD_NOW | RTLD_LOCAL);
    return library && !library_resolve(library, api, symbols, 1);
}

static void put_base64(FILE *f, const char *text, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        unsigned bits = 0;
        for (size_t n = 0; n < 3; n++)
            bits = bits << 8 | (k + n < size ? (unsigned char)text[k + n] : 0u);
        for (size_t n = 0; n < 4; n++)
            fputc(k + n <= size ? digit[bits >> (18 - 6 * n) & 63] : '=', f);
    }
}

/* A conversion in progress. */
struct page {
    const char *folder; /* the page's folder, with its / */
    int whole, folded;
    FILE *out;
    char *made; /* so far */
    size_t size;
};

/* Writes the contents of the picture that begins at `s`; returns its end, or null: it stays a link. */
static const char *put_picture(struct page *p, const char *s)
{
    static const char start[] = "<img src=\"";
    char path[PATH_LENGTH];
    size_t size;
    if (!p->whole || strncmp(s, start, strlen(start)) != 0)
        return NULL;
    const char *name = s + strlen(start), *end = strchr(name, '"');
    if (!end || (strncmp(end - 4, ".svg", 4) != 0 && strncmp(end - 4, ".png", 4) != 0))
        return NULL;
    snprintf(path, sizeof path, "%.2000s%.*s", *name == '/' ? "" : p->folder, (int)(end - name),
             name);
    char *drawing;
    if (whole_file_read(path, WHOLE_DATA, &drawing, &size))
        return NULL;
    fprintf(p->out, "%sdata:image/%s;base64,", start, end[-3] == 's' ? "svg+xml" : "png");
    put_base64(p->out, drawing, size);
    free(drawing);
    return end;
}

/* The anchor of the heading whose HTML begins at `s`; unique, if an earlier heading has the same
 * text. */
static void find_anchor(struct page *p, const char *s, char id[400])
{
    char text[300], wanted[320];
    size_t n = 0;
    for (; strncmp(s, "</h", 3) != 0 && *s && n + 1 < sizeof text; s++) {
        s += *s == '<' ? strcspn(s, ">") : *s == '&' ? strcspn(s, ";") : 0;
        if (!*s)
            break;
        if (!strchr(">;", *s))
            text[n++] = *s;
    }
    text[n] = '\0';
    markdown_anchor(text, wanted, sizeof wanted);
    for (int k = 0;; k++) {
        char attribute[420];
        snprintf(id, 400, k ? "%s-%d" : "%s", wanted, k);
        snprintf(attribute, sizeof attribute, " id=\"%s\">", id);
        fflush(p->out);
        if (!strstr(p->made, attribute))
            return;
    }
}

static void unfold(struct page *p)
{
    fputs(p->folded ? "</details>\n" : "", p->out);
    p->folded = 0;
}

/* A heading's beginning or end; returns where it ends, null if there is none. */
static const char *put_heading(struct page *p, const char *s)
{
    char id[400];
    const int ends = s[1] == '/';
    const char *level = s + 2 + ends;
    if (s[1 + ends] != 'h' || *level < '1' || *level > '6' || level[1] != '>')
        return NULL;
    const int folds = *level >= '4';
    if (ends) {
        fputs(folds ? "</summary" : "", p->out);
        return folds ? level + 1 : NULL;
    }
    unfold(p);
    p->folded = folds;
    find_anchor(p, level + 2, id);
    if (folds)
        fprintf(p->out, "<details><summary id=\"%s\"", id);
    else
        fprintf(p->out, "<h%c id=\"%s\"", *level, id);
    return level + 1;
}

static void put_body(struct page *p, const char *html)
{
    while (*html) {
        const char *end = NULL;
        if (*html == '<')
            end = put_picture(p, html);
        if (*html == '<' && !end)
            end = put_heading(p, html);
        const size_t n = end ? 0 : 1 + strcspn(html + 1, "<");
        fwrite(html, 1, n, p->out);
        html = end ? end : html + n;
    }
    unfold(p);
}

/* md4c's output consists only of tags and text: its first heading is the title. */
static void put_head(FILE *f, const char *html)
{
    char path[PATH_LENGTH], *style = NULL;
    const char *title = strstr(html, "<h1>");
    title = title ? title + strlen("<h1>") : "";
    if (!paths_file("plots/page.css", path))
        (void)whole_file_read(path, WHOLE_TEXT, &style, NULL);
    fprintf(f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
            "<title>%.*s</title>\n<style>\n%s</style>\n</head>\n<body>\n",
            (int)strcspn(title, "<"), title, style ? style : "");
    free(style); /* a page without a style is readable, too */
}

static void collect(const char *text, unsigned size, void *context)
{
    fwrite(text, 1, size, context);
}

static int convert(const struct md4c *api, const char *text, size_t size, char **html)
{
    size_t n;
    FILE *f = open_memstream(html, &n);
    const int bad = !f || api->html(text, (unsigned)size, collect, f, TABLES | NO_HTML, XHTML);
    return !f || (fclose(f) != 0) | bad;
}

static void print_page(FILE *f, const void *context)
{
    const struct page *p = context;
    fwrite(p->made, 1, p->size, f);
}

static enum err make_page(const struct md4c *api, const char *from, const char *to, int whole)
{
    const char *slash = strrchr(from, '/');
    char folder[PATH_LENGTH], *html = NULL, *text;
    struct page p = {.folder = folder, .whole = whole};
    enum err e = ERR_OK;
    size_t size;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - from) : 0, from);
    if (whole_file_read(from, WHOLE_DATA, &text, &size))
        FAIL(MACHINE, "cannot read '%s', which was just written: %s", from, strerror(errno));
    p.out = convert(api, text, size, &html) ? NULL : open_memstream(&p.made, &p.size);
    free(text);
    if (p.out) {
        put_head(p.out, html);
        put_body(&p, html);
        fputs("</body>\n</html>\n", p.out);
    }
    free(html);
    if (!p.out || fclose(p.out) != 0)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the page '%s'", to);
    else
        e = outfile_print(to, print_page, &p);
    free(p.made);
    return e;
}

struct report {
    enum err (*print)(FILE *f, const void *context);
    const void *context;
    enum err *e;
};

static void print_report(FILE *f, const void *context)
{
    const struct report *r = context;
    *r->e = r->print(f, r->context);
}

enum err markdown_report(const char *stem, int whole,
                         enum err (*print)(FILE *f, const void *context), const void *context)
{
    char markdown[PATH_LENGTH], page[PATH_LENGTH];
    struct md4c api;
    enum err e = ERR_OK;
    const struct report r = {print, context, &e};
    snprintf(markdown, sizeof markdown, "%.4000s.md", stem);
    snprintf(page, sizeof page, "%.4000s.html", stem);
    TRY(outfile_print(markdown, print_report, &r));
    if (e)
        unlink(markdown);
    TRY(e);
    if (open_library(&api))
        return make_page(&api, markdown, page, whole);
    unlink(page);
    log_warning("%s is readable, but has no page %s: libmd4c-html.so.0 is missing; on Debian or "
                "Ubuntu, install libmd4c-html0",
                markdown, page);
    return ERR_OK;
}
