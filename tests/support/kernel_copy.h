/* A copy of the kernels, in which a test plants mistakes; include after cmocka.h. */
#ifndef SHOAL_TEST_KERNEL_COPY_H
#define SHOAL_TEST_KERNEL_COPY_H

#include "tests/support/scratch.h"

/* The installation with which the tests were started. */
const char *kernel_home(void);

/* Finds it, before SHOAL_HOME points elsewhere. Nonzero: none. */
int kernel_home_find(void);

/* The same, as a group's set-up; copies also use the kernels that others have compiled. */
int kernel_home_keep(void **state);

/* Makes this existing folder an installation with an untouched copy of the kernels (never a
 * link: planted mistakes must not reach the original), in place of any that is there. */
void kernel_copy(const char *folder);

/* Replaces a text that occurs once in a file of kernels/ in the last copy. If it is absent, or
 * occurs twice, the test needs an update. */
void kernel_plant(const char *file, const char *right, const char *wrong);

/* Restores SHOAL_HOME. */
void kernel_copy_leave(void);

/* A test with a copy in the scratch folder: */

static inline int kernel_copy_setup(void **state)
{
    (void)state;
    scratch_create();
    kernel_copy(scratch);
    return 0;
}

static inline int kernel_copy_remove(void **state)
{
    kernel_copy_leave();
    return scratch_remove(state);
}

#define ON_COPY(test) cmocka_unit_test_setup_teardown(test, kernel_copy_setup, kernel_copy_remove)

#endif
