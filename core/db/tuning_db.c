/* Files of the tuning database: read, sorted, written, merged. */
#include "core/db/tuning_db.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/db/split_tables.h"
#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/memory.h"

void db_free(struct db_table *t)
{
    free(t->row);
    *t = (struct db_table){0};
}

static enum err append(struct db_table *t, const struct db_row *row)
{
    TRY(memory_more(&t->row, t->count, sizeof *t->row, "rows of the tuning database"));
    t->row[t->count++] = *row;
    return ERR_OK;
}

static void warn(void *context, const char *path, int line, const char *fault)
{
    (void)context;
    log_warning("%s:%d: %s; this row is left out", path, line, fault);
}

/* The next line without its end. False at the end of the file. */
static int next_line(FILE *f, char **text, size_t *room)
{
    const ssize_t n = getline(text, room, f);
    if (n <= 0)
        return 0;
    if ((*text)[n - 1] == '\n')
        (*text)[n - 1] = '\0';
    return 1;
}

static enum err check_header(const char *path, const char *line)
{
    char header[DB_LINE + 1];
    db_header(header);
    if (strcmp(line, header) != 0)
        FAIL(INPUT,
             "%s:1: these are not the columns of this version of the database, which are: %s; "
             "measure again, or use the Shoal that wrote it",
             path, header);
    return ERR_OK;
}

static enum err read_rows(const char *path, db_report *report, void *context, struct db_table *t)
{
    enum err e = ERR_OK;
    char *text = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    TRY_OUT(check_header(path, next_line(f, &text, &room) ? text : ""));
    for (int line = 2; next_line(f, &text, &room); line++) {
        struct db_row row;
        if (db_row_parse(text, &row)) {
            (report ? report : warn)(context, path, line, err_message());
            continue;
        }
        row.line = line;
        TRY_OUT(append(t, &row));
    }
    if (ferror(f))
        e = err_set(ERR_MACHINE, __FILE__, __LINE__, "%s: cannot be read to its end", path);
out:
    free(text);
    fclose(f);
    return e;
}

enum err db_read(const char *path, db_report *report, void *context, struct db_table *t)
{
    struct db_list parts = {0};
    *t = (struct db_table){0};
    enum err e = read_rows(path, report, context, t);
    if (!e)
        e = db_parts_list(path, &parts);
    for (size_t k = 0; k < parts.count && !e; k++)
        e = read_rows(parts.path[k], report, context, t);
    db_list_free(&parts);
    if (e)
        db_free(t);
    return e;
}

/* By identity; of equal identity the weightiest first. */
static int before(const void *a, const void *b)
{
    const int order = db_row_order(a, b);
    return order ? order : db_row_weight(b, a);
}

void db_sort(struct db_table *t)
{
    size_t kept = 0;
    if (t->count)
        qsort(t->row, t->count, sizeof *t->row, before);
    for (size_t k = 0; k < t->count; k++)
        if (!kept || db_row_order(&t->row[kept - 1], &t->row[k]) != 0)
            t->row[kept++] = t->row[k];
    t->count = kept;
}

static void print(FILE *f, const void *context)
{
    const struct db_table *t = context;
    char line[DB_LINE + 1];
    db_header(line);
    fprintf(f, "%s\n", line);
    for (size_t k = 0; k < t->count; k++) {
        db_row_format(&t->row[k], line);
        fprintf(f, "%s\n", line);
    }
}

enum err db_write(const char *path, struct db_table *t)
{
    db_sort(t);
    return outfile_print(path, print, t);
}

/* Deletes what writers of this file left that were killed: who holds the lock is the only one. */
static void sweep(const char *folder, const char *name)
{
    static const char ending[] = ".tmp";
    char path[PATH_LENGTH];
    DIR *d = opendir(folder);
    for (struct dirent *entry = d ? readdir(d) : NULL; entry; entry = readdir(d)) {
        const char *its = entry->d_name;
        const size_t n = strlen(name), end = strlen(its);
        if (strncmp(its, name, n) == 0 && its[n] == '.' && end > n + sizeof ending &&
            strcmp(its + end - (sizeof ending - 1), ending) == 0 &&
            strspn(its + n + 1, "0123456789-") == end - n - sizeof ending &&
            snprintf(path, sizeof path, "%s/%s", folder, its) < PATH_LENGTH)
            unlink(path);
    }
    if (d)
        closedir(d);
}

enum err db_lock(const char *path, int *lock)
{
    char folder[PATH_LENGTH];
    const char *slash = strrchr(path, '/');
    const int n = slash ? (int)(slash - path) : 1;
    if (snprintf(folder, sizeof folder, "%.*s", n, slash ? path : ".") >= PATH_LENGTH)
        FAIL(INPUT, "%s: a path may have at most %d characters", path, PATH_LENGTH - 1);
    *lock = open(*folder ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        FAIL(MACHINE, "%s: %s; create the folder first", folder, strerror(errno));
    while (flock(*lock, LOCK_EX) != 0) {
        if (errno == EINTR)
            continue;
        const int error = errno;
        close(*lock);
        FAIL(MACHINE, "%s: cannot be locked: %s; put the database on another file system", folder,
             strerror(error));
    }
    sweep(*folder ? folder : "/", slash ? slash + 1 : path);
    return ERR_OK;
}

/* The lines of a file that are no rows, to be freed: they are somebody's, and stay. */
static enum err other_lines(const char *path, char **others)
{
    size_t size, room = 0;
    char *text = NULL;
    struct db_row row;
    FILE *f = fopen(path, "r"), *to = open_memstream(others, &size);
    for (int line = 1; f && to && next_line(f, &text, &room); line++)
        if (line > 1 && db_row_parse(text, &row))
            fprintf(to, "%s\n", text);
    const int failed = !f || !to || ferror(f);
    free(text);
    if (f)
        fclose(f);
    if ((to && fclose(to) != 0) || failed)
        FAIL(MACHINE, "%s: cannot be read to its end", path);
    return ERR_OK;
}

static void warn_that_it_stays(void *context, const char *path, int line, const char *fault)
{
    (void)context;
    log_warning("%s:%d: %s; the line stays as it is, at the end: correct or delete it", path, line,
                fault);
}

struct merged {
    struct db_table table;
    char *others;
};

static void print_merged(FILE *f, const void *context)
{
    const struct merged *m = context;
    print(f, &m->table);
    fputs(m->others ? m->others : "", f);
}

enum err db_merge(const char *path, const struct db_table *more)
{
    enum err e = ERR_OK;
    struct merged all = {0};
    int lock;
    TRY(db_lock(path, &lock));
    if (access(path, F_OK) == 0) {
        TRY_OUT(db_read(path, warn_that_it_stays, NULL, &all.table));
        TRY_OUT(other_lines(path, &all.others));
    }
    for (size_t k = 0; k < more->count; k++)
        TRY_OUT(append(&all.table, &more->row[k]));
    db_sort(&all.table);
    TRY_OUT(outfile_print(path, print_merged, &all));
    TRY_OUT(db_parts_split(path, DB_LARGEST_TABLE));
out:
    db_free(&all.table);
    free(all.others);
    close(lock);
    return e;
}
