/* Memory of the stand-in's GPUs: tests/support/stand_in_ipc.c. */
#ifndef SHOAL_TEST_STAND_IN_MEMORY_H
#define SHOAL_TEST_STAND_IN_MEMORY_H

#include <stddef.h>

/* As cuMemAlloc and cuMemFree. */
int memory_take(void **p, size_t bytes);
int memory_give(void *p);

#endif
