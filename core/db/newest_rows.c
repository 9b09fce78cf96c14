/* What queries see of a table: of each block the newest measurement, which replaces older ones in views only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/record.h"

struct standing {
    char session[DB_SESSION + 1];
    struct db_age age;
};

struct db_age db_age_of(const struct db_manifest *m, const char *session)
{
    char section[DB_SECTION];
    db_session_section(session, section);
    const char *started = db_manifest_get(m, section, "started");
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
    struct standing *more = realloc(*all, (*count + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory for the sessions of a table");
    *all = more;
    strcpy(more[*count].session, session);
    *age = more[*count].age = db_age_of(m, session);
    ++*count;
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
