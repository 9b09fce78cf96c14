/* Tables of x, y and z: the same grid for any order of points and any layout of lines. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/plane.h"
#include "core/raster/readers.h"
#include "tests/support/scratch.h"

enum { NX = 4, NY = 3, POINTS = NX * NY };

/* Points of a grid of 10 x 20 m, the first at (105, 210): value (i,j) is 1 + i + 10 j. */
static double x_of(int k)
{
    return 105 + 10 * (k % NX);
}

static double y_of(int k)
{
    return 210 + 20 * (k / NX);
}

static double z_of(int k)
{
    return 1 + k % NX + 10 * (k / NX);
}

static enum err read_text(const char *text, struct raster *r)
{
    char path[PATH_LENGTH];
    scratch_write("table.xyz", "w", text);
    scratch_path(path, "table.xyz");
    return raster_read(path, QUANTITY_TERRAIN, r);
}

/* A table with the points in the order k -> (k a + b) mod POINTS, but for `hole`. */
static void write_table(char text[4096], const char *head, const char *line, int a, int b, int hole)
{
    size_t n = (size_t)snprintf(text, 4096, "%s", head);
    for (int m = 0; m < POINTS; m++) {
        const int k = (m * a + b) % POINTS;
        if (k != hole)
            n += (size_t)snprintf(text + n, 4096 - n, line, x_of(k), y_of(k), z_of(k));
    }
}

static void check(const char *what, const struct raster *r, int hole)
{
    assert_true(r->grid.nx == NX && r->grid.ny == NY && r->grid.x0 == 100 && r->grid.y0 == 200);
    assert_true(r->grid.dx == 10 && r->grid.dy == 20 && !r->corners);
    for (int k = 0; k < POINTS; k++)
        if (k == hole ? !isnan(r->value[k]) : r->value[k] != z_of(k))
            fail_msg("%s: value %d is %.9g", what, k, r->value[k]);
}

static void any_order_and_look_gives_the_same_grid(void **state)
{
    (void)state;
    static const struct {
        const char *head, *line;
        int a, b, hole;
    } looks[] = {
        {"", "%.0f %.0f %.0f\n", 1, 0, -1},
        {"", "%.3f\t%.3f\t%.3f\n", 11, 11, -1}, /* backwards */
        {"", "%.0f,%.0f,%.0f\r\n", 5, 3, -1},
        {"", "  %.0f ; %.0f ; %.0f # a remark\n", 7, 2, -1},
        {"# x y z\n\n", "%g %g %g\n", 1, 5, -1},
        {"x,y,z\n", "%g,%g,%e\n", 5, 0, -1},
        {"\"X\" \"Y\" \"Z\"\n", "%g %g %g\n", 1, 0, 6},
        {"105 210 1\n", "%g %g %g\n", 1, 0, -1}, /* the same point twice */
        {"125 230 nan\n", "%g %g %g\n", 1, 0, 6},
    };
    for (size_t k = 0; k < sizeof looks / sizeof *looks; k++) {
        char text[4096];
        struct raster r;
        write_table(text, looks[k].head, looks[k].line, looks[k].a, looks[k].b, looks[k].hole);
        if (read_text(text, &r))
            fail_msg("%zu: %s", k, err_message());
        check(looks[k].line, &r, looks[k].hole);
        raster_free(&r);
    }
}

/* Thirds, as programs write them. */
static void rounded_coordinates_are_on_the_grid(void **state)
{
    (void)state;
    struct raster r;
    if (read_text("0 0 1\n0.333 0 2\n0.667 0 3\n1 0 4\n0 1 5\n0.333 1 6\n0.667 1 7\n1 1 8\n", &r))
        fail_msg("%s", err_message());
    assert_true(r.grid.nx == 4 && r.grid.ny == 2 && r.value[6] == 7);
    raster_free(&r);
}

static void the_projection_beside_it_counts(void **state)
{
    (void)state;
    struct raster r;
    char text[4096];
    write_table(text, "", "%g %g %g\n", 1, 0, -1);
    scratch_write("table.prj", "w", "PROJCS[\"mine\",GEOGCS[\"g\"],UNIT[\"Meter\",1]]");
    assert_int_equal(read_text(text, &r), ERR_OK);
    assert_non_null(strstr(r.wkt, "mine"));
    raster_free(&r);
    scratch_delete("table.prj");
}

static void what_is_no_even_grid_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"1 1 1\n2 1 1\n1 2 1\n2 2\n", "table.xyz:4: '2 2' is not x, y and z"},
        {"1 1 1\n2 1 1\n1 2 1\n2 2 1 7\n", "table.xyz:4: '2 2 1 7' is not x, y and z"},
        {"1 1 1\n2 1 1\n1 2 x\n", "table.xyz:3:"},
        {"1 1 1\n1 2 1\n1 3 1\n", "all of its 3 points have the same x"},
        {"1 1 1\n", "have the same x"},
        {"1 1 1\n2 1 1\n3 1 1\n1 2 1\n2 2 1\n3.3 2 1\n", "table.xyz:"},
        {"1 1 1\n2 1 1\n1 2 1\n2 2 1\n1 1 5\n", "table.xyz:5: x = 1, y = 1 is there twice"},
        {"0 0 1\n1 1 1\n1000000 1e6 1\n", "do not form a regular grid"},
        {"0 0 1\n1e-7 1 1\n1e6 1e6 1\n", "do not form a regular grid"},
        {"north east z\n1 1 1\n2 1 1\n", "x must come first"},
        {"1e999 1 1\n2 1 1\n", "GDAL"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct raster r;
        const enum err e = read_text(bad[k].text, &r);
        if ((e != ERR_INPUT && e != ERR_ABSENT) || !strstr(err_message(), bad[k].says))
            fail_msg("%zu: error %d: %s", k, e, err_message());
        assert_null(r.value);
    }
}

int main(void)
{
    planes_in_files_from(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_and_look_gives_the_same_grid),
        cmocka_unit_test(rounded_coordinates_are_on_the_grid),
        cmocka_unit_test(the_projection_beside_it_counts),
        cmocka_unit_test(what_is_no_even_grid_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_remove);
}
