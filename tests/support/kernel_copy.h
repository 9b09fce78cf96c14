/* A copy of the kernels, in which a test plants mistakes; include after cmocka.h. */
#ifndef SHOAL_TEST_KERNEL_COPY_H
#define SHOAL_TEST_KERNEL_COPY_H

#include "tests/support/scratch.h"

/* The installation that the tests were started with. */
const char *kernel_home(void);

/* Finds it, before SHOAL_HOME points elsewhere. Not 0: there is none. */
int kernel_home_find(void);

/* The same as a group's set-up; what others have compiled serves the copies, too. */
int kernel_home_keep(void **state);

/* Makes this folder, which must be there, an installation: with an untouched copy of the kernels (never a
 * link: what is planted must not reach the original), in place of one that is there. */
void kernel_copy(const char *folder);

/* Replaces what is once in a file of kernels/ of the last copy. Where it is not there, or in two places, the test
 * must follow what has changed. */
void kernel_plant(const char *file, const char *right, const char *wrong);

/* SHOAL_HOME is again what it was. */
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
