/* Reads tables split by measurement, and splits those that have become too large. */
#include "core/db/split_tables.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/db/raw_rows.h"
#include "core/base/output_file.h"
#include "core/base/whole_file.h"
#include "core/base/memory.h"

static const char ending[] = ".tsv";

/* Is it the name of a part of the table that `stem` names? */
static int is_part(const char *name, const char *stem, size_t n)
{
    const size_t all = strlen(name);
    return all == n + 1 + DB_SESSION + sizeof ending - 1 && strncmp(name, stem, n) == 0 &&
           (size_t)db_table_name(name) == n;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static enum err add_part(struct db_list *parts, const char *folder, const char *name)
{
    TRY(memory_more(&parts->path, parts->count, sizeof *parts->path, "the parts of a table"));
    if (snprintf(parts->path[parts->count++], sizeof *parts->path, "%s/%s", folder, name) > DB_FILE)
        FAIL(INPUT, "%s/%s: a part of a table has a name of at most %d characters", folder, name,
             DB_FILE);
    return ERR_OK;
}

enum err db_parts_list(const char *path, struct db_list *parts)
{
    char folder[PATH_LENGTH] = ".";
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    const size_t n = strlen(stem) - (sizeof ending - 1);
    enum err e = ERR_OK;
    *parts = (struct db_list){0};
    if (strlen(stem) < sizeof ending || (size_t)db_table_name(stem) != n)
        return ERR_OK; /* a part itself, or no table */
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    DIR *d = opendir(folder);
    for (struct dirent *entry = d ? readdir(d) : NULL; entry && !e; entry = readdir(d))
        if (is_part(entry->d_name, stem, n))
            e = add_part(parts, folder, entry->d_name);
    if (d)
        closedir(d);
    if (e)
        db_list_free(parts);
    else if (parts->count)
        qsort(parts->path, parts->count, sizeof *parts->path, by_text);
    return e;
}

/* Appends the rows of a part, without its line of names. */
static enum err append(char **text, const char *path)
{
    char *part;
    TRY(whole_file_read(path, WHOLE_DATA, &part, NULL));
    const char *rows = strchr(part, '\n');
    const size_t n = strlen(*text), more = rows ? strlen(rows + 1) : 0;
    char *all = realloc(*text, n + more + 1);
    if (all) {
        memcpy(all + n, rows ? rows + 1 : "", more + 1);
        *text = all;
    }
    free(part);
    if (!all)
        FAIL(MEMORY, "no memory for %s", path);
    return ERR_OK;
}

enum err db_parts_text(const char *path, char **text)
{
    struct db_list parts;
    enum err e = ERR_OK;
    TRY(whole_file_read(path, WHOLE_DATA, text, NULL));
    TRY_OUT(db_parts_list(path, &parts));
    for (size_t k = 0; k < parts.count && !e; k++)
        e = append(text, parts.path[k]);
    db_list_free(&parts);
out:
    if (e) {
        free(*text);
        *text = NULL;
    }
    return e;
}

/* The rows of a table for one file: those of a session, or (NULL) those of all sessions without a
 * part. */
struct choice {
    const char *names, *session, *stem;
    char *text;
};

static int has_part(const char *stem, const char *session)
{
    char path[PATH_LENGTH];
    struct stat s;
    snprintf(path, sizeof path, "%s.%s%s", stem, session, ending);
    return stat(path, &s) == 0;
}

/* The session of a row; "" where it has none. */
static void session_of(const char *names, const char *row, char session[DB_SESSION + 1])
{
    struct db_lines one = {0};
    const size_t room = strlen(names) + strlen(row) + 3;
    char *text = malloc(room);
    *session = '\0';
    if (!text)
        return;
    snprintf(text, room, "%s\n%s\n", names, row);
    if (!db_lines_add(&one, "", text) && one.count)
        strcpy(session, one.at[0].session);
    db_lines_free(&one);
}

static void print(FILE *f, const void *context)
{
    const struct choice *c = context;
    char session[DB_SESSION + 1], *copy = strdup(c->text), *next = copy;
    if (!copy)
        return;
    fprintf(f, "%s\n", c->names);
    for (char *p = strsep(&next, "\n"); p; p = strsep(&next, "\n")) {
        if (!*p || strcmp(p, c->names) == 0)
            continue;
        session_of(c->names, p, session);
        if (c->session ? strcmp(session, c->session) == 0
                       : !*session || !has_part(c->stem, session))
            fprintf(f, "%s\n", p);
    }
    free(copy);
}

/* Writes the part of each session that has one or, with `all`, of every session; then the rest. */
static enum err write_parts(const char *path, const char *stem, char *text, int all)
{
    struct db_lines rows = {0};
    char part[PATH_LENGTH + DB_SESSION + sizeof ending], *copy = strdup(text);
    enum err e = ERR_OK;
    if (!copy)
        FAIL(MEMORY, "no memory for %s", path);
    TRY_OUT(db_lines_add(&rows, "", copy));
    db_lines_sort(&rows);
    struct choice c = {.names = rows.count ? rows.at[0].names : "", .stem = stem, .text = text};
    for (size_t k = 0; k < rows.count; k++) {
        if (k && strcmp(rows.at[k - 1].session, rows.at[k].session) == 0)
            continue;
        c.session = rows.at[k].session;
        if (!all && !has_part(stem, c.session))
            continue;
        snprintf(part, sizeof part, "%s.%s%s", stem, c.session, ending);
        TRY_OUT(outfile_print(part, print, &c));
    }
    c.session = NULL;
    if (rows.count)
        TRY_OUT(outfile_print(path, print, &c));
out:
    db_lines_free(&rows);
    return e;
}

enum err db_parts_split(const char *path, size_t largest)
{
    char stem[PATH_LENGTH], *text;
    struct db_list parts;
    TRY(db_parts_list(path, &parts));
    const size_t split = parts.count;
    db_list_free(&parts);
    TRY(whole_file_read(path, WHOLE_DATA, &text, NULL));
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(path) - (sizeof ending - 1)), path);
    const int all = strlen(text) > largest;
    const enum err e = all || split ? write_parts(path, stem, text, all) : ERR_OK;
    free(text);
    return e;
}
