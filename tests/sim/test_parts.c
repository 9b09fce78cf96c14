/* A run in parts, in tiles and in several processes reaches the bits of an undivided one. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/breakdown.h"
#include "core/sim/gauges.h"
#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/sim/parts.h"
#include "core/sim/halo.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

static void check_scheme(const struct config *of)
{
    struct config c = *of;
    struct scene s = new_shore();
    c.steps = STEPS;
    c.maxima = 1;
    c.maxima_every = 3;
    expect_same_run(&c, &s, "3");
    expect_same_run(&c, &s, "3x2 by 2");
    if (!find_scheme(c.scheme)->split) {
        expect_same_run(&c, &s, "1 in 12x9");
        expect_same_run(&c, &s, "2x2 in 28x6 by 4");
    }
    scene_free(&s);
}

static void every_scheme_comes_to_the_same_bits(void **state)
{
    (void)state;
    for_every_scheme(check_scheme);
}

static void any_cut_does(void **state)
{
    (void)state;
    static const char *const cuts[] = {
        "2",        "7",        "14",       "2x2",        "1:2:1",         "1x2",
        "5x3",      "18x1",     "1 in 4x4", "1 in 60x60", "3 in 13x100",   "2x2 in 5x7",
        "any by 2", "any by 3", "2x2 by 3", "3x2 staged", "5 staged by 2", "5x3 by 4"};
    struct config c;
    struct scene s = new_shore();
    configure(&c, "rk2_fused", F32);
    c.steps = STEPS;
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
        expect_same_run(&c, &s, cuts[k]);
    scene_free(&s);
}

/* Where a cut runs along a periodic edge the beds on its two sides may differ by rounding. */
static void periodic_edges_may_be_cut(void **state)
{
    (void)state;
    static const char *const cuts[] = {"2", "2x1", "3x2 by 2", "1 in 12x9", "2 in 12x9 by 2"};
    static const enum precision precisions[] = {F32, F64};
    struct scene s = new_rough(NX, NY);
    scene_edges(&s, PERIODIC, PERIODIC);
    scene_force(&s, 0.01, 0.05, 7);
    for (int j = 0; j <= NY; j++)
        s.bed[scene_corner(&s, NX, j)] += 3e-7;
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 5; k++) {
            struct config c;
            configure(&c, k == 1 ? "ds2" : k == 3 ? "rk2_fused" : "rk2", precisions[p]);
            c.steps = STEPS;
            expect_same_run(&c, &s, cuts[k]);
        }
    scene_free(&s);
}

static void early_exit_and_the_other_order_of_sweeps_are_the_same_for_all_parts(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = STEPS;
    c.early_exit = EARLY_EXIT_ON;
    expect_same_run(&c, &s, "3x2 by 2");
    configure(&c, "ds2", F32);
    c.steps = STEPS;
    c.sweep = SWEEP_YX;
    c.maxima = 1;
    expect_same_run(&c, &s, "1:2x3 by 2");
    scene_free(&s);
}

enum { OF = 3 };

struct question {
    int first, got[OF]; /* what the first part has measured; what each then does */
};

static enum err decide(struct sim *s, void *context)
{
    struct question *q = context;
    q->got[s->member] = s->member == 0 ? q->first : !q->first;
    return sim_agree(s, &q->got[s->member]);
}

/* They take what the first has measured for what they have: whether early exit is faster, say. */
static void all_parts_do_as_the_first_one(void **state)
{
    (void)state;
    struct config c;
    struct scene s = new_shore();
    configure(&c, "euler", F32);
    const struct config cut = in_parts(&c, "3");
    struct sim *sim = create(&cut, &s);
    for (int first = 0; first < 2; first++) {
        struct question q = {first, {-1, -1, -1}};
        fine(parts_do(sim, decide, &q));
        for (int k = 0; k < OF; k++)
            assert_int_equal(q.got[k], first);
    }
    int alone = 1;
    struct sim *one = create(&c, &s);
    fine(sim_agree(one, &alone));
    assert_int_equal(alone, 1);
    sim_destroy(one);
    sim_destroy(sim);
    scene_free(&s);
}

static void a_tracer_crosses_cuts(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2_fused", F32);
    c.steps = STEPS;
    expect_same_run(&c, &s, "3x2 by 3");
    expect_same_run(&c, &s, "2 in 12x9");
    scene_free(&s);
    scene_solve(NULL);
}

/* What an edge imposes over time shortens the steps of all parts, even of those without that edge. */
static void a_hydrograph_drives_all_parts(void **state)
{
    (void)state;
    double time[] = {0, 0.2, 0.5, 9}, value[] = {0, 6, 1, 2};
    const struct timeseries series = {.rows = 4, .time = time, .value = value};
    const struct edge_segment segment = {
        .edge = WEST, .first = 4, .end = 17, .kind = DISCHARGE, .series = &series, .scale = 1};
    struct scene s = new_shore();
    struct config c;
    s.segments = &segment;
    s.segment_count = 1;
    for (int k = 0; k < 2; k++) {
        configure(&c, k ? "rk2_fused" : "rk2", F32);
        c.steps = STEPS;
        expect_same_run(&c, &s, "3x2 by 2");
        expect_same_run(&c, &s, "1 in 12x9");
    }
    scene_free(&s);
}

