/* Runs of build/shoal started by mpirun; include after cmocka.h. */
#ifndef SHOAL_TEST_MPI_H
#define SHOAL_TEST_MPI_H

#include "tests/support/asan_options.h"
#include "tests/support/program.h"

static char shoal[PATH_LENGTH], mpirun[PATH_LENGTH];

/* Starts this many processes; each leaves its number in the file pid.RANK. */
#define MPI_START(n, ...)                                                                         \
    program_start(TO_FILE,                                                                        \
                  (const char *const[]){"--oversubscribe", "-n", n, "sh", "-c",                   \
                                        "echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec \"$0\" \"$@\"", \
                                        shoal, __VA_ARGS__, NULL})
#define MPI(n, ...)                             \
    do {                                        \
        strcpy(program, mpirun);                \
        program_end(MPI_START(n, __VA_ARGS__)); \
        strcpy(program, shoal);                 \
    } while (0)

static inline int times(const char *text, const char *part)
{
    int n = 0;
    while ((text = strstr(text, part)) != NULL) {
        text++;
        n++;
    }
    return n;
}

static inline void expect_once(int status, const char *part)
{
    ASSERT_STATUS(status);
    if (times(result.err, part) != 1)
        fail_msg("'%s' is not once in '%s'", part, result.err);
}

/* Before the start of a run one of whose processes is killed. */
static inline void launcher_does_not_help(void)
{
    setenv("OMPI_MCA_orte_enable_recovery", "1", 1);
    strcpy(program, mpirun);
}

/* Kills the second process of that run once there is this checkpoint, or after so many seconds. */
static inline void kill_second_when_saved(pid_t launcher, const char *checkpoint, int most)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    size_t size;
    for (int k = 0; k < 100 * most && !scratch_has(checkpoint); k++)
        nanosleep(&moment, NULL);
    char *pid = scratch_read("pid.1", &size);
    assert_int_equal(kill((pid_t)strtol(pid, NULL, 10), SIGKILL), 0);
    free(pid);
    program_end(launcher);
    strcpy(program, shoal);
    unsetenv("OMPI_MCA_orte_enable_recovery");
}

static inline int mpi_find_all(void)
{
    char module[PATH_LENGTH];
    FILE *f = popen("command -v mpirun", "r");
    const int found = f && fgets(mpirun, sizeof mpirun, f);
    if (f)
        pclose(f);
    mpirun[strcspn(mpirun, "\n")] = 0;
    if (!found || program_find())
        return 0;
    strcpy(shoal, program);
    snprintf(module, sizeof module, "%.*s/shoal-mpi.so", (int)(strrchr(shoal, '/') - shoal), shoal);
    return access(module, F_OK) == 0;
}

/* False, with a message, if the tests must be skipped. */
static inline int mpi_prepare(void)
{
    if (!mpi_find_all()) {
        print_message("skipped: there is no mpirun, or no module for it: ./bootstrap --mpi make\n");
        return 0;
    }
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);       /* there are fewer cores than processes */
    setenv("OMPI_MCA_odls_base_sigkill_timeout", "0", 1); /* s: all have ended by then */
    asan_options_for_mpi();
    return 1;
}

#endif
