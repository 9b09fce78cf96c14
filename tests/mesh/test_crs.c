/* Coordinate systems: the same one is recognised whatever its notation, and a different one, too. */
#include "tests/support/test.h"

#include "core/mesh/crs.h"

/* The texts of GDAL, ESRI and ISO for the same systems, as gdalsrsinfo prints them, without the parts that are not
 * read. */
static const char utm_gdal[] =
    "PROJCS[\"ETRS89 / UTM zone 32N\",GEOGCS[\"ETRS89\",\n  "
    "DATUM[\"European_Terrestrial_Reference_System_"
    "1989\",SPHEROID[\"GRS "
    "1980\",6378137,298.257222101,AUTHORITY[\"EPSG\",\"7019\"]],AUTHORITY[\"EPSG\",\"6258\"]],"
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_"
    "Mercator\"],PARAMETER["
    "\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],PARAMETER[\"scale_factor\",0.9996]"
    ",PARAMETER["
    "\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1],AUTHORITY["
    "\"EPSG\",\"25832\"]]";
static const char utm_esri[] = "PROJCS[\"ETRS_1989_UTM_Zone_32N\",GEOGCS[\"GCS_ETRS_1989\",DATUM["
                               "\"D_ETRS_1989\",SPHEROID[\"GRS_1980\","
                               "6378137.0,298.257222101]],PRIMEM[\"Greenwich\",0.0],UNIT["
                               "\"Degree\",0.0174532925199433]],PROJECTION["
                               "\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],"
                               "PARAMETER[\"False_Northing\",0.0],PARAMETER["
                               "\"Central_Meridian\",9.0],PARAMETER[\"Scale_Factor\",0.9996],"
                               "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT["
                               "\"Meter\",1.0]]";
static const char utm_iso[] =
    "PROJCRS[\"a\"\"name\",BASEGEOGCRS[\"ETRS89\",ENSEMBLE[\"European Terrestrial Reference System "
    "1989 ensemble\","
    "MEMBER[\"European Terrestrial Reference Frame 1989\"],ELLIPSOID[\"GRS "
    "1980\",6378137,298.257222101,LENGTHUNIT["
    "\"metre\",1]],ENSEMBLEACCURACY[0.1]],PRIMEM[\"Greenwich\",0],ID[\"EPSG\",4258]],CONVERSION["
    "\"UTM zone 32N\","
    "METHOD[\"Transverse Mercator\",ID[\"EPSG\",9807]],PARAMETER[\"Latitude of natural "
    "origin\",0],PARAMETER["
    "\"Longitude of natural origin\",9],PARAMETER[\"Scale factor at natural "
    "origin\",0.9996],PARAMETER[\"False "
    "easting\",500000],PARAMETER[\"False "
    "northing\",0]],CS[Cartesian,2],AXIS[\"(E)\",east,LENGTHUNIT[\"metre\",1]]]";
static const char utm_wgs[] =
    "PROJCS[\"WGS_1984_UTM_Zone_32N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_"
    "1984\",6378137.0,"
    "298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION["
    "\"Transverse_Mercator\""
    "],PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_"
    "Meridian\",9.0],"
    "PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]";
static const char utm_next[] = "PROJCS[\"ETRS_1989_UTM_Zone_32N\",GEOGCS[\"GCS_ETRS_1989\",DATUM["
                               "\"D_ETRS_1989\",SPHEROID[\"GRS_1980\","
                               "6378137.0,298.257222101]],PRIMEM[\"Greenwich\",0.0],UNIT["
                               "\"Degree\",0.0174532925199433]],PROJECTION["
                               "\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],"
                               "PARAMETER[\"False_Northing\",0.0],PARAMETER["
                               "\"Central_Meridian\",15.0],PARAMETER[\"Scale_Factor\",0.9996],"
                               "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT["
                               "\"Meter\",1.0]]";
static const char swiss[] =
    "PROJCS[\"CH1903+_LV95\",GEOGCS[\"GCS_CH1903+\",DATUM[\"D_CH1903+\",SPHEROID[\"Bessel_1841\","
    "6377397.155,"
    "299.1528128]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION["
    "\"Hotine_Oblique_Mercator_Azimuth_Center\"],PARAMETER[\"False_Easting\",2600000.0],PARAMETER["
    "\"Azimuth\",90.0],"
    "UNIT[\"Meter\",1.0]]";

