/* Reads tables of the tuning database for figures: nothing may be left out silently. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/split_tables.h"
#include "plots/data/source_parts.h"

static int has_cells(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    return *line && *line != '#';
}

static enum err read_row(struct frame *f, char *line, const char *path, int number)
{
    int count = 0;
    TRY(frame_add_row(f));
    for (char *cell = strsep(&line, "\t"); cell; cell = strsep(&line, "\t"), count++) {
        if (!*cell)
            FAIL(INPUT, "%s:%d: column %d is empty; what is not known is -", path, number,
                 count + 1);
        if (count < f->columns)
            TRY(frame_set(f, f->rows - 1, count, cell));
    }
    if (count != f->columns)
        FAIL(INPUT, "%s:%d: %d cells, where %d columns have names", path, number, count,
             f->columns);
    return ERR_OK;
}

static enum err read_lines(FILE *from, const char *path, struct frame *f)
{
    char *line = NULL;
    size_t room = 0;
    enum err e = ERR_OK;
    errno = 0;
    for (int number = 1; !e && getline(&line, &room, from) >= 0; number++) {
        if (!has_cells(line))
            continue;
        if (f->columns == 0) {
            e = frame_create(f, line);
            if (e == ERR_USAGE)
                e = err_set(ERR_INPUT, __FILE__, __LINE__,
                            "%s:%d: a column has no name, or that of another", path, number);
        } else {
            e = read_row(f, line, path, number);
        }
    }
    if (!e && ferror(from))
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: cannot be read: %s", path, strerror(errno));
    if (!e && f->columns == 0)
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: no line of column names", path);
    free(line);
    return e;
}

static enum err read_file(const char *path, struct frame *f)
{
    FILE *from = fopen(path, "r");
    if (!from && errno == ENOENT)
        return ERR_OK;
    if (!from)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    const enum err e = read_lines(from, path, f);
    fclose(from);
    return e;
}

/* A part has the same names as the table. */
static enum err read_part(const char *path, struct frame *f)
{
    struct frame part = {0};
    enum err e = read_file(path, &part);
    if (!e)
        e = frame_append(f, &part);
    frame_free(&part);
    return e;
}

enum err source_file_read(const char *path, struct frame *f)
{
    struct db_list parts = {0};
    *f = (struct frame){0};
    enum err e = read_file(path, f);
    if (!e)
        e = db_parts_list(path, &parts);
    for (size_t k = 0; k < parts.count && !e; k++)
        e = read_part(parts.path[k], f);
    db_list_free(&parts);
    if (e)
        frame_free(f);
    return e;
}

int source_file_line(const char *path, size_t row)
{
    FILE *from = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, seen = 0;
    int number = 0;
    while (from && seen < row + 2 && getline(&line, &room, from) >= 0) {
        number++;
        seen += has_cells(line) ? 1 : 0;
    }
    free(line);
    if (from)
        fclose(from);
    return number;
}
