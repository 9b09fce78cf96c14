/* Seeds: blocks that the tuning database has as good for a kernel elsewhere. */
#include "experiments/tuner/seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/base/log.h"

/* This many from each table: if the first does not transfer, one of its neighbours may. */
enum { OF_A_TABLE = 3 };

struct source {
    const struct seeds_query *query;
    double distance;
    size_t most;  /* blocks that are ok in a group */
    size_t place; /* in the database's list: breaks ties */
    int count;
    struct block best[OF_A_TABLE];
};

/* Tables differ by less in size than by precision, by less in precision than by device. */
static double distance(const struct seeds_query *q, const struct db_place *place,
                       const struct db_manifest *m)
{
    const char *capability = db_manifest_get(m, "environment", "compute_capability");
    const double cells = (double)q->nx * q->ny, theirs = (double)place->nx * place->ny;
    const double size = fabs(log2(cells / theirs)); /* 64 bits: below 100 */
    const int precision = q->precision != place->precision;
    if (strcmp(q->device, place->device) == 0)
        return size + 100 * precision;
    if (q->capability && capability && strcmp(q->capability, capability) == 0)
        return size + 100 * precision + 200;
    return size + 100 * precision + 400;
}

/* The best of the table's largest group of rows, if it is of the requested backend. */
static enum err take_best(void *context, const struct db_seen *seen)
{
    struct source *s = context;
    const char *backend = db_manifest_get(seen->manifest, "environment", "backend");
    if (seen->group->ok <= s->most || !backend ||
        strcmp(backend, backends[s->query->backend]->name) != 0)
        return ERR_OK;
    s->distance = distance(s->query, seen->place, seen->manifest);
    s->most = seen->group->ok;
    s->count = 0;
    for (size_t k = 0; k < seen->group->ok && k < OF_A_TABLE; k++)
        s->best[s->count++] = seen->group->row[k].block;
    return ERR_OK;
}

/* Leaves the source empty if the file is for something else. */
static enum err look_at(struct source *s, const char *folder, const char *relative)
{
    struct db_place place;
    db_place_parse(relative, &place);
    if (place.kind != DB_KERNEL || strcmp(place.kernel, s->query->kernel->name) != 0 ||
        (s->query->except && strcmp(relative, s->query->except) == 0))
        return ERR_OK;
    return db_groups(folder, relative, take_best, s);
}

static int nearer(const void *x, const void *y)
{
    const struct source *a = x, *b = y;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static void take_seed(const struct source *all, size_t count, struct block *seed, int *taken)
{
    for (int rank = 0; rank < OF_A_TABLE; rank++)
        for (size_t n = 0; n < count; n++) {
            const struct block b = all[n].best[rank];
            int known = rank >= all[n].count || *taken == MOST_SEEDS;
            for (int k = 0; k < *taken && !known; k++)
                known = seed[k].w == b.w && seed[k].h == b.h;
            if (!known)
                seed[(*taken)++] = b;
        }
}

enum err seeds_find(const char *folder, const struct seeds_query *q, struct block seed[MOST_SEEDS],
                    int *count)
{
    struct db_list list;
    struct source *all = NULL;
    size_t found = 0;
    enum err e = ERR_OK;
    *count = 0;
    TRY(db_list_read(folder, &list));
    all = calloc(list.count + 1, sizeof *all);
    if (!all) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %zu tables", list.count);
        goto out;
    }
    for (size_t n = 0; n < list.count; n++) {
        all[found] = (struct source){.query = q, .place = n};
        if (look_at(&all[found], folder, list.path[n]))
            log_warning("%s; no seeds from this file", err_message());
        else
            found += all[found].count > 0;
    }
    qsort(all, found, sizeof *all, nearer);
    take_seed(all, found, seed, count);
out:
    free(all);
    db_list_free(&list);
    return e;
}
