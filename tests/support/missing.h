/* Points of the experiment "it" that a table lacks; include after cmocka.h. */
#ifndef SHOAL_TEST_MISSING_H
#define SHOAL_TEST_MISSING_H

#include "experiments/measure/measure.h"
#include "tests/support/experiments.h"

/* How many points of `it` are missing in an environment's folder (NULL: the only one). Keeps the
 * first of them in `first_missing`. */
static char first_missing[256];

static inline int missing_of_it(const char *folder)
{
    struct experiment x;
    char only[PATH_LENGTH];
    int missing = -1;
    assert_fine(experiment_read(&x, "it"));
    if (!folder)
        find_environment(only);
    assert_fine(measure_missing(&x, CPU, folder ? folder : only, &missing, first_missing));
    experiment_free(&x);
    return missing;
}

#endif
