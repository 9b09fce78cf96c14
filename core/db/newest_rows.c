/* The rows that queries see: for each block the newest measurement, which replaces older ones in
 * views only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/record.h"
#include "core/base/memory.h"

struct standing {
    char session[DB_SESSION + 1];
    struct db_age age;
};

struct db_age db_age_of(const struct db_manifest *m, const char *session)
{
    const char *started = db_session_get(m, session, "started");
    struct db_age age = {.ended = db_session_ended(m, session)};
    snprintf(age.started, sizeof age.started, "%s", started ? started : "");
    return age;
}

int db_age_compare(const struct db_age *a, const struct db_age *b)
{
    return a->ended != b->ended ? a->ended - b->ended : strcmp(a->started, b->started);
}

/* A table has rows of few sessions. */
static enum err age_of(struct standing **all, size_t *count, const struct db_manifest *m,
                       const char *session, struct db_age *age)
{
    for (size_t k = 0; k < *count; k++)
        if (strcmp((*all)[k].session, session) == 0) {
            *age = (*all)[k].age;
            return ERR_OK;
        }
    TRY(memory_more(all, *count, sizeof **all, "the sessions of a table"));
    struct standing *new = &(*all)[(*count)++];
    strcpy(new->session, session);
    *age = new->age = db_age_of(m, session);
    return ERR_OK;
}

static int same_block(const struct db_row *a, const struct db_row *b)
{
    return strcmp(a->flags, b->flags) == 0 && strcmp(a->source, b->source) == 0 &&
           a->block.w == b->block.w && a->block.h == b->block.h;
}

enum err db_newest(struct db_table *t, const struct db_manifest *m)
{
    struct standing *all = NULL;
    struct db_age newest = {.ended = 0}, age;
    size_t count = 0, kept = 0;
    enum err e = ERR_OK;
    for (size_t k = 0; k < t->count; k++) {
        TRY_OUT(age_of(&all, &count, m, t->row[k].session, &age));
        if (!kept || !same_block(&t->row[kept - 1], &t->row[k]))
            t->row[kept++] = t->row[k];
        else if (db_age_compare(&age, &newest) > 0)
            t->row[kept - 1] = t->row[k];
        else
            continue;
        newest = age;
    }
    t->count = kept;
out:
    free(all);
    return e;
}

enum err db_groups(const char *folder, const char *relative,
                   enum err (*each)(void *context, const struct db_seen *seen), void *context)
{
    struct db_place place;
    struct db_manifest m = {0};
    struct db_table t = {0};
    struct db_group g = {0};
    const struct db_seen seen = {relative, &place, &m, &g};
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    db_place_parse(relative, &place);
    TRY_OUT(db_manifest_of(folder, &place, &m));
    TRY_OUT(db_path(folder, relative, path));
    TRY_OUT(db_read(path, NULL, NULL, &t));
    db_sort(&t);
    TRY_OUT(db_newest(&t, &m));
    for (size_t next = 0; next < t.count;) {
        TRY_OUT(db_group_next(&t, &next, &g));
        TRY_OUT(each(context, &seen));
        db_group_free(&g);
    }
out:
    db_group_free(&g);
    db_free(&t);
    db_manifest_free(&m);
    return e;
}
