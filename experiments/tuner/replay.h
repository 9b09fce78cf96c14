/* Replays: searches against complete spaces of the tuning database, without a device. */
#ifndef SHOAL_REPLAY_H
#define SHOAL_REPLAY_H

#include "core/db/tuning_db.h"
#include "experiments/tuner/search.h"

/* The stored blocks of a kernel on one device at one size. */
struct replay_space {
    const struct kernel *kernel;
    enum backend_kind backend;
    struct replay_block *block; /* sorted */
    int count;
    int listed, absent; /* blocks that the kernel's space has; of these, not stored */
    double best;        /* smallest median, us; INFINITY: nothing is ok */
};

/* From the rows of a group. replay_free releases it. */
enum err replay_load(struct replay_space *space, const struct kernel *k, enum backend_kind backend,
                     const struct db_group *g);
void replay_free(struct replay_space *space);

/* A space is complete if most of it is stored: absent blocks count as failed. */
int replay_complete(const struct replay_space *space);

struct replay_result {
    double near, near_seconds; /* evaluations, s to within 5 % of the optimum; INFINITY: never */
    double evaluations;        /* in all: blocks that were compiled, whether they ran or not */
    double seconds;            /* their cost, one after the other */
    double fraction;           /* the optimum over the best that was found */
    double unknown;            /* requested blocks that are not stored: answered as failed */
};

/* Runs a new search for the space's kernel and backend to its end. The watchdog stops what it would
 * stop on a device; the saved time is not counted. fraction[k], for k below `most`: the optimum
 * over the best of the first k + 1 evaluations; 0: nothing. After a shorter search its last value
 * repeats. */
void replay_follow(const struct replay_space *space, struct search *s, struct replay_result *result,
                   double *fraction, int most);

/* The same with its own search, and without the intermediate results. */
enum err replay_search(const struct replay_space *space, const struct search_setup *setup,
                       struct replay_result *result);

#endif
