/* Invalid input, and the messages about it. */
#ifndef SHOAL_TEST_REFUSED_H
#define SHOAL_TEST_REFUSED_H

#include "core/problem/problem.h"

/* `e` is the result of opening the problem: an error whose message contains `part`. Closes it. */
static inline void expect_refused(enum err e, struct problem *p, const char *part)
{
    if (!e)
        fail_msg("taken, and '%s' was expected", part);
    if (!strstr(err_message(), part))
        fail_msg("'%s' is not in '%s'", part, err_message());
    problem_close(p);
}

#endif
