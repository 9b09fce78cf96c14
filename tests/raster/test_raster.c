/* Rasters: every notation of the same field gives the same numbers; messages name what is wrong. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/fast_decimal.h"
#include "core/raster/readers.h"
#include "core/base/random.h"
#include "tests/support/scratch.h"

/* The field of all good files here: 3 x 2 values of 10 x 10 m from (100, 200), in the south 1 2 3, in the
 * north 4 5 6. */
enum { NX = 3, NY = 2 };

static void assert_field(const char *what, const struct raster *r)
{
    const struct grid_info *g = &r->grid;
    if (g->nx != NX || g->ny != NY || g->x0 != 100 || g->y0 != 200 || g->dx != 10 || g->dy != 10)
        fail_msg("%s: %d x %d cells of %.17g x %.17g from (%.17g, %.17g)", what, g->nx, g->ny,
                 g->dx, g->dy, g->x0, g->y0);
    for (int k = 0; k < NX * NY; k++)
        if (!(fabs(r->value[k] - (k + 1)) <= 1e-12))
            fail_msg("%s: value %d is %.17g", what, k, r->value[k]);
}

static void assert_says(const char *what, enum err e, enum err wanted, const char *part)
{
    if (e != wanted || !strstr(err_message(), part))
        fail_msg("%.60s: error %d, and '%s' is not in '%s'", what, e, part, e ? err_message() : "");
}

/* Reads a text as a stream, which needs no file. */
static enum err parse(const char *text, struct raster *r)
{
    char copy[4096];
    *r = (struct raster){0};
    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    FILE *f = fmemopen(copy, strlen(text), "r");
    assert_non_null(f);
    const enum err e = raster_parse_esri(f, "a.asc", r);
    fclose(f);
    return e;
}

#define HEAD "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n"

static void an_esri_grid_may_be_spelt_in_many_ways(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "4 5 6\n1 2 3\n",
        HEAD "NODATA_value -9999\n4 5 6\n1 2 3",
        "NCOLS 3\r\nNROWS 2\r\nXLLCORNER 100\r\nYLLCORNER 200\r\nCELLSIZE 10\r\n4 5 6\r\n1 2 3\r\n",
        "nrows 2 ncols 3 cellsize 1e1 yllcenter 205 xllcenter 105 4 5 6 1 2 3",
        "\357\273\277 ncols 3\nnrows 2\nxllcorner 100.0\nyllcorner +200\ndx 10\ndy 10.000\n4\n5\n6 "
        "1\t2 3 \n\n",
        HEAD "4.0 .5e1 6. 10e-1 0.02e+2 000300e-2",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct raster r;
        assert_true(raster_is_esri(texts[k]));
        if (parse(texts[k], &r))
            fail_msg("%s", err_message());
        assert_field(texts[k], &r);
        assert_false(r.certain);
        raster_free(&r);
    }
}

static void what_an_esri_grid_lacks_is_not_a_number(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "-9999 5 6\n1 2 nan\n",
        HEAD "NODATA_value -1e10\n-1e10 5 6\n1 2 NaN\n",
        HEAD "NODATA_value -3.40282e+38\n-3.4028234663852886e+38 5 6\n1 2 -3.40282e+38\n",
        HEAD "nodata_VALUE nan\nnan 5 6\n1 2 -nan\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct raster r;
        if (parse(texts[k], &r))
            fail_msg("%s", err_message());
        for (int n = 0; n < NX * NY; n++)
            assert_int_equal(isnan(r.value[n]), n == 2 || n == 3);
        raster_free(&r);
    }
}

