/* Runs over terrain from files: bed, walls and Manning's n, and what is refused. */
#include "tests/support/test.h"

#include "core/base/plane.h"
#include "core/problem/initial_state.h"
#include "tests/support/terrain.h"

enum { NX = TERRAIN_NX, NY = TERRAIN_NY };

static void values_are_taken_at_centres_or_at_corners(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    terrain_write_all();
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "plane.asc"));
    assert_true(p.setup.grid.nx == NX && p.setup.grid.ny == NY && p.setup.grid.x0 == 0);
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++)
            terrain_expect("bed", i, j, terrain_bed(&p, i, j), terrain_plane(i, j) - 2.5);
    problem_close(&p);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "plane.asc", "--terrain-at", "corners"));
    assert_true(p.setup.grid.nx == NX - 1 && p.setup.grid.ny == NY - 1 && p.setup.grid.y0 == 5);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            terrain_expect("bed", i, j, terrain_bed(&p, i, j), terrain_plane(i, j));
    problem_close(&p);
}

static void a_hole_is_an_error_that_says_where_or_a_dry_wall(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    const double top = terrain_plane(NX - 1, NY - 1) + 100;
    terrain_write_all();
    ASSERT_REFUSED(
        TERRAIN_OPEN(&p, &c, "holed.asc", "--level", "20"),
        "1 of its 48 heights are missing, the first, from the south-west, at x = 55, y = "
        "25; all lie in x = 55 to 55, y = 25 to 25. Run with --holes wall");
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "holed.asc", "--level", "20", "--holes", "wall"));
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int near = abs(i - 5) <= 1 && abs(j - 2) <= 1;
            assert_int_equal(p.setup.source.wall(&p, i, j), near);
            if (!near)
                terrain_expect("depth", i, j, terrain_depth(&p, i, j),
                               fmax(0, 20 - terrain_plane(i, j)));
        }
    terrain_expect("wall", 5, 2, terrain_mean_bed(&p, 5, 2),
                   terrain_plane(5, 2) + (top - terrain_plane(5, 2)) / 4);
    terrain_expect("depth", 5, 2, terrain_depth(&p, 5, 2), 0);
    problem_close(&p);
    ASSERT_READ(
        TERRAIN_OPEN(&p, &c, "holed.asc", "--level", "6", "--holes=wall", "--terrain-at=corners"));
    terrain_expect("bed", 5, 2, terrain_bed(&p, 5, 2), top);
    assert_true(p.setup.source.wall(&p, 4, 1) && p.setup.source.wall(&p, 5, 2));
    assert_false(p.setup.source.wall(&p, 3, 1) || p.setup.source.wall(&p, 6, 2));
    problem_close(&p);
}

/* A shore that is mostly wall has the slope of the rest, from which kappa is computed. */
static void walls_are_no_shore(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    struct initial *in = NULL;
    double kappa[2];
    terrain_write_all();
    for (int k = 0; k < 2; k++) {
        ASSERT_READ(k ? TERRAIN_OPEN(&p, &c, "holed.asc", "--level", "22", "--holes=wall")
                      : TERRAIN_OPEN(&p, &c, "plane.asc", "--level", "22"));
        ASSERT_READ(initial_create(&in, &p.setup, F64));
        kappa[k] = in->kappa;
        initial_destroy(in);
        problem_close(&p);
    }
    terrain_expect("kappa", 0, 0, kappa[1], kappa[0]);
}

static void manning_is_a_number_or_a_raster(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    terrain_write_all();
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "plane.asc", "--manning", "0.03"));
    assert_true(p.setup.manning == 0.03 && !p.setup.source.manning);
    problem_close(&p);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "plane.asc", "--manning", "constant.asc"));
    assert_true(p.setup.manning == 0.04 && !p.setup.source.manning);
    problem_close(&p);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "plane.asc", "--manning", "rough.asc"));
    for (int i = 0; i < NX; i++)
        terrain_expect("n", i, 3, p.setup.source.manning(&p, i, 3), terrain_rough(i, 3));
    problem_close(&p);
}

/* Two cells of level ground. */
static void write_pair(const char *name, const char *south, const char *cell)
{
    char text[128];
    snprintf(text, sizeof text, "ncols 2\nnrows 1\nxllcorner 0\nyllcorner %s\ncellsize %s\n1 1\n",
             south, cell);
    scratch_write(name, "w", text);
}

