/* The processes that compute one domain together: collective operations over any transport, and the
 * handling of failed or lost processes. */
#ifndef SHOAL_RANKS_H
#define SHOAL_RANKS_H

#include "core/base/err.h"
#include "core/device/transport.h"

struct ranks;

/* Tags of parcels: this file uses those below TAG_FREE. */
enum rank_tag { TAG_NOTICE, TAG_LARGEST, TAG_CLOSE, TAG_GATHER, TAG_HERE, TAG_FREE };

/* Joins the processes, without a time limit at first. Later they wait for each other at most
 * `patience` seconds at a time. */
enum err ranks_open(struct ranks **out, const struct transport *by, void *given, double patience);

const struct crew *ranks_crew(const struct ranks *r);
const char *ranks_by(const struct ranks *r); /* the transport's name */

/* Carries parcels, and returns when all have arrived. Fails if another process has failed, with
 * that process's error and message; or if one is gone, or does not answer in time. After that
 * every call fails in the same way. */
enum err ranks_carry(struct ranks *r, const struct parcel *p, int n);

/* While this process waits for something else: fails as ranks_carry does if another process has
 * failed, or is gone. */
enum err ranks_look(struct ranks *r);

/* Sets the longest time that they wait from now on. */
void ranks_wait(struct ranks *r, double patience);

/* Do they wait without limit for processes that live and are not stopped? For reading and writing files,
 * and compiling kernels. */
void ranks_unhurried(struct ranks *r, int unhurried);

/* The maximum over all processes, for all: bit patterns of wave speeds, where NaN is larger than
 * all numbers; counts; flags. */
enum err ranks_largest(struct ranks *r, unsigned long *number);

/* Everyone's `bytes` bytes, for all, by rank. */
enum err ranks_gather(struct ranks *r, const void *own, size_t bytes, void *all);

/* Fails in all processes with ERR_USAGE if this digest is not the same in all. */
enum err ranks_same(struct ranks *r, const char *hex, const char *what);

/* Tells all others of this thread's latest error, as in err_message: they end with it, whatever
 * they wait for. Does nothing if they know it. */
void ranks_fail(struct ranks *r, enum err e);

/* Declares that all others know its final error, or will learn it in another way. */
void ranks_end(struct ranks *r, enum err e);

/* Leaves. First tells the others of an error that they do not know. Accepts a null *out, and sets
 * it to null. */
void ranks_close(struct ranks **out, enum err e);

/* Of several processes that end with the same error: should this one report it? */
int ranks_speaks(const struct ranks *r);

#endif
