/* From the options for edges to their segments: which cells, what they get, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/log.h"
#include "core/options/run_config.h"
#include "core/problem/problem.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

/* x from 100 to 140 in cells of 2 m, y from -6 to 6 m in cells of 1 m. */
static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

static struct flow still(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){1, 0, 0};
}

static const struct flow_case basin = {.name = "basin",
                                       .nx = 20,
                                       .ny = 12,
                                       .lx = 40,
                                       .ly = 12,
                                       .x0 = 100,
                                       .y0 = -6,
                                       .t_end = 60,
                                       .gravity = 9.81,
                                       .kappa = 0.001,
                                       .boundary = {OPEN, WALL, PERIODIC, PERIODIC},
                                       .bed = flat,
                                       .initial = still};

static int make_scratch(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(1);
    scratch_write("q.txt", "w", "0 0\n60 6\n");
    scratch_write("short.txt", "w", "0 0\n59 6\n");
    scratch_write("late.txt", "w", "1 0\n60 6\n");
    scratch_write("low.txt", "w", "0 1\n30 -0.25\n60 1\n");
    return chdir(scratch);
}

static struct config config;
static struct problem problem;

static enum err opened(const char *const *words)
{
    ASSERT_READ(read_words(&config, words));
    return problem_open_case(&problem, &basin, &config);
}

#define OPENED(...) opened((const char *const[]){a_case(), __VA_ARGS__, NULL})

static void expect_kinds(enum edge e, const char *want)
{
    static const char letters[] =
        "wopdDLs"; /* wall, open, periodic, discharge, Depth, Level, state */
    for (int k = 0; want[k]; k++)
        if (letters[edges_kind(&problem.setup, e, k)] != want[k])
            fail_msg("edge %d: position %d is a '%c', not as in %s", (int)e, k,
                     letters[edges_kind(&problem.setup, e, k)], want);
}

static void a_segment_has_the_cells_whose_centre_lies_in_it(void **state)
{
    (void)state;
    ASSERT_READ(OPENED("--bc-west=wall@-3..0", "--bc-east=depth:1@-100..-5.5",
                       "--bc-east=level:1@5.5..5.6", "--bc-east=open@-5.4..-4.5", "--bc-south=wall",
                       "--bc-north=open", "--bc-north=discharge:1@103..107"));
    expect_kinds(WEST, "ooowwwoooooo");
    expect_kinds(EAST, "DowwwwwwwwwL");
    expect_kinds(SOUTH, "wwwwwwwwwwwwwwwwwwww");
    expect_kinds(NORTH, "odddoooooooooooooooo");
    problem_close(&problem);
}

static void where_segments_overlap_the_later_one_counts(void **state)
{
    (void)state;
    ASSERT_READ(OPENED("--bc-west=wall", "--bc-west=depth:1@-6..0", "--bc-west=level:1@-4..2",
                       "--bc-west=open@-3..-2"));
    expect_kinds(WEST, "DDLoLLLLwwww");
    problem_close(&problem);
}

static void expect_across(const char *what, const struct edge_segment *g, double want)
{
    const double have = g->edge <= EAST ? g->given.hu : g->given.hv;
    if (!(fabs(have - want) <= 1e-15))
        fail_msg("%s: %.17g m2/s, not %.17g", what, have, want);
}

/* What the cells that no later option overrides get. */
static void an_inflow_is_shared_by_the_width_of_its_cells(void **state)
{
    (void)state;
    ASSERT_READ(OPENED("--bc-west=inflow:6@-3..0", "--bc-east=inflow:6@-3..0",
                       "--bc-east=wall@-1..0", "--bc-south=wall", "--bc-north=wall",
                       "--bc-south=inflow:6@100..106", "--bc-north=inflow:q.txt@100..106"));
    const struct edge_segment *const g = problem.setup.segments;
    assert_int_equal(problem.setup.segment_count, 5);
    expect_across("3 m in the west", &g[0], 2);
    expect_across("2 of 3 m in the east", &g[1], -3);
    expect_across("6 m in the south", &g[3], 1);
    assert_true(g[4].edge == NORTH && fabs(g[4].scale + 1.0 / 6) <= 1e-16);
    assert_int_equal(g[4].series->rows, 2);
    problem_close(&problem);
    ASSERT_READ(OPENED("--bc-west=inflow:6", "--bc-east=inflow:6"));
    assert_true(fabs(problem.setup.edge[WEST].hu - 0.5) <= 1e-15);
    assert_true(fabs(problem.setup.edge[EAST].hu + 0.5) <= 1e-15);
    problem_close(&problem);
}

