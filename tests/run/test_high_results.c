/* What a run on ground 4000 m high writes: depths, discharges and maxima equal those of the same run at sea level to
 * the bit, in maps and at gauges; and it continues from a checkpoint unchanged. */
#include "tests/support/test.h"

#include <math.h>

#ifdef HAVE_NETCDF

#include "tests/support/program.h"
#include "tests/support/variables.h"

enum { NX = 24, NY = 16, TOP = 4000 };

/* Multiples of 1/64 m, which text and numbers represent exactly at any height. */
static double bed(int i, int j)
{
    return floor(64 * (10 - 0.3 * i + 0.05 * (j - 8) * (j - 8) + sin(0.9 * i) * cos(0.7 * j))) / 64;
}

static double lake(int i, int j)
{
    (void)j;
    return i < 8 ? 12.125 : -1;
}

static void write_raster(const char *name, double up, double (*value)(int i, int j))
{
    static char text[NX * NY * 16 + 128];
    int n = snprintf(text, sizeof text,
                     "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 20\n", NX, NY);
    for (int j = NY - 1; j >= 0; j--)
        for (int i = 0; i < NX; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%.6f%c", up + value(i, j),
                          i + 1 < NX ? ' ' : '\n');
    scratch_write(name, "w", text);
}

#define RUN                                                                                 \
    "--manning=0.035", "--bc-east=open", "--bc-north=inflow:q.txt@100..200", "--t-end=60",  \
        "--every=7", "--gauge=a,250,150", "--gauge-every=3", "--maxima", "--checkpoint=20", \
        "--backend=cpu", "--threads=1", "--quiet", "--precision", precision
#define LOW  "run", "low.asc", "--level=low-lake.asc", RUN
#define HIGH "run", "high.asc", "--level=high-lake.asc", RUN

static int open_result(const char *name)
{
    char path[PATH_LENGTH];
    int id;
    scratch_path(path, name);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    return id;
}

static const char *const same_at_any_height[] = {
    "time",       "h",       "hu",       "hv",       "h_max", "speed_max", "arrival_time",
    "gauge_time", "gauge_h", "gauge_hu", "gauge_hv", "x",     "y"};

static void depths_are_those_at_sea_level_to_the_bit(void **state)
{
    const char *const precision = "f32";
    (void)state;
    SHOAL(LOW, "--output=low.nc");
    ASSERT_STATUS(0);
    SHOAL(HIGH, "--output=high.nc");
    ASSERT_STATUS(0);
    const int low = open_result("low.nc"), high = open_result("high.nc");
    for (size_t k = 0; k < sizeof same_at_any_height / sizeof *same_at_any_height; k++) {
        int var;
        assert_int_equal(nc_inq_varid(low, same_at_any_height[k], &var), NC_NOERR);
        if (variable_differs(low, high, var, same_at_any_height[k]))
            fail_msg("%s differs", same_at_any_height[k]);
    }
    assert_int_equal(nc_close(low), NC_NOERR);
    assert_int_equal(nc_close(high), NC_NOERR);
}

static double value_at(int id, const char *name, size_t record)
{
    const size_t gauge[2] = {record, 0};
    double x;
    int var;
    assert_int_equal(nc_inq_varid(id, name, &var), NC_NOERR);
    assert_int_equal(nc_get_var1_double(id, var, gauge, &x), NC_NOERR);
    return x;
}

/* Levels remain metres above the file's own datum, rounded to f32. */
static void levels_are_the_terrain_s_own(void **state)
{
    const char *const precision = "f32";
    (void)state;
    SHOAL(LOW, "--output=low.nc");
    SHOAL(HIGH, "--output=high.nc");
    ASSERT_STATUS(0);
    const int low = open_result("low.nc"), high = open_result("high.nc");
    for (size_t k = 0; k < 20; k++) {
        const double below = value_at(low, "gauge_w", k), above = value_at(high, "gauge_w", k);
        if (!(fabs(above - below - TOP) <= ldexp(1, -12 - 1) + 1e-6))
            fail_msg("level %.9g m, and %.9g m so much higher", below, above);
    }
    assert_true(value_at(high, "gauge_h", 19) > 0.1);
    assert_int_equal(nc_close(low), NC_NOERR);
    assert_int_equal(nc_close(high), NC_NOERR);
}

/* The checkpoint is at half time: at 40 s. */
static void a_run_goes_on_from_its_checkpoint_to_the_same_bits(void **state)
{
    static const char *const precisions[] = {"f32", "f64"};
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    (void)state;
    for (int p = 0; p < 2; p++) {
        const char *const precision = precisions[p];
        SHOAL(HIGH, "--output=straight.nc", "--scheme=rk2_fused");
        ASSERT_STATUS(0);
        SHOAL(HIGH, "--output=on.nc", "--scheme=rk2_fused", "--restart=straight.nc.checkpoint.nc");
        ASSERT_STATUS(0);
        scratch_path(one, "straight.nc");
        scratch_path(two, "on.nc");
        const int id = open_result("straight.nc.checkpoint.nc");
        assert_true(value_at(id, "time", 0) > 39 && value_at(id, "time", 0) < 55);
        assert_int_equal(nc_close(id), NC_NOERR);
        if (!same_variables(one, two, which))
            fail_msg("%s: '%s' differs", precision, which);
    }
}

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    write_raster("low.asc", 0, bed);
    write_raster("low-lake.asc", 0, lake);
    write_raster("high.asc", TOP, bed);
    write_raster("high-lake.asc", TOP, lake);
    scratch_write("q.txt", "w", "0 0\n20 30\n60 10\n");
    return program_find();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_those_at_sea_level_to_the_bit),
        cmocka_unit_test(levels_are_the_terrain_s_own),
        cmocka_unit_test(a_run_goes_on_from_its_checkpoint_to_the_same_bits),
    };
    return cmocka_run_group_tests_name("high results", tests, set_up, scratch_remove);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
