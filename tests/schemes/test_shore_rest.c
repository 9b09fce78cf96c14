/* Where a basin's water comes to rest between shores, schemes that evaluate the flow in the middle of a step come at least
 * as close to it as rk2, although their steps are nearly twice as long. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

#define BASIN     "parabola-friction"
#define REFERENCE "rk2"
static const double SECONDS = 6000, AT_MOST = 1.05; /* times the reference's error */

/* The mean error of the depth at the end, on one row of n cells. */
static double error_of(const char *scheme, int n)
{
    struct config c;
    configure(&c, scheme, F64);
    struct scene s = new_of_case(BASIN, n, 1);
    s.t_end = SECONDS;
    struct outcome o = simulated(&c, &s);
    const struct scene *end = &o.state;
    const struct flow_case *basin = find_case(BASIN);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        const double floor = 0.5 * (end->bed[k] + end->bed[k + 1]);
        const double exact = basin->exact(basin->x0 + (k + 0.5) * end->dx, 0, SECONDS).w;
        sum += fabs(fmax(end->field[0][k], floor) - fmax(exact, floor));
    }
    outcome_free(&o);
    scene_free(&s);
    return sum / n;
}

static void water_between_shores_comes_to_rest(void **state)
{
    (void)state;
    for (int n = 64; n <= 256; n *= 4) {
        const double reference = error_of(REFERENCE, n);
        assert_true(reference > 0);
        FOR_SCHEMES_OF_WATER (k) {
            const double error = schemes[k]->midpoint ? error_of(schemes[k]->name, n) : 0;
            if (!(error <= AT_MOST * reference))
                fail_msg("%s on %d cells of " BASIN ": the depth is off by %g m, expected at most "
                         "%g times what it is with " REFERENCE ", %g",
                         schemes[k]->name, n, error, AT_MOST, reference);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_between_shores_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
