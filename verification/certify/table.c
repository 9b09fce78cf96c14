/* The table as text and as HTML. */
#include "verification/certify/table.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "core/picture/html.h"
#include "core/base/output_file.h"
#include "core/base/version.h"

enum { CELL = 160, TITLE = 48, GAP = 2 };

/* Columns are the backends that are asked, then the records. Returns how many. */
static int columns(const struct sheet *p)
{
    int n = p->records->count;
    for (int b = 0; b < BACKENDS; b++)
        n += p->c->on[b] != 0;
    return n;
}

/* The backend of a column, -1: it is a record's, which *r becomes. */
static int backend_of(const struct sheet *p, int column, const struct record **r)
{
    *r = NULL;
    for (int b = 0; b < BACKENDS; b++)
        if (p->c->on[b] && column-- == 0)
            return b;
    *r = &p->records->at[column];
    return -1;
}

static const char *place_of(const struct sheet *p, int column)
{
    const struct record *r;
    return backend_of(p, column, &r) < 0 ? "recorded" : "here";
}

static const char *device_of(const struct sheet *p, int column)
{
    const struct record *r;
    const int b = backend_of(p, column, &r);
    return r ? r->device : p->info[b].name;
}

static const char *cell(const struct sheet *p, int question, int column, char text[CELL])
{
    const struct record *r;
    const int b = backend_of(p, column, &r);
    const struct answer *a = r ? &r->answer[question] : &p->answer[b][question];
    const int stored = strcmp(questions[question].name, "stored") == 0;
    if (r && stored)
        snprintf(text, CELL, "%d of %d", record_confirmed(r, &p->c->stored), p->c->stored.count);
    else if (!a->asked)
        snprintf(text, CELL, "-");
    else if (*a->absent)
        snprintf(text, CELL, "not here");
    else if (a->apart)
        snprintf(text, CELL, "%d of %d, %d apart", a->same, a->compared, a->apart);
    else
        snprintf(text, CELL, "%d of %d", a->same, a->compared);
    return text;
}

static int failed(const struct sheet *p, int question, int column)
{
    const struct record *r;
    const int b = backend_of(p, column, &r);
    return b >= 0 && p->answer[b][question].same < p->answer[b][question].compared;
}

static int width(const struct sheet *p, int column)
{
    enum { LEAST = 16 };
    const int n = (int)strlen(device_of(p, column));
    return (n > LEAST ? n : LEAST) + GAP;
}

/* A line without blanks at its end. */
static void print_line(FILE *f, const char *title, int count, const char *const *text,
                       const int *widths)
{
    int left = fprintf(f, "%s", title), wanted = TITLE;
    for (int k = 0; k < count; k++) {
        if (*text[k]) {
            fprintf(f, "%*s", wanted > left ? wanted - left : 1, "");
            left = (wanted > left ? wanted : left + 1) + fprintf(f, "%s", text[k]);
        }
        wanted += widths[k];
    }
    fputc('\n', f);
}

enum { MOST_COLUMNS = 32 };

static int shown(const struct sheet *p, int widths[MOST_COLUMNS])
{
    const int n = columns(p) < MOST_COLUMNS ? columns(p) : MOST_COLUMNS;
    for (int k = 0; k < n; k++)
        widths[k] = width(p, k);
    return n;
}

void sheet_head(const struct sheet *p, FILE *f)
{
    const char *place[MOST_COLUMNS], *device[MOST_COLUMNS];
    int widths[MOST_COLUMNS];
    const int n = shown(p, widths);
    for (int k = 0; k < n; k++) {
        place[k] = place_of(p, k);
        device[k] = device_of(p, k);
    }
    fputs("Runs in strict mode that come to the same bits\n\n", f);
    print_line(f, "", n, place, widths);
    print_line(f, "", n, device, widths);
}

void sheet_row(const struct sheet *p, int question, FILE *f)
{
    char room[MOST_COLUMNS][CELL + 8], text[CELL];
    const char *cells[MOST_COLUMNS];
    int widths[MOST_COLUMNS];
    const int n = shown(p, widths);
    for (int k = 0; k < n; k++) {
        snprintf(room[k], sizeof room[k], "%s%s", cell(p, question, k, text),
                 failed(p, question, k) ? "  FAIL" : "");
        cells[k] = room[k];
    }
    print_line(f, questions[question].title, n, cells, widths);
}

