/* Schemes keep their contract: with SHOAL_TEST_FULL every registered one, else one of each kind. Besides, what the contract does not test, in f32 and f64: fast mode,
 * shores, strips, and every limiter with every flux. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/contracts.h"
#include "tests/support/diagonal.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/simulate.h"
#include "verification/run/random.h"

static void schemes_keep_their_contract(void **state)
{
    (void)state;
    static const char *const checks[] = {
        "table",    "ghost cells",   "finite",        "lake at rest",  "dry land",   "volume",
        "clipping", "edges",         "mirrored in x", "mirrored in y", "transposed", "shifted",
        "past",     "same launches", "blocks",        "threads",       "order",      "stable",
        NULL};
    static struct contract_tally t;
    ASK_ALL_IF(&t, schemes, contract_scheme, answers_for_its_kind(schemes[k]->name));
    assert_kept(&t, checks);
}

/* The scene as the solver stores it: a run must leave it unchanged. */
static struct scene stored(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    struct outcome o = outcome_of(c, sim, s);
    sim_destroy(sim);
    return o.state;
}

/* Largest |hu| and |hv|. */
static double fastest(const struct scene *s)
{
    double most = 0;
    for (int k = 1; k < 3; k++)
        for (int c = 0; c < s->nx * s->ny; c++)
            most = fmax(most, fabs(s->field[k][c]));
    return most;
}

/* Fast mode needs kernels of its own: unless SHOAL_TEST_FULL, in f64 those of the default scheme. */
static void check_lake(const struct config *c)
{
    struct config usual;
    configure(&usual, NULL, F64);
    if (c->precision == F64 && strcmp(c->scheme, usual.scheme) != 0 && !everything())
        return;
    struct scene s = new_scene(37, 29);
    scene_random_bed(&s, -2, -0.2, 11);
    scene_level(&s, 0.37);
    struct config fast = *c;
    fast.mode = FAST_MODE;
    struct outcome o = simulated_steps(&fast, &s, 50);
    double h = 2.37,
           most = 50 * precision_epsilon((enum precision)c->precision) * h * sqrt(9.81 * h);
    if (!(fastest(&o.state) <= most))
        fail_msg("%s: a discharge of %g m2/s in a lake at rest, where rounding explains %g",
                 described(&fast), fastest(&o.state), most);
    outcome_free(&o);
    scene_free(&s);
}

static void a_lake_at_rest_stays_at_rest_in_fast_mode(void **state)
{
    (void)state;
    for_every_scheme(check_lake);
}

/* A round island in a lake of 40 m x 40 m and 2 m depth. */
static struct scene island(int n)
{
    struct scene s = new_scene(n, n);
    s.dx = s.dy = 40.0 / n;
    s.kappa = 0.02 * s.dx;
    s.t_end = 4;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            double x = i * s.dx - 18.3, y = j * s.dy - 21.1;
            s.bed[j * (n + 1) + i] = -2 + 2.8 * exp(-(x * x + y * y) / 60);
        }
    return s;
}

static struct outcome around_island(const struct config *c, int n)
{
    struct scene s = island(n);
    struct outcome o = simulated(c, &s);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double h = outcome_depth(&o, i, j);
            if (!(h >= 0))
                fail_msg("%s: depth %g in cell (%d, %d)", described(c), h, i, j);
        }
    scene_free(&s);
    return o;
}

/* Where the shore cuts a cell the plain correction of Kurganov and Petrova drives a flow of O(dx). */
static void check_island(const struct config *c)
{
    struct outcome coarse = around_island(c, 40), fine = around_island(c, 80);
    double q1 = fastest(&coarse.state), q2 = fastest(&fine.state);
    double changed = coarse.balance.clipped_in;
    if (!(q1 <= 0.08) || !(q2 <= 0.7 * q1))
        fail_msg("%s: along the shore %g m2/s at dx 1 m and %g at 0.5 m", described(c), q1, q2);
    if (!(changed <= 1e-5 * coarse.volume0))
        fail_msg("%s: %g m3 of %g clipped in a lake at rest", described(c), changed,
                 coarse.volume0);
    outcome_free(&coarse);
    outcome_free(&fine);
}

static void along_an_emerged_shore_the_flow_is_of_the_order_of_the_cells(void **state)
{
    (void)state;
    for_every_scheme(check_island);
}

static void check_dry(const struct config *c)
{
    const double heights[] = {1e-3, 1, 1000};
    for (int k = 0; k < 3; k++) {
        struct scene s = new_scene(23, 19);
        scene_random_bed(&s, -heights[k], heights[k], 5);
        scene_level(&s, -2 * heights[k]);
        s.t_end = 60;
        struct scene before = stored(c, &s);
        struct outcome o = simulated(c, &s);
        expect_same(c, "all dry, Courant's step", &before, &o.state, 0);
        outcome_free(&o);
        struct config fixed = *c;
        fixed.dt = 0.1;
        o = simulated_steps(&fixed, &s, 30);
        expect_same(c, "all dry, steps of 0.1 s", &before, &o.state, 0);
        outcome_free(&o);
        scene_free(&before);
        scene_free(&s);
    }
}

