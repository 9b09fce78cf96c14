/* `shoal export`: maps and tables of a result, as other programs read them. */
#include "tests/support/test.h"

#include <math.h>

#ifdef HAVE_NETCDF

#include <netcdf.h>

#include "core/raster/raster.h"
#include "core/raster/write.h"
#include "tests/support/program.h"

#define ASSERT_BEGINS(text, part)                                      \
    do {                                                               \
        if (strncmp((text), (part), strlen(part)) != 0)                \
            fail_msg("'%.200s' does not begin with '%s'", text, part); \
    } while (0)

enum { NX = 40, NY = 36, CELLS = NX * NY };

static float depth[CELLS]; /* h_max of the result, from south to north */

static void read_depths(void)
{
    char path[PATH_LENGTH];
    int id, var;
    scratch_path(path, "dam.nc");
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "h_max", &var), NC_NOERR);
    assert_int_equal(nc_get_var_float(id, var, depth), NC_NOERR);
    nc_close(id);
}

static int build(void **state)
{
    (void)state;
    if (program_find())
        return 1;
    scratch_create();
    SHOAL("run", "circular-dam-dry", "--nx", "40", "--ny", "36", "--t-end", "0.6", "--every", "0.2",
          "--maxima", "--gauge=a,-3,2", "--gauge=b \"b,3.3,-2", "--gauge=c,18,17", "--quiet",
          "--output", "dam.nc");
    ASSERT_STATUS(0);
    read_depths();
    return 0;
}

/* Compares a file's map with values, to the last digit; cells shallower than the least depth shown have none. */
static void check_map(const char *name)
{
    char path[PATH_LENGTH];
    struct raster r;
    int wet = 0;
    scratch_path(path, name);
    if (raster_read(path, QUANTITY_DEPTH, &r))
        fail_msg("%s", err_message());
    assert_int_equal(r.grid.nx, NX);
    assert_int_equal(r.grid.ny, NY);
    assert_true(fabs(r.grid.x0 + 20) <= 1e-9 && fabs(r.grid.dy - 40.0 / NY) <= 1e-9);
    for (int k = 0; k < CELLS; k++) {
        if (depth[k] > 0.01F ? (float)r.value[k] != depth[k] : !isnan(r.value[k]))
            fail_msg("%s: cell %d is %.9g, not %.9g", name, k, r.value[k], (double)depth[k]);
        wet += !isnan(r.value[k]);
    }
    assert_true(wet > 100 && wet < CELLS - 100);
    raster_free(&r);
}

static void a_map_is_an_esri_grid_without_values_on_dry_land(void **state)
{
    (void)state;
    SHOAL("export", "dam.nc", "--variable", "h_max", "--format", "asc", "--dry", "0.01");
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "dam-h_max.asc\n");
    check_map("dam-h_max.asc");
    assert_false(scratch_has("dam-h_max.prj"));
}

static void a_map_is_a_geotiff(void **state)
{
    (void)state;
    char version[64];
    if (raster_gdal_version(version)) {
        print_message("skipped: %s\n", err_message());
        skip();
    }
    SHOAL("export", "dam.nc", "--variable", "h_max", "--output", "a map.tif", "--dry", "0.01");
    ASSERT_STATUS(0);
    check_map("a map.tif");
    assert_false(scratch_has("a map.tif.aux.xml"));
}

static void without_gdal_the_message_says_what_to_install(void **state)
{
    (void)state;
    char before[PATH_LENGTH];
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    SHOAL("export", "dam.nc", "--variable", "h_max", "--output", "no.tif");
    setenv("PATH", before, 1);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "the package gdal-bin");
    ASSERT_HAS(result.err, "--format asc does not");
    assert_false(scratch_has("no.tif"));
}

/* The coordinate system is exported, too. */
static void the_system_of_a_result_is_that_of_the_map(void **state)
{
    (void)state;
    static const char system[] =
        "PROJCS[\"mine\",GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6378137,298.257222101]],PRIMEM["
        "\"Greenwich\",0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],"
        "PARAMETER[\"Central_Meridian\",9],UNIT[\"Meter\",1]]";
    static char text[MOST_TEXT];
    char version[64], path[PATH_LENGTH];
    struct raster r;
    scratch_write("land.asc", "w",
                  "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 5500000\n"
                  "cellsize 10\n1 2 3\n2 3 4\n");
    scratch_write("land.prj", "w", system);
    SHOAL("run", "land.asc", "--level", "2.5", "--t-end", "0.1", "--quiet", "--output", "land.nc");
    ASSERT_STATUS(0);
    SHOAL("export", "land.nc", "--output", "depth.asc");
    ASSERT_STATUS(0);
    program_read("depth.prj", text);
    ASSERT_BEGINS(text, system);
    SHOAL("export", "dam.nc", "--output", "depth.asc");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "depth.prj lies beside it, and dam.nc does not say");
    if (raster_gdal_version(version))
        return;
    SHOAL("export", "land.nc", "--output", "depth.tif");
    ASSERT_STATUS(0);
    scratch_path(path, "depth.tif");
    assert_int_equal(raster_read(path, QUANTITY_DEPTH, &r), ERR_OK);
    assert_non_null(r.wkt);
    ASSERT_HAS(r.wkt, "\"mine\"");
    raster_free(&r);
}