static void what_is_wrong_in_an_esri_grid_is_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {HEAD "4.00 5 6\n1 2\n", "3 x 2 values, but there are only 5"},
        {HEAD "4 5 6\n", "too few: is it truncated"},
        {HEAD "4 5 6\n1 2 3 7\n", "a.asc:7: there are more values than the 3 x 2"},
        {HEAD "4 5 6\n1 2 x\n", "a.asc:7: expected a value, a number, got 'x'"},
        {HEAD "4 5 6\n1 2 3x\n", "a.asc:7: expected a value, a number, got '3x'"},
        {HEAD "4 5 6\n1 2 1e999\n", "exceeds the range of numbers"},
        {HEAD "4 5 6\n1 2 inf\n", "a number, got 'inf'"},
        {HEAD "4 5 6\n1 2 0x10\n", "a number, got '0x10'"},
        {HEAD "4,0 5,0 6,0\n1,0 2,0 3,0\n", "expected a value, a number, got '4,0'; decimals"},
        {"ncols 3\nnrows 2\nxllcorner 100,5\n",
         "a.asc:3: expected xllcorner, a number, got '100,5'"},
        {"ncols 3\nnrows 2\nyllcorner 200\ncellsize 10\n4 5 6 1 2 3",
         "expected xllcorner in its header"},
        {"ncols 3\nnrows 2\nxllcorner 1\nyllcorner 2\n4 5 6 1 2 3",
         "expected cellsize in its header"},
        {"ncols 3\nnrows 2\nxllcorner 1\nyllcorner 2\ndx 10\n4 5 6 1 2 3",
         "expected cellsize in its header"},
        {"nrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n4 5", "expected ncols in its header"},
        {"ncols 3\nncols 3\n", "a.asc:2: ncols is given twice"},
        {"ncols 3\nrows 2\n", "a.asc:2: expected a keyword of an ESRI"},
        {"ncols 2.5\nnrows 2\nxllcorner 1\nyllcorner 2\ncellsize 1\n1",
         "ncols: expected a number of cells, got 2.5"},
        {"ncols -3\nnrows 2\nxllcorner 1\nyllcorner 2\ncellsize 1\n1",
         "ncols: expected a number of cells, got -3"},
        {"ncols 3\nnrows 2\nxllcorner 1\nyllcorner 2\ncellsize 0\n1",
         "dx: expected the size of a cell, above 0, got 0"},
        {"ncols 3\nnrows 2\nxllcorner nan\nyllcorner 2\ncellsize 1\n1",
         "xllcorner: expected a position, got nan"},
        {"ncols 1e9\nnrows 1e9\nxllcorner 1\nyllcorner 2\ncellsize 1\n1",
         "1000000000 x 1000000000"},
        {"ncols", "a.asc:1: expected ncols, got the end of the file"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct raster r;
        assert_says(bad[k][0], parse(bad[k][0], &r), ERR_INPUT, bad[k][1]);
        raster_free(&r);
    }
}

/* The largest number along one side that is refused by itself, whatever the other numbers are. */
static void a_raster_that_no_run_could_have_is_refused(void **state)
{
    (void)state;
    struct raster r = {0};
    assert_says("sides", raster_allocate("a.tif", 1e9, 1e9, &r), ERR_INPUT,
                "1000000000 x 1000000000");
    assert_says("cells", raster_allocate("a.tif", 1e6, 1e6, &r), ERR_MEMORY, "7450.6 GiB");
    assert_null(r.value);
}

/* Across the reader's buffers, and with a .prj beside it. */
static void a_grid_of_many_values_comes_back_in_place(void **state)
{
    (void)state;
    enum { WIDE = 700, HIGH = 600 };
    char path[PATH_LENGTH];
    struct raster r;
    scratch_path(path, "many.asc");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 5\n", WIDE, HIGH);
    for (int j = HIGH - 1; j >= 0; j--)
        for (int i = 0; i < WIDE; i++)
            fprintf(f, "%.*f%c", 1 + (i + j) % 4, i + 0.5 + 1000.0 * j, i % 97 == 96 ? '\n' : ' ');
    assert_int_equal(fclose(f), 0);
    scratch_write("many.prj", "w",
                  "PROJCS[\"x\",GEOGCS[\"y\",UNIT[\"Degree\",0.017453]],UNIT[\"Meter\",1.0]]");
    if (raster_read(path, QUANTITY_TERRAIN, &r))
        fail_msg("%s", err_message());
    for (int k = 0; k < WIDE * HIGH; k++) {
        const int i = k % WIDE, j = k / WIDE;
        if (!(fabs(r.value[k] - (i + 0.5 + 1000.0 * j)) <= 0))
            fail_msg("value %d is %.17g", k, r.value[k]);
    }
    raster_free(&r);
    scratch_write(
        "many.prj", "w",
        "PROJCS[\"x\",GEOGCS[\"y\",UNIT[\"Degree\",0.017453]],UNIT[\"Foot_US\",0.3048006]]");
    assert_says("feet", raster_read(path, QUANTITY_TERRAIN, &r), ERR_INPUT, "'Foot_US'");
    scratch_write("many.prj", "w", "GEOGCS[\"WGS84\",UNIT[\"Degree\",0.017453]]");
    assert_says("degrees", raster_read(path, QUANTITY_TERRAIN, &r), ERR_INPUT, "degrees");
}

