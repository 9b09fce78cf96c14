/* Strategies: which blocks of a kernel to try next, given the times of those tried so far. They
 * depend on neither device nor database, so that replays and real tunings run the same code. */
#ifndef SHOAL_SEARCH_H
#define SHOAL_SEARCH_H

#include <stddef.h>

#include "core/base/err.h"
#include "kernels/kernel.h"

#define STRATEGY_TABLE(X)                                                                      \
    X(EXHAUSTIVE, "exhaustive",                                                                \
      "every block of the kernel's space, then the winner's surroundings")                     \
    X(PRUNED, "pruned", "the blocks that the thesis's rules leave (chapter 4.1)")              \
    X(GUIDED, "guided", "predicted from few blocks (Weber et al. 2015), then a local descent") \
    X(SEEDED, "seeded", "the best of similar devices and sizes, then a local descent")         \
    X(RANDOM, "random", "in random order: the baseline for the others")

enum strategy {
#define STRATEGY_ENUM(id, name, title) SEARCH_##id,
    STRATEGY_TABLE(STRATEGY_ENUM)
#undef STRATEGY_ENUM
        STRATEGIES
};
extern const char *const strategy_names[STRATEGIES + 1]; /* ends in NULL */
extern const char *const strategy_titles[STRATEGIES];

/* All blocks a kernel declares for a backend, widths fastest. Some may violate a limit. */
struct blocks {
    struct block *at;
    int count;
};
enum err space_list(const struct kernel *k, enum backend_kind backend, struct blocks *all);

/* The same, and every width and height that violates no limit, up to the largest number of threads
 * of a block. */
enum err space_list_dense(const struct kernel *k, enum backend_kind backend, struct blocks *all);
void blocks_free(struct blocks *all);

/* Why a kernel can never run with a block ("2048 threads, and a block has at most 1024"), in a text of
 * SPACE_WHY; false if it can. */
enum { SPACE_WHY = 96 };
int space_breaks(const struct kernel *k, enum backend_kind backend, struct block b, char *why,
                 size_t n);

/* Does the thesis's rule leave the block in? */
int space_keeps(const struct kernel *k, enum backend_kind backend, struct block b);

struct search_setup {
    const struct kernel *kernel;
    enum backend_kind backend;
    enum strategy strategy;
    const struct block *seeds; /* best first; copied. Every strategy tries them */
    int seed_count;
    int dense;       /* every width and height that violates no limit belongs to the space */
    unsigned random; /* of the order, if that does not matter */
};

struct search;
enum err search_create(struct search **out, const struct search_setup *setup);
void search_destroy(struct search *s); /* accepts NULL */

/* Blocks to try now, `most` at most; returns how many. 0 while waiting for others' times, or at the
 * end. Each block is requested once; one that violates a limit only by exhaustive searches, so that
 * it becomes a row. */
int search_ask(struct search *s, struct block *next, int most);

/* The time of a requested block, us. INFINITY: it failed. `ended`: the watchdog stopped it, and the
 * time is only a lower bound. Answers may come in any order: the next requests are decided by the
 * times when all have come, so that only blocks that the watchdog stopped can make a difference. */
void search_tell(struct search *s, struct block b, double us, int ended);

/* The watchdog's limit: once a block is known to take longer than this, us, its exact time cannot
 * affect the search. INFINITY if it can (Weber et al. 2015, 5.2: base configurations). */
double search_limit(const struct search *s, struct block b);

/* True if nothing is left to request and all requests are answered. */
int search_done(const struct search *s);

/* The role of a block in a guided search: its model uses the times of base and supports, candidates
 * are predicted to be the best, and a descent ends it. */
enum search_role {
    SEARCH_OTHER,
    SEARCH_BASE,
    SEARCH_SUPPORT,
    SEARCH_CANDIDATE,
    SEARCH_DESCENT,
    SEARCH_ROLES
};
enum search_role search_role(const struct search *s, struct block b);

/* A guided search's prediction of a block's time relative to the base, the kernel's default block.
 * NAN before the times of all supports are known, and if none of them works. */
double search_prediction(const struct search *s, struct block b);

/* The expected number of requested blocks at the end: for progress. */
int search_expected(const struct search *s);

#endif
