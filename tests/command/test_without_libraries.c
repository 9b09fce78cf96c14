/* What a machine without netCDF and SQLite builds: it links, computes, and says what to install for files and
 * queries. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_so_itself),
        cmocka_unit_test(it_computes),
        cmocka_unit_test(what_needs_it_says_what_to_install_and_leaves_nothing),
        cmocka_unit_test(questions_and_figures_name_the_package),
    };
    return cmocka_run_group_tests(tests, find, scratch_remove);
}
