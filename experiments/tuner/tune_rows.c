/* Rows of the database from trials. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/monotonic_time.h"
#include "experiments/tuner/tune.h"

int tune_is_row(const struct tuning *t, int trial)
{
    return t->known[trial].step == TOLD &&
           (t->trial[trial].outcome != DB_OK || t->trial[trial].timings >= LEAST_TIMINGS);
}

static int is_missing(const struct tuning *t, int subject, int k)
{
    return t->known[k].subject == subject && t->known[k].unwritten && tune_is_row(t, k);
}

static enum err make_folder(const char *table)
{
    char folder[PATH_LENGTH];
    snprintf(folder, sizeof folder, "%s", table);
    *strrchr(folder, '/') = '\0';
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        FAIL(MACHINE, "%s: cannot be created: %s", folder, strerror(errno));
    return ERR_OK;
}

static enum err merge_subject(struct tuning *t, int subject, struct db_row *rows)
{
    const struct subject *s = &t->subject[subject];
    const struct trial_names names = {s->flags, s->source, t->head.session};
    struct db_table table = {.row = rows};
    for (int k = 0; k < t->trials; k++)
        if (is_missing(t, subject, k))
            trial_row(&t->trial[k], &names, &rows[table.count++]);
    if (table.count == 0)
        return ERR_OK;
    TRY(tune_begin(t));
    TRY(make_folder(s->table));
    TRY(db_merge(s->table, &table));
    for (int k = 0; k < t->trials; k++)
        if (is_missing(t, subject, k))
            t->known[k].unwritten = 0;
    return ERR_OK;
}

enum err tune_merge(struct tuning *t)
{
    t->merged = seconds();
    if (!t->journal)
        return ERR_OK;
    enum err e = ERR_OK;
    struct db_row *rows = malloc(MOST_TRIALS * sizeof *rows);
    if (!rows)
        FAIL(MEMORY, "no memory for rows of the tuning database");
    for (int s = 0; s < t->subjects; s++)
        TRY_OUT(merge_subject(t, s, rows));
out:
    free(rows);
    return e;
}
