/* What processes forked from this one share with it. */
#ifndef SHOAL_FORKED_CHILD_H
#define SHOAL_FORKED_CHILD_H

#include <stddef.h>

/* Memory that processes forked from now on share, zeroed; NULL if there is none. Freed with
 * forked_child_unshare; NULL is fine. */
void *forked_child_share(size_t bytes);
void forked_child_unshare(void *p, size_t bytes);

/* Runs ask(context) in a child, so that what it opens (a GPU's driver) is not open here when others
 * are forked. Returns its result, or one of these. `context` must be shared memory to bring more home
 * than that. */
enum { CHILD_DIED = -1, NO_CHILD = -2 };
int forked_child_ask(int (*ask)(void *context), void *context);

/* In a child: ends with the parent, and by the signals that the parent handles. `parent` is the parent's
 * id, taken before the fork. */
void forked_child_begin(int parent);

#endif
