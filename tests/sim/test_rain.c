/* Rain: all of it arrives, in its cells and at its time, for any steps, blocks and threads. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/problem/rain.h"
#include "core/registry/registry.h"
#include "tests/support/checkpoints.h"
#include "tests/support/same_bits.h"

static const double MM_PER_HOUR = 1e-3 / 3600;

/* A shower, in m/s: linear between its rows. */
static double shower_time[] = {0, 3, 20, 21, 7300};
static double shower_rate[] = {0, 40e-3 / 3600, 5e-3 / 3600, 0, 0};
static const struct rain shower = {
    .series = {.time = shower_time, .value = shower_rate, .rows = 5}};

/* In the scratch folder of a run. */
static void write_shower(void)
{
    scratch_write("storm.txt", "w", "t mm/h\n0 0\n3 400\n20 50\n21 0\n7300 0\n");
}

/* Two fields of 3 x 2 cells: no rain, then some, each for 8 s. */
static double field_begin[] = {0, 8, 16};
static double field_value[] = {0, 0, 0, 0, 0, 0, 1e-4, 2e-4, 3e-4, 4e-4, 5e-4, 0};
enum { WIDE = 19, HIGH = 13 };
static int field_column[WIDE], field_row[HIGH];
static const struct rain fields = {.fields = 2,
                                   .begin = field_begin,
                                   .nx = 3,
                                   .ny = 2,
                                   .value = field_value,
                                   .column = field_column,
                                   .row = field_row};

static void place_fields(void)
{
    for (int i = 0; i < WIDE; i++)
        field_column[i] = i < 5 ? 0 : i < 12 ? 1 : 2;
    for (int j = 0; j < HIGH; j++)
        field_row[j] = j < 4 ? 0 : 1;
}

static double lost(const struct outcome *o)
{
    return o->balance.volume - o->volume0 - o->balance.inflow;
}

/* 5 mm/h in steps of 10 ms: 14 nanometres each, a quarter of a unit in the last place of a metre in f32. A dry ridge,
 * on which none falls, separates the pond from a lower one, so that the depth of the upper one is what is stored. */
enum { POND = 3, PONDS = 8 };

static void check_drizzle(const struct config *c)
{
    static double begin[] = {0, 1e300}, rate[] = {5e-3 / 3600, 0};
    static int column[PONDS], row[3];
    const struct rain drizzle = {
        .fields = 1, .begin = begin, .nx = 2, .ny = 1, .value = rate, .column = column, .row = row};
    struct config fixed = *c;
    struct scene s = new_scene(PONDS, 3);
    snprintf(fixed.reconstruction, sizeof fixed.reconstruction, "audusse"); /* at rest at shores */
    for (int i = 0; i < PONDS; i++)
        column[i] = i >= POND && i < POND + 2;
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = i <= POND ? 4 : i == POND + 1 ? 8 : 0;
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++)
            s.field[0][scene_cell(&s, i, j)] = i < POND ? 5 : i < POND + 2 ? -1 : 0.5;
    fixed.dt = 0.01;
    s.t_end = 15;
    s.rain = &drizzle;
    struct outcome o = simulated(&fixed, &s);
    const double want = 1 + 15 * rate[0], unit = c->precision == F64 ? 0x1p-52 : 0x1p-23;
    /* f64 has no dither: each step may round by half a unit, always in the same direction. In f32 the error grows as
     * the logarithm of the number of steps. */
    const double most = (c->precision == F64 ? 0.5 * (double)o.clock.steps : 4) * unit;
    for (int i = 0; i < POND; i++)
        if (!(fabs(outcome_depth(&o, i, 1) - want) <= most))
            fail_msg("%s: cell %d is %.9g m deep, not %.9g: %g units", described(c), i,
                     outcome_depth(&o, i, 1), want, (outcome_depth(&o, i, 1) - want) / unit);
    outcome_free(&o);
    scene_free(&s);
}

static void nanometres_in_a_step_arrive_on_a_metre_of_water(void **state)
{
    (void)state;
    for_every_scheme(check_drizzle);
}

