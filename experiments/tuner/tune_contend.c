/* Contention: the fastest few of each kernel are timed further, all of a stage in the same random
 * rounds, until they are distinguished or known to be tied. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/tuner/tune.h"

/* A race in levels. Blocks that may still win stay in: within a share of the best median, or with
 * overlapping intervals (see db_tied), up to a number per kernel. They are timed until they have
 * `goal` timings; if others with fewer timings are then faster, these are timed, too, until none of
 * them is ahead. A CPU takes ten to a hundred times as long for each. */
static const struct level {
    double within;
    int most[BACKENDS], goal[BACKENDS];
} levels[] = {
    {1.05, {[CPU] = 10, [CUDA] = 24}, {[CPU] = 15, [CUDA] = 20}},
    {1.03, {[CPU] = 6, [CUDA] = 16}, {[CPU] = 50, [CUDA] = 50}},
    {1.01, {[CPU] = 3, [CUDA] = 8}, {[CPU] = 50, [CUDA] = 100}},
};
enum { LEVELS = sizeof levels / sizeof *levels };
enum { PLAIN_GOAL = 50 };

static int is(struct block a, struct block b)
{
    return a.w == b.w && a.h == b.h;
}

int tune_is_plain(struct tuning *t, int trial)
{
    static const struct block usual = {16, 16};
    const struct block b = t->trial[trial].recipe.block;
    return is(b, usual) || is(b, tune_subject(t, trial)->kernel->block[t->setup->backend]);
}

static int competes(const struct tuning *t, int k, int subject)
{
    return t->known[k].subject == subject && t->trial[k].outcome == DB_OK && tune_is_row(t, k);
}

/* For qsort, which passes no context: the trials to compare. */
static const struct trial *compared;

static int faster(const void *a, const void *b)
{
    const double x = trial_median(&compared[*(const int *)a]);
    const double y = trial_median(&compared[*(const int *)b]);
    return x < y ? -1 : x > y ? 1 : *(const int *)a - *(const int *)b;
}

/* The comparable trials of a kernel, fastest first. */
static int rank(const struct tuning *t, int subject, int *order)
{
    int n = 0;
    for (int k = 0; k < t->trials; k++)
        if (competes(t, k, subject))
            order[n++] = k;
    compared = t->trial;
    qsort(order, (size_t)n, sizeof *order, faster);
    return n;
}

static int tied(const struct tuning *t, int a, int b)
{
    static const struct trial_names names = {"-", "-", "-"};
    struct db_row x, y;
    trial_row(&t->trial[a], &names, &x);
    trial_row(&t->trial[b], &names, &y);
    return db_tied(&x, &y);
}

static int raise_goal(struct known *k, int goal)
{
    if (k->goal >= goal)
        return 0;
    k->goal = goal;
    return 1;
}

/* Sets the goals of a kernel's contenders for a level, and of the baseline blocks; returns how many
 * were raised. */
static int set_goals(struct tuning *t, int subject, const struct level *level, int *order)
{
    const enum backend_kind backend = t->setup->backend;
    const int n = rank(t, subject, order);
    int raised = 0;
    for (int k = 0, kept = 0; k < n; k++) {
        struct known *known = &t->known[order[k]];
        const int near =
            trial_median(&t->trial[order[k]]) <= level->within * trial_median(&t->trial[order[0]]);
        if (kept < level->most[backend] && (near || tied(t, order[k], order[0]))) {
            kept++;
            raised += raise_goal(known, level->goal[backend]);
        }
        if (tune_is_plain(t, order[k]))
            raised += raise_goal(known, PLAIN_GOAL);
    }
    return raised;
}

static int behind(const struct tuning *t, struct batch *b)
{
    b->count = 0;
    for (int k = 0; k < t->trials && b->count < MOST_ORDERED; k++)
        if (t->subject[t->known[k].subject].stage == t->now && t->trial[k].outcome == DB_OK &&
            t->trial[k].timings < t->known[k].goal)
            b->trial[b->count++] = k;
    return b->count;
}

int tune_contend(struct tuning *t, struct batch *b)
{
    int *order = calloc(MOST_TRIALS, sizeof *order);
    while (order && !behind(t, b) && t->level < LEVELS) {
        int raised = 0;
        for (int s = 0; s < t->subjects; s++)
            if (t->subject[s].stage == t->now)
                raised += set_goals(t, s, &levels[t->level], order);
        t->level += raised == 0;
    }
    free(order);
    return b->count ? CONTENTION_REPEATS : 0;
}
