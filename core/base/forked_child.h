/* What forked processes share with this one. */
#ifndef SHOAL_FORKED_CHILD_H
#define SHOAL_FORKED_CHILD_H

#include <stddef.h>

/* Zeroed memory shared with all processes forked from now on; NULL on failure. Free it with
 * forked_child_unshare, which accepts NULL. */
void *forked_child_share(size_t bytes);
void forked_child_unshare(void *p, size_t bytes);

/* Runs ask(context) in a child, so that what it opens (a GPU's driver) is not open here when this
 * process forks again. Returns its result, or one of these. To return more than that, `context`
 * must be shared memory. */
enum { CHILD_DIED = -1, NO_CHILD = -2 };
int forked_child_ask(int (*ask)(void *context), void *context);

/* In a child: end when the parent ends, and by the signals that the parent handles. `parent` is the
 * parent's id, read before the fork. */
void forked_child_begin(int parent);

#endif
