/* How much main memory a run may take. */
#ifndef SHOAL_MEMORY_H
#define SHOAL_MEMORY_H

#include <stddef.h>

#include "core/base/err.h"

/* Bytes that can be had without swapping, what the kernel holds in caches included; within the
 * limit of the control group where there is one. */
size_t memory_available(void);

/* Room for nx x ny doubles, for the caller to free. Fails where there is not so much memory, naming
 * what it was for, how much is needed and how much is free. */
enum err memory_plane(const char *what, size_t nx, size_t ny, double **p);

#endif
