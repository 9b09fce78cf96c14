/* Several threads prepare the pieces of a job and hand them on in order, so that the result does
 * not depend on the number of threads. */
#ifndef SHOAL_ORDERED_WORKERS_H
#define SHOAL_ORDERED_WORKERS_H

#include <stddef.h>

#include "core/base/err.h"

struct ordered_job {
    size_t pieces;
    /* A prepared piece occupies its slot, below ordered_workers_places, until it is taken. Any of
     * the threads may call either function. */
    enum err (*prepare)(void *context, size_t piece, size_t place);
    enum err (*take)(void *context, size_t piece, size_t place); /* one at a time */
    void *context;
    int helpers; /* threads besides the caller's; may be 0 */
};

size_t ordered_workers_places(int helpers);

/* Returns when all pieces are taken, or after an error when none is in progress; fails with the
 * first error. */
enum err ordered_workers_do(const struct ordered_job *job);

#endif
