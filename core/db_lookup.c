/* Finds files of the tuning database, and the winner for a device and a size. */
#include "core/tuning_db.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"

void db_list_free(struct db_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        free(list->path[k]);
    free(list->path);
    *list = (struct db_list){0};
}

static enum err list_add(struct db_list *list, const char *path)
{
    char **larger = realloc(list->path, (list->count + 1) * sizeof *larger);
    if (larger) {
        list->path = larger;
        larger[list->count] = strdup(path);
    }
    if (!larger || !larger[list->count])
        FAIL(MEMORY, "no memory to list the tuning database");
    list->count++;
    return ERR_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
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

static int is_table(const char *name)
{
    const size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".tsv") == 0;
}

void db_place_parse(const char *relative, struct db_place *place)
{
    char copy[PATH_LENGTH], *part[5] = {copy}, *next = copy;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", relative);
    *place = (struct db_place){.kind = DB_STRANGE};
    for (char *p = strsep(&next, "/"); p && count < 5; p = strsep(&next, "/"))
        part[count++] = p;
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
    snprintf(place->kernel, sizeof place->kernel, "%s", part[2]);
}

enum err db_manifest_of(const char *folder, const struct db_place *place, struct db_manifest *m)
{
    char name[3 * DB_NAME], path[PATH_LENGTH];
    snprintf(name, sizeof name, "%s/%s/manifest.json", place->device, place->environment);
    TRY(db_path(folder, name, path));
    return db_manifest_read(path, m);
}

/* How good an answer is; smaller is better, in the order of the members. */
struct rank {
    enum db_match match;
    double distance;
    int other_source;
    char started[32]; /* of the winner's session; later is better */
};

static int outranks(const struct rank *a, const struct rank *b)
{
    if (a->match != b->match)
        return a->match < b->match;
    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance;
    if (a->other_source != b->other_source)
        return a->other_source < b->other_source;
    return strcmp(a->started, b->started) > 0;
}

static enum db_match match(const struct db_query *q, const struct db_place *place,
                           const struct db_manifest *m)
{
    char device[DB_NAME + 1];
    const char *capability = db_manifest_get(m, "environment", "compute_capability");
    db_device_folder(q->device, device);
    if (strcmp(device, place->device) == 0)
        return place->nx == q->nx && place->ny == q->ny ? DB_SAME_SIZE : DB_OTHER_SIZE;
    if (capability && q->compute_capability && strcmp(capability, q->compute_capability) == 0)
        return DB_SAME_CAPABILITY;
    return DB_NO_MATCH;
}

/* The answer so far, and the file that is looked at. */
struct search {
    const struct db_query *q;
    const char *path;
    struct db_manifest manifest; /* of the file's environment */
    struct rank best, file;
    struct db_found *found;
};

static void offer(struct search *s, const struct db_group *g)
{
    const struct db_row *row = &g->row[0];
    const char *flags = db_manifest_get(&s->manifest, "flags", row->flags);
    char session[DB_SESSION + sizeof "sessions/"];
    struct rank rank = s->file;
    if (g->ok == 0 || (s->q->flags && (!flags || strcmp(flags, s->q->flags) != 0)))
        return;
    snprintf(session, sizeof session, "sessions/%s", row->session);
    const char *started = db_manifest_get(&s->manifest, session, "started");
    snprintf(rank.started, sizeof rank.started, "%s", started ? started : "");
    rank.other_source = s->q->source && strcmp(row->source, s->q->source) != 0;
    if (!outranks(&rank, &s->best))
        return;
    s->best = rank;
    s->found->match = rank.match;
    s->found->row = *row;
    snprintf(s->found->path, sizeof s->found->path, "%s", s->path);
}

static enum err search_table(struct search *s, const char *folder)
{
    struct db_table t;
    struct db_group g = {0};
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    TRY(db_path(folder, s->path, path));
    TRY(db_read(path, NULL, NULL, &t));
    db_sort(&t);
    for (size_t next = 0; next < t.count;) {
        TRY_OUT(db_group_next(&t, &next, &g));
        offer(s, &g);
        db_group_free(&g);
    }
out:
    db_free(&t);
    return e;
}

static enum err search_file(struct search *s, const char *folder)
{
    struct db_place place;
    db_place_parse(s->path, &place);
    if (place.kind != DB_KERNEL || strcmp(place.kernel, s->q->kernel) != 0 ||
        place.precision != s->q->precision)
        return ERR_OK;
    TRY(db_manifest_of(folder, &place, &s->manifest));
    const double cells = (double)place.nx * place.ny, wanted = (double)s->q->nx * s->q->ny;
    s->file = (struct rank){.match = match(s->q, &place, &s->manifest)};
    if (s->file.match != DB_SAME_SIZE)
        s->file.distance = fabs(log(cells / wanted));
    const enum err e = s->file.match == DB_NO_MATCH ? ERR_OK : search_table(s, folder);
    db_manifest_free(&s->manifest);
    return e;
}

enum err db_lookup(const char *folder, const struct db_query *q, struct db_found *found)
{
    struct db_list list;
    struct search s = {.q = q, .found = found, .best = {.match = DB_NO_MATCH}};
    enum err e = ERR_OK;
    *found = (struct db_found){.match = DB_NO_MATCH};
    TRY(db_list_read(folder, &list));
    for (size_t k = 0; k < list.count && !e; k++) {
        s.path = list.path[k];
        e = search_file(&s, folder);
        if (e == ERR_INPUT) {
            log_warning("%s; this file is left out", err_message());
            e = ERR_OK;
        }
    }
    db_list_free(&list);
    return e;
}
