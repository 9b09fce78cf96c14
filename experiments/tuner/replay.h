/* Replays: searches against complete spaces of the tuning database, without a device. */
#ifndef SHOAL_REPLAY_H
#define SHOAL_REPLAY_H

#include "core/db/tuning_db.h"
#include "experiments/tuner/search.h"

/* What is stored of a kernel's blocks on one device at one size. */
struct replay_space {
    const struct kernel *kernel;
    enum backend_kind backend;
    struct replay_block *block; /* sorted */
    int count;
    int listed, absent; /* blocks that the kernel's space has; of these, not stored */
    double best;        /* smallest median, us; INFINITY: nothing is ok */
};

/* Of the rows of a group. replay_free releases it. */
enum err replay_load(struct replay_space *space, const struct kernel *k, enum backend_kind backend,
                     const struct db_group *g);
void replay_free(struct replay_space *space);

/* A space is complete if most of it is stored: what is absent counts as failed. */
int replay_complete(const struct replay_space *space);

struct replay_result {
    double near, near_seconds; /* evaluations and seconds until the best so far was within 5 % of
                                * the optimum; INFINITY: it never was */
    double evaluations;        /* in all: blocks that were compiled, whether they ran or not */
    double seconds;            /* their cost, one after the other */
    double fraction;           /* the optimum by the best that was found */
    double unknown;            /* blocks asked for that are not stored: answered as failed */
};

/* Takes a search that has not begun, of the space's kernel and backend, to its end. The watch-dog ends
 * what it would end on a device; that it saves time is not taken into account. fraction[k], for k below
 * `most`: the optimum by the best that was found in the first k + 1 evaluations; 0: nothing. What a
 * search that needs fewer has found stays. */
void replay_follow(const struct replay_space *space, struct search *s, struct replay_result *result,
                   double *fraction, int most);

/* The same with a search of its own, and without what it had on its way. */
enum err replay_search(const struct replay_space *space, const struct search_setup *setup,
                       struct replay_result *result);

#endif
