/* Rasters resampled to another grid: levels bilinearly, everything else by the nearest value. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/raster/raster.h"

static double plane(double x, double y)
{
    return 1 + 0.5 * x - 0.25 * y;
}

/* A raster of the plane's values at the centres of cells. */
static struct raster new_plane(struct grid_info g)
{
    struct raster r = {.grid = g};
    assert_int_equal(plane_new("r", (size_t)g.nx, (size_t)g.ny, &r.value), ERR_OK);
    for (int k = 0; k < g.nx * g.ny; k++)
        r.value[k] = plane(grid_x(&g, k % g.nx), grid_y(&g, k / g.nx));
    return r;
}

static const struct grid_info coarse = {6, 5, 0, -10, 20, 10}; /* x 0 to 120, y -10 to 40 */
static const struct grid_info fine_one = {40, 36, 10.1, -5.1, 2.5, 1.1}; /* between its centres */

static void a_level_that_is_a_plane_stays_one(void **state)
{
    (void)state;
    struct raster r = new_plane(coarse);
    fine(raster_fit("r", &r, &fine_one, "the terrain", QUANTITY_LEVEL));
    assert_int_equal(r.grid.nx, fine_one.nx);
    for (int k = 0; k < fine_one.nx * fine_one.ny; k++) {
        const double x = grid_x(&fine_one, k % fine_one.nx), y = grid_y(&fine_one, k / fine_one.nx);
        if (!(fabs(r.value[k] - plane(x, y)) <= 1e-12))
            fail_msg("at (%g, %g): %.17g, not %.17g", x, y, r.value[k], plane(x, y));
    }
    raster_free(&r);
}

static void all_else_is_the_value_of_the_cell_that_a_point_lies_in(void **state)
{
    (void)state;
    struct raster r = new_plane(coarse);
    fine(raster_fit("r", &r, &fine_one, "the terrain", QUANTITY_MANNING));
    for (int k = 0; k < fine_one.nx * fine_one.ny; k++) {
        const double x = grid_x(&fine_one, k % fine_one.nx), y = grid_y(&fine_one, k / fine_one.nx);
        const double near = plane(20 * floor(x / 20) + 10, 10 * floor(y / 10) + 5);
        if (!(fabs(r.value[k] - near) <= 1e-12))
            fail_msg("at (%g, %g): %.17g, not %.17g", x, y, r.value[k], near);
    }
    raster_free(&r);
}

/* Beyond the outermost centres, but within their cells, a level is that of the outermost centre. */
static void the_rim_goes_on_as_it_is(void **state)
{
    (void)state;
    const struct grid_info rim = {120, 50, 0, -10, 1, 1};
    struct raster r = new_plane(coarse);
    fine(raster_fit("r", &r, &rim, "the terrain", QUANTITY_LEVEL));
    assert_true(r.value[0] == plane(10, -5));
    assert_true(r.value[119] == plane(110, -5));
    assert_true(r.value[49 * 120] == plane(10, 35));
    raster_free(&r);
}

static void the_same_grid_but_for_rounding_is_left_as_it_is(void **state)
{
    (void)state;
    struct grid_info same = coarse;
    same.x0 += 0.1;
    struct raster r = new_plane(coarse), before = new_plane(coarse);
    const double *value = r.value;
    fine(raster_fit("r", &r, &same, "the terrain", QUANTITY_LEVEL));
    assert_ptr_equal(r.value, value);
    assert_memory_equal(r.value, before.value, 30 * sizeof *value);
    raster_free(&r);
    raster_free(&before);
}

/* Where the nearest value is missing so is the result; otherwise the values present determine it. */
static void what_is_missing_spreads_half_a_cell(void **state)
{
    (void)state;
    struct raster r = new_plane(coarse);
    r.value[0] = (double)NAN; /* the cell around (10, -5) */
    fine(raster_fit("r", &r, &(struct grid_info){120, 50, 0, -10, 1, 1}, "it", QUANTITY_LEVEL));
    assert_true(isnan(r.value[0]) && isnan(r.value[19]) && isnan(r.value[9 * 120]));
    assert_true(r.value[20] == plane(30, -5)); /* x = 20.5, beside it */
    assert_true(!isnan(r.value[10 * 120]));
    raster_free(&r);
}

static void
a_raster_that_does_not_cover_the_domain_is_refused_with_how_much_is_missing(void **state)
{
    (void)state;
    const struct grid_info wide = {13, 5, 0, -10, 10, 10}, away = {3, 3, 500, 500, 1, 1};
    struct raster r = new_plane(coarse);
    assert_int_equal(raster_fit("r", &r, &wide, "it", QUANTITY_DEPTH), ERR_INPUT);
    assert_non_null(strstr(err_message(), "7.69 % of its cells have no value"));
    assert_non_null(strstr(err_message(), "gdalwarp -te 0 -10 120 40 "));
    assert_int_equal(raster_fit("r", &r, &away, "it", QUANTITY_DEPTH), ERR_INPUT);
    assert_non_null(strstr(err_message(), "100 % of its cells"));
    r.corners = 1;
    assert_int_equal(raster_fit("r", &r, &coarse, "it", QUANTITY_DEPTH), ERR_INPUT);
    raster_free(&r);
}

int main(void)
{
    log_quiet(2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_that_is_a_plane_stays_one),
        cmocka_unit_test(all_else_is_the_value_of_the_cell_that_a_point_lies_in),
        cmocka_unit_test(the_rim_goes_on_as_it_is),
        cmocka_unit_test(the_same_grid_but_for_rounding_is_left_as_it_is),
        cmocka_unit_test(what_is_missing_spreads_half_a_cell),
        cmocka_unit_test(
            a_raster_that_does_not_cover_the_domain_is_refused_with_how_much_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
