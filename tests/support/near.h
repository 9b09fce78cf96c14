/* Compares doubles, which cmocka 1.1.5 does not; include after cmocka.h. */
#ifndef SHOAL_TEST_NEAR_H
#define SHOAL_TEST_NEAR_H

#include <math.h>

/* A NaN is near nothing. */
#define ASSERT_NEAR(value, expected, most)                                        \
    do {                                                                          \
        const double got_ = (value), want_ = (expected), most_ = (most);          \
        if (!(fabs(got_ - want_) <= most_))                                       \
            fail_msg("%s is %.17g, not %.17g +- %g", #value, got_, want_, most_); \
    } while (0)

#endif