/* As the threads of a GPU do, in tiles whose rows are odd: there two cells are one access. */
static void tiles_are_filled_in_any_order(void **state)
{
    (void)state;
    struct scene s = new_rough(119, NY);
    scene_mixed_edges(&s);
    for (int k = 0; k < 4; k++) {
        struct config c;
        configure(&c, k < 2 ? "rk2_fused" : "rk2", F32);
        c.steps = 6;
        c.order = 1 + k % 2;
        expect_same_run(&c, &s, "1 in 60x60");
    }
    scene_free(&s);
}

/* All rows of the gauges, read at the end. */
struct rows {
    struct gauge_rows rows;
    size_t bytes;
};

static enum err is_full(void *context)
{
    (void)context;
    FAIL(MACHINE, "the ring has room for more");
}

static struct rows run_with_gauges(struct config *c)
{
    struct gauge at[] = {{.name = "A", .i = 3, .j = 4},
                         {.name = "B", .i = 36, .j = 28},
                         {.name = "C", .i = 17, .j = 11},
                         {.name = "D", .i = 17, .j = 11},
                         {.name = "E", .i = 0, .j = 27}};
    struct gauge_list list = {.gauge = at, .count = 5};
    struct problem p;
    struct sim *sim;
    struct rows r;
    fine(problem_open(&p, c));
    p.setup.gauges = &list;
    p.setup.gauge_every = 0.01;
    fine(sim_create(&sim, &p.setup));
    struct gauges *g = gauges_of(sim);
    g->full = is_full;
    r.rows.t = calloc((size_t)g->ring, sizeof *r.rows.t);
    r.rows.values = calloc((size_t)g->ring, gauges_row_bytes(sim, g->n));
    fine(sim_run(sim, (double)INFINITY, NULL));
    fine(gauges_take(sim, &r.rows));
    r.bytes = r.rows.count * gauges_row_bytes(sim, g->n);
    sim_destroy(sim);
    problem_close(&p);
    return r;
}

static void gauges_have_the_same_rows(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c;
        configure(&c, k ? "ds2" : "rk2_fused", F32);
        snprintf(c.input, sizeof c.input, "circular-dam-dry");
        c.nx = NX;
        c.ny = NY;
        c.sweep = k ? SWEEP_YX : SWEEP_XY;
        c.steps = 2L * STEPS;
        struct config other = in_parts(&c, k ? "4x3 by 3" : "4x3");
        if (k == 0)
            other.tile = (struct tile_size){6, 5};
        struct rows want = run_with_gauges(&c), have = run_with_gauges(&other);
        assert_true(want.rows.count > 10);
        assert_int_equal(want.rows.count, have.rows.count);
        assert_memory_equal(want.rows.t, have.rows.t, want.rows.count * sizeof(double));
        assert_memory_equal(want.rows.values, have.rows.values, want.bytes);
        free(want.rows.t), free(want.rows.values), free(have.rows.t), free(have.rows.values);
    }
}

static int looks;

static int stop_at_the_third_look(const struct sim *s)
{
    static float level[24], bed[24];
    static double room[48];
    fine(sim_sample((struct sim *)(size_t)s, 6, 4, room, level, bed));
    return ++looks == 3;
}

static void a_run_that_is_stopped_goes_on(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = 400;
    c.live = 1;
    const struct config other = in_parts(&c, "3 in 12x9 by 2");
    struct outcome want = simulated(&c, &s);
    struct sim *sim = create(&other, &s);
    looks = 0;
    assert_int_equal(sim_run(sim, (double)INFINITY, stop_at_the_third_look), ERR_STOPPED);
    assert_true(sim->now.steps > 0 && sim->now.steps < 400);
    for (int k = 0; k < sim->parts->own; k++)
        assert_int_equal(sim->parts->sim[k]->now.steps, sim->now.steps);
    fine(sim_run(sim, (double)INFINITY, NULL));
    struct outcome have = outcome_of(&other, sim, &s);
    expect_same_outcome(&c, &want, &have, "3");
    sim_destroy(sim);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

/* With pauses in which all cells are read. */
static void pauses_and_samples_show_the_same(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    float level[2][24], bed[2][24];
    double room[48];
    configure(&c, "ds1", F32);
    c.sweep = SWEEP_YX;
    c.live = 1;
    const struct config other = in_parts(&c, "2x2 by 2");
    struct sim *plain = create(&c, &s), *cut = create(&other, &s);
    for (int k = 1; k < 4; k++) {
        fine(sim_run(plain, 0.05 * k, NULL));
        fine(sim_run(cut, 0.05 * k, NULL));
        assert_int_equal(plain->now.steps, cut->now.steps);
        fine(sim_sample(plain, 6, 4, room, level[0], bed[0]));
        fine(sim_sample(cut, 6, 4, room, level[1], bed[1]));
        assert_memory_equal(level[0], level[1], sizeof level[0]);
        assert_memory_equal(bed[0], bed[1], sizeof bed[0]);
    }
    sim_destroy(plain);
    sim_destroy(cut);
    scene_free(&s);
}

static void a_breakdown_stops_all_parts_and_names_its_cell(void **state)
{
    (void)state;
    static float hu[CELLS];
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    const struct config other = in_parts(&c, "3x2 by 2");
    struct sim *sim = create(&other, &s);
    fine(sim_read(sim, sim_unknown(sim, 1), NULL, hu));
    hu[20 * NX + 30] = NAN;
    fine(sim_write(sim, sim_unknown(sim, 1), NULL, hu));
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), ERR_BROKEN);
    if (!strstr(err_message(), "cell (30, 20)"))
        fail_msg("%s", err_message());
    sim_destroy(sim);
    scene_free(&s);
}