static void a_map_of_a_time_is_the_record_nearest_to_it(void **state)
{
    (void)state;
    static char early[MOST_TEXT], last[MOST_TEXT];
    SHOAL("export", "dam.nc", "--variable", "speed", "--time", "0.21", "--output", "early.csv");
    ASSERT_STATUS(0);
    SHOAL("export", "dam.nc", "--variable", "speed", "--output", "last.csv");
    ASSERT_STATUS(0);
    program_read("early.csv", early);
    program_read("last.csv", last);
    ASSERT_BEGINS(early, "x,y,speed\n");
    assert_true(strlen(early) > 1000 && strlen(last) > strlen(early)); /* the water spreads */
    SHOAL("export", "dam.nc", "--time", "99");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--time: there is no record at 99 s");
    SHOAL("export", "dam.nc", "--variable", "h_max", "--time", "0.2");
    ASSERT_STATUS(2);
}

static size_t lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void tables_are_csv(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    SHOAL("export", "dam.nc", "--variable", "gauge_h");
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "dam-gauge_h.csv\n");
    program_read("dam-gauge_h.csv", text);
    ASSERT_BEGINS(text, "gauge_time,a,\"b \"\"b\",c\n0,");
    assert_int_equal(lines(text), 5);
    SHOAL("export", "dam.nc", "--variable", "gauges", "--output", "g.csv");
    ASSERT_STATUS(0);
    program_read("g.csv", text);
    ASSERT_BEGINS(text, "gauge,gauge_x,gauge_y,gauge_bed,gauge_h_max,gauge_w_max,");
    ASSERT_HAS(text, "\na,-3,2,0,");
    ASSERT_HAS(text, "\n\"b \"\"b\",3.3,-2,0,");
    ASSERT_HAS(text, "\nc,18,17,0,,,,,,\n"); /* never wet */
    assert_int_equal(lines(text), 4);
    SHOAL("export", "dam.nc", "--variable", "balance", "--format", "csv");
    ASSERT_STATUS(0);
    program_read("dam-balance.csv", text);
    ASSERT_BEGINS(text, "balance_time,balance_volume,balance_inflow,");
    assert_int_equal(lines(text), 5);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words[5], *says;
    } wrong[] = {
        {{"--variable", "gauges", "--format", "gtiff"}, "is a table"},
        {{"--variable", "gauge_h", "--time", "0.2"}, "--time is for maps"},
        {{"--variable", "nothing"}, "and the tables gauges balance gauge_w gauge_h"},
        {{"--output", "x.png"}, "FILE.tif, FILE.asc or FILE.csv"},
        {{"--output", "x.tif", "--format", "asc"}, "leave one out"},
        {{"--output", "dam.nc", "--format", "asc"}, "is an input of this command"},
        {{"--output", "nowhere/x.asc"}, "nowhere"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *words[MOST_WORDS] = {"export", "dam.nc"};
        for (int w = 0; w < 4; w++)
            words[2 + w] = wrong[k].words[w];
        program_run(words);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, wrong[k].says);
    }
    SHOAL("export", "none.nc");
    ASSERT_STATUS(2);
    SHOAL("export");
    ASSERT_STATUS(2);
    SHOAL("run", "circular-dam", "--output", "x.tif");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "`shoal export FILE.nc --variable h_max --format gtiff --output x.tif`");
    scratch_write("old.asc", "w", "ncols");
    SHOAL("run", "circular-dam", "--output", "old.asc");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--format asc --output old.asc`");
}

static void numbers_have_the_fewest_digits(void **state)
{
    (void)state;
    char text[24];
    raster_format(0.1F, text);
    assert_string_equal(text, "0.1");
    raster_format(16777216, text);
    assert_string_equal(text, "16777216");
    for (float x = 1e-6F; x < 1e6F; x *= 1.37F) {
        raster_format(x, text);
        assert_true(strtof(text, NULL) == x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_an_esri_grid_without_values_on_dry_land),
        cmocka_unit_test(a_map_is_a_geotiff),
        cmocka_unit_test(without_gdal_the_message_says_what_to_install),
        cmocka_unit_test(the_system_of_a_result_is_that_of_the_map),
        cmocka_unit_test(a_map_of_a_time_is_the_record_nearest_to_it),
        cmocka_unit_test(tables_are_csv),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(numbers_have_the_fewest_digits),
    };
    return cmocka_run_group_tests(tests, build, scratch_remove);
}

#else

SKIPPED_WITHOUT_NETCDF

#endif
