/* Several threads prepare the pieces of a job while the caller's takes them, one by one and in their order:
 * what comes of it does not depend on how many threads there are. */
#ifndef SHOAL_ORDERED_WORKERS_H
#define SHOAL_ORDERED_WORKERS_H

#include <stddef.h>

#include "core/base/err.h"

struct ordered_workers;

struct ordered_job {
    size_t pieces;
    /* A prepared piece lies in its place, below ordered_workers_places, until it has been taken. */
    enum err (*prepare)(void *context, size_t piece, size_t place); /* in any thread */
    enum err (*take)(void *context, size_t piece, size_t place);    /* in the caller's */
    void *context;
};

/* So many threads besides the caller's, which prepares, too; may be 0. */
enum err ordered_workers_create(struct ordered_workers **out, int helpers);

size_t ordered_workers_places(const struct ordered_workers *c);

/* Returns when all pieces have been taken or none is in work any more; fails with the first error met. */
enum err ordered_workers_do(struct ordered_workers *c, const struct ordered_job *job);

/* Accepts a null *out, and sets it to null. */
void ordered_workers_destroy(struct ordered_workers **out);

#endif
