/* What a machine without netCDF and SQLite builds: it links, computes, and says what to install for files and
 * queries. And what a machine does that has lost the netCDF of the build. */
#include "tests/support/test.h"

#include <unistd.h>

#include "tests/support/program.h"

static int find(void **state)
{
    (void)state;
    scratch_create();
    if (program_find())
        return 0;
    snprintf(strrchr(program, '/'), 32, "/shoal-without-libraries");
    if (access(program, X_OK) != 0)
        *program = '\0';
    return 0;
}

static void need_it(void)
{
    if (!*program) {
        printf("skip: this build has no netCDF and SQLite itself, or make test did not build it\n");
        skip();
    }
}

static void it_says_so_itself(void **state)
{
    (void)state;
    need_it();
    SHOAL("info");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "netCDF    not built in: install libnetcdf-dev");
}

static void it_computes(void **state)
{
    (void)state;
    need_it();
    SHOAL("run", "stoker", "--backend", "cpu", "--mode", "strict", "--nx", "20", "--ny", "4",
          "--t-end", "0.1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "run: case=stoker");
}

#define REFUSED_FOR(package, ...)                           \
    do {                                                    \
        SHOAL(__VA_ARGS__);                                 \
        ASSERT_STATUS(3);                                   \
        ASSERT_HAS(result.err, "apt-get install " package); \
    } while (0)
#define REFUSED(...) REFUSED_FOR("libnetcdf-dev", __VA_ARGS__)

static void what_needs_it_says_what_to_install_and_leaves_nothing(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    need_it();
    scratch_write("terrain.nc", "w", "CDF\x01");
    REFUSED("run", "stoker", "--backend", "cpu", "--output", "new.nc");
    REFUSED("run", "stoker", "--backend", "cpu", "--checkpoint", "1", "--output", "new.nc");
    REFUSED("run", "stoker", "--backend", "cpu", "--restart", "terrain.nc");
    REFUSED("run", "terrain.nc", "--level", "1", "--t-end", "1");
    REFUSED("run", "stoker", "--backend", "cpu", "--manning", "terrain.nc");
    REFUSED("render", "terrain.nc");
    scratch_path(path, "new.nc");
    assert_int_not_equal(access(path, F_OK), 0);
}

static void questions_and_figures_name_the_package(void **state)
{
    (void)state;
    need_it();
    unsetenv("SHOAL_DB"); /* tests/runner points it to nowhere */
    REFUSED_FOR("libsqlite3-dev", "db", "sql", "SELECT 1");
    REFUSED_FOR("libsqlite3-dev", "db", "replay");
    REFUSED_FOR("libsqlite3-dev", "plot", "dt-factor", "--terminal");
    REFUSED_FOR("libsqlite3-dev", "plot", "--all", "--output", "figures");
    SHOAL("db", "show", "rk0", "--device", "nvidia-h200");
    ASSERT_STATUS(0);
}

/* Files that the loader finds before the machine's own netCDF, whatever its version. */
static void put_in_place_of_netcdf(const char *make)
{
    char command[PATH_LENGTH + 256];
    snprintf(command, sizeof command,
             "mkdir -p '%s/lost' && cd '%s/lost' && %s && for n in $(seq 60); do cp -f "
             "libnetcdf.so libnetcdf.so.$n; done",
             scratch, scratch, make);
    assert_int_equal(system(command), 0);
}

static void a_lost_netcdf_stops_only_what_needs_it(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
#ifndef HAVE_NETCDF
    print_message("skipped: this build has no netCDF to lose\n");
    skip();
#endif
    assert_int_equal(program_find(), 0);
    scratch_path(path, "lost");
    setenv("LD_LIBRARY_PATH", path, 1);
    put_in_place_of_netcdf(": >libnetcdf.so");
    REFUSED("run", "stoker", "--backend", "cpu", "--output", "new.nc");
    ASSERT_HAS(result.err, "--output: this build has netCDF, but its library cannot be opened");
    REFUSED("export", "terrain.nc", "--output", "x.asc");
    SHOAL("run", "stoker", "--backend", "cpu", "--nx", "20", "--ny", "4", "--t-end", "0.1");
    ASSERT_STATUS(0);
    SHOAL("info");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "netCDF    none: this build has netCDF, but");
    put_in_place_of_netcdf("echo 'int nc_open;' | cc -shared -x c - -o libnetcdf.so");
    SHOAL("run", "stoker", "--backend", "cpu", "--output", "new.nc");
    unsetenv("LD_LIBRARY_PATH");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, " has no nc_close: run make again");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_so_itself),
        cmocka_unit_test(it_computes),
        cmocka_unit_test(what_needs_it_says_what_to_install_and_leaves_nothing),
        cmocka_unit_test(questions_and_figures_name_the_package),
        cmocka_unit_test(a_lost_netcdf_stops_only_what_needs_it),
    };
    return cmocka_run_group_tests(tests, find, scratch_remove);
}
