/* Parts that exchange ghost cells once in several steps (--ghost-steps) reach the bits of an undivided run. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "core/sim/apron.h"
#include "core/sim/parts.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"
#include "tests/support/streams.h"

static void check_scheme(const struct config *of)
{
    struct config c = *of;
    struct scene s = new_shore();
    c.steps = STEPS;
    c.maxima = 1;
    c.maxima_every = 3;
    const struct scheme *const scheme = find_scheme(c.scheme);
    if (scheme->fills > 0)
        expect_same_run(&c, &s, "2x1 every 2 by 2");
    if (scheme->fills > 0 && scheme->fills < 4)
        expect_same_run(&c, &s, "2x3 every 1");
    scene_free(&s);
}

static void every_scheme_comes_to_the_same_bits(void **state)
{
    (void)state;
    for_every_scheme(check_scheme);
}

/* 37 x 29 cells: three rows of parts have 9 or 10 cells of their own, and the last cut needs 22 of a neighbour. */
static void any_number_of_steps_does_in_any_cut(void **state)
{
    (void)state;
    static const char *const cuts[] = {"3 every 1",        "3 every 2",        "2 every 3",
                                       "2x2 every 3",      "3x2 every 2",      "1:2 every 2 by 2",
                                       "3 every 2 staged", "1x2 every 3 by 2", "2x1 every 4"};
    static const char *const names[] = {"rk2_fused", "euler", "rk2"};
    struct scene s = new_shore();
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        struct config c;
        configure(&c, names[k % 3], k % 2 ? F32 : F64);
        c.steps = STEPS;
        expect_same_run(&c, &s, cuts[k]);
    }
    scene_free(&s);
}

static void
so_it_does_with_a_tracer_a_hydrograph_forcing_and_the_other_order_of_sweeps(void **state)
{
    (void)state;
    double time[] = {0, 0.2, 0.5, 9}, value[] = {0, 6, 1, 2};
    const struct timeseries series = {.rows = 4, .time = time, .value = value};
    const struct edge_segment segment = {
        .edge = WEST, .first = 4, .end = 17, .kind = DISCHARGE, .series = &series, .scale = 1};
    struct config c;
    scene_solve(find_system("tracer"));
    struct scene s = new_shore();
    configure(&c, "rk2_fused", F32);
    c.steps = STEPS;
    expect_same_run(&c, &s, "2x2 every 3 by 2");
    scene_free(&s);
    scene_solve(NULL);
    s = new_shore();
    s.segments = &segment;
    s.segment_count = 1;
    scene_force(&s, 0.01, 0.05, 7);
    for (int k = 0; k < 2; k++) {
        configure(&c, k ? "ds2" : "rk2", F32);
        c.steps = STEPS;
        c.sweep = k ? SWEEP_YX : SWEEP_XY;
        expect_same_run(&c, &s, k ? "2x1 every 2 by 2" : "2x2 every 2");
    }
    scene_free(&s);
}

/* As the threads of a GPU do where rows have an odd width and two cells are one access: a part with a neighbour in
 * the east would overwrite a cell of it that is already right. */
static void rows_of_odd_width_spoil_no_cells_of_others(void **state)
{
    (void)state;
    struct scene s = new_rough(43, NY);
    struct config c;
    scene_mixed_edges(&s);
    configure(&c, "rk2_fused", F32);
    c.steps = 6;
    c.order = 1;
    expect_same_run(&c, &s, "2x1 every 2");
    scene_free(&s);
}

/* Cut along the periodic direction, not across it: there beds may differ by rounding. */
static void periodic_edges_may_be_beside_a_cut_and_not_across_it(void **state)
{
    (void)state;
    struct scene s = new_rough(NX, NY);
    struct config c;
    struct sim *sim = NULL;
    scene_edges(&s, PERIODIC, WALL);
    configure(&c, "rk2_fused", F32);
    c.steps = STEPS;
    expect_same_run(&c, &s, "3 every 2");
    const struct config across = in_parts(&c, "2x1 every 2");
    assert_int_equal(simulation_create(&sim, &across, &s), ERR_USAGE);
    assert_non_null(strstr(err_message(), "cut across a periodic edge"));
    scene_free(&s);
}

/* Launched one by one, and as graphs, which begin at the start of a cycle; they have an even number of cycles of
 * three, so that states which change places in each pass are back in theirs. */
static void graphs_hold_whole_cycles(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2_fused", F32);
    c.early_exit = EARLY_EXIT_OFF;
    const struct config other = in_parts(&c, "2 every 3");
    struct sim *plain = create(&c, &s), *cut = create(&other, &s);
    const int recordings = streams_recordings, replays = streams_replays;
    streams_attach(cut);
    for (int k = 0; k < 2; k++) {
        fine(sim_step_many(plain, 35 + k));
        fine(sim_step_many(cut, 35 + k));
    }
    assert_int_equal(sim_graph_passes(cut->parts->sim[0]), 12);
    assert_int_equal(streams_recordings, recordings + 1);
    assert_true(streams_replays > replays);
    struct outcome want = outcome_of(&c, plain, &s), have = outcome_of(&other, cut, &s);
    expect_same_outcome(&c, &want, &have, "2 every 3");
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(plain);
    sim_destroy(cut);
    streams_end();
    scene_free(&s);
}

