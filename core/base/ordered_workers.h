/* Several threads prepare the pieces of a job while the caller's takes them, one by one and in their order:
 * what comes of it does not depend on how many threads there are. */
#ifndef SHOAL_CREW_H
#define SHOAL_CREW_H

#include <stddef.h>

#include "core/base/err.h"

struct crew;

struct crew_job {
    size_t pieces;
    /* A prepared piece lies in its place, below crew_places, until it has been taken. */
    enum err (*prepare)(void *context, size_t piece, size_t place); /* in any thread */
    enum err (*take)(void *context, size_t piece, size_t place);    /* in the caller's */
    void *context;
};

/* So many threads besides the caller's, which prepares, too; may be 0. */
enum err crew_create(struct crew **out, int helpers);

size_t crew_places(const struct crew *c);

/* Returns when all pieces have been taken or none is in work any more; fails with the first error met. */
enum err crew_do(struct crew *c, const struct crew_job *job);

/* Accepts a null *out, and sets it to null. */
void crew_destroy(struct crew **out);

#endif
