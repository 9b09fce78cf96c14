/* Friction is of second order in time in schemes that evaluate the flow in the middle of a step: a stream without
 * slopes, which only friction slows, by linear drag and by Manning's law, under rain that makes it deeper. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

enum { NX = 6, NY = 4 };
static const double DEEP = 1, FLOW = 2, SECONDS = 8, GRAVITY = 9.81;

/* m/s of rain, s/m^(1/3), 1/s */
struct slowed {
    const char *by;
    double rain, manning, drag;
};

/* dq/dt = -k q - c q^2 / h^(7/3), so y = 1/q has y' = k y + c / h^(7/3). By Simpson's rule. */
static double exact_discharge(const struct slowed *s)
{
    enum { PIECES = 2000 };
    const double dt = SECONDS / PIECES, c = GRAVITY * s->manning * s->manning;
    double sum = 0;
    for (int n = 0; n <= PIECES; n++) {
        const double t = n * dt, weight = n == 0 || n == PIECES ? 1 : n % 2 ? 4 : 2;
        sum += weight * exp(-s->drag * t) * c * pow(DEEP + s->rain * t, -7.0 / 3);
    }
    return 1 / (exp(s->drag * SECONDS) * (1 / FLOW + sum * dt / 3));
}

static double error_in(const struct config *c, const struct slowed *by, int steps)
{
    struct config fixed = *c;
    struct scene s = new_scene(NX, NY);
    scene_edges(&s, PERIODIC, PERIODIC);
    s.t_end = SECONDS;
    s.manning = by->manning;
    s.drag = by->drag;
    s.forced = by->rain > 0;
    for (int k = 0; k < (NX + 1) * (NY + 1); k++)
        s.bed[k] = -DEEP;
    for (int k = 0; k < NX * NY; k++) {
        s.field[1][k] = 0.8 * FLOW; /* aslant */
        s.field[2][k] = 0.6 * FLOW;
        s.force[0][k] = by->rain;
    }
    fixed.dt = SECONDS / steps;
    struct outcome o = simulated(&fixed, &s);
    const double q = hypot(o.state.field[1][0], o.state.field[2][0]);
    outcome_free(&o);
    scene_free(&s);
    return fabs(q / exact_discharge(by) - 1);
}

static void friction_has_the_order_of_the_scheme(void **state)
{
    (void)state;
    enum { STEPS = 64 };
    static const struct slowed ways[] = {{"drag", 0, 0, 0.2},
                                         {"Manning's law", 0, 0.1, 0},
                                         {"Manning's law under rain", 0.1, 0.1, 0},
                                         {"both under rain", 0.1, 0.1, 0.1}};
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        if (!schemes[k]->midpoint)
            continue;
        configure(&c, schemes[k]->name, F64);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            const double one = error_in(&c, &ways[w], STEPS),
                         half = error_in(&c, &ways[w], 2 * STEPS);
            const double order = log2(one / half);
            print_message("%s by %s: error %.2e, order %.2f\n", c.scheme, ways[w].by, half, order);
            if (!(half < 1e-11 || (half < 1e-3 && order > schemes[k]->order_time - 0.1)))
                fail_msg("%s: a stream slowed by %s: an error of %g with %d steps, %g with twice "
                         "as many: order "
                         "%.2f, not %d as the scheme claims",
                         described(&c), ways[w].by, one, STEPS, half, order,
                         schemes[k]->order_time);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_has_the_order_of_the_scheme),
    };
    return cmocka_run_group_tests_name("friction order", tests, NULL, NULL);
}
