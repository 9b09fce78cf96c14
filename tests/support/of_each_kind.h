/* What tests ask of all schemes, where one of each kind answers for those that share its kernels' text. */
#ifndef SHOAL_TEST_OF_EACH_KIND_H
#define SHOAL_TEST_OF_EACH_KIND_H

#include <string.h>

#include "tests/support/everything.h"

/* One that chooses a step, splits it, tries it, takes slopes along; with SHOAL_TEST_FULL every scheme. */
static inline int answers_for_its_kind(const char *scheme)
{
    static const char *const of_each_kind[] = {"rk2", "ds2", "rk2_fused", "hancock"};
    for (size_t k = 0; k < sizeof of_each_kind / sizeof *of_each_kind; k++)
        if (strcmp(scheme, of_each_kind[k]) == 0)
            return 1;
    return everything();
}

#endif