/* Does a run in parts, and in tiles of w columns, differ from an undivided one? */
static int is_noticed(const char *scheme, int w)
{
    struct scene s = new_shore();
    struct config c;
    char text[256];
    configure(&c, scheme, F32);
    c.steps = STEPS;
    struct config other = in_parts(&c, "3");
    other.exchange_timeout = 0.02;
    other.tile = (struct tile_size){w, 9};
    struct outcome want = simulated(&c, &s), have = {0};
    int noticed = simulate(&other, &s, &have) || have.broken;
    noticed = noticed || differ(&want.state, &have.state, 1, text, sizeof text) ||
              memcmp(&want.clock, &have.clock, sizeof want.clock) != 0;
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
    return noticed;
}

/* Others: tests/mutants/planted. */
static void planted_mistakes_are_noticed(void **state)
{
    (void)state;
    enum { EVEN = 12, ODD = 11 }; /* kernels by rows store no rims of tiles of odd width */
    static const struct {
        const char *what, *scheme, *file, *right, *wrong;
        int w;
    } mistakes[] = {
        {"the buffer of the exchange before", "rk2", "halo_cells.h",
         "receive(pattern, &rect->words[round & 1]", "receive(pattern, &rect->words[~round & 1]",
         EVEN},
        {"discharges that stay behind", "rk2", "halo_cells.h", "bits_of(q[u])",
         "u > 0 ? 0 : bits_of(q[u])", EVEN},
        {"a tile's first rows in the wrong place", "rk2_fused", "march_push.h", "a->pitch, 0);",
         "a->pitch, 2);", EVEN},
        {"rates that stay in their tile", "hancock", "hancock_tiles.h", "P(a->new_rates, taken)",
         "", EVEN},
        {"a ghost cell beside an edge and a tile", "hancock", "corners.cu",
         "fill_joints(a, t, tile, i, j);", "", EVEN},
        {"a discharge that stays in its tile", "rk2", "tile_push.h",
         "a->to.hu[k + way] = a->to.hu[k];", "", EVEN},
        {"a ghost column too few", "rk2_fused", "tile_ghosts.cu",
         "nx = dx ? GHOSTS :", "nx = dx ? 1 :", ODD},
        {"wave speeds that are left out", "rk2", "largest.cu", "announce(&a.on, pattern, round);",
         "announce(&a.on, a.blocks > 1 ? 0 : pattern, round);", EVEN},
    };
    assert_false(is_noticed("rk2", EVEN));
    assert_false(is_noticed("rk2_fused", EVEN));
    assert_false(is_noticed("rk2_fused", ODD));
    assert_false(is_noticed("hancock", EVEN));
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        kernel_copy(scratch);
        kernel_plant(mistakes[k].file, mistakes[k].right, mistakes[k].wrong);
        if (!is_noticed(mistakes[k].scheme, mistakes[k].w))
            fail_msg("%s is not noticed", mistakes[k].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_comes_to_the_same_bits),
        cmocka_unit_test(any_cut_does),
        cmocka_unit_test(periodic_edges_may_be_cut),
        cmocka_unit_test(early_exit_and_the_other_order_of_sweeps_are_the_same_for_all_parts),
        cmocka_unit_test(all_parts_do_as_the_first_one),
        cmocka_unit_test(a_tracer_crosses_cuts),
        cmocka_unit_test(a_hydrograph_drives_all_parts),
        cmocka_unit_test(tiles_are_filled_in_any_order),
        cmocka_unit_test(gauges_have_the_same_rows),
        cmocka_unit_test(a_run_that_is_stopped_goes_on),
        cmocka_unit_test(pauses_and_samples_show_the_same),
        cmocka_unit_test(a_breakdown_stops_all_parts_and_names_its_cell),
        ON_COPY(planted_mistakes_are_noticed),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("parts", tests, kernel_home_keep, NULL);
}
