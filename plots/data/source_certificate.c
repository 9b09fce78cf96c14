/* What devices have confirmed of the certificate as a source of figures. */
#include <stdio.h>
#include <string.h>

#include "plots/data/source_parts.h"
#include "verification/certify/record.h"

enum { LIST = 1024 };

static void append(char list[LIST], const char *text)
{
    const size_t n = strlen(list);
    snprintf(list + n, LIST - n, "%s%s", n ? ", " : "", text);
}

/* A question: on which devices all runs came to the same bits, and on which not. */
static enum err add_question(struct frame *f, const struct records *all,
                             const struct certificate *stored, int question)
{
    const int of_stored = question == ASK_STORED;
    char good[LIST] = "", bad[LIST] = "", text[160];
    int runs = 0;
    for (int k = 0; k < all->count; k++) {
        const struct record *r = &all->at[k];
        struct answer a = r->answer[question];
        if (of_stored)
            a = (struct answer){
                .asked = 1, .compared = stored->count, .same = record_confirmed(r, stored)};
        runs = a.compared > runs ? a.compared : runs;
        snprintf(text, sizeof text, "%s (%d of %d)", r->device, a.same, a.compared);
        if (a.compared)
            append(a.same == a.compared ? good : bad, a.same == a.compared ? r->device : text);
    }
    TRY(frame_add_row(f));
    TRY(frame_set(f, f->rows - 1, 0, questions[question].title));
    if (runs)
        TRY(frame_set_number(f, f->rows - 1, 1, runs));
    TRY(frame_set(f, f->rows - 1, 2, good));
    return frame_set(f, f->rows - 1, 3, bad);
}

static enum err add_device(struct frame *f, const struct record *r,
                           const struct certificate *stored)
{
    const char *const text[] = {r->device, r->target, r->compiler, r->driver, r->commit};
    enum { TEXTS = sizeof text / sizeof *text };
    TRY(frame_add_row(f));
    for (int k = 0; k < TEXTS; k++)
        TRY(frame_set(f, f->rows - 1, k, text[k]));
    TRY(frame_set_number(f, f->rows - 1, TEXTS, record_confirmed(r, stored)));
    return frame_set_number(f, f->rows - 1, TEXTS + 1, stored->count);
}

static enum err fill(struct frame *f, int of_questions, const struct records *all,
                     const struct certificate *stored)
{
    if (!of_questions) {
        TRY(frame_create(f, "device\ttarget\tcompiler\tdriver\tcommit\tconfirmed\tstored"));
        for (int k = 0; k < all->count; k++)
            TRY(add_device(f, &all->at[k], stored));
        return ERR_OK;
    }
    TRY(frame_create(f, "question\truns\tsame\tdiffer"));
    for (int k = 0; all->count && k < QUESTIONS; k++)
        TRY(add_question(f, all, stored, k));
    return ERR_OK;
}

enum err source_certificate(const struct source_request *r, struct plot_table *t)
{
    const int of_questions = strcmp(r->argument, "questions") == 0;
    struct certificate stored = {0};
    struct records all = {0};
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    if (!of_questions && strcmp(r->argument, "devices") != 0)
        FAIL(USAGE, "after certificate stands questions or devices, not '%s'", r->argument);
    TRY_OUT(certificate_path(path));
    TRY_OUT(certificate_read(&stored, path));
    TRY_OUT(records_read(&all));
    TRY_OUT(fill(&t->frame, of_questions, &all, &stored));
    snprintf(t->file, sizeof t->file, "verification/certificate.tsv verification/certified");
out:
    records_free(&all);
    certificate_free(&stored);
    return e;
}
