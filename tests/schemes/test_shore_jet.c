/* No jet runs ahead of water that climbs a slope, in schemes that evaluate the flow in the middle of a step: their long
 * steps feed it. */
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

static void no_jet_runs_ahead_of_a_climbing_shore(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        if (!schemes[k]->midpoint)
            continue;
        configure(&c, schemes[k]->name, F64);
        struct scene s = new_of_case("parabola-friction", CELLS, 1);
        s.t_end = CLIMBED;
        struct outcome o = simulated(&c, &s);
        const double most = fastest_water(&o);
        print_message("%s: the fastest water runs at %.2f m/s\n", c.scheme, most);
        if (!(most < FASTEST_OF_ALL))
            fail_msg("%s: water deeper than %g m runs at %g m/s where all water should have one "
                     "velocity, below "
                     "4.3 m/s: expected less than %g",
                     described(&c), FILM, most, FASTEST_OF_ALL);
        outcome_free(&o);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_jet_runs_ahead_of_a_climbing_shore),
    };
    return cmocka_run_group_tests_name("shore jet", tests, NULL, NULL);
}
