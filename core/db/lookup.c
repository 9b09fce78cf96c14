/* The winner for a device and a size, or for several kernels that must share a block. */
#include "core/db/tuning_db.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/db/device_view.h"
#include "core/db/rounds.h"
#include "core/base/log.h"

enum { RELATIVE = 5 * DB_NAME };

/* The quality of an answer; smaller is better, in the order of the members. */
struct rank {
    int other_flags;
    enum db_match match;
    double distance; /* between the numbers of cells: the logarithm of their ratio */
    int other_source;
    char started[DB_TIME]; /* the winner's session; later is better */
};

/* A table that may hold an answer, and its best possible quality. */
struct candidate {
    const struct shelf *shelf;
    char name[2 * DB_NAME];
    struct db_place place; /* for whichever kernel it was looked up first */
    struct rank rank;
};

/* The best rows of a table for a query: none where the group is empty. */
struct answer {
    struct rank rank;
    struct db_group group;
};

/* Below 0 if `a` is the better one. */
static int compare(const struct rank *a, const struct rank *b)
{
    if (a->other_flags != b->other_flags)
        return a->other_flags - b->other_flags;
    if (a->match != b->match)
        return a->match < b->match ? -1 : 1;
    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->other_source != b->other_source)
        return a->other_source - b->other_source;
    return strcmp(b->started, a->started);
}

static int knows_flags(const struct shelf *s, const char *flags)
{
    for (size_t k = 0; k < s->manifest.count; k++)
        if (strncmp(s->manifest.entry[k].key, "flags/", 6) == 0 &&
            strcmp(s->manifest.entry[k].value, flags) == 0)
            return 1;
    return 0;
}

/* False if the file cannot answer the query. */
static int consider(const struct shelf *s, const struct db_query *q, const char *name,
                    struct candidate *c)
{
    char relative[RELATIVE];
    *c = (struct candidate){.shelf = s};
    const struct db_place *place = &c->place;
    if (snprintf(c->name, sizeof c->name, "%s", name) >= (int)sizeof c->name)
        return 0;
    snprintf(relative, sizeof relative, "%s/%s/%s", s->path, q->kernel, name);
    db_place_parse(relative, &c->place);
    if (place->kind != DB_KERNEL || place->precision != q->precision)
        return 0;
    const double cells = (double)place->nx * place->ny, wanted = (double)q->nx * q->ny;
    const int same_size = s->same_device && place->nx == q->nx && place->ny == q->ny;
    c->rank.match = !s->same_device ? DB_SAME_CAPABILITY : same_size ? DB_SAME_SIZE : DB_OTHER_SIZE;
    c->rank.distance = same_size ? 0 : fabs(log(cells / wanted));
    c->rank.other_flags = q->flags && !knows_flags(s, q->flags);
    snprintf(c->rank.started, sizeof c->rank.started, "%s", s->latest);
    return !c->rank.other_flags || q->other_flags;
}

static int has_word(const char *text, const char *word, size_t n)
{
    for (const char *w = text; *w; w += strspn(w, " ")) {
        const size_t length = strcspn(w, " ");
        if (length == n && memcmp(w, word, n) == 0)
            return 1;
        w += length;
    }
    return 0;
}

/* How many of the requested words are missing in others; 0 only for the same text. A run with
 * friction prefers a block found with its reconstruction to one found with another. */
static int flags_apart(const char *asked, const char *others)
{
    int apart = 0;
    for (const char *w = asked; *w; w += strspn(w, " ")) {
        const size_t length = strcspn(w, " ");
        apart += !has_word(others, w, length);
        w += length;
    }
    return apart > 0 ? apart : strcmp(asked, others) != 0;
}

