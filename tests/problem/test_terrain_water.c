/* The water of runs over terrain from files: levels and depths as numbers, formulas and rasters, and the state of an
 * earlier run. */
#include "tests/support/test.h"

#include "core/base/plane.h"
#include "tests/support/terrain.h"

enum { NX = TERRAIN_NX, NY = TERRAIN_NY };

/* The depth that an option puts into each cell. */
static void check_water(const char *option, const char *value, double (*wanted)(int i, int j))
{
    struct problem p;
    struct config c;
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "plane.asc", option, value));
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            terrain_expect(option, i, j, terrain_depth(&p, i, j), wanted(i, j));
    problem_close(&p);
}

static double below_seven(int i, int j)
{
    return fmax(0, 7 - terrain_plane(i, j));
}

static double below_level(int i, int j)
{
    return fmax(0, terrain_level(i, j) - terrain_plane(i, j));
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
    terrain_write_all();
    check_water("--level", "7", below_seven);
    check_water("--level", "-3", none);
    check_water("--level", "level.asc", below_level);
    check_water("--depth", "2", two_metres);
    check_water("--depth", "0", none);
    check_water("--depth", "deep.asc", terrain_deep);
}

static double dammed(int i, int j)
{
    return i < 3 ? fmax(0, 20 - terrain_plane(i, j)) : 0;
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
    return -terrain_plane(i, j);
}

static void depths_count_downwards_where_that_is_said(void **state)
{
    (void)state;
    struct problem p;
    struct config c;
    terrain_write_all();
    terrain_write("depths.asc", NX, NY, upside_down);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "depths.asc", "--positive", "down", "--level", "7"));
    terrain_expect("bed", 2, 2, terrain_mean_bed(&p, 2, 2), terrain_plane(2, 2));
    terrain_expect("depth", 1, 1, terrain_depth(&p, 1, 1), 7 - terrain_plane(1, 1));
    problem_close(&p);
}

static void water_may_be_a_formula(void **state)
{
    (void)state;
    terrain_write_all();
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
    terrain_write_all();
    check_water("--level", "wide.asc", none); /* its level is the terrain's */
    terrain_write("rougher.asc", NX + 1, NY, terrain_rough);
    ASSERT_READ(
        TERRAIN_OPEN(&p, &c, "plane.asc", "--level", "shifted.asc", "--manning", "rougher.asc"));
    terrain_expect("depth", 0, 0, terrain_depth(&p, 0, 0), 9);
    terrain_expect("depth", 3, 0, terrain_depth(&p, 3, 0), 9 - terrain_plane(3, 0));
    for (int i = 0; i < NX; i++)
        terrain_expect("n", i, 3, p.setup.source.manning(&p, i, 3), terrain_rough(i, 3));
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
    terrain_write_all();
    terrain_write("two.asc", NX, NY, two);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "peak.asc", "--level", "two.asc"));
    terrain_expect("depth", 2, 3, terrain_depth(&p, 2, 3), 0);
    terrain_expect("depth", 5, 2, terrain_depth(&p, 5, 2), 3);
    problem_close(&p);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "peak.asc", "--level", "2"));
    terrain_expect("depth", 2, 3, terrain_depth(&p, 2, 3), 1);
    terrain_expect("depth", 5, 2, terrain_depth(&p, 5, 2), 3);
    problem_close(&p);
    ASSERT_READ(TERRAIN_OPEN(&p, &c, "peak.asc", "--level", "-2"));
    terrain_expect("depth", 5, 2, terrain_depth(&p, 5, 2), 0);
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

int main(void)
{
    planes_in_files_from(0);
    const struct CMUnitTest tests[] = {
#define HERE(f) cmocka_unit_test_setup_teardown(f, terrain_folder, scratch_remove)
        HERE(water_stands_at_a_level_or_has_a_depth),
        HERE(depths_count_downwards_where_that_is_said),
        HERE(water_may_be_a_formula),
        HERE(a_raster_on_another_grid_is_resampled),
        HERE(water_is_above_the_terrain_as_given_and_as_its_corners_make_it),
        HERE(a_result_is_where_another_run_begins),
    };
    return cmocka_run_group_tests_name("terrain_water", tests, NULL, NULL);
}
