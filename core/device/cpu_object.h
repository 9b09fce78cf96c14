/* A kernel that the C compiler has made, opened from the cache. */
#ifndef SHOAL_CPU_OBJECT_H
#define SHOAL_CPU_OBJECT_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/device/block_threads.h"

typedef void block_body(const void *args, int block_x, int block_y, void *arena);

struct cpu_object {
    void *opened; /* NULL: it is not open */
    block_body *block;
    fibre_body *thread; /* in the debug orders, in place of `block` */
    size_t arena_bytes;
    unsigned args_bytes;
};

/* Opens a cache entry that is intact and has a kernel's block or, in a debug order, a block's thread. Otherwise
 * `opened` stays NULL: compile it again. */
enum err cpu_object_open(struct cpu_object *o, const char *path, int by_threads);
void cpu_object_close(struct cpu_object *o);

#endif
