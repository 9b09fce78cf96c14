/* Skips tests that need a GPU; include after cmocka.h. */
#ifndef SHOAL_TEST_NEED_GPU_H
#define SHOAL_TEST_NEED_GPU_H

#include "core/device/backend.h"

/* Skips the test, and says what is not tested and why, if Shoal can use no GPU. */
static inline void need_gpu(const char *what)
{
    char why[1024];
    if (backend_cuda.available(0, why, sizeof why))
        return;
    print_message("skipped: %s: %s\n", what, why);
    skip();
}

#endif
