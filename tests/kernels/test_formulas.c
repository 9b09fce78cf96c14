/* What distinguishes a limiter or flux from the others: the values that its sources give, in f64. */
#include "tests/support/test.h"

#include <math.h>

#include "verification/contracts/plugin_loader.h"
#include "verification/run/random.h"

static struct plugin_library lib;
static flux_call *flux;

static void load(const char *name)
{
    if (plugin_load(&lib, FLUX_PLUGIN, name, F64))
        fail_msg("%s", err_message());
    flux = lib.flux;
}

static int unload(void **state)
{
    (void)state;
    plugin_unload(&lib);
    return 0;
}

/* Slopes computed by hand, for ratios in each of the formulas' branches. */
static void limiters_give_the_slopes_of_their_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double a, b, theta, slope;
    } known[] = {
        {"none", 1, 2, 1.3, 0},          {"minmod", 1, 2, 1.3, 1.3},
        {"minmod", 1, 1.5, 1.3, 1.25},   {"minmod", -4, -2, 1, -2},
        {"mc", 1, 2, 1.3, 1.5},          {"mc", 4, 1, 1.3, 2},
        {"superbee", 1, 1.5, 1.3, 1.5},  {"superbee", 4, 1, 1.3, 2},
        {"superbee", 1, 4, 1.3, 2},      {"van_leer", 1, 3, 1.3, 1.5},
        {"van_leer", -3, -6, 1.3, -4},   {"van_albada", 1, 2, 1.3, 1.2},
        {"van_albada", -3, -1, 1, -1.2}, {"koren", 3, 6, 1.3, 5},
        {"koren", 6, 3, 1.3, 4},         {"koren", 1, 9, 1.3, 2},
        {"koren", -9, -1, 1.3, -2},      {"umist", 1, 2, 1.3, 1.25},
        {"umist", 4, 2, 1.3, 2.5},       {"umist", -1, -9, 1.3, -2},
        {"umist", 9, 1, 1.3, 2},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double slope;
        if (plugin_load(&lib, LIMITER_PLUGIN, known[k].name, F64))
            fail_msg("%s", err_message());
        lib.limiter(&known[k].a, &known[k].b, known[k].theta, &slope, 1);
        plugin_unload(&lib);
        if (!(fabs(slope - known[k].slope) < 1e-14))
            fail_msg("%s of %g and %g: %.17g, not %g", known[k].name, known[k].a, known[k].b, slope,
                     known[k].slope);
    }
}

/* With g = 1, like everything here. */
static struct plain_flux through(struct plain_side l, struct plain_side r)
{
    struct plain_flux f;
    flux(&l, &r, 1, &f, 1);
    return f;
}

static struct plain_flux of_state(struct plain_side s)
{
    struct plain_flux f = {.h = s.h * s.un};
    f.n = f.h * s.un + 0.5 * s.h * s.h;
    f.t = f.h * s.ut;
    return f;
}

static struct plain_side random_side(struct sample *s)
{
    struct plain_side side = {0};
    side.h = sample_between(s, 0, 1) < 0.2 ? 0 : pow(10, sample_between(s, -5, 2));
    side.un = side.h > 0 ? sample_between(s, -9, 9) : 0;
    side.ut = side.h > 0 ? sample_between(s, -9, 9) : 0;
    return side;
}

static void hllc_is_hll_with_the_tangential_velocity_of_where_the_water_comes_from(void **state)
{
    (void)state;
    enum { FACES = 4000 };
    static struct plain_side l[FACES], r[FACES];
    static struct plain_flux hll[FACES], hllc[FACES];
    struct sample s = {20241122};
    for (int k = 0; k < FACES; k++) {
        l[k] = random_side(&s);
        r[k] = random_side(&s);
    }
    load("hll");
    flux(l, r, 1, hll, FACES);
    plugin_unload(&lib);
    load("hllc");
    flux(l, r, 1, hllc, FACES);
    for (int k = 0; k < FACES; k++) {
        assert_true(hllc[k].h == hll[k].h && hllc[k].n == hll[k].n);
        assert_true(hllc[k].t == hll[k].h * (hll[k].h > 0 ? l[k].ut : r[k].ut));
    }
}

/* Layers that slide along each other exchange nothing; HLL, which has no wave between its two, exchanges momentum. */
static void hllc_and_roe_keep_a_shear_layer_at_rest(void **state)
{
    (void)state;
    static const char *const names[] = {"hllc", "roe"};
    const struct plain_side l = {2, 0, 3, 0}, r = {2, 0, -5, 0};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        load(names[k]);
        struct plain_flux f = through(l, r);
        plugin_unload(&lib);
        assert_true(f.h == 0 && f.n == 2 && f.t == 0);
    }
    load("hll");
    assert_true(fabs(through(l, r).t) > 1);
}

/* Depths 1 and 2 on the sides of a standing jump: with g = 1 mass and momentum require these velocities. */
static const struct plain_side rapid = {1, 1.7320508075688772, 0.25, 0};
static const struct plain_side calm = {2, 0.8660254037844386, -0.5, 0};

