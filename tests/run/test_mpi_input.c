/* Input of runs started by mpirun: each host reads it once, and processes of several hosts compare it. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "tests/support/mpi.h"
#include "tests/support/variables.h"

enum { NX = 31, NY = 24, HOLE = 400 };
#define RUN "run", "--mode=strict", "--backend=cpu", "--threads=1", "--quiet"
#define OVER_TERRAIN                                                                      \
    RUN, "t.asc", "--holes=wall", "--level=9", "--manning=n.asc", "--infiltration=i.asc", \
        "--suction=i.asc", "--deficit=.3", "--tracer=n.asc", "--t-end=3"

static void expect_equal_files(const char *name, const char *wanted)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    scratch_path(one, wanted);
    scratch_path(two, name);
    if (!same_variables(one, two, which))
        fail_msg("%s: '%s' is not what it is in %s", name, which, wanted);
}

/* A grid of cells of 10 m, whose values follow. */
static FILE *grid_begin(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 10\n", NX, NY);
    return f;
}

static void write_grids(void)
{
    FILE *terrain = grid_begin("t.asc"), *rough = grid_begin("n.asc"), *soil = grid_begin("i.asc");
    for (int k = 0; k < NX * NY; k++) {
        fprintf(terrain, "%d ", k == HOLE ? -9999 : k * 7919 % 31 / 4 + k % NX);
        fprintf(rough, "0.0%d ", 1 + k % 7);
        fprintf(soil, "%d ", 500 + k % 9);
    }
    fclose(terrain);
    fclose(rough);
    fclose(soil);
}

static void processes_have_the_terrain_that_one_of_them_reads(void **state)
{
    (void)state;
    write_grids();
    SHOAL(OVER_TERRAIN, "--output=plain.nc", "--every=1");
    ASSERT_STATUS(0);
    MPI("3", OVER_TERRAIN, "--output=o.nc", "--every=1");
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "plain.nc");
}

static void processes_have_the_state_that_one_of_them_reads(void **state)
{
    (void)state;
    write_grids();
    SHOAL(OVER_TERRAIN, "--output=state.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "state.nc", "--t-end=2", "--output=plain.nc");
    ASSERT_STATUS(0);
    MPI("2", RUN, "state.nc", "--t-end=2", "--output=o.nc");
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "plain.nc");
}

static void what_is_wrong_with_a_file_is_said_once(void **state)
{
    (void)state;
    write_grids();
    scratch_write("n.asc", "a", "7");
    MPI("3", OVER_TERRAIN, "--output=o.nc");
    expect_once(2, "n.asc:6: there are more values than");
}

/* A file of the same name on another host. */
static void what_they_read_is_compared(void **state)
{
    (void)state;
    scratch_folder("host.0");
    scratch_folder("host.1");
    scratch_write("host.0/q.txt", "w", "0 1\n99 2\n");
    for (int differs = 0; differs < 2; differs++) {
        scratch_write("host.1/q.txt", "w", differs ? "0 1\n99 2.5\n" : "0 1\n99 2\n");
        strcpy(program, mpirun);
        program_run((const char *const[]){
            "--oversubscribe", "-n", "2", "sh", "-c",
            "cd host.$OMPI_COMM_WORLD_RANK && exec \"$0\" \"$@\"", shoal, "run", "lake", "--nx=20",
            "--ny=20", "--backend=cpu", "--steps=3", "--bc-west=discharge:q.txt", NULL});
        strcpy(program, shoal);
        if (differs)
            expect_once(2, "have different terrain, water");
        else
            ASSERT_STATUS(0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_have_the_terrain_that_one_of_them_reads),
        cmocka_unit_test(processes_have_the_state_that_one_of_them_reads),
        cmocka_unit_test(what_is_wrong_with_a_file_is_said_once),
        cmocka_unit_test(what_they_read_is_compared),
    };
    if (!mpi_prepare())
        return 0;
    return cmocka_run_group_tests(tests, scratch_setup, scratch_remove);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