static void dry_land_stays_dry_to_the_bit(void **state)
{
    (void)state;
    for_every_scheme(check_dry);
}

/* Each substep rounds every level by up to half an ulp, which adds up like a random walk: to about eps |w|/h sqrt(2
 * steps / cells), 8e-8 in f32 and 2e-16 in f64 here. Sums are in f64, counters are integers. A lost flux or
 * miscounted clipping is 1e-5 and more. */
static double mass_limit(const struct config *c)
{
    return c->precision == F64 ? 1e-14 : 3e-7;
}

static void expect_mass(const struct config *c, const char *what, const struct outcome *o)
{
    if (!(fabs(outcome_mass_error(o)) <= mass_limit(c)))
        fail_msg("%s: %s: the volume is %.17g m3 after %.17g, inflow %g, clipped in %g: an "
                 "error of %g",
                 described(c), what, o->balance.volume, o->volume0, o->balance.inflow,
                 o->balance.clipped_in, outcome_mass_error(o));
}

/* Mirrored or exchanged before the run, or after it: the same result. */
static void expect_commutes(const struct config *c, const char *what, int how,
                            const struct scene *s, long steps)
{
    struct scene seen = new_view(s, how);
    struct config other = *c; /* the order of sweeps follows */
    other.sweep = how & EXCHANGE ? SWEEP_YX : SWEEP_XY;
    struct outcome o = simulated_steps(c, s, steps),
                   of_seen = simulated_steps(&other, &seen, steps);
    struct scene expected = new_view(&o.state, how);
    expect_same(c, what, &expected, &of_seen.state, 0);
    outcome_free(&o);
    outcome_free(&of_seen);
    scene_free(&expected);
    scene_free(&seen);
}

static void check_strips(const struct config *c)
{
    /* One row: bed and water do not vary across it. */
    struct scene row = new_rough(61, 1);
    for (int i = 0; i <= row.nx; i++)
        row.bed[row.nx + 1 + i] = row.bed[i];
    for (int i = 0; i < row.nx; i++)
        row.field[2][i] = 0;
    struct scene wide = new_widened(&row, 9);
    expect_commutes(c, "a strip in x and in y", EXCHANGE, &row, 80);
    struct outcome o = simulated_steps(c, &row, 80), of_wide = simulated_steps(c, &wide, 80);
    struct scene expected = new_widened(&o.state, 9);
    expect_same(c, "a strip and equal rows", &expected, &of_wide.state, 0);
    outcome_free(&o);
    outcome_free(&of_wide);
    scene_free(&expected);
    scene_free(&wide);
    scene_free(&row);
}

static void a_strip_is_the_same_in_x_in_y_and_as_equal_rows(void **state)
{
    (void)state;
    for_every_scheme(check_strips);
}

/* Only in f32, and with the scheme that has one flux kernel: plug-ins in f64 and in other kernels are tested by their
 * contract and by test_fused, and compiling takes most of the time. A limiter that leans to one side lets water
 * through a wall, which is a mirror: with it the basin has no walls. */
static void check_plugins(const struct plugin *limiter, const struct plugin *flux)
{
    const int symmetric = (limiter->properties & flux->properties & SYMMETRIC) != 0;
    struct config c;
    configure(&c, "euler", F32);
    snprintf(c.limiter, sizeof c.limiter, "%s", limiter->name);
    snprintf(c.flux, sizeof c.flux, "%s", flux->name);
    struct scene s = new_scene(33, 26);
    if (!symmetric)
        scene_edges(&s, PERIODIC, PERIODIC);
    scene_level(&s, 0.5);
    scene_dam(&s, 13, 14, 6, 2.5);
    struct outcome o = simulated_steps(&c, &s, 20);
    expect_mass(&c, "a wet dam break", &o);
    if (symmetric) {
        expect_commutes(&c, "a wet dam break mirrored in x", MIRROR_X, &s, 20);
        expect_commutes(&c, "a wet dam break mirrored in y", MIRROR_Y, &s, 20);
    }
    outcome_free(&o);
    scene_free(&s);
}

/* Unless SHOAL_TEST_FULL, a diagonal: each at least once. */
static void every_limiter_works_with_every_flux(void **state)
{
    (void)state;
    const int l_count = plugin_count(limiters), f_count = plugin_count(fluxes);
    for (int l = 0; l < l_count; l++)
        for (int f = 0; f < f_count; f++)
            if (everything() || on_diagonal(l, l_count, f, f_count))
                check_plugins(limiters[l], fluxes[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_keep_their_contract),
        cmocka_unit_test(a_lake_at_rest_stays_at_rest_in_fast_mode),
        cmocka_unit_test(along_an_emerged_shore_the_flow_is_of_the_order_of_the_cells),
        cmocka_unit_test(dry_land_stays_dry_to_the_bit),
        cmocka_unit_test(a_strip_is_the_same_in_x_in_y_and_as_equal_rows),
        cmocka_unit_test(every_limiter_works_with_every_flux),
    };
    return cmocka_run_group_tests_name("schemes", tests, NULL, NULL);
}
