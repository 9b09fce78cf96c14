/* Thin water beside a shore is not much faster than the rest, in schemes that evaluate the flow in the middle of a step: no
 * jet runs ahead of water that climbs a slope, which their long steps would feed, and time steps are not short for it. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

/* In a channel whose water swings and has one velocity, 4.3 m/s at most; when the tongue is almost at its highest. */
enum { CELLS = 256 };
static const double FILM = 0.02, FASTEST_OF_ALL = 10, CLIMBED = 560; /* m, m/s, s */

static double fastest_water(const struct outcome *o)
{
    double most = 0;
    for (int k = 0; k < CELLS; k++) {
        const struct scene *s = &o->state;
        const double h = s->field[0][k] - 0.5 * (s->bed[k] + s->bed[k + 1]);
        if (h > FILM)
            most = fmax(most, fabs(s->field[1][k]) / h);
    }
    return most;
}

/* The scheme's flow in a case of so many cells, after so many seconds. */
static struct outcome flow_of(struct config *c, const char *scheme, const char *flow_case, int nx,
                              int ny, double seconds)
{
    configure(c, scheme, F64);
    struct scene s = new_of_case(flow_case, nx, ny);
    s.t_end = seconds;
    struct outcome o = simulated(c, &s);
    scene_free(&s);
    return o;
}

static void no_jet_runs_ahead_of_a_climbing_shore(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        if (!schemes[k]->midpoint)
            continue;
        struct outcome o = flow_of(&c, schemes[k]->name, "parabola-friction", CELLS, 1, CLIMBED);
        const double most = fastest_water(&o);
        print_message("%s: the fastest water runs at %.2f m/s\n", c.scheme, most);
        if (!(most < FASTEST_OF_ALL))
            fail_msg("%s: water deeper than %g m runs at %g m/s where all water should have one "
                     "velocity, below "
                     "4.3 m/s: expected less than %g",
                     described(&c), FILM, most, FASTEST_OF_ALL);
        outcome_free(&o);
    }
}

/* Over humps that a dam break floods water is no faster than 8 m/s: 12 s in cells of 1 m take 220 steps of the longest that
 * the Courant number allows. */
enum { ENOUGH_STEPS = 260, FEW_REDONE = 15 };

static void thin_water_does_not_shorten_all_time_steps(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        if (!schemes[k]->midpoint)
            continue;
        struct outcome o = flow_of(&c, schemes[k]->name, "three-humps", 75, 30, 12);
        const unsigned long steps = o.clock.steps, redone = o.clock.redone;
        print_message("%s: %lu steps, %lu redone\n", c.scheme, steps, redone);
        if (!(steps < ENOUGH_STEPS && redone < FEW_REDONE))
            fail_msg("%s: %lu steps and %lu redone, expected fewer than %d and %d", described(&c),
                     steps, redone, ENOUGH_STEPS, FEW_REDONE);
        outcome_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_jet_runs_ahead_of_a_climbing_shore),
        cmocka_unit_test(thin_water_does_not_shorten_all_time_steps),
    };
    return cmocka_run_group_tests_name("shore jet", tests, NULL, NULL);
}
