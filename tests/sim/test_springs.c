/* Point sources and sinks: they bring what their series says, take what there is, and find their cells. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/problem/springs.h"
#include "core/registry/registry.h"
#include "core/sim/springs.h"
#include "tests/support/checkpoints.h"
#include "tests/support/same_bits.h"

/* A flood of 3 m3/s, and a pump of 2 m3/s. */
static double flood_time[] = {0, 1, 3, 3.5, 100}, flood_rate[] = {0, 3, 3, 0, 0};
static double pump_time[] = {0, 1e300}, pump_rate[] = {-2, -2};
static int flood_i[] = {4, 5, 4, 5}, flood_j[] = {6, 6, 7, 7}, pump_i[] = {5, 12},
           pump_j[] = {7, 3};
static struct source_choice flood_choice = {.name = "flood"}, pump_choice = {.name = "pump"};
static struct spring_place place[] = {
    {.choice = &flood_choice,
     .series = {.time = flood_time, .value = flood_rate, .rows = 5},
     .cells = 4,
     .i = flood_i,
     .j = flood_j},
    {.choice = &pump_choice,
     .series = {.time = pump_time, .value = pump_rate, .rows = 2},
     .cells = 2,
     .i = pump_i,
     .j = pump_j},
};
static const struct spring_list flood = {.place = place, .count = 1};
static const struct spring_list pump = {.place = place + 1, .count = 1};
static const struct spring_list both = {.place = place, .count = 2};
static const double FLOOD = 0.5 * 3 + 2 * 3 + 0.25 * 3; /* m3 in all */

static double lost(const struct outcome *o)
{
    return o->balance.volume - o->volume0 - o->balance.inflow - o->balance.clipped_in;
}

static void check_flood(const struct config *c)
{
    struct config film = *c;
    struct scene s = new_scene(19, 13);
    snprintf(film.reconstruction, sizeof film.reconstruction, "audusse");
    scene_random_bed(&s, 1800, 1801, 4);
    scene_level(&s, 0);
    s.manning = 0.03;
    s.t_end = 5;
    s.springs = &flood;
    struct outcome o = simulated(&film, &s);
    if (!(fabs(o.balance.gave - FLOOD) <= 1e-11 * FLOOD) || !(o.balance.took <= 0))
        fail_msg("%s: %.17g of %.17g m3 came", described(c), o.balance.gave, FLOOD);
    if (!(fabs(lost(&o)) <= (c->precision == F64 ? 1e-11 : 1e-6) * FLOOD))
        fail_msg("%s: %g m3 are missing", described(c), -lost(&o));
    assert_true(o.clock.steps > 20);
    outcome_free(&o);
    scene_free(&s);
}

static void a_source_in_dry_cells_far_up_brings_its_series(void **state)
{
    (void)state;
    for_every_scheme(check_flood);
}

/* Each cell of a puddle has little water. */
static void check_pump(const struct config *c)
{
    struct scene s = new_scene(19, 13);
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = i / 2 % 2 + j / 2 % 2; /* steps keep other cells out */
    scene_level(&s, -1);
    s.field[0][scene_cell(&s, 5, 7)] = s.field[0][scene_cell(&s, 12, 3)] = 1.7;
    s.t_end = 30;
    s.kappa = 1e-3;
    s.springs = &pump;
    struct outcome o = simulated(c, &s);
    if (!(o.balance.took <= o.volume0 * (1 + 1e-6) + o.balance.clipped_in) ||
        !(fabs(lost(&o)) <= (c->precision == F64 ? 1e-10 : 2e-6) * o.volume0))
        fail_msg("%s: of %g m3 %g were taken, %g are missing", described(c), o.volume0,
                 o.balance.took, -lost(&o));
    for (int k = 0; k < 2; k++)
        if (!(fabs(outcome_depth(&o, pump_i[k], pump_j[k])) <= 1e-4))
            fail_msg("%s: %g m are left", described(c), outcome_depth(&o, pump_i[k], pump_j[k]));
    outcome_free(&o);
    scene_free(&s);
}

static void a_sink_takes_what_there_is(void **state)
{
    (void)state;
    for_every_scheme(check_pump);
}

