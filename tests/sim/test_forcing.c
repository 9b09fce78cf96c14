/* What acts on the flow in every cell: linear drag and forcing. Also runs that continue beyond their end. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/simulate.h"

static struct scene flat(int nx, int ny, enum boundary edges)
{
    struct scene s = new_scene(nx, ny);
    for (int k = 0; k < (nx + 1) * (ny + 1); k++)
        s.bed[k] = -1;
    scene_edges(&s, edges, edges);
    return s;
}

/* hu and hv of a stream after t seconds of drag, relative to the start; the two must agree. */
static double slowed(const struct config *c, double drag, double dt, double t)
{
    struct scene s = flat(9, 7, PERIODIC);
    for (int k = 0; k < s.nx * s.ny; k++) {
        s.field[1][k] = 1;
        s.field[2][k] = 0.5;
    }
    s.drag = drag;
    s.t_end = t;
    struct config fixed = *c;
    fixed.dt = dt;
    struct outcome o = simulated(&fixed, &s);
    const double hu = o.state.field[1][5], hv = o.state.field[2][5];
    if (!(fabs(hu - 2 * hv) <= (c->precision == F64 ? 1e-13 : 1e-5)))
        fail_msg("%s: hu falls to %.9g of itself, hv to %.9g", described(c), hu, 2 * hv);
    outcome_free(&o);
    scene_free(&s);
    return hu;
}

/* The implicit substeps are of first order in time in every scheme. */
static void check_drag(const struct config *c)
{
    const double drag = 0.75, t = 1, exact = exp(-drag * t);
    const double coarse = slowed(c, drag, 1.0 / 32, t) / exact - 1;
    const double fine = slowed(c, drag, 1.0 / 64, t) / exact - 1;
    const double expected = drag * drag * t / 64 / 2;
    if (!(fabs(fine) <= 1.1 * expected))
        fail_msg("%s: after exp(-%g) a stream is off by %g, not by about %g", described(c),
                 drag * t, fine, expected);
    if (!(log2(fabs(coarse / fine)) >= 0.95))
        fail_msg("%s: errors of drag %g and %g with half the step: no first order", described(c),
                 coarse, fine);
}

static void drag_slows_a_stream_down_exponentially(void **state)
{
    (void)state;
    for_every_scheme(check_drag);
}

/* Time steps and rates are powers of two, so that nothing is rounded. */
static void check_rain(const struct config *c)
{
    struct scene s = new_scene(31, 23);
    scene_random_bed(&s, -2, -1, 5);
    scene_force(&s, 0, 0, 1);
    for (int k = 0; k < s.nx * s.ny; k++)
        s.force[0][k] = 1.0 / 64;
    s.t_end = 1;
    struct config fixed = *c;
    fixed.dt = 1.0 / 64;
    struct outcome o = simulated(&fixed, &s);
    const double rain = s.nx * s.dx * s.ny * s.dy / 64;
    struct scene expected = new_view(&s, 0);
    scene_level(&expected, 1.0 / 64);
    expect_same(&fixed, "rain on a lake", &expected, &o.state, 0);
    if (!(fabs(o.balance.inflow - rain) <= 1e-13 * rain) ||
        !(fabs(outcome_mass_error(&o)) <= 1e-14))
        fail_msg("%s: %.17g m3 of %.17g m3 of rain are counted, mass error %g", described(c),
                 o.balance.inflow, rain, outcome_mass_error(&o));
    outcome_free(&o);
    scene_free(&expected);
    scene_free(&s);
}

static void rain_raises_a_lake_exactly(void **state)
{
    (void)state;
    for_every_scheme(check_rain);
}

/* A millimetre an hour for six hours, in pieces far below a unit in the last place of a depth of 1 m. A pond in the
 * east lies lower, so that the depth of the other pond is what is stored. */
enum { SHORE_1 = 3, SHORE_2 = 5, DRIZZLED = 8 };

static struct scene drizzle(double depth)
{
    struct scene s = new_scene(DRIZZLED, 4);
    s.dx = s.dy = 40;
    s.kappa = 1e-3;
    s.t_end = 6 * 3600;
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = i <= SHORE_1 ? 4 : i < SHORE_2 ? 8 : 0;
    scene_force(&s, 0, 0, 1);
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++) {
            const int upper = i < SHORE_1, lower = i >= SHORE_2;
            s.field[0][scene_cell(&s, i, j)] = upper ? 4 + depth : lower ? depth : -1;
            s.force[0][scene_cell(&s, i, j)] = upper || lower ? 1e-3 / 3600 : 0;
        }
    return s;
}

