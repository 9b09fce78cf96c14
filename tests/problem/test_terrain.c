/* Runs over terrain from files: bed, water, walls and Manning's n, and what is refused. */
#include "tests/support/test.h"

#include <math.h>

#include "core/problem/initial_state.h"
#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/problem/problem.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

static int make_folder(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(2);
    return 0;
}

/* A grid of values by formula: `cells` of 10 m in a row, from (0, 0); -9999 means a missing value. */
static void write_grid(const char *name, int nx, int ny, double (*value)(int i, int j))
{
    char text[128];
    snprintf(text, sizeof text, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 10\n", nx,
             ny);
    scratch_write(name, "w", text);
    for (int j = ny - 1; j >= 0; j--)
        for (int i = 0; i < nx; i++) {
            snprintf(text, sizeof text, "%.9g%c", value(i, j), i == nx - 1 ? '\n' : ' ');
            scratch_write(name, "a", text);
        }
}

enum { NX = 8, NY = 6 };

static double plane(int i, int j)
{
    return 2 * i + 3 * j;
}

static double holed(int i, int j)
{
    return i == 5 && j == 2 ? -9999 : plane(i, j);
}

static double peak_and_pit(int i, int j)
{
    return i == 2 && j == 3 ? 4 : i == 5 && j == 2 ? -4 : 0;
}

static double level(int i, int j)
{
    return j == 0 && i < 4 ? 9 : -1;
}

static double deep(int i, int j)
{
    return i == 1 && j == 1 ? 2.5 : 0;
}

static double rough(int i, int j)
{
    (void)j;
    return 0.01 + 0.01 * i;
}

static double constant(int i, int j)
{
    (void)i, (void)j;
    return 0.04;
}

static double strickler(int i, int j)
{
    return i == 7 && j == 5 ? 35 : 0.03;
}

static double negative(int i, int j)
{
    return i == 2 && j == 3 ? -0.5 : 1;
}

static double no_number(int i, int j)
{
    return i == 2 && j == 3 ? -9999 : 1;
}

/* Like level.asc, but three metres farther east. */
static void write_shifted(void)
{
    write_grid("shifted.asc", NX, NY, level);
    char path[PATH_LENGTH];
    scratch_path(path, "shifted.asc");
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)strlen("ncols 8\nnrows 6\nxllcorner "), SEEK_SET), 0);
    assert_int_equal(fputc('3', f), '3');
    assert_int_equal(fclose(f), 0);
}

static void write_all(void)
{
    write_grid("plane.asc", NX, NY, plane);
    write_grid("holed.asc", NX, NY, holed);
    write_grid("peak.asc", NX, NY, peak_and_pit);
    write_grid("level.asc", NX, NY, level);
    write_grid("deep.asc", NX, NY, deep);
    write_grid("rough.asc", NX, NY, rough);
    write_grid("constant.asc", NX, NY, constant);
    write_grid("strickler.asc", NX, NY, strickler);
    write_grid("negative.asc", NX, NY, negative);
    write_grid("missing.asc", NX, NY, no_number);
    write_grid("wide.asc", NX + 1, NY, plane);
    write_grid("narrow.asc", NX - 1, NY, plane);
    write_shifted();
    scratch_write("empty.asc", "w",
                  "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n-9999 nan\n");
}

/* Opens `input` of the scratch folder with options; a word with a '.' is a file of it, too. */
static enum err open_words(struct problem *p, struct config *c, const char *const *words)
{
    static char text[MOST_ARGUMENTS][PATH_LENGTH];
    const char *argv[MOST_ARGUMENTS + 1] = {NULL};
    for (int k = 0; words[k]; k++) {
        assert_true(k < MOST_ARGUMENTS);
        if (strstr(words[k], ".asc"))
            scratch_path(text[k], words[k]);
        else
            snprintf(text[k], sizeof text[k], "%s", words[k]);
        argv[k] = text[k];
    }
    memset(p, 0, sizeof *p);
    TRY(read_words(c, argv));
    return problem_open(p, c);
}

#define OPEN(p, c, ...) \
    open_words((p), (c), (const char *const[]){__VA_ARGS__, "--t-end", "1", NULL})

static double bed_at(const struct problem *p, int i, int j)
{
    return p->setup.source.bed(p->setup.source.context, i, j);
}

static double mean_bed(const struct problem *p, int i, int j)
{
    return 0.25 *
           (bed_at(p, i, j) + bed_at(p, i + 1, j) + bed_at(p, i, j + 1) + bed_at(p, i + 1, j + 1));
}

