/* How fast search strategies approach the best block, by replays of stored spaces, as an SQL
 * table. */
#include <stdlib.h>

#include "core/device/backend.h"
#include "experiments/tuner/replay.h"
#include "plots/data/load.h"

/* Each of the first evaluations is a row, then every STEPth, up to the same number for all spaces
 * of a device. */
enum { REPEATS = 40, DENSE = 64, STEP = 32, COLUMNS = 11 };

struct replays {
    struct database *d;
    const char *table;
    int length; /* of a trace, evaluations: as many as the device's largest space has */
    double *fraction;
};

static enum err add_trace(const struct replays *a, const struct stored_space *s,
                          enum strategy strategy, int repeat)
{
    struct sql_value v[COLUMNS] = {{s->kernel->name, 0},
                                   {NULL, s->nx},
                                   {precision_names[s->precision], 0},
                                   {strategy_names[strategy], 0},
                                   {NULL, repeat},
                                   {NULL, 0},
                                   {NULL, 0},
                                   {s->device->device, 0},
                                   {s->device->environment, 0},
                                   {plot_device_title(s->device), 0},
                                   {backends[s->device->backend]->name, 0}};
    enum err e = sql_into(a->d->sql, a->table, COLUMNS);
    for (int n = 1; n <= a->length && !e; n += n < DENSE ? 1 : STEP) {
        v[5].number = n;
        v[6].number = a->fraction[n - 1];
        e = sql_add(a->d->sql, v);
    }
    return sql_done(a->d->sql, e);
}

/* Only seeded searches begin with what is stored for other sizes and devices. */
enum err stored_seeds(const struct database *d, const struct stored_space *s,
                      struct block seed[MOST_SEEDS], int *count)
{
    const struct seeds_query q = {
        .kernel = s->kernel,
        .backend = s->device->backend,
        .device = s->device->device,
        .capability = db_manifest_get(&s->device->manifest, "environment", "compute_capability"),
        .precision = s->precision,
        .nx = s->nx,
        .ny = s->ny,
        .except = s->file};
    return seeds_find(d->all->folder, &q, seed, count);
}

static enum err run_searches(const struct replays *a, const struct stored_space *s,
                             const struct replay_space *space)
{
    struct block seed[MOST_SEEDS];
    int seeds = 0;
    TRY(stored_seeds(a->d, s, seed, &seeds));
    for (int k = 0; k < STRATEGIES; k++)
        for (int n = 1; n <= REPEATS && k != SEARCH_EXHAUSTIVE; n++) {
            const struct search_setup setup = {.kernel = s->kernel,
                                               .backend = space->backend,
                                               .strategy = (enum strategy)k,
                                               .seeds = seed,
                                               .seed_count = k == SEARCH_SEEDED ? seeds : 0,
                                               .random = (unsigned)n};
            struct search *search;
            struct replay_result result;
            TRY(search_create(&search, &setup));
            replay_follow(space, search, &result, a->fraction, a->length);
            search_destroy(search);
            TRY(add_trace(a, s, (enum strategy)k, n));
        }
    return ERR_OK;
}

static enum err find_length(void *context, const struct stored_space *s)
{
    struct replays *a = context;
    while (a->length < (int)s->group.count)
        a->length += STEP;
    return ERR_OK;
}

static enum err add_space(void *context, const struct stored_space *s)
{
    struct replay_space space;
    TRY(replay_load(&space, s->kernel, s->device->backend, &s->group));
    const enum err e = run_searches(context, s, &space);
    replay_free(&space);
    return e;
}

enum err load_replay(struct database *d, const char *table, int nx)
{
    struct replays a = {.d = d, .table = table, .length = DENSE};
    char rows[128];
    TRY(database_run(d,
                     "CREATE TABLE %s (kernel, nx, precision, strategy, repeat, evaluations, "
                     "fraction, device, environment, device_title, backend)",
                     table));
    snprintf(rows, sizeof rows, "blocks WHERE complete AND nx = %d", nx);
    TRY(stored_spaces(d, rows, find_length, &a));
    a.fraction = calloc((size_t)a.length, sizeof *a.fraction);
    if (!a.fraction)
        FAIL(MEMORY, "no memory for replays");
    const enum err e = stored_spaces(d, rows, add_space, &a);
    free(a.fraction);
    return e;
}
