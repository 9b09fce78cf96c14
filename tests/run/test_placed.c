/* Results keep the coordinate system of their terrain, whatever format it has, and rasters of another one are
 * refused. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <netcdf.h>

#include "core/raster/raster.h"
#include "tests/support/program.h"

#define GEOGRAPHIC                                                                    \
    "GEOGCS[\"GCS_ETRS_1989\",DATUM[\"D_ETRS_1989\",SPHEROID[\"GRS_1980\",6378137.0," \
    "298.257222101]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]"
#define UTM(zone, meridian)                                                                       \
    "PROJCS[\"ETRS_1989_UTM_Zone_" zone "N\"," GEOGRAPHIC ",PROJECTION[\"Transverse_Mercator\"]," \
    "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],"                    \
    "PARAMETER[\"Central_Meridian\"," meridian "],PARAMETER[\"Scale_Factor\",0.9996],"            \
    "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]"

#define RUN "run", "land.asc", "--level", "lake.asc", "--t-end", "0.1", "--output", "a.nc"

static const char grid[] = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 5500000\ncellsize 10\n";

static int build(void **state)
{
    (void)state;
    scratch_create();
    scratch_write("land.asc", "w", grid);
    scratch_write("land.asc", "a", "1 2 3\n2 3 4\n");
    scratch_write("lake.asc", "w", grid);
    scratch_write("lake.asc", "a", "2 2 2\n2 2 2\n");
    return 0;
}

/* A text attribute, or "" if there is none. */
static void text_of(int id, const char *variable, const char *name, char text[4096])
{
    int var;
    size_t n = 0;
    text[0] = '\0';
    if (nc_inq_varid(id, variable, &var) == NC_NOERR &&
        nc_inq_attlen(id, var, name, &n) == NC_NOERR && n < 4096 &&
        nc_get_att_text(id, var, name, text) == NC_NOERR)
        text[n] = '\0';
}

static double number_of(int id, const char *variable, const char *name)
{
    int var;
    double x = -1;
    assert_int_equal(nc_inq_varid(id, variable, &var), NC_NOERR);
    assert_int_equal(nc_get_att_double(id, var, name, &x), NC_NOERR);
    return x;
}

static int open_result(const char *name)
{
    char path[PATH_LENGTH];
    int id;
    scratch_path(path, name);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    return id;
}

static void check_system(const char *file)
{
    static const char *const maps[] = {"h", "w", "hu", "hv", "bed", "bed_corner"};
    char text[4096];
    const int id = open_result(file);
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        text_of(id, maps[k], "grid_mapping", text);
        assert_string_equal(text, "crs");
    }
    text_of(id, "crs", "grid_mapping_name", text);
    assert_string_equal(text, "transverse_mercator");
    assert_true(number_of(id, "crs", "longitude_of_central_meridian") == 9);
    assert_true(number_of(id, "crs", "scale_factor_at_central_meridian") == 0.9996);
    assert_true(number_of(id, "crs", "false_easting") == 500000);
    assert_true(number_of(id, "crs", "semi_major_axis") == 6378137);
    text_of(id, "crs", "crs_wkt", text);
    ASSERT_HAS(text, "Transverse_Mercator");
    nc_close(id);
}

/* From a .prj to a result, and from there to the result of a run that begins with it. */
static void the_system_of_the_terrain_is_that_of_the_result(void **state)
{
    (void)state;
    scratch_write("land.prj", "w", UTM("32", "9.0"));
    SHOAL(RUN, "--quiet");
    ASSERT_STATUS(0);
    check_system("a.nc");
    SHOAL("run", "a.nc", "--t-end", "0.1", "--quiet", "--output", "b.nc");
    ASSERT_STATUS(0);
    check_system("b.nc");
}

