/* How much main memory a run may take. */
#ifndef SHOAL_MEMORY_H
#define SHOAL_MEMORY_H

#include <stddef.h>

#include "core/base/err.h"

/* Bytes that can be had without swapping, what the kernel holds in caches included; within the
 * limit of the control group where there is one. */
size_t memory_available(void);

/* Makes room for one more of `size` bytes behind the `count` that *list points to, which may move. Only for lists that
 * begin empty (NULL) and grow one by one with this: room doubles where `count` is a power of two. Fails
 * with ERR_MEMORY, naming what it was for; *list stays. */
enum err memory_more(void *list, size_t count, size_t size, const char *what);

#endif