static void what_cannot_be_is_refused(void **state)
{
    static const char *const bad[][2] = {
        {"--bc-west=open@7..8", "--bc-west open@7..8: no cell has its centre there; the edge runs "
                                "from y = -6 to 6 m, in cells of 1 m"},
        {"--bc-west=open@0.6..0.9", "no cell has its centre there"},
        {"--bc-south=wall@100..110", "--bc-south also has segments"},
        {"--bc-south=open", "periodic edges come in pairs"},
        {"--bc-east=discharge:1,2", "expected a number or a readable file, got '1,2'"},
        {"--bc-east=level:none.txt@0..1", "got 'none.txt' (No such file"},
        {"--bc-east=inflow:short.txt", "ends at 60 s: add a row"},
        {"--bc-east=inflow:late.txt", "starts at 0 s: add a row"},
        {"--bc-east=depth:low.txt", "low.txt: at 30 s the depth is -0.25 m"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ASSERT_REFUSED(OPENED(bad[k][0]), bad[k][1]);
        problem_close(&problem);
    }
    ASSERT_READ(OPENED("--bc-east=level:low.txt", "--bc-west=inflow:none.txt@0..1",
                       "--bc-west=wall@0..1")); /* no cell needs none.txt */
    problem_close(&problem);
}

static void expect_described(enum edge e, const char *want)
{
    char *text;
    ASSERT_READ(edges_describe(&problem.setup, e, &text));
    assert_string_equal(text, want);
    free(text);
}

static void an_edge_is_described_so_that_it_can_be_had_again(void **state)
{
    (void)state;
    ASSERT_READ(OPENED("--bc-west=inflow:q.txt@-3..0", "--bc-west=level:0.1@1..2.5",
                       "--bc-east=depth:q.txt"));
    expect_described(WEST, "open; inflow:q.txt@-3..0 (2 rows, sha256 ccddb21f14d9...); "
                           "level:0.1@1..2.5");
    expect_described(EAST, "depth:q.txt (2 rows, sha256 ccddb21f14d9...)");
    expect_described(SOUTH, "periodic");
    problem_close(&problem);
    ASSERT_READ(OPENED("--bc-west=level:0.1", "--bc-east=discharge:2"));
    expect_described(WEST, "level:0.10000000000000001");
    expect_described(EAST, "discharge:2");
    problem_close(&problem);
}

static void a_run_file_may_repeat_an_edge_and_names_files_beside_it(void **state)
{
    char text[FILE_LENGTH];
    const struct option *const west = option_find(run_options, "bc-west");
    (void)state;
    scratch_folder("runs");
    scratch_write("runs/run.ini", "w",
                  "case = lake\nbc-west = wall\nbc-west = inflow:../q.txt@1..2\n"
                  "bc-west = \"depth:h #1.txt@3..4\"\nbc-west = level:5@6..7\n");
    ASSERT_READ(READ(&config, "runs/run.ini", "--bc-west=open@8..9"));
    static const char *const want[] = {"wall", "inflow:runs/../q.txt@1..2",
                                       "depth:runs/h #1.txt@3..4", "level:5@6..7", "open@8..9"};
    for (int k = 0; k < 5; k++) {
        assert_true(option_format(west, &config, k, text));
        assert_string_equal(text, want[k]);
    }
    ASSERT_READ(READ(&config, "runs/run.ini", "--bc-west=open"));
    assert_int_equal(config.boundary.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_has_the_cells_whose_centre_lies_in_it),
        cmocka_unit_test(where_segments_overlap_the_later_one_counts),
        cmocka_unit_test(an_inflow_is_shared_by_the_width_of_its_cells),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(an_edge_is_described_so_that_it_can_be_had_again),
        cmocka_unit_test(a_run_file_may_repeat_an_edge_and_names_files_beside_it),
    };
    return cmocka_run_group_tests_name("edge_segments", tests, make_scratch, scratch_remove);
}
