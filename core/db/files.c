/* Files of the tuning database: listed, and classified by their place in it. */
#include "core/db/tuning_db.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/raw_rows.h"
#include "core/base/memory.h"

void db_list_free(struct db_list *list)
{
    free(list->path);
    *list = (struct db_list){0};
}

static enum err list_add(struct db_list *list, const char *path)
{
    TRY(memory_more(&list->path, list->count, sizeof *list->path, "files of the database"));
    if (snprintf(list->path[list->count++], sizeof *list->path, "%s", path) > DB_FILE)
        FAIL(INPUT, "%s: a file of the database has a name of at most %d characters", path,
             DB_FILE);
    return ERR_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static enum err list_walk(FTS *walk, size_t skip, struct db_list *list)
{
    for (const FTSENT *entry = fts_read(walk); entry; entry = fts_read(walk)) {
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
            FAIL(INPUT, "%s: cannot be read: %s", entry->fts_path, strerror(entry->fts_errno));
        if (entry->fts_info != FTS_D && entry->fts_info != FTS_DP)
            TRY(list_add(list, entry->fts_path + skip));
    }
    if (list->count)
        qsort(list->path, list->count, sizeof *list->path, by_text);
    return ERR_OK;
}

enum err db_list_read(const char *folder, struct db_list *list)
{
    char path[PATH_LENGTH];
    *list = (struct db_list){0};
    if (snprintf(path, sizeof path, "%s", folder) >= PATH_LENGTH)
        FAIL(INPUT, "%s: a path may have at most %d characters", folder, PATH_LENGTH - 1);
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = '\0';
    FTS *walk = fts_open((char *[]){path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk)
        FAIL(INPUT, "%s: cannot be read: %s", folder, strerror(errno));
    enum err e = list_walk(walk, n + 1, list);
    fts_close(walk);
    if (e)
        db_list_free(list);
    return e;
}

enum err db_path(const char *folder, const char *relative, char path[PATH_LENGTH])
{
    if (snprintf(path, PATH_LENGTH, "%s/%s", folder, relative) >= PATH_LENGTH)
        FAIL(INPUT, "%s/%s: a path may have at most %d characters", folder, relative,
             PATH_LENGTH - 1);
    return ERR_OK;
}

/* "circular-dam-4096x4096-f32.tsv" */
static int parse_file_name(const char *name, struct db_place *place)
{
    static const char *const ends[PRECISIONS] = {"-f32.tsv", "-f64.tsv"};
    char head[2 * DB_NAME], again[3 * DB_NAME];
    const size_t end = strlen(ends[F32]), length = strlen(name);
    if (length <= end || length - end >= sizeof head)
        return 0;
    snprintf(head, sizeof head, "%.*s", (int)(length - end), name);
    place->precision = strcmp(name + length - end, ends[F64]) == 0 ? F64 : F32;
    char *size = strrchr(head, '-');
    if (!size || size - head > DB_NAME)
        return 0;
    char *end_of_nx;
    const long nx = strtol(size + 1, &end_of_nx, 10);
    const long ny = *end_of_nx ? strtol(end_of_nx + 1, NULL, 10) : 0;
    if (nx < 1 || nx > INT_MAX || ny < 1 || ny > INT_MAX)
        return 0;
    place->nx = (int)nx;
    place->ny = (int)ny;
    snprintf(place->flow, sizeof place->flow, "%.*s", (int)(size - head), head);
    snprintf(again, sizeof again, "%s-%dx%d%s", place->flow, place->nx, place->ny,
             ends[place->precision]);
    return strcmp(again, name) == 0;
}

/* "circular-dam-4096x4096-f32.5f3a90c1.tsv" */
static int parse_part_name(const char *name, struct db_place *place)
{
    char whole[3 * DB_NAME];
    const int n = db_table_name(name);
    return snprintf(whole, sizeof whole, "%.*s.tsv", n, name) < (int)sizeof whole &&
           strcmp(whole, name) != 0 && parse_file_name(whole, place);
}

static int is_table(const char *name)
{
    const size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".tsv") == 0;
}

/* Names of the database reach scripts and pages: Shoal ignores other names. */
static int is_plain(const char *name)
{
    return *name && *name != '.' && *name != '-' &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")];
}

void db_place_parse(const char *relative, struct db_place *place)
{
    char copy[PATH_LENGTH], *part[5] = {copy}, *next = copy;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", relative);
    *place = (struct db_place){.kind = DB_STRANGE};
    for (char *p = strsep(&next, "/"); p && count < 5; p = strsep(&next, "/")) {
        if (!is_plain(p))
            return;
        part[count++] = p;
    }
    if (count == 1 && strcmp(part[0], "README.md") == 0)
        place->kind = DB_README;
    if (count == 3 && strcmp(part[0], "published") == 0 && is_table(part[2]))
        place->kind = DB_PUBLISHED;
    if (place->kind != DB_STRANGE || count < 3 || strcmp(part[0], "published") == 0)
        return;
    snprintf(place->device, sizeof place->device, "%s", part[0]);
    snprintf(place->environment, sizeof place->environment, "%s", part[1]);
    if (count == 3 && strcmp(part[2], "manifest.json") == 0)
        place->kind = DB_MANIFEST;
    if (count == 4 && strcmp(part[2], "experiments") == 0 && is_table(part[3]))
        place->kind = DB_EXPERIMENT;
    else if (count == 4 && parse_file_name(part[3], place))
        place->kind = DB_KERNEL;
    else if (count == 4 && parse_part_name(part[3], place))
        place->kind = DB_KERNEL_PART;
    snprintf(place->kernel, sizeof place->kernel, "%s", part[2]);
}

enum err db_manifest_of(const char *folder, const struct db_place *place, struct db_manifest *m)
{
    char name[3 * DB_NAME], path[PATH_LENGTH];
    snprintf(name, sizeof name, "%s/%s/manifest.json", place->device, place->environment);
    TRY(db_path(folder, name, path));
    return db_manifest_read(path, m);
}
