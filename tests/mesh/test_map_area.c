/* The part of the domain that maps show. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/mesh/map_area.h"
#include "core/options/run_config.h"

static const struct grid_info domain = {10, 4, -5, 100, 1, 0.5}; /* x -5 to 5, y 100 to 102 */

static void cells_are_those_with_their_centres_inside(void **state)
{
    (void)state;
    static const struct {
        double region[4];
        struct window cells;
    } cases[] = {
        {{(double)NAN, 0, 0, 0}, {0, 0, 10, 4}},     {{-5, 100, 5, 102}, {0, 0, 10, 4}},
        {{-1e9, -1e9, 1e9, 1e9}, {0, 0, 10, 4}},     {{-0.5, 100.3, 0.5, 101.2}, {4, 1, 2, 1}},
        {{-0.4, 100.25, 0.5, 100.25}, {5, 0, 1, 1}}, {{4.5, 101.75, 99, 999}, {9, 3, 1, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct window w;
        assert_int_equal(map_area_cells(cases[k].region, &domain, &w), ERR_OK);
        assert_memory_equal(&w, &cases[k].cells, sizeof w);
    }
}

static void a_region_without_cells_is_refused_with_the_extent_of_the_domain(void **state)
{
    (void)state;
    static const double outside[][4] = {
        {6, 100, 7, 102}, {-5, 0, 5, 99}, {0.1, 100, 0.4, 102}, {-9, 100, -5.1, 101}};
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        struct window w;
        assert_int_equal(map_area_cells(outside[k], &domain, &w), ERR_USAGE);
        assert_non_null(strstr(err_message(), "x = -5 to 5, y = 100 to 102"));
    }
}

static void a_region_is_two_corners(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",        "1,2,3",   "1,2,3,4,5", "1,2,x,4",
                                        "3,2,1,4", "1,4,3,2", "1,2,1,4",   "1 2 3 4"};
    const struct option *region = option_find(run_options, "region");
    static struct config c;
    assert_int_equal(option_set(region, &c, "-1e3, 0,2.5 ,7"), ERR_OK);
    assert_true(c.region[0] == -1e3 && c.region[1] == 0 && c.region[2] == 2.5 && c.region[3] == 7);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(option_set(region, &c, wrong[k]), ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_those_with_their_centres_inside),
        cmocka_unit_test(a_region_without_cells_is_refused_with_the_extent_of_the_domain),
        cmocka_unit_test(a_region_is_two_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