static void the_same_system_is_recognised_in_whatever_words(void **state)
{
    (void)state;
    static const char *const same[] = {utm_gdal, utm_esri, utm_iso};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_int_equal(crs_compare(same[a], same[b]), CRS_SAME);
}

static void another_zone_and_another_datum_are_other_systems(void **state)
{
    (void)state;
    static const char *const same[] = {utm_gdal, utm_esri, utm_iso};
    for (int a = 0; a < 3; a++) {
        assert_int_equal(crs_compare(same[a], utm_wgs), CRS_DIFFERENT);
        assert_int_equal(crs_compare(utm_wgs, same[a]), CRS_DIFFERENT);
        assert_int_equal(crs_compare(same[a], utm_next), CRS_DIFFERENT);
    }
}

static void codes_decide_where_nothing_else_does(void **state)
{
    (void)state;
    const char *code = "PROJCS[\"a\",PROJECTION[\"Krovak\"],AUTHORITY[\"EPSG\",\"5514\"]]";
    const char *same = "PROJCS[\"b\",UNIT[\"metre\",1],AUTHORITY[\"epsg\",\"5514\"]]";
    const char *other = "PROJCS[\"a\",PROJECTION[\"Krovak\"],AUTHORITY[\"EPSG\",\"2065\"]]";
    assert_int_equal(crs_compare(code, same), CRS_SAME);
    assert_int_equal(crs_compare(code, other), CRS_DIFFERENT);
}

static void what_is_not_understood_is_undecided(void **state)
{
    (void)state;
    char changed[sizeof utm_esri + 8];
    assert_int_equal(crs_compare(swiss, utm_gdal), CRS_UNDECIDED);
    assert_int_equal(crs_compare(swiss, swiss), CRS_SAME);
    /* An unknown datum on the same ellipsoid. */
    strcpy(changed, utm_esri);
    memcpy(strstr(changed, "D_ETRS_1989"), "D_Elsewhere", strlen("D_Elsewhere"));
    assert_int_equal(crs_compare(changed, utm_gdal), CRS_UNDECIDED);
    /* Another one that is known. */
    memcpy(strstr(changed, "D_Elsewhere"), "D_NAD83____", strlen("D_NAD83____"));
    assert_int_equal(crs_compare(changed, utm_gdal), CRS_DIFFERENT);
    /* Parameters possibly in grads. */
    strcpy(changed, utm_esri);
    memcpy(strstr(changed, "0.0174"), "0.0157", strlen("0.0157"));
    assert_int_equal(crs_compare(changed, utm_gdal), CRS_UNDECIDED);
}

static void a_label_has_code_and_name(void **state)
{
    (void)state;
    char text[CRS_LABEL];
    crs_label(utm_gdal, text);
    assert_string_equal(text, "EPSG:25832 (ETRS89 / UTM zone 32N)");
    crs_label(utm_iso, text);
    assert_string_equal(text, "a\"name");
    crs_label("nonsense", text);
    assert_string_equal(text, "an unnamed system");
}

/* Brackets and quotes that do not close, and more of them than there is room for. */
static void nonsense_does_no_harm(void **state)
{
    (void)state;
    struct crs c;
    char deep[4096] = "";
    for (int k = 0; k < 900; k++)
        strcat(deep, "A[1,");
    crs_read(deep, &c);
    for (size_t n = 0; n < strlen(utm_iso); n++) {
        char cut[sizeof utm_iso];
        snprintf(cut, sizeof cut, "%.*s", (int)n, utm_iso);
        crs_read(cut, &c);
        crs_read(utm_iso + n, &c);
    }
    crs_read("]]]],,,\"\"\"", &c);
    assert_false(c.projected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_system_is_recognised_in_whatever_words),
        cmocka_unit_test(another_zone_and_another_datum_are_other_systems),
        cmocka_unit_test(codes_decide_where_nothing_else_does),
        cmocka_unit_test(what_is_not_understood_is_undecided),
        cmocka_unit_test(a_label_has_code_and_name),
        cmocka_unit_test(nonsense_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
