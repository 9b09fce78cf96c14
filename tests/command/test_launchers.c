/* Launchers of MPI: copies of the program that one has started without need say so, and write nothing. */
#include "tests/support/test.h"

#include "core/registry/command.h"
#include "tests/support/asan_options.h"
#include "tests/support/command_line.h"

static void other_commands_than_run_refuse_a_launcher(void **state)
{
    (void)state;
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    for (int k = 0; commands[k]; k++) {
        if (strcmp(commands[k]->name, "run") == 0)
            continue;
        SHOAL(commands[k]->name);
        assert_refused("the launcher (OMPI_COMM_WORLD_SIZE) started 2 processes");
        ASSERT_HAS(result.err, "start it without the launcher");
        assert_int_equal(strstr(result.err, "--parts") != NULL,
                         strstr(" verify certify bench measure ", commands[k]->name) != NULL);
    }
    SHOAL("verify", "--help");
    unsetenv("OMPI_COMM_WORLD_SIZE");
    ASSERT_STATUS(0);
}

static void launchers_say_in_many_ways_that_they_started_several(void **state)
{
    static const struct {
        const char *name, *value;
        int count;
    } said[] = {{"PMI_SIZE", "3", 3},
                {"MPI_LOCALNRANKS", "2", 2},
                {"MV2_COMM_WORLD_SIZE", "2", 2},
                {"SLURM_STEP_NUM_TASKS", "4", 4},
                {"PMIX_RANK", "0", 2}, /* which says nothing of the others */
                {"PMIX_RANK", "5", 6}};
    char words[64];
    (void)state;
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        setenv(said[k].name, said[k].value, 1);
        SHOAL("certify");
        snprintf(words, sizeof words, "the launcher (%s) started %d processes", said[k].name,
                 said[k].count);
        assert_refused(words);
        if (strcmp(said[k].name, "PMIX_RANK") == 0) {
            setenv("SLURM_STEP_NUM_TASKS", "1", 1);
            SHOAL("certify", "--help");
            unsetenv("SLURM_STEP_NUM_TASKS");
            ASSERT_STATUS(0);
        }
        unsetenv(said[k].name);
    }
}

static void copies_that_a_launcher_started_stop_before_they_write(void **state)
{
    const char *had = getenv("ASAN_OPTIONS");
    char path[PATH_LENGTH], *asan = had ? strdup(had) : NULL;
    (void)state;
    scratch_path(path, "out.nc");
    asan_options_for_mpi();
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    SHOAL("run", a_case(), "--nx", "20", "--ny", "20", "--steps", "1", "--output", path);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "the launcher (OMPI_COMM_WORLD_SIZE) started 2 processes");
    assert_int_equal(access(path, F_OK), -1);
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    SHOAL("run", a_case(), "--nx", "20", "--ny", "20", "--steps", "1", "--backend", "cpu");
    unsetenv("OMPI_COMM_WORLD_SIZE");
    ASSERT_STATUS(0);
    if (asan)
        setenv("ASAN_OPTIONS", asan, 1);
    else
        unsetenv("ASAN_OPTIONS");
    free(asan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launchers_say_in_many_ways_that_they_started_several),
        cmocka_unit_test(other_commands_than_run_refuse_a_launcher),
        cmocka_unit_test(copies_that_a_launcher_started_stop_before_they_write),
    };
    return cmocka_run_group_tests(tests, command_line_ready, scratch_remove);
}