static void roe_keeps_a_standing_hydraulic_jump(void **state)
{
    (void)state;
    load("roe");
    struct plain_flux f = through(rapid, calm), exact = of_state(rapid);
    assert_true(fabs(f.h - exact.h) < 1e-14 && fabs(f.n - exact.n) < 1e-14);
    assert_true(fabs(f.t - exact.t) < 1e-14);
}

/* In the opposite direction the same is not a jump but a rarefaction, with critical flow at the face. Without the
 * entropy fix it would stand, too. */
static void roe_opens_a_transcritical_rarefaction(void **state)
{
    (void)state;
    load("roe");
    double critical = (calm.un + 2 * sqrt(calm.h)) / 3, exact = pow(critical, 3);
    double standing = of_state(calm).h, got = through(calm, rapid).h;
    assert_true(fabs(got - exact) < 0.5 * fabs(standing - exact));
}

/* The linearised equations have no water there. */
static void roe_is_central_upwind_where_streams_part_and_at_dry_sides(void **state)
{
    (void)state;
    static const struct plain_side side[][2] = {{{1, -8, 1, 0}, {2, 8, -1, 0}},
                                                {{1, 0.3, 1, 0}, {0, 0, 0, 0}},
                                                {{0, 0, 0, 0}, {1, 0.3, 1, 0}},
                                                {{0, 0, 0, 0}, {0, 0, 0, 0}}};
    enum { FACES = sizeof side / sizeof *side };
    struct plain_flux expected[FACES] = {0};
    load("central_upwind");
    for (int k = 0; k < FACES; k++)
        expected[k] = through(side[k][0], side[k][1]);
    plugin_unload(&lib);
    load("roe");
    for (int k = 0; k < FACES; k++) {
        struct plain_flux f = through(side[k][0], side[k][1]);
        assert_true(f.h == expected[k].h && f.n == expected[k].n && f.t == expected[k].t);
    }
}

/* Velocities for which either side of a face has speed 4: then Courant number 1/4 is dt = dx/16, and the four fluxes
 * give paper II's step: the mean of the neighbours less central differences. */
static void
lax_friedrichs_gives_the_mean_of_the_neighbours_at_courant_number_a_quarter(void **state)
{
    (void)state;
    enum { HERE, WEST, EAST, SOUTH, NORTH, CELLS };
    static const double depth[CELLS] = {1, 4, 0.25, 2.25, 0.01};
    struct plain_side x[CELLS], y[CELLS]; /* as faces across x and y see the cells */
    for (int k = 0; k < CELLS; k++) {
        double u = 4 - sqrt(depth[k]);
        x[k] = (struct plain_side){depth[k], u, -u, 0};
        y[k] = (struct plain_side){depth[k], -u, u, 0};
    }
    load("lax_friedrichs");
    struct plain_flux w = through(x[WEST], x[HERE]), e = through(x[HERE], x[EAST]);
    struct plain_flux s = through(y[SOUTH], y[HERE]), n = through(y[HERE], y[NORTH]);
    double dt = 1.0 / 16, mean_h = 0, mean_hu = 0;
    for (int k = WEST; k <= NORTH; k++) {
        mean_h += 0.25 * depth[k];
        mean_hu += 0.25 * depth[k] * x[k].un;
    }
    double h = depth[HERE] - dt * (e.h - w.h + n.h - s.h);
    double hu = depth[HERE] * x[HERE].un - dt * (e.n - w.n + n.t - s.t);
    double flow_h =
        of_state(x[EAST]).h - of_state(x[WEST]).h + of_state(y[NORTH]).h - of_state(y[SOUTH]).h;
    double flow_hu =
        of_state(x[EAST]).n - of_state(x[WEST]).n + of_state(y[NORTH]).t - of_state(y[SOUTH]).t;
    assert_true(fabs(h - (mean_h - 0.5 * dt * flow_h)) < 1e-14);
    assert_true(fabs(hu - (mean_hu - 0.5 * dt * flow_hu)) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limiters_give_the_slopes_of_their_formulas),
        cmocka_unit_test_teardown(
            hllc_is_hll_with_the_tangential_velocity_of_where_the_water_comes_from, unload),
        cmocka_unit_test_teardown(hllc_and_roe_keep_a_shear_layer_at_rest, unload),
        cmocka_unit_test_teardown(roe_keeps_a_standing_hydraulic_jump, unload),
        cmocka_unit_test_teardown(roe_opens_a_transcritical_rarefaction, unload),
        cmocka_unit_test_teardown(roe_is_central_upwind_where_streams_part_and_at_dry_sides,
                                  unload),
        cmocka_unit_test_teardown(
            lax_friedrichs_gives_the_mean_of_the_neighbours_at_courant_number_a_quarter, unload),
    };
    return cmocka_run_group_tests_name("formulas", tests, NULL, NULL);
}
