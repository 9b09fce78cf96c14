/* Main memory as the cpu backend's device memory. Several arrays allocated in turn have different numbers, from 0 on. */
#ifndef SHOAL_CPU_MEMORY_H
#define SHOAL_CPU_MEMORY_H

#include <stddef.h>

#include "core/base/err.h"

enum err cpu_memory(unsigned long number, size_t bytes, void **p);

/* As in core/device/backend.h. */
enum err cpu_memory_reserve(unsigned long number, size_t bytes, size_t most, void **p);
enum err cpu_memory_grow(void *p, size_t bytes);
void cpu_memory_release(void *p); /* accepts NULL */

#endif