/* Takes the group over if it is better than what the answer has. */
static void offer(struct answer *a, const struct candidate *c, const struct db_query *q,
                  struct db_group *g)
{
    struct rank rank = c->rank;
    const char *flags =
        g->ok ? db_manifest_get(&c->shelf->manifest, "flags", g->row[0].flags) : NULL;
    rank.other_flags = q->flags ? flags_apart(q->flags, flags ? flags : "") : 0;
    if (g->ok) {
        rank.other_source =
            q->source && !db_same_code(&c->shelf->manifest, g->row[0].source, q->source, q->code);
        const char *started = db_session_get(&c->shelf->manifest, g->row[0].session, "started");
        snprintf(rank.started, sizeof rank.started, "%s", started ? started : "");
    }
    if (g->ok == 0 || (rank.other_flags && !q->other_flags) ||
        (a->group.ok && compare(&rank, &a->rank) >= 0)) {
        db_group_free(g);
        return;
    }
    db_group_free(&a->group);
    *a = (struct answer){rank, *g};
}

/* The answer of the candidate's table, but of the query's kernel. A table that cannot be read is a
 * warning, and gives no answer. */
static enum err ask(const struct db_view *v, const struct candidate *c, const struct db_query *q,
                    struct answer *a)
{
    char relative[RELATIVE], path[PATH_LENGTH];
    struct db_table t;
    struct db_group g;
    *a = (struct answer){0};
    snprintf(relative, sizeof relative, "%s/%s/%s", c->shelf->path, q->kernel, c->name);
    TRY(db_path(v->folder, relative, path));
    if (access(path, F_OK) != 0)
        return ERR_OK;
    const enum err read = db_read(path, NULL, NULL, &t);
    if (read == ERR_INPUT) {
        log_warning("%s; this file is left out", err_message());
        return ERR_OK;
    }
    TRY(read);
    db_sort(&t);
    enum err e = db_newest(&t, &c->shelf->manifest);
    for (size_t next = 0; next < t.count && !e;) {
        e = db_group_next(&t, &next, &g);
        if (!e)
            offer(a, c, q, &g);
    }
    db_free(&t);
    return e;
}

/* The row of a block among those of a group that are ok; NULL if there is none. */
static const struct db_row *row_of_block(const struct db_group *g, struct block b)
{
    const struct db_row *row = db_group_row(g, b);
    return row && row->outcome == DB_OK ? row : NULL;
}

/* A block takes as long whether all places of a device are taken or few; with one that suits a large domain a small one
 * leaves most idle. */
static double rounds(const struct db_row *row, int nx, int ny, const struct db_query *q)
{
    enum { SCHEDULERS = 4 }; /* of a multiprocessor */
    /* Of one multiprocessor a whole number: rows have three digits of the occupancy. */
    const double warps = floor(row->number[DB_OCCUPANCY] * q->warps / q->units + 0.5);
    const struct room room = {warps * q->units, (double)q->units * SCHEDULERS};
    return room.places >= 1 ? rounds_of(row->block, nx, ny, room)
                            : 1; /* an unknown occupancy is NaN */
}

/* What a row's time is multiplied by for the size that is asked for. */
static double other_size(const struct db_row *row, const struct db_place *at,
                         const struct db_query *q)
{
    return q->warps ? rounds(row, q->nx, q->ny, q) / rounds(row, at->nx, at->ny, q) : 1;
}

/* The block that is ok for all and has the least sum of the times that a winner is chosen by: for one
 * kernel its winner. False if there is none. */
static int least_sum(const struct answer *a, int count, const struct db_place *at,
                     const struct db_query *q, struct block *best)
{
    double least = (double)INFINITY;
    for (size_t k = 0; k < a[0].group.ok; k++) {
        const struct block b = a[0].group.row[k].block;
        double sum = 0;
        for (int m = 0; m < count; m++) {
            const struct db_row *row = row_of_block(&a[m].group, b);
            double low, high = (double)INFINITY;
            if (row) {
                db_interval(row, &low, &high);
                high *= other_size(row, at, &q[m]);
            }
            sum += high;
        }
        if (sum < least) {
            least = sum;
            *best = b;
        }
    }
    return least < (double)INFINITY;
}