static void what_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    static const char *const bad[][6] = {
        {"--level and --depth exclude each other", "plane.asc", "--level", "1", "--depth", "1"},
        {"expected a number or a readable file, got '1,5'", "plane.asc", "--level", "1,5"},
        {"finite", "plane.asc", "--level", "nan"},
        {"--depth: expected at least 0, got -1", "plane.asc", "--depth", "-1"},
        {"at x = 25, y = 35 is -0.5: a depth must not be negative", "plane.asc", "--depth",
         "negative.asc"},
        {"at x = 25, y = 35 is missing", "plane.asc", "--depth", "missing.asc"},
        {"at x = 25, y = 35 is missing", "plane.asc", "--level", "missing.asc"},
        {"at x = 55, y = 25 is water where the terrain is missing", "holed.asc", "--holes=wall",
         "--depth", "plane.asc"},
        {"covers x = 0 to 70, y = 0 to 60, and the terrain is x = 0 to 80, y = 0 to 60: 12.5 % of",
         "plane.asc", "--level", "narrow.asc"},
        {"`gdalwarp -te 0 0 70 60 TERRAIN cut.tif`", "plane.asc", "--level", "narrow.asc"},
        {"unknown name 'z'; expected one of x y bed pi iif", "plane.asc", "--level",
         "iif(z < 20, 1, 0)"},
        {", in column 5:\n  iif(z < 20, 1, 0)\n      ^", "plane.asc", "--level",
         "iif(z < 20, 1, 0)"},
        {"the formula is no number at x = 5, y = 5", "plane.asc", "--level", "sqrt(x - 10)"},
        {"at x = 5, y = 5 is -5: a depth must not be negative", "plane.asc", "--depth", "x - 10"},
        {"unknown name 'bed'; expected one of x y pi iif", "plane.asc", "--manning", "0.01 * bed"},
        {"is 35, and 0.01 to 0.2", "plane.asc", "--manning", "35"},
        {"at x = 75, y = 55", "plane.asc", "--manning", "strickler.asc"},
        {"Manning's n is -0.5", "plane.asc", "--manning", "negative.asc"},
        {"Manning's n is missing at x = 25, y = 35", "plane.asc", "--manning", "missing.asc"},
        {"12.5 % of its cells have no value", "plane.asc", "--manning", "narrow.asc"},
        {"all of its 2 values are missing", "empty.asc", "--holes=wall"},
        {"cannot change the size", "plane.asc", "--nx", "5"},
        {"the case lake has its own bed", "lake", "--level", "3"},
        {"the case lake has its own bed", "lake", "--terrain-at", "corners"},
        {"the case lake has its own bed", "lake", "--positive", "down"},
        {"did you mean 'corners'", "plane.asc", "--terrain-at", "corner"},
        {"No such file", "absent.asc"},
        {"`gdalwarp -s_srs EPSG:4326 -t_srs EPSG:32632", "degrees.asc"},
        {"cells of 1e+300 x 1e+300 m", "vast.asc"},
        {"cells of 1e-30 x 1e-30 m", "tiny.asc"},
        {"its corner (0, 1e+300) is too far from the origin", "far.asc"},
    };
    terrain_write_all();
    scratch_write("degrees.asc", "w",
                  "ncols 2\nnrows 2\nxllcorner 7.5\nyllcorner 46\ncellsize 0.000833\n"
                  "500 520\n510 530\n");
    write_pair("vast.asc", "0", "1e300");
    write_pair("tiny.asc", "0", "1e-30");
    write_pair("far.asc", "1e300", "10");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct problem p;
        struct config c;
        const char *words[8] = {NULL};
        int n = 0;
        for (; n < 5 && bad[k][n + 1]; n++)
            words[n] = bad[k][n + 1];
        words[n++] = "--t-end=1";
        const enum err e = terrain_open(&p, &c, words);
        ASSERT_REFUSED(e, bad[k][0]);
        assert_int_equal(err_status(e), 2);
        problem_close(&p);
    }
}

static void a_file_that_is_not_there_needs_no_end_time(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    terrain_write_all();
    ASSERT_REFUSED(terrain_open(&p, &c, (const char *[]){"absent.asc", NULL}),
                   "absent.asc: cannot be read: No such file");
    problem_close(&p);
    ASSERT_REFUSED(terrain_open(&p, &c, (const char *[]){"plane.asc", NULL}),
                   "plane.asc: a file does not say how long to run: give --t-end SECONDS");
    problem_close(&p);
}

/* A model of a cliff, near the origin of a laboratory's own coordinates. */
static void small_and_steep_terrain_is_not_taken_for_degrees(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    terrain_write_all();
    scratch_write("cliff.asc", "w",
                  "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0.01\n"
                  "0 0.2 0.25\n0 0.2 0.25\n");
    ASSERT_READ(terrain_open(&p, &c, (const char *[]){"cliff.asc", "--t-end=1", NULL}));
    problem_close(&p);
}

static void a_run_file_finds_its_rasters_beside_it(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    char path[PATH_LENGTH];
    terrain_write_all();
    scratch_folder("sub");
    terrain_write("sub/here.asc", NX, NY, terrain_plane);
    scratch_write("sub/run.ini", "w",
                  "input = here.asc\nlevel = ../level.asc\nmanning = ../rough.asc\nt-end = 1\n");
    scratch_path(path, "sub/run.ini");
    ASSERT_READ(READ(&c, path));
    ASSERT_READ(problem_open(&p, &c));
    terrain_expect("depth", 1, 0, terrain_depth(&p, 1, 0),
                   fmax(0, terrain_level(1, 0) - terrain_plane(1, 0)));
    terrain_expect("n", 2, 2, p.setup.source.manning(&p, 2, 2), terrain_rough(2, 2));
    problem_close(&p);
    scratch_write("sub/run.ini", "a", "depth = 0.5\n");
    ASSERT_REFUSED(READ(&c, path), "--level and --depth");
}

int main(void)
{
    planes_in_files_from(0);
    const struct CMUnitTest tests[] = {
#define HERE(f) cmocka_unit_test_setup_teardown(f, terrain_folder, scratch_remove)
        HERE(values_are_taken_at_centres_or_at_corners),
        HERE(a_hole_is_an_error_that_says_where_or_a_dry_wall),
        HERE(walls_are_no_shore),
        HERE(manning_is_a_number_or_a_raster),
        HERE(what_cannot_be_meant_is_refused),
        HERE(a_file_that_is_not_there_needs_no_end_time),
        HERE(small_and_steep_terrain_is_not_taken_for_degrees),
        HERE(a_run_file_finds_its_rasters_beside_it),
    };
    return cmocka_run_group_tests_name("terrain", tests, NULL, NULL);
}
