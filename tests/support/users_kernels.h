/* The kernels that users have: the runner of tests asks for faster-compiling ones, which compute several times as long. */
#ifndef SHOAL_TEST_USERS_KERNELS_H
#define SHOAL_TEST_USERS_KERNELS_H

#include <stdlib.h>
#include <string.h>

/* From now on, until usual_kernels gets what this returns. */
static inline char *users_kernels(void)
{
    const char *flags = getenv("SHOAL_KERNEL_CFLAGS");
    char *kept = flags ? strdup(flags) : NULL;
    unsetenv("SHOAL_KERNEL_CFLAGS");
    return kept;
}

static inline void usual_kernels(char *kept)
{
    if (kept)
        setenv("SHOAL_KERNEL_CFLAGS", kept, 1);
    free(kept);
}

#endif
