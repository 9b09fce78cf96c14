/* How much main memory a run may use. */
#ifndef SHOAL_MEMORY_H
#define SHOAL_MEMORY_H

#include <stddef.h>

#include "core/base/err.h"

/* Bytes available without swapping, the kernel's caches included, and within the control group's
 * limit if there is one. */
size_t memory_available(void);

/* The most main memory that the process had at a time, bytes, since it began or forgot; NAN: unknown. */
double memory_most(void);
void memory_most_anew(void); /* forgets, where the system can */

/* Makes room for one more of `size` bytes behind the `count` that *list points to, which may move.
 * Only for lists that start as NULL and grow one by one with this: room doubles when `count` is a
 * power of two. Fails with ERR_MEMORY, naming the purpose; *list stays valid. */
enum err memory_more(void *list, size_t count, size_t size, const char *what);

#endif