/* Asks one place of the database for all kernels; `best` is the rank of earlier answers. */
static enum err ask_for_all(const struct db_view *v, const struct candidate *c,
                            const struct db_query *q, int count, struct rank *best,
                            struct db_found *found)
{
    struct block block = {0};
    struct rank worst = {0};
    enum err e = ERR_OK;
    struct answer *a = calloc((size_t)count, sizeof *a);
    if (!a)
        FAIL(MEMORY, "no memory to look into the tuning database");
    for (int k = 0; k < count; k++) {
        TRY_OUT(ask(v, c, &q[k], &a[k]));
        if (a[k].group.ok == 0)
            goto out;
        if (k == 0 || compare(&a[k].rank, &worst) > 0)
            worst = a[k].rank;
    }
    if (compare(&worst, best) < 0 && least_sum(a, count, &c->place, q, &block)) {
        *best = worst;
        for (int k = 0; k < count; k++)
            found[k] = (struct db_found){.match = a[k].rank.match,
                                         .row = *row_of_block(&a[k].group, block),
                                         .place = c->place,
                                         .other_flags = a[k].rank.other_flags,
                                         .other_source = a[k].rank.other_source};
    }
out:
    for (int k = 0; k < count; k++)
        db_group_free(&a[k].group);
    free(a);
    return e;
}

/* The most promising of the tables that may have something better, removed from the list; false if
 * there is none. */
static int choose(const struct shelf *s, const struct db_query *q, const struct rank *best,
                  struct dirent *const *entry, int entries, struct candidate *chosen)
{
    struct candidate c;
    int at = -1;
    for (int k = 0; k < entries; k++)
        if (consider(s, q, entry[k]->d_name, &c) && compare(&c.rank, best) < 0 &&
            (at < 0 || compare(&c.rank, &chosen->rank) < 0)) {
            at = k;
            *chosen = c;
        }
    if (at >= 0)
        entry[at]->d_name[0] = '\0';
    return at >= 0;
}

/* Asks a shelf's tables of a kernel; of equals the first by name. */
static enum err ask_shelf(const struct db_view *v, const struct shelf *s, const struct db_query *q,
                          int count, struct rank *best, struct db_found *found)
{
    char path[PATH_LENGTH], relative[RELATIVE];
    struct dirent **entry;
    struct candidate c;
    enum err e = ERR_OK;
    snprintf(relative, sizeof relative, "%s/%s", s->path, q->kernel);
    TRY(db_path(v->folder, relative, path));
    const int entries = scandir(path, &entry, NULL, alphasort);
    if (entries < 0 && errno != ENOENT && errno != ENOTDIR)
        log_warning("%s: cannot be read: %s; it is left out", path, strerror(errno));
    while (!e && choose(s, q, best, entry, entries, &c))
        e = ask_for_all(v, &c, q, count, best, found);
    for (int k = 0; k < entries; k++)
        free(entry[k]);
    if (entries >= 0)
        free(entry);
    return e;
}

static enum err ask_shelves(const struct db_view *v, int first, const struct db_query *q, int count,
                            struct rank *best, struct db_found *found)
{
    for (int k = first; k < v->count; k++)
        TRY(ask_shelf(v, &v->shelf[k], q, count, best, found));
    return ERR_OK;
}

enum err db_view_find(struct db_view *v, const struct db_query *q, int count,
                      struct db_found *found)
{
    struct rank best = {.other_flags = INT_MAX, .match = DB_NO_MATCH};
    for (int k = 0; k < count; k++)
        found[k] = (struct db_found){.match = DB_NO_MATCH};
    TRY(ask_shelves(v, 0, q, count, &best, found));
    if (v->others || (best.match != DB_NO_MATCH && !best.other_flags))
        return ERR_OK;
    const int own = v->count;
    TRY(db_view_add_others(v));
    return ask_shelves(v, own, q, count, &best, found);
}
