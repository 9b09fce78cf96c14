/* From case and options to the problem that a run solves: edges and sizes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/options/run_config.h"
#include "core/problem/problem.h"
#include "tests/support/settings.h"

static void an_edge_takes_the_number_it_needs_and_no_other(void **state)
{
    static const char *const bad[][2] = {
        {"discharge", "expected a number, or the name of a file"},
        {"discharge:", "expected a number, or the name of a file"},
        {"inflow:@1..2", "m3/s in total"},
        {"discharge:inf", "not a finite number"},
        {"depth", "expected a number, or the name of a file"},
        {"depth:-1", "must be above 0"},
        {"depth:0", "must be above 0"},
        {"depth:nan", "not a finite number"},
        {"open:1", "takes no number"},
        {"wall:", "takes no number"},
        {"wall:@1..2", "takes no number"},
        {"level", "level:W, metres"},
        {"state:1", "wall, open, periodic"},
        {"dept:1", "did you mean 'depth:H'"},
        {"open@", "expected a segment @FROM..TO"},
        {"open@1", "expected a segment @FROM..TO"},
        {"open@a..b", "expected a segment @FROM..TO"},
        {"depth:1@1-2", "such as @100..250"},
        {"depth:1@1:2", "expected a segment @FROM..TO"},
        {"depth:1@1..", "expected a segment @FROM..TO"},
        {"open@2..1", "up to a higher one"},
        {"open@1..1", "up to a higher one"},
        {"open@nan..2", "up to a higher one"},
        {"sand:q.txt@1..2,mud:3", "at the end: sand:q.txt,mud:3@1..2"},
        {"mud:4@1..2,sand:3@1..2", "at the end: mud:4,sand:3@1..2"},
        {"inflow:a@b@-1..2,c=1", "at the end: inflow:a@b,c=1@-1..2"},
        {"periodic@1..2", "periodic applies to a whole edge"}};
    struct config c;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ASSERT_REFUSED(READ(&c, a_case(), "--bc-north", bad[k][0]), bad[k][1]);
    ASSERT_READ(READ(&c, a_case(), "--bc-west=discharge:-0.25", "--bc-north=depth:3"));
    const struct boundary_choice *const west = &c.boundary.of[0], *const north = west + 1;
    assert_int_equal(c.boundary.count, 2);
    assert_true(west->edge == WEST && west->kind == DISCHARGE && fabs(west->value + 0.25) <= 0);
    assert_true(north->edge == NORTH && north->kind == DEPTH && fabs(north->value - 3) <= 0);
}

static void of_an_edge_the_later_choices_count(void **state)
{
    struct config c;
    char text[FILE_LENGTH];
    (void)state;
    ASSERT_READ(READ(&c, a_case(), "--bc-north=open", "--bc-west=depth:1@1..2", "--bc-west=open",
                     "--bc-west=inflow:a@b.txt@3..4", "--bc-west=level:1@5..6"));
    static const char *const want[] = {"open", "inflow:a@b.txt@3..4", "level:1@5..6"};
    for (int k = 0; k < 3; k++) {
        assert_true(option_format(option_find(run_options, "bc-west"), &c, k, text));
        assert_string_equal(text, want[k]);
    }
    assert_false(option_format(option_find(run_options, "bc-west"), &c, 3, text));
}

static void expect_number(const char *what, double have, double want)
{
    if (!(fabs(have - want) <= 0))
        fail_msg("%s is %.17g, not %.17g", what, have, want);
}

static void on_the_command_line_a_discharge_counts_into_the_domain(void **state)
{
    struct config c;
    struct problem p;
    (void)state;
    ASSERT_READ(READ(&c, a_case(), "--bc-west=discharge:1", "--bc-east=discharge:2",
                     "--bc-south=discharge:3", "--bc-north=discharge:4"));
    ASSERT_READ(problem_open(&p, &c));
    expect_number("hu in the west", p.setup.edge[WEST].hu, 1);
    expect_number("hu in the east", p.setup.edge[EAST].hu, -2);
    expect_number("hv in the south", p.setup.edge[SOUTH].hv, 3);
    expect_number("hv in the north", p.setup.edge[NORTH].hv, -4);
    problem_close(&p);
    ASSERT_READ(READ(&c, a_case(), "--bc-north=depth:0.5"));
    ASSERT_READ(problem_open(&p, &c));
    assert_int_equal(p.setup.boundary[NORTH], DEPTH);
    expect_number("h in the north", p.setup.edge[NORTH].h, 0.5);
    problem_close(&p);
}

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

static struct flow shallow(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){1, 0, 0};
}

static void a_channel_keeps_its_one_row_and_scales_kappa_along_it(void **state)
{
    static const struct {
        int nx, ny, want_nx, want_ny;
        double kappa;
    } sizes[] = {{0, 0, 100, 1, 0.1},
                 {400, 0, 400, 1, 0.025},
                 {50, 0, 50, 1, 0.2},
                 {0, 3, 100, 3, 0.1},
                 {200, 7, 200, 7, 0.05}};
    const struct flow_case channel = {.name = "channel",
                                      .nx = 100,
                                      .ny = 1,
                                      .lx = 25,
                                      .ly = 1,
                                      .t_end = 1,
                                      .gravity = 9.81,
                                      .kappa = 0.1,
                                      .kappa_scales = 1,
                                      .bed = flat,
                                      .initial = shallow};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct config c;
        struct problem p;
        config_defaults(&c);
        c.nx = sizes[k].nx;
        c.ny = sizes[k].ny;
        ASSERT_READ(problem_open_case(&p, &channel, &c));
        assert_int_equal(p.setup.grid.nx, sizes[k].want_nx);
        assert_int_equal(p.setup.grid.ny, sizes[k].want_ny);
        if (!(fabs(p.setup.kappa - sizes[k].kappa) <= 1e-15))
            fail_msg("kappa is %g, not %g", p.setup.kappa, sizes[k].kappa);
        problem_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_takes_the_number_it_needs_and_no_other),
        cmocka_unit_test(of_an_edge_the_later_choices_count),
        cmocka_unit_test(on_the_command_line_a_discharge_counts_into_the_domain),
        cmocka_unit_test(a_channel_keeps_its_one_row_and_scales_kappa_along_it),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}
