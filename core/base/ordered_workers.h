/* Several threads prepare the pieces of a job, and hand them on one by one and in their order: what comes of it does not
 * depend on how many threads there are. */
#ifndef SHOAL_ORDERED_WORKERS_H
#define SHOAL_ORDERED_WORKERS_H

#include <stddef.h>

#include "core/base/err.h"

struct ordered_job {
    size_t pieces;
    /* A prepared piece lies in its place, below ordered_workers_places, until it has been taken. Both are called in
     * any of the threads. */
    enum err (*prepare)(void *context, size_t piece, size_t place);
    enum err (*take)(void *context, size_t piece, size_t place); /* one at a time */
    void *context;
    int helpers; /* threads besides the caller's; may be 0 */
};

size_t ordered_workers_places(int helpers);

/* Returns when all pieces have been taken or none is in work any more; fails with the first error met. */
enum err ordered_workers_do(const struct ordered_job *job);

#endif
