/* What --infiltration, --suction and --deficit accept, and the messages about what cannot be soil. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/problem/problem.h"
#include "tests/support/refused.h"
#include "tests/support/scratch.h"

/* A run of 4 x 3 cells of 10 x 10 m from (0, 0); null: the option is not given. A name here means a file. */
static struct problem p;

static enum err set(struct config *c, const char *option, const char *value)
{
    char path[PATH_LENGTH];
    if (!value)
        return ERR_OK;
    scratch_path(path, value);
    return option_set(option_find(run_options, option), c, scratch_has(value) ? path : value);
}

static enum err open_with(const char *infiltration, const char *suction, const char *deficit)
{
    static struct config c;
    config_defaults(&c);
    scratch_path(c.input, "plane.asc");
    c.t_end = 10;
    TRY(set(&c, "infiltration", infiltration));
    TRY(set(&c, "suction", suction));
    TRY(set(&c, "deficit", deficit));
    c.holes = HOLES_WALL;
    return problem_open(&p, &c);
}

static int set_up(void **state)
{
    const int e = scratch_setup(state);
    scratch_write("plane.asc", "w",
                  "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
                  "0 1 2 3\n0 1 2 3\n0 1 2 3\n");
    scratch_write("hole.asc", "w",
                  "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 20\nNODATA_value -1\n"
                  "1 2\n3 -1\n");
    scratch_write("wide.asc", "w",
                  "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 20\n0.1 0.2\n0.3 0.4\n");
    scratch_write("small.asc", "w",
                  "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n");
    log_quiet(2);
    return e;
}

static void numbers_rasters_and_formulas_are_soil(void **state)
{
    (void)state;
    fine(open_with("36", NULL, NULL));
    assert_true(fabs(p.soil.rate - 1e-5) <= 1e-20 && p.soil.store <= 0 && !p.soil.rate_of);
    problem_close(&p);
    fine(open_with("36", "110", "0.3"));
    assert_true(fabs(p.soil.store - 0.033) <= 1e-15 && !p.soil.store_of);
    problem_close(&p);
    fine(open_with("iif(x > 20, 36, 0)", "100", "wide.asc"));
    assert_true(p.soil.rate_of[1] <= 0 && fabs(p.soil.rate_of[2] - 1e-5) <= 1e-20);
    assert_true(fabs(p.soil.store_of[0] - 0.03) <= 1e-15 &&
                fabs(p.soil.store_of[11] - 0.02) <= 1e-15);
    problem_close(&p);
}

static void what_cannot_be_soil_is_refused_with_its_place(void **state)
{
    (void)state;
    expect_refused(open_with("-1", NULL, NULL), &p, "at least 0");
    expect_refused(open_with("10", "100", NULL), &p, "add --deficit");
    expect_refused(open_with("10", NULL, "0.3"), &p, "add --suction");
    expect_refused(open_with(NULL, "100", "0.3"), &p, "expected --infiltration");
    expect_refused(open_with("0", "100", "0.3"), &p, "0 mm/h lets nothing in");
    expect_refused(open_with("10", "100", "30"), &p,
                   "--deficit: 30: expected 0 to 1: it is a share");
    expect_refused(open_with("hole.asc", NULL, NULL), &p, "there is no value at x = 25, y = 5");
    expect_refused(open_with("small.asc", NULL, NULL), &p, "83.3 % of its cells have no value");
    expect_refused(open_with("x - 20", NULL, NULL), &p, "--infiltration: -15 mm/h at x = 5, y = 5");
    expect_refused(open_with("10", "100", "z"), &p, "'z'");
    expect_refused(open_with("10", "100", "nowhere.tif"), &p,
                   "--deficit: expected a number or a readable file, got 'nowhere.tif'");
}

static void walls_for_missing_terrain_take_nothing(void **state)
{
    (void)state;
    scratch_write("plane.asc", "w",
                  "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n"
                  "0 1 2 3\n0 1 2 3\n0 1 2 -9\n");
    fine(open_with("36", NULL, NULL));
    assert_true(p.soil.rate_of[3] <= 0 && fabs(p.soil.rate_of[8] - 1e-5) <= 1e-20);
    problem_close(&p);
    fine(open_with("hole.asc", NULL, NULL));
    problem_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_rasters_and_formulas_are_soil),
        cmocka_unit_test(what_cannot_be_soil_is_refused_with_its_place),
        cmocka_unit_test(walls_for_missing_terrain_take_nothing),
    };
    return cmocka_run_group_tests_name("soil input", tests, set_up, scratch_remove);
}