/* What of the environment a reader needs to know, in one line. */
static void describe(const struct sheet *p, int column, char text[512])
{
    const struct record *r;
    const int b = backend_of(p, column, &r);
    const char *driver = r ? r->driver : *p->info[b].driver ? p->info[b].driver : "-";
    const int none = strcmp(driver, "-") == 0;
    snprintf(text, 512, "%s, %s: %s, kernels by %s%s%s, commit %s", device_of(p, column),
             place_of(p, column), r ? r->target : p->info[b].target,
             r ? r->compiler : p->info[b].compiler, none ? "" : ", driver ", none ? "" : driver,
             r ? r->commit : shoal_commit);
}

/* Why a cell says "not here" or "apart"; "" where it needs no word. */
static void remark(const struct sheet *p, int question, int b, char text[768])
{
    const struct answer *a = &p->answer[b][question];
    *text = '\0';
    if (!p->c->on[b] || !a->asked)
        return;
    if (*a->absent)
        snprintf(text, 768, "%s: not here: %s", questions[question].title, a->absent);
    else if (a->apart)
        snprintf(text, 768,
                 "%s: %d runs start from other bits than the stored ones, since this C library's "
                 "functions end in other digits; they are not compared",
                 questions[question].title, a->apart);
}

/* Calls `line` for every line below the table. */
static void each_note(const struct sheet *p, int most, FILE *f,
                      void (*line)(FILE *f, int bad, const char *text))
{
    const struct certifying *c = p->c;
    char text[768];
    for (int k = 0; k < columns(p) && k < MOST_COLUMNS; k++) {
        describe(p, k, text);
        line(f, 0, text);
    }
    for (int q = 0; questions[q].name; q++)
        for (int b = 0; b < BACKENDS; b++) {
            remark(p, q, b, text);
            if (*text)
                line(f, 0, text);
        }
    for (int k = 0; k < c->differences && k < most; k++)
        line(f, 1, c->difference[k].text);
    snprintf(text, sizeof text, "... and %d more, all of them in certificate.txt",
             c->differences - most);
    if (c->differences > most)
        line(f, 1, text);
}

static void text_line(FILE *f, int bad, const char *text)
{
    fprintf(f, "%s%s\n", bad ? "FAIL " : "", text);
}

void sheet_foot(const struct sheet *p, int most, FILE *f)
{
    fputc('\n', f);
    each_note(p, most, f, text_line);
}

static void print_text(FILE *f, const void *context)
{
    const struct sheet *p = context;
    sheet_head(p, f);
    for (int q = 0; questions[q].name; q++)
        sheet_row(p, q, f);
    sheet_foot(p, INT_MAX, f);
}

static void html_cell(FILE *f, const char *tag, const char *class, const char *text)
{
    fprintf(f, "<%s%s%s%s>", tag, *class ? " class=\"" : "", class, *class ? "\"" : "");
    html_text(f, text);
    fprintf(f, "</%s>", tag);
}

static void html_line(FILE *f, int bad, const char *text)
{
    html_cell(f, "li", bad ? "bad" : "", text);
    fputc('\n', f);
}

static void html_head(const struct sheet *p, FILE *f)
{
    char text[CELL];
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<title>Shoal: certificate</title>\n<style>\n"
        ":root{color-scheme:light dark}\n"
        "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}\n"
        "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0;"
        "border-bottom:1px solid #8886}\n.bad{color:#c62828;font-weight:600}\n"
        "</style>\n</head>\n<body>\n<h1>Certificate</h1>\n"
        "<p>Runs in strict mode that come to the same bits.</p>\n"
        "<table>\n<tr><th></th>",
        f);
    for (int k = 0; k < columns(p); k++) {
        snprintf(text, sizeof text, "%.120s, %s", device_of(p, k), place_of(p, k));
        html_cell(f, "th", "", text);
    }
    fputs("</tr>\n", f);
}

static void print_html(FILE *f, const void *context)
{
    const struct sheet *p = context;
    char text[CELL];
    html_head(p, f);
    for (int q = 0; questions[q].name; q++) {
        fputs("<tr>", f);
        html_cell(f, "td", "", questions[q].title);
        for (int k = 0; k < columns(p); k++)
            html_cell(f, "td", failed(p, q, k) ? "bad" : "", cell(p, q, k, text));
        fputs("</tr>\n", f);
    }
    fputs("</table>\n<ul>\n", f);
    each_note(p, INT_MAX, f, html_line);
    fputs("</ul>\n</body>\n</html>\n", f);
}

enum err sheet_write(const struct sheet *p, const char *folder)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.4000s/certificate.txt", folder);
    TRY(outfile_print(path, print_text, p));
    snprintf(path, sizeof path, "%.4000s/certificate.html", folder);
    return outfile_print(path, print_html, p);
}
