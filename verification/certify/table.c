/* The certificate as a table. */
#include "verification/certify/table.h"

#include <limits.h>
#include <string.h>

#include "core/base/paths.h"
#include "core/base/version.h"
#include "core/picture/markdown.h"
#include "core/picture/markdown_page.h"

enum { CELL = 160 };

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

static void write_table(const struct sheet *p, FILE *f)
{
    struct markdown_table t = {0};
    char text[CELL];
    const int n = columns(p);
    markdown_column(&t, 0, "runs in strict mode that come to the same bits");
    for (int k = 0; k < n; k++)
        markdown_column(&t, 0, "%s, %s", place_of(p, k), device_of(p, k));
    for (int q = 0; questions[q].name; q++) {
        markdown_cell(&t, "%s", questions[q].title);
        for (int k = 0; k < n; k++)
            markdown_cell(&t, failed(p, q, k) ? "**%s FAIL**" : "%s", cell(p, q, k, text));
    }
    markdown_table_end(&t, f);
}

/* What of the environment a reader needs to know, in one line. */
static void describe(const struct sheet *p, int column, FILE *f)
{
    const struct record *r;
    const int b = backend_of(p, column, &r);
    const char *driver = r ? r->driver : *p->info[b].driver ? p->info[b].driver : "-";
    const int none = strcmp(driver, "-") == 0;
    markdown_print(f, "- %s, %s: %s, kernels by %s%s%s, commit %s\n", device_of(p, column),
                   place_of(p, column), r ? r->target : p->info[b].target,
                   r ? r->compiler : p->info[b].compiler, none ? "" : ", driver ",
                   none ? "" : driver, r ? r->commit : shoal_commit);
}

/* Why a cell says "not here" or "apart". */
static void remark(const struct sheet *p, int question, int b, FILE *f)
{
    const struct answer *a = &p->answer[b][question];
    if (!p->c->on[b] || !a->asked)
        return;
    if (*a->absent)
        markdown_print(f, "- %s: not here: %s\n", questions[question].title, a->absent);
    else if (a->apart)
        markdown_print(
            f,
            "- %s: %d runs start from other bits than the stored ones, since this C library's "
            "functions end in other digits; they are not compared\n",
            questions[question].title, a->apart);
}

static void write_sheet(const struct sheet *p, int most, FILE *f)
{
    const struct certifying *c = p->c;
    fputs("# Certificate\n\n", f);
    write_table(p, f);
    for (int k = 0; k < columns(p); k++)
        describe(p, k, f);
    for (int q = 0; questions[q].name; q++)
        for (int b = 0; b < BACKENDS; b++)
            remark(p, q, b, f);
    for (int k = 0; k < c->differences && k < most; k++)
        markdown_print(f, "- **FAIL** %s\n", c->difference[k].text);
    if (c->differences > most)
        markdown_print(f, "- ... and %d more, all of them in certificate.md\n",
                       c->differences - most);
    fputc('\n', f);
}

static enum err print(FILE *f, const void *context)
{
    write_sheet(context, INT_MAX, f);
    return ERR_OK;
}

enum err sheet_write(const struct sheet *p, const char *folder, FILE *terminal)
{
    enum { SHOWN = 20 };
    char stem[PATH_LENGTH];
    snprintf(stem, sizeof stem, "%.4000s/certificate", folder);
    write_sheet(p, SHOWN, terminal);
    return markdown_report(stem, 1, print, p);
}
