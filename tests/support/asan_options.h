/* Options for AddressSanitizer in the programs that a test starts; without it they mean nothing. */
#ifndef SHOAL_TESTS_ASAN_OPTIONS_H
#define SHOAL_TESTS_ASAN_OPTIONS_H

#include <stdio.h>
#include <stdlib.h>

static inline int asan_options_add(const char *option)
{
    const char *before = getenv("ASAN_OPTIONS");
    char options[1024];
    snprintf(options, sizeof options, "%s:%s", before ? before : "", option);
    return setenv("ASAN_OPTIONS", options, 1);
}

/* Open MPI keeps what it allocated, and at its end closes the libraries that did: then nothing tells these
 * allocations from ours. */
static inline int asan_options_for_mpi(void)
{
    return asan_options_add("detect_leaks=0");
}

#endif
