/* A flood over terrain as a user runs it: neither the height of the ground nor the precision changes its steps or its
 * outflow, and no water is lost. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/sim/sim.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

/* A valley 400 m long that falls by 30 m between slopes of 1 in 12, with bumps. */
enum { COLUMNS = 40, ROWS = 24, MIDDLE = ROWS / 2, CELL = 10 };

static const double heights[] = {0, 1100, 4000};
enum { HEIGHTS = sizeof heights / sizeof *heights };

static double valley(int i, int j)
{
    const double x = CELL * i, y = CELL * (j - MIDDLE);
    return 74 * (1 - x / 1000) + 0.08 * fabs(y) + 0.5 * sin(x / 35) * cos(y / 25);
}

/* A basin with an island, which averaging at corners lowers. */
static double island(int i, int j)
{
    const double x = i - COLUMNS / 2, y = j - MIDDLE;
    return 6 * exp(-(x * x + y * y) / 20) - 3 + 0.3 * sin(0.7 * i) * cos(0.9 * j);
}

static double flat(int i, int j)
{
    (void)i, (void)j;
    return 0;
}

static const char *named(double up)
{
    static char name[32];
    snprintf(name, sizeof name, "up%g.asc", up);
    return name;
}

/* `bed` in the cells of a file, raised by this height. */
static void write_raster(const char *name, int columns, int rows, int cell, double up,
                         double (*bed)(int i, int j))
{
    static char text[COLUMNS * ROWS * 16 + 128];
    int n =
        snprintf(text, sizeof text, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %d\n",
                 columns, rows, cell);
    for (int j = rows - 1; j >= 0; j--)
        for (int i = 0; i < columns; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%.4f%c", up + bed(i, j),
                          i == columns - 1 ? '\n' : ' ');
    scratch_write(name, "w", text);
}

/* The result of a flood. */
struct flood {
    unsigned long steps;
    double out, came, mass_error; /* m3; the last as a share of all water */
};

static struct flood flooded(const char *scheme, const char *reconstruction, const char *precision,
                            const char *mode, double up)
{
    static struct config c;
    struct problem p = {0};
    struct sim *sim = NULL;
    struct balance b;
    const char *const words[] = {named(up),
                                 "--scheme",
                                 scheme,
                                 "--reconstruction",
                                 reconstruction,
                                 "--precision",
                                 precision,
                                 "--mode",
                                 mode,
                                 "--manning=0.035",
                                 "--bc-west=inflow:q.txt@80..160",
                                 "--bc-east=open",
                                 "--t-end=300",
                                 "--backend=cpu",
                                 "--threads=1",
                                 NULL};
    ASSERT_READ(read_words(&c, words));
    ASSERT_READ(problem_open(&p, &c));
    ASSERT_READ(sim_create(&sim, &p.setup));
    if (sim_run(sim, (double)INFINITY, NULL) || sim_balance(sim, &b))
        fail_msg("%s %s %s %s at %g m: %s", scheme, reconstruction, precision, mode, up,
                 err_message());
    const struct flood f = {sim->now.steps, sim_went_out(&b), sim_came_in(&b),
                            sim_mass_error(sim, &b)};
    sim_destroy(sim);
    problem_close(&p);
    return f;
}

/* The default scheme at all heights in both precisions; the others, unless SHOAL_TEST_FULL, at the lowest in f64 and the
 * highest in f32. */
static void check_heights(const char *scheme, const char *reconstruction, const char *mode)
{
    static const char *const precisions[] = {"f64", "f32"};
    /* With kp the step collapses at shores, and how often depends on the last bit of the terrain's doubles. */
    const double most_apart = strcmp(reconstruction, "kp") == 0 ? 0.02 : 0.01;
    const int all = everything() || strcmp(scheme, "rk2") == 0;
    struct flood low = {0};
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < HEIGHTS; k++) {
            if (!all && k != (p == 0 ? 0 : HEIGHTS - 1))
                continue;
            const struct flood f = flooded(scheme, reconstruction, precisions[p], mode, heights[k]);
            char text[256];
            if (p == 0 && k == 0)
                low = f;
            snprintf(text, sizeof text,
                     "%s %s %s %s at %g m: %lu steps, %.9g m3 of %.9g left, %.3g", scheme,
                     reconstruction, precisions[p], mode, heights[k], f.steps, f.out, f.came,
                     f.mass_error);
            if (!(f.came > 4500 && f.out > 0.1 * f.came && f.steps > 300))
                fail_msg("%s: no flood", text);
            if (!(fabs((double)f.steps - (double)low.steps) <= most_apart * (double)low.steps))
                fail_msg("%s: in f64 at 0 m it took %lu steps", text, low.steps);
            if (!(fabs(f.out - low.out) <= 1e-3 * low.out))
                fail_msg("%s: in f64 at 0 m %.9g m3 left", text, low.out);
            if (!(fabs(f.mass_error) <= (p ? 5e-6 : 1e-9)))
                fail_msg("%s: the volume is off", text);
        }
}