static void their_cells_share_them(void **state)
{
    (void)state;
    for (int sweep = SWEEP_XY; sweep <= SWEEP_YX; sweep++) {
        struct config c;
        struct scene s = new_scene(19, 13);
        configure(&c, "ds1", F64);
        c.sweep = sweep;
        c.dt = 1e-4;
        scene_level(&s, 1);
        s.t_end = 2e-3;
        s.springs = &both;
        struct outcome o = simulated(&c, &s);
        const double area = s.dx * s.dy, come = 0.5 * 2e-3 * 3 * 2e-3 / 4 / area,
                     gone = 2 * 2e-3 / 2 / area;
        const double want[] = {1 + come, 1 + come - gone, 1 - gone, 1};
        const int i[] = {4, 5, 12, 9}, j[] = {6, 7, 3, 9};
        for (int k = 0; k < 4; k++)
            if (!(fabs(outcome_depth(&o, i[k], j[k]) - want[k]) <= 2e-2 * gone))
                fail_msg("sweep %d: cell (%d, %d) has %.9g m, not %.9g", sweep, i[k], j[k],
                         outcome_depth(&o, i[k], j[k]), want[k]);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void a_sink_takes_momentum_along(void **state)
{
    (void)state;
    struct config c;
    struct scene s = new_scene(19, 13);
    configure(&c, "rk2", F64);
    scene_edges(&s, PERIODIC, PERIODIC);
    scene_level(&s, 1);
    for (int k = 0; k < s.nx * s.ny; k++)
        s.field[1][k] = 1, s.field[2][k] = -0.5;
    c.dt = s.t_end = 1e-3;
    s.springs = &pump;
    struct outcome o = simulated(&c, &s);
    const size_t k = scene_cell(&s, 12, 3);
    assert_true(o.depth[k] < 0.9995);
    if (!(fabs(o.state.field[1][k] / o.depth[k] - 1) <= 1e-12) ||
        !(fabs(o.state.field[2][k] / o.depth[k] + 0.5) <= 1e-12))
        fail_msg("%g, %g m/s", o.state.field[1][k] / o.depth[k], o.state.field[2][k] / o.depth[k]);
    outcome_free(&o);
    scene_free(&s);
}

static void a_step_that_is_redone_brings_once(void **state)
{
    (void)state;
    struct config c;
    struct scene s = new_scene(19, 13);
    configure(&c, "rk2_fused", F64);
    c.dt_factor = 1;
    scene_level(&s, 1);
    scene_dam(&s, 5, 5, 3, 4);
    s.t_end = 4;
    s.springs = &both;
    struct outcome o = simulated(&c, &s);
    assert_true(o.clock.redone > 3);
    if (!(fabs(o.balance.gave - FLOOD) <= 1e-11) || !(fabs(o.balance.took - 8) <= 1e-11) ||
        !(fabs(lost(&o)) <= 1e-12 * o.volume0))
        fail_msg("%.17g m3 came, %.17g went, %g are missing", o.balance.gave, o.balance.took,
                 -lost(&o));
    outcome_free(&o);
    scene_free(&s);
}

/* A time step is limited by the depth of still water only where water may arrive. */
static void a_cliff_elsewhere_holds_no_step_back(void **state)
{
    (void)state;
    struct config c;
    struct scene s = new_scene(19, 13);
    configure(&c, "rk2", F32);
    for (int j = 0; j <= s.ny; j++)
        for (int i = 17; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = 1000;
    scene_level(&s, -1);
    s.t_end = 3;
    s.springs = &flood;
    struct outcome o = simulated(&c, &s);
    if (!(o.clock.dt_max > 0.02))
        fail_msg("steps are %g s at most", o.clock.dt_max);
    outcome_free(&o);
    scene_free(&s);
}

static struct outcome wet(const struct config *c, const void *none)
{
    struct scene s = new_rough(19, 13);
    (void)none;
    scene_mixed_edges(&s);
    s.t_end = 0.5;
    s.springs = &both;
    struct outcome o = simulated(c, &s);
    scene_free(&s);
    return o;
}

static void parts_change_no_bit(void **state)
{
    (void)state;
    expect_bits_in_parts(wet, NULL);
}

/* Where sources lie in still water and on dry land, steps skip the other tiles, or these are not stored. */
static struct outcome quiet(const struct config *c)
{
    struct scene s = new_scene(60, 13);
    scene_level(&s, -1);
    for (int k = 0; k < s.nx * s.ny; k++)
        s.field[0][k] = k % s.nx > 30 ? 0.5 : 0;
    for (int j = 0; j <= s.ny; j++) /* a ridge between the two */
        for (int i = 20; i < 31; i++)
            s.bed[scene_corner(&s, i, j)] = 2;
    s.t_end = 0.8;
    s.springs = &both;
    struct outcome o = simulated(c, &s);
    scene_free(&s);
    return o;
}

static void tiles_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct config c, other;
        configure(&c, k % 2 ? "rk2_fused" : "rk2", F32);
        c.early_exit = EARLY_EXIT_OFF;
        struct outcome want = k < 2 ? wet(&c, NULL) : quiet(&c);
        other = c;
        other.tile = (struct tile_size){8, k < 6 ? 5 : 4}; /* 4: a source beside the next tile */
        other.early_exit = EARLY_EXIT_ON;
        other.domain = k < 4 ? DOMAIN_FULL : DOMAIN_SPARSE;
        struct outcome have = k < 2 ? wet(&other, NULL) : quiet(&other);
        expect_same(&other, k < 4 ? "in tiles" : "sparse", &want.state, &have.state, 1);
        assert_memory_equal(&want.balance, &have.balance, sizeof want.balance);
        outcome_free(&want);
        outcome_free(&have);
    }
}

static void blocks_threads_and_order_change_no_bit(void **state)
{
    (void)state;
    for (int p = F32; p <= F64; p++) {
        struct config c;
        configure(&c, "rk2", (enum precision)p);
        c.early_exit = EARLY_EXIT_ON;
        c.order = p == F32 ? 2 : 0;
        expect_bits_in_blocks(&c, "springs", 2, 1, wet, NULL);
    }
}

static void a_run_goes_on_while_sources_flow(void **state)
{
    (void)state;
    struct config c = config_of("rk2_fused", F32);
    char typed[PATH_LENGTH + 64];
    struct run straight, second;
    scratch_write("q.txt", "w", "0 0\n0.5 40\n1 0\n");
    snprintf(typed, sizeof typed, "spring,-8,3,%s/q.txt,3", scratch);
    set(&c, "source", typed);
    set(&c, "source", "drain,0,0,-20");
    run_straight(&straight, &c);
    struct config cut = c;
    fine(shares_read("2x2", &cut.parts));
    keep_at(&cut, KEPT_AT);
    resume(&second, &cut);
    expect_equal(&straight, &second, "restarted in parts while a source flows");
    end(&second);
    resume(&second, &c);
    expect_equal(&straight, &second, "restarted while a source flows");
    double gave, took;
    fine(sim_springs_volume(second.sim, &second.p.springs, 0, &gave, &took));
    assert_true(gave > 10 && took <= 0);
    fine(sim_springs_volume(second.sim, &second.p.springs, 1, &gave, &took));
    assert_true(gave <= 0 && took > 1);
    end(&straight);
    end(&second);
    scratch_write("q.txt", "w", "0 0\n0.5 41\n1 0\n");
    start(&second, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(second.sim, &second.p, file, rows),
                   "--source was");
    end(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_in_dry_cells_far_up_brings_its_series),
        cmocka_unit_test(a_sink_takes_what_there_is),
        cmocka_unit_test(their_cells_share_them),
        cmocka_unit_test(a_sink_takes_momentum_along),
        cmocka_unit_test(a_step_that_is_redone_brings_once),
        cmocka_unit_test(a_cliff_elsewhere_holds_no_step_back),
        cmocka_unit_test(blocks_threads_and_order_change_no_bit),
        cmocka_unit_test(parts_change_no_bit),
        cmocka_unit_test(tiles_change_no_bit),
        IN_SCRATCH(a_run_goes_on_while_sources_flow),
    };
    log_quiet(2);
    return cmocka_run_group_tests_name("springs", tests, NULL, NULL);
}