/* What falls is the integral of the series, over dry slopes at 1800 m. */
static void check_shower(const struct config *c)
{
    struct config film = *c;
    struct scene s = new_scene(31, 23);
    snprintf(film.reconstruction, sizeof film.reconstruction, "audusse");
    s.kappa = 1e-5;
    s.manning = 0.03;
    scene_random_bed(&s, 1800, 1802, 5);
    scene_level(&s, 0);
    s.t_end = 60;
    s.rain = &shower;
    struct outcome o = simulated(&film, &s);
    const double rain =
        s.nx * s.dx * s.ny * s.dy * (0.5 * 3 * 40 + 0.5 * 17 * 45 + 0.5 * 5) * MM_PER_HOUR;
    if (!(fabs(o.balance.rain - rain) <= 1e-13 * rain) ||
        !(fabs(o.balance.inflow - rain) <= 1e-13 * rain))
        fail_msg("%s: %.17g of %.17g m3 of rain are counted", described(c), o.balance.rain, rain);
    if (!(fabs(lost(&o)) <= (c->precision == F64 ? 1e-9 : 2e-5) * rain))
        fail_msg("%s: %g of %g m3 are missing", described(c), -lost(&o), rain);
    outcome_free(&o);
    scene_free(&s);
}

static void a_shower_on_dry_slopes_far_up_brings_its_integral(void **state)
{
    (void)state;
    for_every_scheme(check_shower);
}

static void check_bowl(const struct config *c)
{
    struct config film = *c;
    struct scene s = new_scene(20, 20);
    snprintf(film.reconstruction, sizeof film.reconstruction, "audusse");
    s.kappa = 1e-4;
    s.manning = 0.02;
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = 0.01 * ((i - 10) * (i - 10) + (j - 10) * (j - 10));
    scene_level(&s, -1);
    static double time[] = {0, 1e300}, rate[] = {36e-3 / 3600, 36e-3 / 3600};
    const struct rain cloudburst = {.series = {.time = time, .value = rate, .rows = 2}};
    s.t_end = 300;
    s.rain = &cloudburst;
    struct outcome o = simulated(&film, &s);
    const double want = 300 * rate[0] * s.nx * s.dx * s.ny * s.dy;
    if (!(fabs(o.balance.volume - want) <= (c->precision == F64 ? 1e-12 : 2e-5) * want))
        fail_msg("%s: a bowl holds %.9g m3 after %.9g m3 of rain: %g", described(c),
                 o.balance.volume, want, o.balance.volume / want - 1);
    outcome_free(&o);
    scene_free(&s);
}

static void a_bowl_fills_to_the_exact_volume(void **state)
{
    (void)state;
    struct config c;
    for (int p = F32; p <= F64; p++) {
        configure(&c, "rk2", (enum precision)p);
        check_bowl(&c);
    }
}

