/* Replays: searches against complete spaces of the tuning database, without a device. */
#include "experiments/tuner/replay.h"

#include <math.h>
#include <stdlib.h>

/* The share of a space that may be absent, as in a tuning that was killed near its end. */
static const double ABSENT = 0.05;
static const double NEAR = 1.05;

struct replay_block {
    struct block b;
    double us; /* INFINITY: it failed */
    int ended; /* by the watchdog */
    int free;  /* it violates a rule, which costs no time to find */
    double seconds;
};

static int by_block(const void *x, const void *y)
{
    const struct replay_block *a = x, *b = y;
    return a->b.h != b->b.h ? a->b.h - b->b.h : a->b.w - b->b.w;
}

static const struct replay_block *find(const struct replay_space *space, struct block b)
{
    const struct replay_block wanted = {.b = b};
    return bsearch(&wanted, space->block, (size_t)space->count, sizeof wanted, by_block);
}

static struct replay_block replayed(const struct db_row *row)
{
    static const enum db_number costs[] = {DB_COMPILE_COST, DB_LOAD_COST, DB_MEASURE_COST};
    const double us = row->number[DB_MEDIAN];
    const int timed = row->outcome == DB_OK || (row->outcome == DB_TIME_OUT && !isnan(us));
    struct replay_block r = {.b = row->block,
                             .us = timed ? us : (double)INFINITY,
                             .ended = timed && row->outcome != DB_OK,
                             .free = row->outcome == DB_CONSTRAINT};
    for (int k = 0; k < 3; k++)
        if (!isnan(row->number[costs[k]]))
            r.seconds += 1e-3 * row->number[costs[k]];
    return r;
}

static enum err count_absent(struct replay_space *space)
{
    struct blocks all;
    char why[SPACE_WHY];
    TRY(space_list(space->kernel, space->backend, &all));
    for (int k = 0; k < all.count; k++) {
        if (space_breaks(space->kernel, space->backend, all.at[k], why, sizeof why))
            continue;
        space->listed++;
        space->absent += find(space, all.at[k]) == NULL;
    }
    blocks_free(&all);
    return ERR_OK;
}

enum err replay_load(struct replay_space *space, const struct kernel *k, enum backend_kind backend,
                     const struct db_group *g)
{
    enum err e = ERR_OK;
    *space = (struct replay_space){.kernel = k, .backend = backend, .best = (double)INFINITY};
    space->block = calloc(g->count + 1, sizeof *space->block);
    if (!space->block)
        FAIL(MEMORY, "no memory for %zu blocks", g->count);
    for (size_t n = 0; n < g->count; n++) {
        const struct replay_block r = replayed(&g->row[n]);
        space->block[space->count++] = r;
        if (!r.ended)
            space->best = fmin(space->best, r.us);
    }
    qsort(space->block, (size_t)space->count, sizeof *space->block, by_block);
    TRY_OUT(count_absent(space));
    return ERR_OK;
out:
    replay_free(space);
    return e;
}

void replay_free(struct replay_space *space)
{
    free(space->block);
    *space = (struct replay_space){0};
}

int replay_complete(const struct replay_space *space)
{
    return isfinite(space->best) && space->absent <= ABSENT * space->listed;
}

/* A device's answer for a block, limited where the watchdog would stop it. */
static double answer(const struct replay_block *r, double limit, int *ended)
{
    *ended = r && isfinite(r->us) && (r->ended || r->us > limit);
    if (!r)
        return (double)INFINITY;
    return isfinite(r->us) ? fmin(r->us, limit) : r->us;
}

static double share(const struct replay_space *space, double best)
{
    return isfinite(best) ? space->best / best : 0;
}

void replay_follow(const struct replay_space *space, struct search *s, struct replay_result *result,
                   double *fraction, int most)
{
    struct block b;
    double best = (double)INFINITY;
    int ended, noted = 0;
    *result = (struct replay_result){.near = (double)INFINITY, .near_seconds = (double)INFINITY};
    while (search_ask(s, &b, 1) == 1) {
        const struct replay_block *r = find(space, b);
        const double us = answer(r, search_limit(s, b), &ended);
        search_tell(s, b, us, ended);
        result->unknown += r == NULL;
        if (!r || r->free)
            continue;
        result->evaluations++;
        result->seconds += r->seconds;
        if (!ended)
            best = fmin(best, us);
        if (noted < most)
            fraction[noted++] = share(space, best);
        if (best <= NEAR * space->best && isinf(result->near)) {
            result->near = result->evaluations;
            result->near_seconds = result->seconds;
        }
    }
    result->fraction = share(space, best);
    while (noted < most)
        fraction[noted++] = result->fraction;
}

enum err replay_search(const struct replay_space *space, const struct search_setup *setup,
                       struct replay_result *result)
{
    struct search *s;
    TRY(search_create(&s, setup));
    replay_follow(space, s, result, NULL, 0);
    search_destroy(s);
    return ERR_OK;
}
