/* Whether a test tries everything, which takes minutes: SHOAL_TEST_FULL=1. */
#ifndef SHOAL_TEST_EVERYTHING_H
#define SHOAL_TEST_EVERYTHING_H

#include <stdlib.h>
#include <string.h>

static inline int everything(void)
{
    const char *full = getenv("SHOAL_TEST_FULL");
    return full && *full && strcmp(full, "0") != 0;
}

#endif