static void check_digits(const char *text)
{
    double x = 0;
    char *end;
    const double want = strtod(text, &end);
    const char *got = fast_decimal_read(text, &x);
    if (got != end || memcmp(&x, &want, sizeof x) != 0)
        fail_msg("'%s' is %.17g, not %.17g, and ends after %ld characters, not %ld", text, x, want,
                 got ? (long)(got - text) : -1, (long)(end - text));
}

/* All forms of numbers, many of them at the limit of what is computed directly. */
static void digits_are_read_as_strtod_reads_them(void **state)
{
    (void)state;
    static const char *const hard[] = {"0",
                                       "-0",
                                       "-0.0e5",
                                       "9007199254740993",
                                       "9007199254740992",
                                       "9007199254740993e-22",
                                       "1e22",
                                       "1e23",
                                       "1e-22",
                                       "1e-23",
                                       "123456789012345678901234567890",
                                       "0.1",
                                       "1.",
                                       ".5 ",
                                       "1e",
                                       "1e+",
                                       "1.5e-x",
                                       "4.9e-324",
                                       "1e-400",
                                       "1.7976931348623157e308",
                                       "1e309",
                                       "0.00000000000000000000000000000000000000123",
                                       "18446744073709551616",
                                       "1e99999999999",
                                       "2.2250738585072011e-308",
                                       "6929495644600919.5",
                                       "3.14159,2"};
    unsigned seed = 4711;
    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
        check_digits(hard[k]);
    for (int k = 0; k < 100000; k++) {
        char text[64];
        const double whole = (double)xorshift(&seed) * (double)(xorshift(&seed) % 2000003);
        const int places = (int)(xorshift(&seed) % 20), power = (int)(xorshift(&seed) % 60) - 30;
        if (k % 2)
            snprintf(text, sizeof text, "%.*f", places % 7, whole / 1e6);
        else
            snprintf(text, sizeof text, "%.*fe%d", places, whole / 1e9, power);
        check_digits(text);
    }
    double x;
    assert_null(fast_decimal_read(".", &x));
    assert_null(fast_decimal_read("-e5", &x));
    assert_null(fast_decimal_read(" 1", &x));
}

static void a_file_that_is_none_is_named(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    struct raster r;
    scratch_path(path, "a.asc");
    assert_says("absent", raster_read(path, QUANTITY_TERRAIN, &r), ERR_INPUT, "No such file");
    assert_says("folder", raster_read(scratch, QUANTITY_TERRAIN, &r), ERR_INPUT, "is not a file");
    scratch_write("a.asc", "w", "");
    assert_says("empty", raster_read(path, QUANTITY_TERRAIN, &r), ERR_INPUT, "is empty");
    assert_says("option", raster_read_option("level", "1,5", QUANTITY_LEVEL, &r), ERR_INPUT,
                "--level: expected a number or a readable file, got '1,5'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_esri_grid_may_be_spelt_in_many_ways),
        cmocka_unit_test(what_an_esri_grid_lacks_is_not_a_number),
        cmocka_unit_test(what_is_wrong_in_an_esri_grid_is_named),
        cmocka_unit_test(a_raster_that_no_run_could_have_is_refused),
        cmocka_unit_test(a_grid_of_many_values_comes_back_in_place),
        cmocka_unit_test(digits_are_read_as_strtod_reads_them),
        cmocka_unit_test(a_file_that_is_none_is_named),
    };
    return cmocka_run_group_tests_name("raster", tests, scratch_setup, scratch_remove);
}
