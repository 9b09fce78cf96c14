/* The first steps take into account how slopes accelerate water at rest. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "core/base/log.h"
#include "tests/support/edge_run.h"

enum { CELL = 5 };
static const double slope = 0.5;

static int make_scratch(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(2);
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return 0;
}

static double plane(double x, double y)
{
    (void)y;
    return -slope * x;
}

static struct flow film(double x, double y)
{
    return (struct flow){plane(x, y) + 0.001, 0, 0};
}

static struct flow nothing(double x, double y)
{
    return (struct flow){plane(x, y), 0, 0};
}

static struct flow lake(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){-40, 0, 0};
}

/* 36 mm/h. */
static struct forcing rain(double x, double y)
{
    (void)x, (void)y;
    return (struct forcing){.w = 1e-5};
}

static const struct flow_case on_slope = {.name = "on-slope",
                                          .nx = 32,
                                          .ny = 6,
                                          .lx = 32 * CELL,
                                          .ly = 6 * CELL,
                                          .t_end = 30,
                                          .gravity = 9.81,
                                          .manning = 0.03,
                                          .kappa = 1e-6,
                                          .bed = plane,
                                          .initial = film};

static const char *const beds[] = {"--reconstruction=kp", "--reconstruction=audusse",
                                   "--reconstruction=chen_noelle"};
static const char *const precisions[PRECISIONS] = {
    [F32] = "--precision=f32", [F64] = "--precision=f64"};

/* The share of the water that clipping added. */
static double clipped(struct run *r)
{
    go(r);
    const struct balance b = balance_of(r);
    const double share = sim_share(r->sim, &b, b.clipped_in);
    finish(r);
    return share;
}

static void a_film_at_rest_on_a_steep_slope_keeps_its_water(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k)
        for (int b = 0; b < 3; b++)
            for (int p = 0; p < PRECISIONS; p++) {
                const double share =
                    clipped(START(&on_slope, schemes[k]->name, precisions[p], beds[b]));
                if (!(share == 0))
                    fail_msg("%s %s %s: %g of the water is clipped", schemes[k]->name,
                             precisions[p], beds[b], share);
            }
}

/* Otherwise the test above would prove nothing. */
static void without_the_bound_it_does_not(void **state)
{
    (void)state;
    for (int b = 0; b < 3; b++) {
        struct run *r = START(&on_slope, "rk2", "--precision=f64", beds[b]);
        r->sim->now.dt_at_rest = 1e300;
        const double share = clipped(r);
        if (!(share > 0.1))
            fail_msg("%s: %g of the water is clipped", beds[b], share);
    }
}

/* The step is such that g S dt, the speed gained, times dt is C dx; then as long as all steps before it and that one.
 * */
static void the_first_step_falls_a_courant_number_of_a_cell(void **state)
{
    (void)state;
    const double first = sqrt(0.25 * CELL / (9.81 * slope));
    struct run *r = START(&on_slope, "rk2", "--precision=f64", "--steps=1");
    go(r);
    assert_true(fabs(r->sim->now.t / first - 1) < 1e-12);
    finish(r);
    r = START(&on_slope, "rk2", "--precision=f64", "--steps=2");
    go(r);
    assert_true(r->sim->now.t > first && r->sim->now.t <= 3 * first * (1 + 1e-12));
    finish(r);
}

/* The same slope along y, with cells twice as wide as high: there the bed falls more steeply per cell. */
static double across(double x, double y)
{
    (void)x;
    return plane(y, 0);
}

static struct flow film_across(double x, double y)
{
    return (struct flow){across(x, y) + 0.001, 0, 0};
}

static void cells_may_have_two_sizes_and_slopes_both_directions(void **state)
{
    (void)state;
    struct flow_case c = on_slope;
    c.bed = across, c.initial = film_across;
    c.lx = 2 * 32 * CELL;
    struct run *r = START(&c, "rk2", "--precision=f64", "--steps=1");
    go(r);
    assert_true(fabs(r->sim->now.t / sqrt(0.25 * CELL / (9.81 * slope)) - 1) < 1e-12);
    finish(r);
}

/* The largest speed of water deeper than 10 micrometres, looked at every second. */
static double fastest(struct run *r)
{
    enum { CELLS = 32 * 6 };
    double h[CELLS], hu[CELLS], most = 0;
    for (int t = 1; t <= 30; t++) {
        assert_int_equal(sim_run(r->sim, t, NULL), ERR_OK);
        assert_int_equal(sim_depth(r->sim, h), ERR_OK);
        assert_int_equal(sim_read(r->sim, sim_unknown(r->sim, 1), NULL, hu), ERR_OK);
        for (int k = 0; k < CELLS; k++) {
            const double depth = value_at(r, h, k);
            const double q = value_at(r, hu, k);
            most = depth > 1e-5 ? fmax(most, q / depth) : most;
        }
    }
    finish(r);
    return most;
}

static double fastest_allowed(const struct run *r)
{
    return sqrt(r->config.cfl * CELL * 9.81 * slope);
}

/* There is no friction while water is at rest: in one step gravity accelerates the first film to what the bound
 * allows, 2.5 m/s at a Courant number of 0.25. By Manning's formula it has 0.06 m/s for all of 30 s. */
static void rain_onto_a_dry_slope_does_not_rush_down(void **state)
{
    (void)state;
    struct flow_case c = on_slope;
    c.initial = nothing, c.forcing = rain;
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; p < PRECISIONS; p++) {
            struct run *r = START(&c, schemes[k]->name, precisions[p]);
            const double most = fastest_allowed(r), u = fastest(r);
            if (!(u > 0 && u < most))
                fail_msg("%s %s: %g m/s", schemes[k]->name, precisions[p], u);
        }
    struct run *r = START(&c, "rk2", "--precision=f64");
    const double most = fastest_allowed(r);
    r->sim->now.dt_at_rest = 1e300;
    assert_true(fastest(r) > 2 * most);
}

/* A level surface has no such bound, not even beside a steep shore. */
static void a_lake_between_steep_shores_has_no_bound(void **state)
{
    (void)state;
    struct flow_case c = on_slope;
    c.initial = lake;
    for (int p = 0; p < PRECISIONS; p++) {
        struct run *r = START(&c, "rk2", precisions[p]);
        assert_true(r->sim->now.dt_at_rest > (p == F64 ? 1e6 : 1e3));
        finish(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_at_rest_on_a_steep_slope_keeps_its_water),
        cmocka_unit_test(without_the_bound_it_does_not),
        cmocka_unit_test(the_first_step_falls_a_courant_number_of_a_cell),
        cmocka_unit_test(cells_may_have_two_sizes_and_slopes_both_directions),
        cmocka_unit_test(rain_onto_a_dry_slope_does_not_rush_down),
        cmocka_unit_test(a_lake_between_steep_shores_has_no_bound),
    };
    return cmocka_run_group_tests_name("downhill", tests, make_scratch, scratch_remove);
}
