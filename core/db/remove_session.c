/* Removes the rows of a session from the tables of an environment. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/db/raw_rows.h"
#include "core/base/output_file.h"
#include "core/base/whole_file.h"

/* A file's lines without those of a session. */
struct rest {
    char *text;
    const struct db_lines *rows; /* of the file, sorted */
    const char *session;
};

static int is_of_session(const struct rest *r, const char *line)
{
    size_t count;
    const struct db_line *row = db_lines_of(r->rows, r->session, &count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(row[k].text, line) == 0)
            return 1;
    return 0;
}

static void print(FILE *f, const void *context)
{
    const struct rest *r = context;
    char *next = r->text;
    for (char *p = strsep(&next, "\n"); p; p = strsep(&next, "\n"))
        if (*p && !is_of_session(r, p))
            fprintf(f, "%s\n", p);
}

static enum err rewrite(const char *path, const char *session)
{
    struct db_lines rows = {0};
    struct rest r = {.rows = &rows, .session = session};
    size_t count = 0;
    enum err e = ERR_OK;
    char *text;
    TRY(whole_file_read(path, WHOLE_DATA, &text, NULL));
    r.text = strdup(text);
    e = r.text ? db_lines_add(&rows, "", text)
               : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", path);
    if (!r.text)
        free(text);
    if (!e) {
        db_lines_sort(&rows);
        db_lines_of(&rows, session, &count);
    }
    if (!e && count && count < rows.count)
        e = outfile_print(path, print, &r);
    else if (!e && count && unlink(path) != 0)
        e = err_set(ERR_MACHINE, __FILE__, __LINE__, "%s: %s", path, strerror(errno));
    free(r.text);
    db_lines_free(&rows);
    return e;
}

enum err db_lines_remove(const char *folder, const char *session)
{
    static const char ending[] = ".tsv";
    struct db_list list;
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    TRY(db_list_read(folder, &list));
    for (size_t k = 0; k < list.count; k++) {
        const size_t n = strlen(list.path[k]);
        int lock;
        if (n < sizeof ending || strcmp(list.path[k] + n - (sizeof ending - 1), ending) != 0)
            continue;
        TRY_OUT(db_path(folder, list.path[k], path));
        TRY_OUT(db_lock(path, &lock));
        e = rewrite(path, session);
        close(lock);
        if (e)
            break;
    }
out:
    db_list_free(&list);
    return e;
}