static void without_a_system_there_is_no_mapping(void **state)
{
    (void)state;
    char text[4096];
    SHOAL(RUN, "--quiet");
    ASSERT_STATUS(0);
    const int id = open_result("a.nc");
    text_of(id, "h", "grid_mapping", text);
    assert_string_equal(text, "");
    nc_close(id);
}

/* Only the attributes, as other programs write them. */
static void a_mapping_without_a_text_is_understood(void **state)
{
    (void)state;
    char path[PATH_LENGTH], text[4096];
    int id, var;
    scratch_write("land.prj", "w", UTM("32", "9.0"));
    SHOAL(RUN, "--quiet");
    ASSERT_STATUS(0);
    scratch_path(path, "a.nc");
    assert_int_equal(nc_open(path, NC_WRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "crs", &var), NC_NOERR);
    assert_int_equal(nc_del_att(id, var, "crs_wkt"), NC_NOERR);
    assert_int_equal(nc_del_att(id, var, "spatial_ref"), NC_NOERR);
    assert_int_equal(nc_close(id), NC_NOERR);
    SHOAL("run", "a.nc", "--t-end", "0.1", "--quiet", "--output", "b.nc");
    ASSERT_STATUS(0);
    check_system("b.nc");
    id = open_result("b.nc");
    text_of(id, "crs", "crs_wkt", text);
    ASSERT_HAS(text, "298.257222101");
    nc_close(id);
    /* No factor means a factor of 1. */
    assert_int_equal(nc_open(path, NC_WRITE, &id), NC_NOERR);
    assert_int_equal(nc_del_att(id, var, "scale_factor_at_central_meridian"), NC_NOERR);
    assert_int_equal(nc_close(id), NC_NOERR);
    SHOAL("run", "a.nc", "--t-end", "0.1", "--quiet", "--output", "c.nc");
    ASSERT_STATUS(0);
    id = open_result("c.nc");
    assert_true(number_of(id, "crs", "scale_factor_at_central_meridian") == 1);
    nc_close(id);
    /* And as terrain for water from another file. */
    scratch_write("lake.prj", "w", UTM("33", "15.0"));
    SHOAL("run", "b.nc", "--level", "lake.asc", "--t-end", "0.1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "gdalwarp");
}

static void a_raster_in_another_system_is_refused_with_the_command_that_projects_it(void **state)
{
    (void)state;
    scratch_write("land.prj", "w", UTM("32", "9.0"));
    scratch_write("lake.prj", "w", UTM("33", "15.0"));
    SHOAL(RUN);
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "lake.asc: its coordinate system is ETRS_1989_UTM_Zone_33N");
    ASSERT_HAS(result.err, "that of land.asc is ETRS_1989_UTM_Zone_32N");
    ASSERT_HAS(result.err, "`gdalwarp -t_srs \"$(gdalsrsinfo -o wkt1 land.asc)\" -r bilinear "
                           "lake.asc projected.tif`");
    SHOAL("run", "land.asc", "--depth", "0", "--manning", "lake.asc", "--t-end", "0.1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "gdalwarp -t_srs");
    scratch_write("lake.prj", "w", UTM("32", "9.0"));
    SHOAL(RUN);
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "system of coordinates"));
}

static void where_it_cannot_be_told_a_warning_says_so(void **state)
{
    (void)state;
    scratch_write("land.prj", "w", UTM("32", "9.0"));
    scratch_write("lake.prj", "w",
                  "PROJCS[\"of the mine\"," GEOGRAPHIC ",PROJECTION[\"Bonne\"],UNIT[\"Meter\",1]]");
    SHOAL(RUN);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "warning: lake.asc: its coordinate system, of the mine, may");
}