static void a_flood_is_the_same_at_any_height_in_every_scheme(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k)
        if (answers_for_its_kind(schemes[k]->name))
            check_heights(schemes[k]->name, "audusse", "strict");
    check_heights("rk2", "kp", "strict");
}

/* Associative arithmetic could destroy what keeps small changes. */
static void fast_mode_keeps_water_as_well(void **state)
{
    (void)state;
    check_heights("rk2", "audusse", "fast");
    check_heights("rk2_fused", "audusse", "fast");
    if (everything())
        check_heights("ssprk3", "audusse", "fast");
}

/* A pool that fills slowly: each step adds a few units of rounding to each cell. */
static double filling(const char *scheme)
{
    static struct config c;
    struct problem p = {0};
    struct sim *sim = NULL;
    struct balance b;
    ASSERT_READ(READ(&c, "pool.asc", "--scheme", scheme, "--precision=f32", "--mode=fast",
                     "--manning=0.05", "--bc-west=inflow:pool.txt@40..60", "--t-end=3600",
                     "--backend=cpu", "--threads=1"));
    ASSERT_READ(problem_open(&p, &c));
    ASSERT_READ(sim_create(&sim, &p.setup));
    if (sim_run(sim, (double)INFINITY, NULL) || sim_balance(sim, &b))
        fail_msg("%s in a pool: %s", scheme, err_message());
    const double error = sim_mass_error(sim, &b);
    assert_true(sim->now.steps > 5000 && sim_came_in(&b) > 7000);
    sim_destroy(sim);
    problem_close(&p);
    return error;
}

/* The goal is 1e-6, doubled to allow for chance; a compiler that reorders additions made it 4e-6. */
static void a_pool_that_fills_in_fast_mode_keeps_its_water(void **state)
{
    static const char *const filled[] = {"rk2", "rk2_fused", "ssprk3", "ds2"};
    (void)state;
    setenv("SHOAL_KERNEL_CFLAGS", "", 1); /* the kernels that users have */
    for (size_t k = 0; k < sizeof filled / sizeof *filled; k++) {
        const double error = filling(filled[k]);
        if (!(fabs(error) <= 2e-6))
            fail_msg("%s: mass error %g", filled[k], error);
    }
}

/* Of a lake round the island: the largest discharge after some steps, m2/s. */
static double moving(const char *reconstruction, const char *precision, double up)
{
    static struct config c;
    static double q[COLUMNS * ROWS];
    struct problem p = {0};
    struct sim *sim = NULL;
    char level[32];
    double most = 0;
    write_raster("island.asc", COLUMNS, ROWS, CELL, up, island);
    snprintf(level, sizeof level, "%.6f", up + 0.123456);
    ASSERT_READ(READ(&c, "island.asc", "--level", level, "--reconstruction", reconstruction,
                     "--precision", precision, "--mode=strict", "--manning=0.035", "--t-end=60",
                     "--steps=20", "--backend=cpu", "--threads=1"));
    ASSERT_READ(problem_open(&p, &c));
    ASSERT_READ(sim_create(&sim, &p.setup));
    fine(sim_run(sim, (double)INFINITY, NULL));
    for (int k = 1; k <= 2; k++) {
        fine(sim_read(sim, sim_unknown(sim, k), NULL, q));
        for (size_t m = 0; m < COLUMNS * ROWS; m++)
            most =
                fmax(most, sim->real_size == sizeof(float) ? fabs((double)((float *)(void *)q)[m])
                                                           : fabs(q[m]));
    }
    sim_destroy(sim);
    problem_close(&p);
    return most;
}

static void a_lake_with_an_island_is_at_rest_to_the_bit_at_any_height(void **state)
{
    static const char *const level[] = {"audusse", "chen_noelle"};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < 2; p++)
            for (int up = 0; up < HEIGHTS; up++) {
                const double most = moving(level[k], p ? "f64" : "f32", heights[up]);
                if (most > 0)
                    fail_msg("%s at %g m: %g m2/s", level[k], heights[up], most);
            }
}

static int set_up(void **state)
{
    (void)state;
    log_quiet(2);
    scratch_create();
    for (int k = 0; k < HEIGHTS; k++)
        write_raster(named(heights[k]), COLUMNS, ROWS, CELL, heights[k], valley);
    write_raster("pool.asc", 24, 24, 5, 0, flat);
    scratch_write("pool.txt", "w", "0 2\n3600 2\n");
    scratch_write("q.txt", "w", "0 0.001\n100 30\n250 30\n300 5\n");
    return chdir(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_is_the_same_at_any_height_in_every_scheme),
        cmocka_unit_test(fast_mode_keeps_water_as_well),
        cmocka_unit_test(a_lake_with_an_island_is_at_rest_to_the_bit_at_any_height),
        cmocka_unit_test(a_pool_that_fills_in_fast_mode_keeps_its_water),
    };
    return cmocka_run_group_tests_name("high ground", tests, set_up, scratch_remove);
}