/* Each cell gets what its place in the fields says, also with x and y exchanged: nothing flows yet. */
static void check_places(const struct config *c)
{
    place_fields();
    for (int sweep = SWEEP_XY; sweep <= SWEEP_YX; sweep++) {
        struct config turned = *c;
        struct scene s = new_scene(WIDE, HIGH);
        turned.sweep = sweep;
        turned.dt = 0.75; /* no divisor of 8 s */
        s.t_end = 9;
        s.rain = &fields;
        scene_level(&s, -1);
        s.kappa = 1e-3;
        struct outcome o = simulated(&turned, &s);
        for (int j = 0; j < s.ny; j++)
            for (int i = 0; i < s.nx; i++) {
                const double want = field_value[6 + 3 * field_row[j] + field_column[i]];
                const double got = o.depth[scene_cell(&s, i, j)];
                if ((i != 4 && i != 5 && i != 11 && i != 12 && j != 3 && j != 4) &&
                    !(fabs(got - want) <= 2e-2 * want))
                    fail_msg("%s, sweep %d: cell (%d, %d) has %g m, not %g", described(c), sweep, i,
                             j, got, want);
            }
        if (!(fabs(lost(&o)) <= (c->precision == F64 ? 1e-12 : 1e-5) * o.balance.rain))
            fail_msg("%s: %g m3 missing of %g", described(c), -lost(&o), o.balance.rain);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void every_cell_gets_the_rain_of_its_place_and_time(void **state)
{
    (void)state;
    for_every_scheme(check_places);
}

/* The same fields, earlier. */
static double soon[] = {0, 0.2, 16};
static const struct rain squall = {.fields = 2,
                                   .begin = soon,
                                   .nx = 3,
                                   .ny = 2,
                                   .value = field_value,
                                   .column = field_column,
                                   .row = field_row};

static struct outcome stormy(const struct config *c, const void *rain)
{
    struct scene s = new_rough(WIDE, HIGH);
    scene_mixed_edges(&s);
    s.t_end = 0.5;
    s.rain = rain;
    struct outcome o = simulated(c, &s);
    scene_free(&s);
    return o;
}

static void parts_change_no_bit(void **state)
{
    (void)state;
    place_fields();
    expect_bits_in_parts(stormy, &shower);
    expect_bits_in_parts(stormy, &squall);
}

/* Parts that write into each other's ghost cells, and others. */
static void tiles_change_no_bit(void **state)
{
    (void)state;
    place_fields();
    for (int k = 0; k < 2; k++) {
        struct config c, other;
        configure(&c, k ? "rk2_fused" : "rk2", F32);
        const struct rain *const r = k ? &squall : &shower;
        struct outcome want = stormy(&c, r);
        other = c;
        other.tile = (struct tile_size){8, 5};
        other.early_exit = EARLY_EXIT_ON;
        fine(shares_read("1x2", &other.parts));
        struct outcome have = stormy(&other, r);
        expect_same(&other, "in tiles", &want.state, &have.state, 1);
        assert_memory_equal(&want.balance, &have.balance, sizeof want.balance);
        outcome_free(&want);
        outcome_free(&have);
    }
}

static void blocks_threads_and_order_change_no_bit(void **state)
{
    (void)state;
    static const struct rain *const kinds[] = {&shower, &squall};
    place_fields();
    for (int k = 0; k < 4; k++) {
        struct config c;
        configure(&c, k / 2 ? "rk2_fused" : "rk2", F32);
        c.order = k == 0 ? 2 : 0;
        expect_bits_in_blocks(&c, "rain", 7, 3, stormy, kinds[k % 2]);
    }
}

static void a_step_that_is_redone_is_rained_on_once(void **state)
{
    (void)state;
    struct config c;
    struct scene s = new_rough(WIDE, HIGH);
    configure(&c, "rk2_fused", F64);
    c.dt_factor = 1;
    s.t_end = 2.5;
    s.rain = &shower;
    struct outcome o = simulated(&c, &s);
    assert_true(o.clock.redone > 3);
    if (!(fabs(lost(&o) - o.balance.clipped_in) <= 1e-12 * o.balance.volume))
        fail_msg("%g of %g m3 of rain are missing after %lu steps, %lu of them redone", -lost(&o),
                 o.balance.rain, o.clock.steps, o.clock.redone);
    outcome_free(&o);
    scene_free(&s);
}

static void rain_switches_early_exit_off(void **state)
{
    (void)state;
    struct config c;
    configure(&c, "rk2", F32);
    c.early_exit = EARLY_EXIT_ON;
    struct outcome o = stormy(&c, &shower);
    assert_int_equal(o.clock.early_exits, 0);
    outcome_free(&o);
}

/* Rain is clean: the amount carried stays the same, in more water. */
static void check_dilution(const struct config *c)
{
    struct scene s = new_scene(9, 7);
    struct balance b;
    struct sim *sim;
    static double time[] = {0, 1e300}, rate[] = {1e-3, 1e-3};
    const struct rain flood = {.series = {.time = time, .value = rate, .rows = 2}};
    s.t_end = 500;
    s.rain = &flood;
    scene_level(&s, 0.5);
    for (int k = 0; k < s.nx * s.ny; k++)
        s.field[3][k] = 0.8;
    fine(simulation_create(&sim, c, &s));
    fine(sim_run(sim, (double)INFINITY, NULL));
    struct outcome o = outcome_of(c, sim, &s);
    for (int k = 0; k < s.nx * s.ny; k++)
        if (!(fabs(o.state.field[3][k] - 0.4) <= (c->precision == F64 ? 1e-12 : 1e-5)))
            fail_msg("%s: 0.8 in twice as much water is %.9g", described(c), o.state.field[3][k]);
    fine(sim_balance_of(sim, 1, &b));
    if (!(fabs(b.volume - sim->total0[1]) <= (c->precision == F64 ? 1e-12 : 1e-5) * b.volume))
        fail_msg("%s: %.9g of it became %.9g", described(c), sim->total0[1], b.volume);
    sim_destroy(sim);
    outcome_free(&o);
    scene_free(&s);
}

static void rain_dilutes_a_tracer_and_takes_none_of_it(void **state)
{
    (void)state;
    struct config c;
    scene_solve(find_system("tracer"));
    for (int p = F32; p <= F64; p++) {
        configure(&c, "rk2", (enum precision)p);
        check_dilution(&c);
    }
    scene_solve(NULL);
}

/* Woolhiser and Liggett (1967): with a kinematic number S L / (h F^2) above 20 a plane drains rain i as a kinematic
 * wave: at a place q = sqrt(S)/n (i t)^(5/3) until q = i x. */
enum { PLANE = 100, LOOK = 90 }; /* beyond that the open edge draws the film down */
static const double SLOPE = 0.05, ROUGH = 0.03, INTENSITY = 50e-3 / 3600;

static void check_plane(double t, double want)
{
    struct config c;
    configure(&c, "rk2", F64);
    snprintf(c.reconstruction, sizeof c.reconstruction, "audusse");
    static double time[] = {0, 1e300}, rate[2];
    rate[0] = rate[1] = INTENSITY;
    const struct rain even = {.series = {.time = time, .value = rate, .rows = 2}};
    struct scene s = new_scene(PLANE, 1);
    s.kappa = 1e-5;
    s.manning = ROUGH;
    s.boundary[EAST] = OPEN;
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = SLOPE * (PLANE - i) * s.dx;
    scene_level(&s, -1);
    s.t_end = t;
    s.rain = &even;
    struct outcome o = simulated(&c, &s);
    const double q = o.state.field[1][LOOK];
    if (!(fabs(q / want - 1) <= 0.01))
        fail_msg("after %g s the discharge is %.4g m2/s, not %.4g: %.2g %% off", t, q, want,
                 100 * (q / want - 1));
    outcome_free(&o);
    scene_free(&s);
}

static void a_plane_runs_off_as_a_kinematic_wave(void **state)
{
    (void)state;
    const double alpha = sqrt(SLOPE) / ROUGH, length = LOOK + 0.5;
    const double full = pow(length / (alpha * pow(INTENSITY, 2.0 / 3)), 0.6);
    check_plane(0.7 * full, alpha * pow(0.7 * full * INTENSITY, 5.0 / 3));
    check_plane(1.6 * full, INTENSITY * length);
}

static struct config raining(const char *rain)
{
    struct config c = config_of("rk2", F32);
    char path[PATH_LENGTH];
    scratch_path(path, rain);
    set(&c, "rain", path);
    return c;
}

static void a_run_goes_on_in_the_middle_of_a_storm(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "rk2_fused", "ds2"};
    write_shower();
    for (int k = 0; k < 3; k++) {
        struct config c = raining("storm.txt");
        snprintf(c.scheme, sizeof c.scheme, "%s", names[k]);
        struct run straight, second;
        run_straight(&straight, &c);
        keep_at(&c, KEPT_AT);
        resume(&second, &c);
        expect_equal(&straight, &second, "restarted in the rain");
        end(&straight);
        end(&second);
    }
}

static void other_rain_of_the_same_name_is_another_run(void **state)
{
    (void)state;
    struct run r;
    write_shower();
    const struct config c = raining("storm.txt");
    keep_at(&c, KEPT_AT);
    scratch_write("storm.txt", "w", "0 0\n3 400\n20 51\n21 0\n7300 0\n");
    start(&r, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(r.sim, &r.p, file, rows),
                   "--rain was 'rain of hash");
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nanometres_in_a_step_arrive_on_a_metre_of_water),
        cmocka_unit_test(a_shower_on_dry_slopes_far_up_brings_its_integral),
        cmocka_unit_test(a_bowl_fills_to_the_exact_volume),
        cmocka_unit_test(every_cell_gets_the_rain_of_its_place_and_time),
        cmocka_unit_test(blocks_threads_and_order_change_no_bit),
        cmocka_unit_test(parts_change_no_bit),
        cmocka_unit_test(tiles_change_no_bit),
        cmocka_unit_test(a_step_that_is_redone_is_rained_on_once),
        cmocka_unit_test(rain_switches_early_exit_off),
        cmocka_unit_test(rain_dilutes_a_tracer_and_takes_none_of_it),
        cmocka_unit_test(a_plane_runs_off_as_a_kinematic_wave),
        IN_SCRATCH(a_run_goes_on_in_the_middle_of_a_storm),
        IN_SCRATCH(other_rain_of_the_same_name_is_another_run),
    };
    log_quiet(2);
    return cmocka_run_group_tests_name("rain", tests, NULL, NULL);
}