static void a_prj_that_contradicts_the_grid_is_refused(void **state)
{
    (void)state;
    scratch_write("land.asc", "w",
                  "ncols 3\nnrows 2\nxllcorner 7.5\nyllcorner 46\n"
                  "cellsize 0.0008\n1 2 3\n2 3 4\n");
    scratch_write("land.prj", "w", UTM("32", "9.0"));
    SHOAL("run", "land.asc", "--depth", "1", "--t-end", "1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "ETRS_1989_UTM_Zone_32N, is in metres, but cells of 0.0008 x 0.0008");
    scratch_write("land.asc", "w", grid);
    scratch_write("land.asc", "a", "1 2 3\n2 3 4\n");
    scratch_write("land.prj", "w", GEOGRAPHIC);
    SHOAL("run", "land.asc", "--depth", "1", "--t-end", "1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "declares its coordinates as degrees, but (500015, 5500010) are not");
}

/* The same .prj twice: beside a raster in another system, then beside one in its own. */
static void a_prj_that_contradicts_a_geotiff_is_warned_of(void **state)
{
    char version[64];
    (void)state;
    if (raster_gdal_version(version)) {
        print_message("skipped: %s\n", err_message());
        skip();
    }
    for (int same = 0; same < 2; same++) {
        scratch_write("placed.vrt", "w", "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\"><SRS>");
        scratch_write("placed.vrt", "a", same ? "EPSG:25833" : "EPSG:32632");
        scratch_write("placed.vrt", "a",
                      "</SRS><GeoTransform>500000, 10, 0, 5500020, 0, -10</GeoTransform>"
                      "<VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource>"
                      "<SourceFilename relativeToVRT=\"1\">land.asc</SourceFilename>"
                      "</SimpleSource></VRTRasterBand></VRTDataset>");
        scratch_write("placed.prj", "w", UTM("33", "15.0"));
        SHOAL("run", "placed.vrt", "--depth", "1", "--t-end", "0.1");
        ASSERT_STATUS(0);
        assert_int_equal(
            !strstr(result.err, "but placed.prj beside it says ETRS_1989_UTM_Zone_33N"), same);
        assert_int_equal(!strstr(result.err, "placed.vrt: its coordinate system is EPSG:32632"),
                         same);
    }
}

/* As ARC/INFO wrote it before there was WKT. */
static void a_prj_that_is_not_understood_is_warned_of(void **state)
{
    (void)state;
    scratch_write("land.asc", "w", grid);
    scratch_write("land.asc", "a", "1 2 3\n2 3 4\n");
    scratch_write("land.prj", "w", "\nProjection    UTM\nZone          32\nUnits         METERS\n");
    SHOAL("run", "land.asc", "--depth", "1", "--t-end", "0.1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "land.prj is ignored: expected a coordinate system as WKT");
    ASSERT_HAS(result.err, "got 'Projection    UTM': ");
    scratch_write("land.prj", "w", " \n");
    SHOAL("run", "land.asc", "--depth", "1", "--t-end", "0.1");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "is ignored"));
}

static void the_metres_of_web_maps_are_warned_of(void **state)
{
    (void)state;
    scratch_write("land.prj", "w",
                  "PROJCS[\"WGS_1984_Web_Mercator_Auxiliary_Sphere\"," GEOGRAPHIC
                  ",PROJECTION[\"Mercator_Auxiliary_Sphere\"],UNIT[\"Meter\",1]]");
    SHOAL(RUN);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "warning: land.asc: Web Mercator's metres are longer than a metre");
}

int main(void)
{
    if (program_find())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_system_of_the_terrain_is_that_of_the_result, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(without_a_system_there_is_no_mapping, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_mapping_without_a_text_is_understood, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(
            a_raster_in_another_system_is_refused_with_the_command_that_projects_it, build,
            scratch_remove),
        cmocka_unit_test_setup_teardown(where_it_cannot_be_told_a_warning_says_so, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_prj_that_contradicts_the_grid_is_refused, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_prj_that_is_not_understood_is_warned_of, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_prj_that_contradicts_a_geotiff_is_warned_of, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(the_metres_of_web_maps_are_warned_of, build,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

SKIPPED_WITHOUT_NETCDF

#endif
