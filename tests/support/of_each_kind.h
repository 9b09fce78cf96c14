/* What tests ask of all schemes, where one of each kind answers for those that share its kernels' text. */
#ifndef SHOAL_TEST_OF_EACH_KIND_H
#define SHOAL_TEST_OF_EACH_KIND_H

#include <string.h>

#include "tests/support/everything.h"

/* rk2 answers for those that choose a step and have no more than its kernels, ds2 for ds1, and basin_cons for basin;
 * any other scheme, such as a new one, for itself. With SHOAL_TEST_FULL every scheme does. */
static inline int answers_for_its_kind(const char *scheme)
{
    static const char *const others[] = {"euler", "srk2", "ssprk3", "ds1", "basin"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(scheme, others[k]) == 0)
            return everything();
    return 1;
}

#endif
