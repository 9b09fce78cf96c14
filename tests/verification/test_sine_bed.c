/* How many steps the sine wave takes over other beds than its own, which the thesis does not say: facts of
 * experiments/schemes.ini. */
#include "tests/support/test.h"

#include "experiments/experiment.h"
#include "tests/support/simulate.h"

/* The wave is the same in every row: a few will do. */
enum { ALONG = 1024, ACROSS = 16 };

/* Steps of rk2 to the case's end with the bed so much lower, m. */
static int steps_with(double lower)
{
    struct config c;
    struct scene s = new_of_case("sine", ALONG, ACROSS);
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] -= lower;
    configure(&c, "rk2", F32);
    c.cfl = 0.25;
    struct outcome o = simulated(&c, &s);
    const int steps = (int)o.clock.steps;
    outcome_free(&o);
    scene_free(&s);
    return steps;
}

/* A fact that is a number. */
static int fact(const struct experiment *x, const char *name)
{
    const char *text = experiment_value(x, experiment_section(x, "facts", 0), name);
    if (!text) {
        fail_msg("experiments/schemes.ini has no fact '%s'", name);
        return 0;
    }
    return (int)strtol(text, NULL, 10);
}

static void its_steps_are_those_that_the_experiment_states(void **state)
{
    struct experiment x;
    (void)state;
    fine(experiment_read(&x, "schemes"));
    assert_int_equal(steps_with(0), 154);
    assert_int_equal(steps_with(-1), fact(&x, "steps_4m"));
    assert_int_equal(steps_with(1), fact(&x, "steps_6m"));
    experiment_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_steps_are_those_that_the_experiment_states),
    };
    return cmocka_run_group_tests_name("sine bed", tests, NULL, NULL);
}