static double depth_at(const struct problem *p, int i, int j)
{
    return p->setup.source.water(p->setup.source.context, i, j).w - mean_bed(p, i, j);
}

static void expect(const char *what, int i, int j, double have, double want)
{
    if (!(fabs(have - want) <= 1e-6))
        fail_msg("%s at (%d, %d) is %.12g, not %.12g", what, i, j, have, want);
}

static void values_are_taken_at_centres_or_at_corners(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    write_all();
    ASSERT_READ(OPEN(&p, &c, "plane.asc"));
    assert_true(p.setup.grid.nx == NX && p.setup.grid.ny == NY && p.setup.grid.x0 == 0);
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++)
            expect("bed", i, j, bed_at(&p, i, j), plane(i, j) - 2.5);
    problem_close(&p);
    ASSERT_READ(OPEN(&p, &c, "plane.asc", "--terrain-at", "corners"));
    assert_true(p.setup.grid.nx == NX - 1 && p.setup.grid.ny == NY - 1 && p.setup.grid.y0 == 5);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            expect("bed", i, j, bed_at(&p, i, j), plane(i, j));
    problem_close(&p);
}

/* The depth that an option puts into each cell. */
static void check_water(const char *option, const char *value, double (*wanted)(int i, int j))
{
    struct problem p;
    struct config c;
    ASSERT_READ(OPEN(&p, &c, "plane.asc", option, value));
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            expect(option, i, j, depth_at(&p, i, j), wanted(i, j));
    problem_close(&p);
}

static double below_seven(int i, int j)
{
    return fmax(0, 7 - plane(i, j));
}

static double below_level(int i, int j)
{
    return fmax(0, level(i, j) - plane(i, j));
}

static double two_metres(int i, int j)
{
    (void)i, (void)j;
    return 2;
}

static double none(int i, int j)
{
    (void)i, (void)j;
    return 0;
}

static void water_stands_at_a_level_or_has_a_depth(void **state)
{
    (void)state;
    write_all();
    check_water("--level", "7", below_seven);
    check_water("--level", "-3", none);
    check_water("--level", "level.asc", below_level);
    check_water("--depth", "2", two_metres);
    check_water("--depth", "0", none);
    check_water("--depth", "deep.asc", deep);
}

static double dammed(int i, int j)
{
    return i < 3 ? fmax(0, 20 - plane(i, j)) : 0;
}

static double a_metre_above(int i, int j)
{
    (void)i, (void)j;
    return 1;
}

static double deeper_eastwards(int i, int j)
{
    (void)j;
    return 0.1 * (10 * i + 5);
}

static double upside_down(int i, int j)
{
    return -plane(i, j);
}

static void depths_count_downwards_where_that_is_said(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    write_all();
    write_grid("depths.asc", NX, NY, upside_down);
    ASSERT_READ(OPEN(&p, &c, "depths.asc", "--positive", "down", "--level", "7"));
    expect("bed", 2, 2, mean_bed(&p, 2, 2), plane(2, 2));
    expect("depth", 1, 1, depth_at(&p, 1, 1), 7 - plane(1, 1));
    problem_close(&p);
}

static void water_may_be_a_formula(void **state)
{
    (void)state;
    write_all();
    check_water("--level", "iif(x < 30, 20, bed)", dammed);
    check_water("--level", "bed + 1", a_metre_above);
    check_water("--depth", "x / 10", deeper_eastwards);
}

/* A level whose grid is shifted three metres to the east, and rasters with a column more. */
static void a_raster_on_another_grid_is_resampled(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    write_all();
    check_water("--level", "wide.asc", none); /* its level is the terrain's */
    write_grid("rougher.asc", NX + 1, NY, rough);
    ASSERT_READ(OPEN(&p, &c, "plane.asc", "--level", "shifted.asc", "--manning", "rougher.asc"));
    expect("depth", 0, 0, depth_at(&p, 0, 0), 9);
    expect("depth", 3, 0, depth_at(&p, 3, 0), 9 - plane(3, 0));
    for (int i = 0; i < NX; i++)
        expect("n", i, 3, p.setup.source.manning(&p, i, 3), rough(i, 3));
    problem_close(&p);
}

static double two(int i, int j)
{
    (void)i, (void)j;
    return 2;
}

/* Averaging at corners turns a peak of 4 m into one of 1 m, and a pit of 4 m into one of 1 m. A lake at one level has
 * no hole at that peak; levels by cell say themselves where it is dry. */
