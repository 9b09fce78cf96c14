/* The devices' confirmations of the certificate as SQL tables. */
#include <math.h>
#include <string.h>

#include "plots/data/load.h"
#include "verification/certify/record.h"

/* A device's result of a comparison: how many runs were compared, and how many gave the same
 * bits. */
static enum err add_answer(struct database *d, const struct record *r, int question)
{
    const struct sql_value v[] = {{NULL, question + 1},
                                  {questions[question].title, 0},
                                  {r->device, 0},
                                  {NULL, r->answer[question].compared},
                                  {NULL, r->answer[question].same}};
    return sql_add(d->sql, v);
}

static struct sql_value word(const char *text)
{
    return (struct sql_value){strcmp(text, "-") == 0 ? NULL : text, (double)NAN};
}

static enum err add_device(struct database *d, const struct record *r)
{
    const struct answer *stored = &r->answer[ASK_STORED];
    const struct sql_value v[] = {word(r->device),         word(r->target), word(r->compiler),
                                  word(r->driver),         word(r->commit), {NULL, stored->same},
                                  {NULL, stored->compared}};
    return sql_add(d->sql, v);
}

static enum err fill_tables(struct database *d, const struct records *all)
{
    enum err e = sql_into(d->sql, "certificate_devices", 7);
    for (int k = 0; k < all->count && !e; k++)
        e = add_device(d, &all->at[k]);
    TRY(sql_done(d->sql, e));
    e = sql_into(d->sql, "certificate_answers", 5);
    for (int k = 0; k < all->count; k++)
        for (int q = 0; q < QUESTIONS && !e; q++)
            e = add_answer(d, &all->at[k], q);
    return sql_done(d->sql, e);
}

enum err load_certificate(struct database *d)
{
    struct certificate stored = {0};
    struct records all = {0};
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    TRY(sql_run(d->sql, "CREATE TABLE certificate_answers (place, question, device, runs, same);"
                        "CREATE TABLE certificate_devices (device, target, compiler, driver, "
                        "\"commit\", confirmed, stored)"));
    TRY_OUT(certificate_path(path));
    TRY_OUT(certificate_read(&stored, path));
    TRY_OUT(records_read(&all, &stored));
    e = fill_tables(d, &all);
out:
    records_free(&all);
    certificate_free(&stored);
    return e;
}
