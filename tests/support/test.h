/* What a test includes first: cmocka with the headers that it needs before it, and what most
 * tests use besides. */
#ifndef SHOAL_TEST_H
#define SHOAL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/err.h"

/* Fails with the error's message. */
static inline void fine(enum err e)
{
    if (e)
        fail_msg("%s", err_message());
}

/* For `#else` of a test that needs netCDF: the runner counts it as skipped. */
#define SKIPPED_WITHOUT_NETCDF                                \
    int main(void)                                            \
    {                                                         \
        print_message("skipped: this build has no netCDF\n"); \
        return 0;                                             \
    }

#endif