static void water_is_above_the_terrain_as_given_and_as_its_corners_make_it(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    write_all();
    write_grid("two.asc", NX, NY, two);
    ASSERT_READ(OPEN(&p, &c, "peak.asc", "--level", "two.asc"));
    expect("depth", 2, 3, depth_at(&p, 2, 3), 0);
    expect("depth", 5, 2, depth_at(&p, 5, 2), 3);
    problem_close(&p);
    ASSERT_READ(OPEN(&p, &c, "peak.asc", "--level", "2"));
    expect("depth", 2, 3, depth_at(&p, 2, 3), 1);
    expect("depth", 5, 2, depth_at(&p, 5, 2), 3);
    problem_close(&p);
    ASSERT_READ(OPEN(&p, &c, "peak.asc", "--level", "-2"));
    expect("depth", 5, 2, depth_at(&p, 5, 2), 0);
    problem_close(&p);
}

static void a_hole_is_an_error_that_says_where_or_a_dry_wall(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    const double top = plane(NX - 1, NY - 1) + 100;
    write_all();
    ASSERT_REFUSED(
        OPEN(&p, &c, "holed.asc", "--level", "20"),
        "1 of its 48 heights are missing, the first, from the south-west, at x = 55, y = "
        "25; all lie in x = 55 to 55, y = 25 to 25. Run with --holes wall");
    ASSERT_READ(OPEN(&p, &c, "holed.asc", "--level", "20", "--holes", "wall"));
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int near = abs(i - 5) <= 1 && abs(j - 2) <= 1;
            assert_int_equal(p.setup.source.wall(&p, i, j), near);
            if (!near)
                expect("depth", i, j, depth_at(&p, i, j), fmax(0, 20 - plane(i, j)));
        }
    expect("wall", 5, 2, mean_bed(&p, 5, 2), plane(5, 2) + (top - plane(5, 2)) / 4);
    expect("depth", 5, 2, depth_at(&p, 5, 2), 0);
    problem_close(&p);
    ASSERT_READ(OPEN(&p, &c, "holed.asc", "--level", "6", "--holes=wall", "--terrain-at=corners"));
    expect("bed", 5, 2, bed_at(&p, 5, 2), top);
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
    write_all();
    for (int k = 0; k < 2; k++) {
        ASSERT_READ(k ? OPEN(&p, &c, "holed.asc", "--level", "22", "--holes=wall")
                      : OPEN(&p, &c, "plane.asc", "--level", "22"));
        ASSERT_READ(initial_create(&in, &p.setup, F64));
        kappa[k] = in->kappa;
        initial_destroy(in);
        problem_close(&p);
    }
    expect("kappa", 0, 0, kappa[1], kappa[0]);
}

static void manning_is_a_number_or_a_raster(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    write_all();
    ASSERT_READ(OPEN(&p, &c, "plane.asc", "--manning", "0.03"));
    assert_true(p.setup.manning == 0.03 && !p.setup.source.manning);
    problem_close(&p);
    ASSERT_READ(OPEN(&p, &c, "plane.asc", "--manning", "constant.asc"));
    assert_true(p.setup.manning == 0.04 && !p.setup.source.manning);
    problem_close(&p);
    ASSERT_READ(OPEN(&p, &c, "plane.asc", "--manning", "rough.asc"));
    for (int i = 0; i < NX; i++)
        expect("n", i, 3, p.setup.source.manning(&p, i, 3), rough(i, 3));
    problem_close(&p);
}

#ifdef HAVE_NETCDF

/* A state of 3 x 2 cells as a run writes it, in doubles. */
static const double some_bed[3][4] = {{0, 0.25, 1, 2}, {0, 0.1, 0.9, 2}, {0.3, 0.2, 0.1, 7}};
static const double some_level[2][3] = {{1.25, 1.5, 2}, {1, 1.125, 3}}, still[2][3] = {{0}};
static const double some_n[2][3] = {{0.03, 0.031, 0.1 / 3}, {0.04, 0.05, 0.06}};