static void check_drizzle(const struct config *c, double depth)
{
    struct config fixed = *c;
    fixed.dt = 2;
    snprintf(fixed.reconstruction, sizeof fixed.reconstruction, "audusse"); /* at rest at shores */
    struct scene s = drizzle(depth);
    struct outcome o = simulated(&fixed, &s);
    const double rain = 6e-3, deepest = depth + rain;
    int e;
    frexp(deepest, &e);
    const double ulp = ldexp(1, e - (c->precision == F64 ? 53 : 24));
    /* f64 has no dither: each step may round by a unit, always in the same direction. */
    const double most = (c->precision == F64 ? (double)o.clock.steps : 2) * ulp;
    const double off = o.balance.volume - o.volume0 - o.balance.inflow;
    if (!(fabs(off) <= 1e-5 * (o.volume0 + o.balance.inflow)) || o.clock.steps < 10000)
        fail_msg("%s: on %g m of water %g of %g m3 are missing after %lu steps", described(c),
                 depth, -off, o.volume0 + o.balance.inflow, o.clock.steps);
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++) {
            const double got = outcome_depth(&o, i, j);
            const double want = i < SHORE_1 || i >= SHORE_2 ? deepest : 0;
            if (!(fabs(got - want) <= most))
                fail_msg("%s: on %g m of water cell (%d, %d) is %.9g m deep, not %.9g: %g ulp",
                         described(c), depth, i, j, got, want, (got - want) / ulp);
        }
    outcome_free(&o);
    scene_free(&s);
}

/* On dry ground, where sums begin at 0, one of each kind, in f32, whose units are coarser. */
static void check_drizzles(const struct config *c)
{
    if (everything() || (c->precision == F32 && answers_for_its_kind(c->scheme)))
        check_drizzle(c, 0);
    check_drizzle(c, 1);
}

static void six_hours_of_a_millimetre_an_hour_arrive_in_every_cell(void **state)
{
    (void)state;
    for_every_scheme(check_drizzles);
}

/* On slopes rain runs down: dry and wet cells get all of it. */
static void check_rain_on_slopes(const struct config *c)
{
    struct scene s = new_scene(31, 23);
    s.kappa = 0.01;
    s.manning = 0.03;
    scene_random_bed(&s, 4000, 4001, 5);
    scene_level(&s, 4000.3);
    scene_force(&s, 0, 0, 1);
    for (int k = 0; k < s.nx * s.ny; k++)
        s.force[0][k] = 1e-2 / 3600;
    s.t_end = 120;
    struct outcome o = simulated(c, &s);
    const double off = o.balance.volume - o.volume0 - o.balance.inflow;
    if (!(fabs(off) <= (c->precision == F64 ? 1e-9 : 1e-5) * (o.volume0 + o.balance.inflow)))
        fail_msg("%s: %g of %g m3, of it %g m3 of rain, are missing", described(c), -off,
                 o.volume0 + o.balance.inflow, o.balance.inflow);
    outcome_free(&o);
    scene_free(&s);
}

static void no_rain_is_lost_on_slopes_far_up(void **state)
{
    (void)state;
    for_every_scheme(check_rain_on_slopes);
}

/* A few short steps from rest: only the forcing has acted so far. */
static void check_places(const struct config *c)
{
    for (int sweep = SWEEP_XY; sweep <= SWEEP_YX; sweep++) {
        struct config brief = *c;
        brief.sweep = sweep;
        brief.dt = 1.0 / 4096;
        struct scene s = flat(19, 13, WALL);
        scene_force(&s, 1, 1, 6);
        struct outcome o = simulated_steps(&brief, &s, 3);
        for (int f = 0; f < 3; f++)
            for (int k = 0; k < s.nx * s.ny; k++) {
                const double want = s.force[f][k] * o.clock.t, have = o.state.field[f][k];
                if (!(fabs(have - want) <= 0.03 * o.clock.t))
                    fail_msg("%s, sweep %d: field %d of cell %d is %g after %g s, not %g",
                             described(c), sweep, f, k, have, o.clock.t, want);
            }
        outcome_free(&o);
        scene_free(&s);
    }
}

static void every_cell_gets_its_own_forcing_once_per_step(void **state)
{
    (void)state;
    for_every_scheme(check_places);
}

static void check_flood(const struct config *c)
{
    struct scene s = new_scene(31, 23);
    s.kappa = 0.05;
    scene_random_bed(&s, -1, 0.5, 7);
    scene_level(&s, -0.2);
    scene_force(&s, 0.05, 0.3, 8);
    s.boundary[EAST] = OPEN;
    s.t_end = 5;
    struct outcome o = simulated(c, &s);
    if (!(fabs(outcome_mass_error(&o)) <= (c->precision == F64 ? 1e-14 : 3e-6)) ||
        !(o.balance.volume > 1.1 * o.volume0))
        fail_msg("%s: %.17g m3 after %.17g, inflow %.17g, clipped in %g: mass error %g",
                 described(c), o.balance.volume, o.volume0, o.balance.inflow, o.balance.clipped_in,
                 outcome_mass_error(&o));
    outcome_free(&o);
    scene_free(&s);
}

