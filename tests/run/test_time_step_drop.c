/* The log says where a time step falls to a tenth, and what helps. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/paths.h"
#include "tests/support/program.h"

enum { NX = 30, NY = 20 };

static double plain(int i, int j)
{
    (void)i, (void)j;
    return 0;
}

/* Steep and broken, with a valley in the middle. */
static double hillside(int i, int j)
{
    return 11 * (1 - (double)i / NX) + 0.1 * abs(j - NY / 2) + 0.5 * sin(i / 7.0) * cos(j / 5.0);
}

static double cliff(int i, int j)
{
    (void)j;
    return i < NX / 2 ? 1000 : 0;
}

/* From north to south, cells of 5 m. */
static void write_terrain(const char *name, double (*bed)(int i, int j))
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 5\n", NX, NY);
    for (int j = NY - 1; j >= 0; j--)
        for (int i = 0; i < NX; i++)
            fprintf(f, "%.4f%c", bed(i, j), i + 1 < NX ? ' ' : '\n');
    assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0);
    write_terrain("plain.asc", plain);
    write_terrain("hillside.asc", hillside);
    write_terrain("cliff.asc", cliff);
    return program_find();
}

/* The steps after the first film on dry ground, which allows steps of many seconds, are no fall, either. */
static void deeper_water_is_no_fault(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", "0 0.002\n600 0.002\n610 200\n700 200\n");
    SHOAL("run", "plain.asc", "--manning=0.05", "--bc-west=inflow:q.txt@40..60", "--t-end=640",
          "--backend=cpu");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "time step 0.1");
    assert_null(strstr(result.err, "fallen"));
}

static void a_torrent_is_named(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", "0 100\n60 100\n");
    /* With a kappa of almost zero no water counts as a film, whenever the run is looked at. */
    SHOAL("run", "cliff.asc", "--kappa=1e-6", "--bc-west=inflow:q.txt@40..60", "--bc-east=open",
          "--t-end=30", "--backend=cpu");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "the time step has fallen to ");
    ASSERT_HAS(result.err, "a torrent: look for a cliff");
}

/* With maps the run is looked at at fixed times, whatever the speed of this machine. */
#ifdef HAVE_NETCDF
#define LOOKS , "--every=1", "--output=o.nc"
#else
#define LOOKS
#endif

static void a_film_on_a_hillside_is_named_and_what_keeps_it_slow(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", "0 0.001\n100 10\n400 10\n");
    SHOAL("run", "hillside.asc", "--manning=0.035", "--bc-west=inflow:q.txt@40..60",
          "--bc-east=open", "--t-end=200", "--backend=cpu", "--reconstruction=kp" LOOKS);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "the time step has fallen to ");
    ASSERT_HAS(result.err, "a film, which kp makes fast at shores");
    ASSERT_HAS(result.err, "--reconstruction audusse");
}

static void a_step_that_stays_is_not_told_of(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", "0 2\n700 2\n");
    SHOAL("run", "plain.asc", "--manning=0.05", "--bc-west=inflow:q.txt@40..60", "--t-end=100",
          "--backend=cpu");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "fallen"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deeper_water_is_no_fault),
        cmocka_unit_test(a_torrent_is_named),
        cmocka_unit_test(a_film_on_a_hillside_is_named_and_what_keeps_it_slow),
        cmocka_unit_test(a_step_that_stays_is_not_told_of),
    };
    return cmocka_run_group_tests_name("time_step_drop", tests, set_up, scratch_remove);
}