static void write_result(const char *path)
{
    struct ncwriter *writer = NULL;
    const struct ncwrite_info info = {.path = path,
                                      .grid = {3, 2, 0.1, 1e3, 0.3, 0.7},
                                      .precision = F64,
                                      .system = find_system("shallow_water"),
                                      .variables = 15, /* w, h, hu and hv */
                                      .bed = some_bed[0],
                                      .bed_pitch = 4,
                                      .still = 8};
    double eta[2][3];
    for (int k = 0; k < 6; k++)
        eta[k / 3][k % 3] = some_level[k / 3][k % 3] - info.still;
    const struct ncwrite_record record = {.t = 0.5, .unknown = {eta, still, still}, .pitch = 3};
    ASSERT_READ(ncwrite_create(&writer, &info));
    ASSERT_READ(ncwrite_record(writer, &record));
    ASSERT_READ(ncwrite_manning(writer, some_n[0], 3));
    ASSERT_READ(ncwrite_finish(&writer));
}

/* Read as a state by itself, and as terrain with its level. */
static void a_result_is_where_another_run_begins(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    scratch_path(path, "result.nc");
    write_result(path);
    for (int as_terrain = 0; as_terrain < 2; as_terrain++) {
        struct problem p;
        struct config c;
        ASSERT_READ(as_terrain ? READ(&c, path, "--t-end=1", "--level", path)
                               : READ(&c, path, "--t-end=1"));
        ASSERT_READ(problem_open(&p, &c));
        const struct grid_info *g = &p.setup.grid;
        assert_true(g->nx == 3 && g->ny == 2 && g->x0 == 0.1 && g->y0 == 1e3);
        assert_true(g->dx == 0.3 && g->dy == 0.7);
        assert_memory_equal(p.input.bed_corner, some_bed, sizeof some_bed);
        assert_memory_equal(p.input.w, some_level, sizeof some_level);
        assert_memory_equal(p.input.manning_of, some_n, sizeof some_n);
        problem_close(&p);
    }
}

#else

static void a_result_is_where_another_run_begins(void **state)
{
    (void)state;
    print_message("skipped: this build has no netCDF\n");
    skip();
}

#endif

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
    write_all();
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
        const enum err e = open_words(&p, &c, words);
        ASSERT_REFUSED(e, bad[k][0]);
        assert_int_equal(err_status(e), 2);
        problem_close(&p);
    }
}

/* A model of a cliff, near the origin of a laboratory's own coordinates. */
static void small_and_steep_terrain_is_not_taken_for_degrees(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    write_all();
    scratch_write("cliff.asc", "w",
                  "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0.01\n"
                  "0 0.2 0.25\n0 0.2 0.25\n");
    ASSERT_READ(open_words(&p, &c, (const char *[]){"cliff.asc", "--t-end=1", NULL}));
    problem_close(&p);
}

static void a_run_file_finds_its_rasters_beside_it(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    char path[PATH_LENGTH];
    write_all();
    scratch_folder("sub");
    write_grid("sub/here.asc", NX, NY, plane);
    scratch_write("sub/run.ini", "w",
                  "input = here.asc\nlevel = ../level.asc\nmanning = ../rough.asc\nt-end = 1\n");
    scratch_path(path, "sub/run.ini");
    ASSERT_READ(READ(&c, path));
    ASSERT_READ(problem_open(&p, &c));
    expect("depth", 1, 0, depth_at(&p, 1, 0), below_level(1, 0));
    expect("n", 2, 2, p.setup.source.manning(&p, 2, 2), rough(2, 2));
    problem_close(&p);
    scratch_write("sub/run.ini", "a", "depth = 0.5\n");
    ASSERT_REFUSED(READ(&c, path), "--level and --depth");
}

int main(void)
{
    planes_in_files_from(0);
    const struct CMUnitTest tests[] = {
#define HERE(f) cmocka_unit_test_setup_teardown(f, make_folder, scratch_remove)
        HERE(values_are_taken_at_centres_or_at_corners),
        HERE(water_stands_at_a_level_or_has_a_depth),
        HERE(depths_count_downwards_where_that_is_said),
        HERE(water_may_be_a_formula),
        HERE(a_raster_on_another_grid_is_resampled),
        HERE(water_is_above_the_terrain_as_given_and_as_its_corners_make_it),
        HERE(a_hole_is_an_error_that_says_where_or_a_dry_wall),
        HERE(walls_are_no_shore),
        HERE(manning_is_a_number_or_a_raster),
        HERE(a_result_is_where_another_run_begins),
        HERE(what_cannot_be_meant_is_refused),
        HERE(small_and_steep_terrain_is_not_taken_for_degrees),
        HERE(a_run_file_finds_its_rasters_beside_it),
    };
    return cmocka_run_group_tests_name("terrain", tests, NULL, NULL);
}