static void the_balance_closes_when_rain_floods_dry_land(void **state)
{
    (void)state;
    for_every_scheme(check_flood);
}

static void forcing_switches_early_exit_off(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c, off;
        if (!schemes[k]->on_demand)
            continue;
        configure(&c, schemes[k]->name, F32);
        off = c;
        c.early_exit = EARLY_EXIT_ON;
        off.early_exit = EARLY_EXIT_OFF;
        struct scene s = flat(40, 30, WALL);
        scene_force(&s, 0, 0, 1);
        s.force[0][17] = 0.1;
        struct outcome o = simulated_steps(&c, &s, 8), want = simulated_steps(&off, &s, 8);
        assert_int_equal(o.clock.early_exits, 0);
        expect_same(&c, "forced in one cell", &want.state, &o.state, 1);
        outcome_free(&o);
        outcome_free(&want);
        scene_free(&s);
    }
}

static void run_to(const struct config *c, struct sim *sim, double t)
{
    sim_extend(sim, t);
    if (sim_run(sim, (double)INFINITY, NULL))
        fail_msg("%s: %s", described(c), err_message());
    if (!(fabs(sim->now.t - t) <= 0) || sim->now.halt != AT_END)
        fail_msg("%s: a run that is to end at %.17g s is at %.17g s, halt %u", described(c), t,
                 sim->now.t, sim->now.halt);
}

/* Only the length of a step distinguishes a run that ended and was continued from one that paused there. */
static void check_extension(const struct config *c)
{
    static const double ends[] = {0, 1e-4, 0.3701, 0.371, 1.2345};
    char text[256];
    struct scene s = new_scene(31, 23);
    s.kappa = 0.05;
    s.manning = 0.03;
    scene_random_bed(&s, -1, 0.3, 12);
    scene_level(&s, 0.1);
    scene_dam(&s, 11, 9, 5, 1.2);
    s.t_end = ends[0];
    struct sim *sim = create(c, &s);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        run_to(c, sim, ends[k]);
        s.t_end = ends[k];
        if (k != 1)
            continue;
        struct outcome straight = simulated(c, &s), o = outcome_of(c, sim, &s);
        expect_same(c, "an end that was moved before it was met", &straight.state, &o.state, 1);
        outcome_free(&straight);
        outcome_free(&o);
    }
    struct outcome straight = simulated(c, &s), o = outcome_of(c, sim, &s);
    double most = 0;
    if (differ(&o.state, &o.state, 0, text, sizeof text))
        fail_msg("%s: %s", described(c), text);
    for (int k = 0; k < s.nx * s.ny; k++)
        most = fmax(most, fabs(o.state.field[0][k] - straight.state.field[0][k]));
    if (!(most <= 0.02) || !(o.clock.steps <= straight.clock.steps + 12))
        fail_msg("%s: with other ends on the way the level differs by %g m, after %lu steps, not "
                 "%lu",
                 described(c), most, o.clock.steps, straight.clock.steps);
    sim_destroy(sim);
    outcome_free(&straight);
    outcome_free(&o);
    scene_free(&s);
}

static void a_run_that_goes_on_meets_every_end_exactly(void **state)
{
    (void)state;
    for_every_scheme(check_extension);
}

/* Where nothing moves the first step would reach far beyond the end. */
static void check_resting_extension(const struct config *c)
{
    struct scene s = flat(9, 7, WALL);
    scene_level(&s, -2);
    s.t_end = 0.5;
    struct sim *sim = create(c, &s);
    run_to(c, sim, 0.5);
    run_to(c, sim, 100);
    sim_destroy(sim);
    scene_free(&s);
}

static void dry_land_goes_on_beyond_its_end_too(void **state)
{
    (void)state;
    for_every_scheme(check_resting_extension);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drag_slows_a_stream_down_exponentially),
        cmocka_unit_test(rain_raises_a_lake_exactly),
        cmocka_unit_test(six_hours_of_a_millimetre_an_hour_arrive_in_every_cell),
        cmocka_unit_test(no_rain_is_lost_on_slopes_far_up),
        cmocka_unit_test(every_cell_gets_its_own_forcing_once_per_step),
        cmocka_unit_test(the_balance_closes_when_rain_floods_dry_land),
        cmocka_unit_test(forcing_switches_early_exit_off),
        cmocka_unit_test(a_run_that_goes_on_meets_every_end_exactly),
        cmocka_unit_test(dry_land_goes_on_beyond_its_end_too),
    };
    return cmocka_run_group_tests_name("forcing", tests, NULL, NULL);
}
