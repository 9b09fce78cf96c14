/* The processes that compute one domain together: what they do over any transport, and what becomes of them when one
 * fails, or is gone. */
#ifndef SHOAL_RANKS_H
#define SHOAL_RANKS_H

#include "core/base/err.h"
#include "core/device/transport.h"

struct ranks;

/* Tags of parcels: below TAG_FREE are those of this file. */
enum rank_tag { TAG_NOTICE, TAG_LARGEST, TAG_CLOSE, TAG_HELLO, TAG_FREE };

/* Joins the processes, unhurried at first. Later they wait for each other at most `patience` seconds at a time. */
enum err ranks_open(struct ranks **out, const struct transport *by, void *given, double patience);

const struct crew *ranks_crew(const struct ranks *r);
const char *ranks_by(const struct ranks *r); /* the transport's name */

/* Carries parcels, and returns when all have arrived. Fails where another process has failed, with its error and
 * message; or where it is gone, or does not answer in time. After that everything fails so. */
enum err ranks_carry(struct ranks *r, const struct parcel *p, int n);

/* From now on they wait so long. */
void ranks_wait(struct ranks *r, double patience);

/* Whether they wait without limit for those that still live: files are read or written, kernels are compiled. */
void ranks_unhurried(struct ranks *r, int unhurried);

/* The largest of all processes' numbers, for all: patterns of wave speeds, so that one that is not a number is larger
 * than all that are; counts; whether anybody wants something. */
enum err ranks_largest(struct ranks *r, unsigned long *number);

/* Fails in all processes with ERR_USAGE where this digest is not the same in all. */
enum err ranks_same(struct ranks *r, const char *hex, const char *what);

/* Tells all others of an error that this thread has just met, as err_message says: they end with it, whatever they wait
 * for. Does nothing where they know. */
void ranks_fail(struct ranks *r, enum err e);

/* All others know that this ends it, or will be told in another way. */
void ranks_end(struct ranks *r, enum err e);

/* Leaves. Tells the others first of an error that they do not know. Accepts a null *out, and sets it to null. */
void ranks_close(struct ranks **out, enum err e);

/* Of several that end with the same error: is this the one that says so? */
int ranks_speaks(const struct ranks *r);

#endif
