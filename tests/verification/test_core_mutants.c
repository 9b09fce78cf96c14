/* The tests of results, checkpoints, cache, output and parts are effective: they must notice mistakes planted in the
 * files of core. Those in parts have names, and what fails must be what looks for them. Others, a sample of all
 * (which `make mutants-core` plants), take half a minute: with SHOAL_TEST_FULL only. */
#include "tests/support/test.h"

#include "core/netcdf/netcdf_file.h"
#include "tests/support/everything.h"
#include "tests/support/program.h"

static int is_built(const char *build, const char *test)
{
    char path[PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/obj/tests/%s.o", build, test);
    return access(path, R_OK) == 0;
}

/* What tests/mutants/run says of these. */
static void run_mutants(const char *which, const char *said)
{
    char build[PATH_LENGTH], script[PATH_LENGTH], command[3 * PATH_LENGTH];
    static char text[MOST_TEXT];
    strcpy(build, program);
    *strrchr(build, '/') = '\0';
    assert_int_equal(paths_file("tests/mutants/run", script), ERR_OK);
    snprintf(command, sizeof command, "'%s' '%s' %s >'%s/log' 2>&1", script, build, which, scratch);
    const int status = system(command);
    program_read("log", text);
    if (status != 0)
        fail_msg("status %d: %s", status, text);
    ASSERT_HAS(text, said);
}

static void skip_unless_built(const char *const *needed, size_t n)
{
    char build[PATH_LENGTH];
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: with a sanitizer it takes too long\n");
    skip();
#endif
    strcpy(build, program);
    *strrchr(build, '/') = '\0';
    for (size_t k = 0; k < n; k++)
        if (!is_built(build, needed[k])) {
            print_message("skipped: only where all tests are built: there is no %s\n", needed[k]);
            skip();
        }
}

static void mistakes_in_parts_are_named(void **state)
{
    static const char *const needed[] = {"sim/test_overlap", "mesh/test_partition"};
    (void)state;
    skip_unless_built(needed, 2);
    run_mutants("planted overlap partition", "planted: noticed=6 survived=0");
}

static void planted_mistakes_are_noticed(void **state)
{
    static const char *const needed[] = {"netcdf/test_netcdf_faults",   "netcdf/test_netcdf_write",
                                         "netcdf/test_netcdf_chunks",   "base/test_cache",
                                         "compile/test_cache_entries",  "run/test_checkpoint",
                                         "run/test_checkpoint_refused", "run/test_restarts",
                                         "run/test_restart_records",    "schemes/test_draining"};
    (void)state;
    if (!everything()) {
        print_message("skipped: SHOAL_TEST_FULL=1 plants more mistakes in the files of core\n");
        skip();
    }
    if (!ncfile_available()) {
        print_message("skipped: without netCDF there are no results\n");
        skip();
    }
    skip_unless_built(needed, sizeof needed / sizeof *needed);
    run_mutants("sample", "mutants: killed=9 survived=0 explained=0 not_compiled=0 ");
    run_mutants("planted checkpoint_refused draining", "planted: noticed=4 survived=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(mistakes_in_parts_are_named, scratch_setup, scratch_remove),
        cmocka_unit_test_setup_teardown(planted_mistakes_are_noticed, scratch_setup,
                                        scratch_remove),
    };
    return program_find() || cmocka_run_group_tests_name("core mutants", tests, NULL, NULL);
}