static void there_are_as_many_exchanges_as_cycles(void **state)
{
    (void)state;
    static const struct {
        const char *parts;
        long launches; /* of 12 steps of two substeps: each exchange packs, and unpacks */
    } runs[] = {{"2", 48}, {"2 every 1", 24}, {"2 every 3", 8}, {"2x1 every 4", 6}};
    struct scene s = new_shore();
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        struct config c;
        configure(&c, "rk2", F32);
        c.steps = 12;
        const struct config other = in_parts(&c, runs[k].parts);
        struct sim *sim = create(&other, &s);
        for (int m = 0; m < 2; m++)
            sim->parts->sim[m]->profiling = 1;
        fine(sim_step_many(sim, 12));
        for (int m = 0; m < 2; m++)
            if (sim->parts->sim[m]->auxiliary[HALO_KERNEL].launches != runs[k].launches)
                fail_msg("in parts %s: %ld launches of exchanges, not %ld", runs[k].parts,
                         sim->parts->sim[m]->auxiliary[HALO_KERNEL].launches, runs[k].launches);
        sim_destroy(sim);
    }
    scene_free(&s);
}

/* Does a run whose strips are this many cells too narrow differ from an undivided one? */
static int is_noticed_in(const char *parts, const char *scheme, int short_by)
{
    struct scene s = new_shore();
    struct config c;
    char text[256];
    configure(&c, scheme, F32);
    c.steps = STEPS;
    const struct config other = in_parts(&c, parts);
    struct outcome want = simulated(&c, &s);
    struct sim *sim = create(&other, &s);
    sim->parts->beyond -= short_by;
    int noticed = sim_run(sim, (double)INFINITY, NULL) != ERR_OK;
    if (!noticed) {
        struct outcome have = outcome_of(&other, sim, &s);
        noticed = differ(&want.state, &have.state, 1, text, sizeof text) ||
                  memcmp(&want.clock, &have.clock, sizeof want.clock) != 0;
        outcome_free(&have);
    }
    sim_destroy(sim);
    outcome_free(&want);
    scene_free(&s);
    return noticed;
}

static int is_noticed(const char *scheme, int short_by)
{
    return is_noticed_in("3x1 every 2", scheme, short_by);
}

static void an_expansion_one_cell_short_is_noticed(void **state)
{
    (void)state;
    static const char *const names[] = {"euler", "rk2", "rk2_fused", "ssprk3"};
    for (int k = 0; k < 4; k++) {
        assert_false(is_noticed(names[k], 0));
        if (!is_noticed(names[k], 1))
            fail_msg("%s: strips one cell too narrow are not noticed", names[k]);
    }
}

static void an_exchange_one_cell_short_is_noticed(void **state)
{
    (void)state;
    kernel_copy(scratch);
    kernel_plant("halo_cells.h", "a->unknown[u][at.cell] = q;",
                 "if (rect->first >= 0 || (k - rect->before) % rect->nx != 0) "
                 "a->unknown[u][at.cell] = q;");
    assert_true(is_noticed("rk2_fused", 0));
}

static void a_corner_that_is_not_filled_is_noticed(void **state)
{
    (void)state;
    assert_false(is_noticed_in("2x2 every 2", "rk2_fused", 0));
    kernel_copy(scratch);
    kernel_plant("halo_cells.h", "a->unknown[u][at.cell] = q;",
                 "if (rect->n != rect->nx * rect->nx) a->unknown[u][at.cell] = q;");
    assert_true(is_noticed_in("2x2 every 2", "rk2_fused", 0));
}

static void expect_refused(const struct config *c, const struct scene *s, const char *message)
{
    struct sim *sim = NULL;
    assert_int_equal(simulation_create(&sim, c, s), ERR_USAGE);
    if (!strstr(err_message(), message))
        fail_msg("%s", err_message());
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    struct config two = in_parts(&c, "2 every 2"), narrow = in_parts(&c, "3 every 3");
    two.early_exit = EARLY_EXIT_ON;
    expect_refused(&two, &s, "early exit knows no blocks beyond");
    two.early_exit = EARLY_EXIT_AUTO;
    two.tile = (struct tile_size){12, 9};
    expect_refused(&two, &s, "tiles have no cells of other parts");
    expect_refused(
        &narrow, &s,
        "--ghost-steps 3 wants 12 cells of each neighbour, a smaller one fewer: --parts: part 1");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_comes_to_the_same_bits),
        cmocka_unit_test(any_number_of_steps_does_in_any_cut),
        cmocka_unit_test(
            so_it_does_with_a_tracer_a_hydrograph_forcing_and_the_other_order_of_sweeps),
        cmocka_unit_test(rows_of_odd_width_spoil_no_cells_of_others),
        cmocka_unit_test(periodic_edges_may_be_beside_a_cut_and_not_across_it),
        cmocka_unit_test(graphs_hold_whole_cycles),
        cmocka_unit_test(there_are_as_many_exchanges_as_cycles),
        cmocka_unit_test(an_expansion_one_cell_short_is_noticed),
        ON_COPY(an_exchange_one_cell_short_is_noticed),
        ON_COPY(a_corner_that_is_not_filled_is_noticed),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("expansion", tests, kernel_home_keep, NULL);
}
