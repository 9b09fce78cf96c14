/* Searches: the bookkeeping that all strategies share. */
#include "experiments/tuner/search_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRATEGY_NAME(id, name, title)  name,
#define STRATEGY_TITLE(id, name, title) title,
const char *const strategy_names[STRATEGIES + 1] = {STRATEGY_TABLE(STRATEGY_NAME) NULL};
const char *const strategy_titles[STRATEGIES] = {STRATEGY_TABLE(STRATEGY_TITLE)};

/* `usual`: how many blocks such a search tries, if it does not know from the beginning. */
static const struct {
    search_plan *plan;
    int usual;
} strategies[STRATEGIES] = {
    [SEARCH_EXHAUSTIVE] = {plan_exhaustive, 0}, [SEARCH_PRUNED] = {plan_pruned, 0},
    [SEARCH_GUIDED] = {plan_guided, 36},        [SEARCH_SEEDED] = {plan_seeded, 16},
    [SEARCH_RANDOM] = {plan_random, 0},
};

int search_find(const struct search *s, struct block b)
{
    for (int k = 0; k < s->count; k++)
        if (s->point[k].b.w == b.w && s->point[k].b.h == b.h)
            return k;
    return -1;
}

int search_add(struct search *s, struct block b)
{
    char why[SPACE_WHY];
    const int known = search_find(s, b);
    if (known >= 0 || s->count == s->room ||
        space_breaks(s->setup.kernel, s->setup.backend, b, why, sizeof why))
        return known;
    s->point[s->count] = (struct point){.b = b};
    return s->count++;
}

void search_want(struct search *s, int point, double patience, int group)
{
    if (point < 0 || s->point[point].state != POINT_FREE)
        return;
    s->point[point].state = POINT_PLANNED;
    s->point[point].patience = patience;
    s->point[point].group = group;
    s->order[s->planned++] = point;
}

static int exact(const struct point *p)
{
    return p->state == POINT_TOLD && !p->ended && isfinite(p->us);
}

int search_best(const struct search *s)
{
    int best = -1;
    for (int k = 0; k < s->count; k++)
        if (exact(&s->point[k]) && (best < 0 || s->point[k].us < s->point[best].us))
            best = k;
    return best;
}

/* Steele, Lea, Flood, Fast splittable pseudorandom number generators (2014). */
static unsigned below(struct search *s, unsigned n)
{
    unsigned long long z = s->random += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (unsigned)((z ^ (z >> 31)) % n);
}

void search_scatter(struct search *s, int most, double patience)
{
    const int first = s->planned;
    for (int k = 0; k < s->count; k++)
        if (s->point[k].listed)
            search_want(s, k, patience, 0);
    for (int k = s->planned - 1; k > first; k--) {
        const int other = first + (int)below(s, (unsigned)(k - first + 1)), kept = s->order[k];
        s->order[k] = s->order[other];
        s->order[other] = kept;
    }
    while (s->planned - first > most)
        s->point[s->order[--s->planned]].state = POINT_FREE;
}

/* Exhaustive searches also try blocks that violate a limit: each failure becomes a row. */
static enum err list_points(struct search *s)
{
    const int all = s->setup.strategy == SEARCH_EXHAUSTIVE;
    struct blocks blocks = {0};
    char why[SPACE_WHY];
    TRY((s->setup.dense ? space_list_dense : space_list)(s->setup.kernel, s->setup.backend,
                                                         &blocks));
    s->room = blocks.count + s->setup.seed_count + POINTS_MORE;
    s->point = calloc((size_t)s->room, sizeof *s->point);
    s->order = calloc((size_t)s->room, sizeof *s->order);
    for (int k = 0; s->point && k < blocks.count; k++)
        if (all || !space_breaks(s->setup.kernel, s->setup.backend, blocks.at[k], why, sizeof why))
            s->point[s->count++] = (struct point){.b = blocks.at[k], .listed = 1};
    blocks_free(&blocks);
    if (!s->point || !s->order)
        FAIL(MEMORY, "no memory for a search over %d blocks", s->room);
    return ERR_OK;
}

static enum err copy_seeds(struct search *s, const struct search_setup *setup)
{
    const size_t bytes = (size_t)setup->seed_count * sizeof *s->seeds;
    if (!bytes)
        return ERR_OK;
    s->seeds = malloc(bytes);
    if (!s->seeds)
        FAIL(MEMORY, "no memory for %d seeds", setup->seed_count);
    memcpy(s->seeds, setup->seeds, bytes);
    s->setup.seeds = s->seeds;
    return ERR_OK;
}

/* Every strategy tries the previous best: it may not be in the space, and a winner must have been
 * compared with it. */
static const double SEED_PATIENCE = 3;

enum err search_create(struct search **out, const struct search_setup *setup)
{
    struct search *s = calloc(1, sizeof *s);
    enum err e = ERR_OK;
    *out = NULL;
    if (!s)
        FAIL(MEMORY, "no memory for a search");
    s->setup = *setup;
    s->setup.seeds = NULL;
    s->centre = -1;
    s->random = setup->random;
    TRY_OUT(copy_seeds(s, setup));
    TRY_OUT(list_points(s));
    strategies[setup->strategy].plan(s);
    for (int k = 0; k < setup->seed_count; k++)
        search_want(s, search_add(s, setup->seeds[k]), SEED_PATIENCE, 0);
    *out = s;
    return ERR_OK;
out:
    search_destroy(s);
    return e;
}

void search_destroy(struct search *s)
{
    if (!s)
        return;
    free(s->point);
    free(s->order);
    free(s->seeds);
    free(s);
}

int search_ask(struct search *s, struct block *next, int most)
{
    int count = 0;
    for (; count < most && s->asked < s->planned; count++) {
        struct point *p = &s->point[s->order[s->asked++]];
        p->state = POINT_OUT;
        next[count] = p->b;
    }
    s->out += count;
    return count;
}

void search_tell(struct search *s, struct block b, double us, int ended)
{
    const int k = search_find(s, b);
    if (k < 0 || s->point[k].state != POINT_OUT)
        return;
    s->point[k].state = POINT_TOLD;
    s->point[k].us = us > 0 ? us : (double)INFINITY;
    s->point[k].ended = ended;
    if (--s->out == 0 && s->asked == s->planned)
        strategies[s->setup.strategy].plan(s);
}

double search_limit(const struct search *s, struct block b)
{
    const int asked = search_find(s, b);
    double best = (double)INFINITY;
    if (asked < 0)
        return (double)INFINITY;
    const struct point *p = &s->point[asked];
    for (int k = 0; k < s->count; k++)
        if (exact(&s->point[k]) && (p->group == 0 || p->group == s->point[k].group))
            best = fmin(best, s->point[k].us);
    return isfinite(best) ? best * p->patience : (double)INFINITY;
}

int search_done(const struct search *s)
{
    return s->out == 0 && s->asked == s->planned;
}

int search_expected(const struct search *s)
{
    const int usual = strategies[s->setup.strategy].usual;
    return search_done(s) || s->planned > usual ? s->planned : usual;
}
