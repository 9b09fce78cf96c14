/* The certificate as a table. */
#include "verification/certify/table.h"

#include <limits.h>
#include <string.h>

#include "core/base/paths.h"
#include "core/picture/markdown.h"
#include "core/picture/markdown_page.h"

/* The backends of this run, then the records. */
static const struct record *column_of(const struct sheet *p, int column)
{
    for (int b = 0; b < BACKENDS; b++)
        if (p->c->on[b] && column-- == 0)
            return &p->here[b];
    return column < p->records->count ? &p->records->at[column] : NULL;
}

static int is_here(const struct sheet *p, const struct record *r)
{
    return r == &p->here[CPU] || r == &p->here[CUDA];
}

static void answer_cell(const struct sheet *p, struct markdown_table *t, int question,
                        const struct record *r)
{
    const struct answer *a = &r->answer[question];
    if (!a->asked)
        markdown_cell(t, "-");
    else if (*a->absent)
        markdown_cell(t, "not here");
    else if (is_here(p, r) && a->same < a->compared)
        markdown_cell(t, a->apart ? "**%d of %d, %d apart FAIL**" : "**%d of %d FAIL**", a->same,
                      a->compared, a->apart);
    else
        markdown_cell(t, a->apart ? "%d of %d, %d apart" : "%d of %d", a->same, a->compared,
                      a->apart);
}

static void write_table(const struct sheet *p, FILE *f)
{
    struct markdown_table t = {0};
    const struct record *r;
    markdown_column(&t, 0, "runs in strict mode that give the same bits");
    for (int k = 0; (r = column_of(p, k)); k++)
        markdown_column(&t, 0, "%s, %s", is_here(p, r) ? "here" : "recorded", r->device);
    for (int q = 0; q < QUESTIONS; q++) {
        markdown_cell(&t, "%s", questions[q].title);
        for (int k = 0; (r = column_of(p, k)); k++)
            answer_cell(p, &t, q, r);
    }
    markdown_table_end(&t, f);
}

/* The essentials of the environment, in one line. */
static void describe(const struct sheet *p, const struct record *r, FILE *f)
{
    const int none = strcmp(r->driver, "-") == 0;
    markdown_print(f, "- %s, %s: %s, kernels by %s%s%s, commit %s\n", r->device,
                   is_here(p, r) ? "here" : "recorded", r->target, r->compiler,
                   none ? "" : ", driver ", none ? "" : r->driver, r->commit);
}

/* Why a cell says "not here" or "apart". */
static void remark(const struct sheet *p, int question, int b, FILE *f)
{
    const struct answer *a = &p->here[b].answer[question];
    if (!p->c->on[b] || !a->asked)
        return;
    if (*a->absent)
        markdown_print(f, "- %s: not here: %s\n", questions[question].title, a->absent);
    else if (a->apart)
        markdown_print(f,
                       "- %s: %d runs start from other bits than the stored ones, since functions "
                       "of this C library have other last digits; they are not compared\n",
                       questions[question].title, a->apart);
}

static void write_sheet(const struct sheet *p, int most, FILE *f)
{
    const struct certifying *c = p->c;
    const struct record *r;
    fputs("# Certificate\n\n", f);
    write_table(p, f);
    for (int k = 0; (r = column_of(p, k)); k++)
        describe(p, r, f);
    for (int q = 0; q < QUESTIONS; q++)
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
