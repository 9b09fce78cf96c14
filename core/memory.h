/* How much main memory a run may take. */
#ifndef SHOAL_MEMORY_H
#define SHOAL_MEMORY_H

#include <stddef.h>

/* Bytes that can be had without swapping, what the kernel holds in caches included; within the
 * limit of the control group where there is one. */
size_t memory_available(void);

#endif
