/* Published tables: as a source of figures, and beside what was measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/key_value.h"
#include "plots/data/source_parts.h"

enum err source_read_published(const char *database, const char *name, char *file, struct frame *f)
{
    char path[PATH_LENGTH];
    const char *slash = strchr(name, '/');
    if (!slash || strchr(slash + 1, '/') || *name == '.' || slash[1] == '.')
        FAIL(USAGE, "WORK/TABLE is wanted, a published table, not '%s'", name);
    if (snprintf(file, PATH_LENGTH, "published/%s.tsv", name) >= PATH_LENGTH)
        FAIL(USAGE, "'%s' is too long a name", name);
    TRY(db_path(database, file, path));
    TRY(source_file_read(path, f));
    if (f->columns == 0)
        FAIL(USAGE, "there is no %s", path);
    return ERR_OK;
}

enum err source_published(const struct source_request *r, struct plot_table *t)
{
    return source_read_published(r->database, r->argument, t->file, &t->frame);
}

/* A published table, the column that it is matched by, and the row of each text there. */
struct beside {
    struct frame *to;
    struct frame from;
    int key, key_from;
};

/* -1: there is none. Fails where there are two. */
static enum err find_row(const struct beside *b, const char *text, long *row)
{
    *row = -1;
    for (size_t r = 0; r < b->from.rows; r++) {
        if (strcmp(frame_at(&b->from, r, b->key_from), text) != 0)
            continue;
        if (*row >= 0)
            FAIL(USAGE, "two rows of that table have '%s' in %s", text, b->from.name[b->key_from]);
        *row = (long)r;
    }
    return ERR_OK;
}

static enum err add_columns(struct beside *b)
{
    const int first = b->to->columns;
    for (int k = 0; k < b->from.columns; k++)
        if (k != b->key_from)
            TRY(frame_add_column(b->to, b->from.name[k], "-", NULL));
    for (size_t r = 0; r < b->to->rows; r++) {
        long row;
        TRY(find_row(b, frame_at(b->to, r, b->key), &row));
        for (int k = 0, to = first; row >= 0 && k < b->from.columns; k++)
            if (k != b->key_from)
                TRY(frame_set(b->to, r, to++, frame_at(&b->from, (size_t)row, k)));
    }
    return ERR_OK;
}

enum err source_add_published(struct frame *f, const char *database, const char *text)
{
    struct beside b = {.to = f};
    char file[PATH_LENGTH], *copy = strdup(text), *colon = copy ? strchr(copy, ':') : NULL;
    enum err e = ERR_OK;
    if (!copy)
        FAIL(MEMORY, "no memory for a table");
    if (!colon) {
        e = err_set(ERR_USAGE, __FILE__, __LINE__, "WORK/TABLE: COLUMN is wanted, not '%s'", text);
        goto out;
    }
    *colon = '\0';
    const char *column = keyvalue_trim(colon + 1);
    TRY_OUT(frame_find(f, column, &b.key));
    TRY_OUT(source_read_published(database, keyvalue_trim(copy), file, &b.from));
    TRY_OUT(frame_find(&b.from, column, &b.key_from));
    TRY_OUT(add_columns(&b));
out:
    frame_free(&b.from);
    free(copy);
    return e;
}
