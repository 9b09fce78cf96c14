/* A film thinner than the bed's fall per cell has Manning's depth, also where the slope changes. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "core/base/log.h"
#include "tests/support/edge_run.h"

enum { CELLS = 40, CELL = 5, BEND = 4 * CELL };
static const double gentle = 0.1, steep = 0.3, depth = 0.07, q = 1e-4, manning = 0.03;

static int make_scratch(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(2);
    return 0;
}

/* Gentle and steep in turn, for four cells each. */
static double stairs(double x, double y)
{
    (void)y;
    const double pair = floor(x / (2 * BEND)), rest = x - 2 * BEND * pair;
    return -(pair * BEND * (gentle + steep) + fmin(rest, BEND) * gentle +
             fmax(rest - BEND, 0) * steep);
}

/* Seventy times as deep as the inflow maintains. */
static struct flow much(double x, double y)
{
    return (struct flow){stairs(x, y) + depth, 0, 0};
}

static const struct flow_case bent = {.name = "bent",
                                      .nx = CELLS,
                                      .ny = 1,
                                      .lx = CELLS * CELL,
                                      .ly = CELL,
                                      .t_end = 6000,
                                      .gravity = 9.81,
                                      .manning = 0.03,
                                      .kappa = 1e-6,
                                      .boundary = {OPEN, OPEN, WALL, WALL},
                                      .bed = stairs,
                                      .initial = much};

static double normal_depth(double x)
{
    const double slope = fmod(x, 2 * BEND) < BEND ? gentle : steep;
    return pow(manning * q / sqrt(slope), 0.6);
}

/* The mean relative error of the depths, for the two middle pairs of slopes. */
static double off(struct run *r)
{
    enum { FIRST = 8, LAST = 32 };
    double h[CELLS], sum = 0;
    go(r);
    assert_int_equal(sim_depth(r->sim, h), ERR_OK);
    for (int k = FIRST; k < LAST; k++)
        sum += fabs(value_at(r, h, k) / normal_depth((k + 0.5) * CELL) - 1);
    finish(r);
    return sum / (LAST - FIRST);
}

static void a_film_has_its_depth_where_the_slope_changes(void **state)
{
    (void)state;
    static const char *const beds[] = {"--reconstruction=audusse", "--reconstruction=chen_noelle"};
    static const char *const precisions[] = {"--precision=f32", "--precision=f64"};
    for (int b = 0; b < 2; b++)
        for (int p = 0; p < 2; p++) {
            const double e =
                off(START(&bent, "rk2", "--bc-west=discharge:1e-4", beds[b], precisions[p]));
            if (!(e < 0.05))
                fail_msg("%s %s: depths are %g off", beds[b], precisions[p], e);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_has_its_depth_where_the_slope_changes),
    };
    return cmocka_run_group_tests_name("films", tests, make_scratch, scratch_remove);
}
