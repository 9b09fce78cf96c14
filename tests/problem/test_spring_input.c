/* What --source accepts, and the messages about what cannot be a source. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/problem/problem.h"
#include "tests/support/refused.h"
#include "tests/support/scratch.h"

/* A run of 4 x 3 cells of 10 x 10 m from (0, 0), without terrain in the south-eastern cell. */
static struct problem p;

static enum err open_with(const char *first, const char *second)
{
    static struct config c;
    config_defaults(&c);
    scratch_path(c.input, "plane.asc");
    c.t_end = 1000;
    c.holes = HOLES_WALL;
    TRY(option_set(option_find(run_options, "source"), &c, first));
    if (second)
        TRY(option_set(option_find(run_options, "source"), &c, second));
    return problem_open(&p, &c);
}

static int set_up(void **state)
{
    const int e = scratch_setup(state);
    scratch_write("plane.asc", "w",
                  "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n"
                  "0 1 2 3\n0 1 2 3\n0 1 2 -9\n");
    log_quiet(2);
    return e;
}

static void a_point_is_its_cell_and_a_radius_the_cells_in_it(void **state)
{
    (void)state;
    fine(open_with("spring, 10, 20, 0.5", "drain,9.99,9.99,-2,10.1"));
    const struct spring_place *a = &p.springs.place[0], *b = &p.springs.place[1];
    assert_true(a->cells == 1 && a->i[0] == 1 && a->j[0] == 2);
    assert_true(fabs(timeseries_integral(&a->series, 0, 10) - 5) <= 1e-12);
    assert_int_equal(b->cells, 4); /* whose common corner is the point */
    assert_true(fabs(spring_most(a, &p.setup.grid) - 0.005) <= 1e-15);
    assert_true(spring_most(b, &p.setup.grid) <= 0);
    problem_close(&p);
    fine(open_with("edge,0,0,1,12", "corner,40,30,1,1"));
    assert_int_equal(p.springs.place[0].cells, 1); /* the others would lie outside */
    assert_true(p.springs.place[1].cells == 1 && p.springs.place[1].i[0] == 3);
    problem_close(&p);
    fine(open_with("beside,33,9,1,25", NULL)); /* walls get nothing */
    a = &p.springs.place[0];
    for (int k = 0; k < a->cells; k++)
        assert_false(p.setup.source.wall(p.setup.source.context, a->i[k], a->j[k]));
    assert_true(a->cells > 0);
    problem_close(&p);
}

static void what_cannot_be_a_source_is_refused_with_its_name(void **state)
{
    (void)state;
    char back[PATH_LENGTH + 32], short_one[PATH_LENGTH + 32];
    scratch_write("back.txt", "w", "0 1\n500 2\n400 3\n1000 1\n");
    scratch_write("short.txt", "w", "0 1\n500 2\n");
    snprintf(back, sizeof back, "a,5,25,%s/back.txt", scratch);
    snprintf(short_one, sizeof short_one, "a,5,25,%s/short.txt,3", scratch);
    expect_refused(open_with("a,5,25", NULL), &p, "got 3 parts");
    expect_refused(open_with("a,5,25,1,2,3", NULL), &p, "more than 5 parts");
    expect_refused(open_with(",5,25,1", NULL), &p, "no name");
    expect_refused(open_with("a,5,25,", NULL), &p, "expected a discharge");
    expect_refused(open_with("a,5,north,1", NULL), &p, "'north' is not a number");
    expect_refused(open_with("a,5,25,1,0", NULL), &p, "'0' is not a radius");
    expect_refused(open_with("a,5,25,1,-3", NULL), &p, "'-3' is not a radius");
    expect_refused(open_with("a,5,25,1", "a,15,25,1"), &p, "two sources have the name 'a'");
    expect_refused(open_with("a,-5,25,1", NULL), &p,
                   "source 'a' at (-5, 25) lies outside the domain, x = 0 to 40");
    expect_refused(open_with("a,35,5,1", NULL), &p,
                   "lies on a wall that stands for missing terrain");
    expect_refused(open_with("a,5,25,nowhere.txt", NULL), &p,
                   "expected a number or a readable file, got 'nowhere.txt'");
    expect_refused(open_with(back, NULL), &p, "back.txt:3: time 400 s comes after 500 s on line 2");
    expect_refused(open_with(short_one, NULL), &p,
                   "the last row is at 500 s, but the run ends at 1000 s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_its_cell_and_a_radius_the_cells_in_it),
        cmocka_unit_test(what_cannot_be_a_source_is_refused_with_its_name),
    };
    return cmocka_run_group_tests_name("spring input", tests, set_up, scratch_remove);
}
