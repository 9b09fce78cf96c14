/* What processes started by mpirun choose by the machine they find: all the same, and the same as one process. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "core/device/backend.h"
#include "tests/support/database.h"
#include "tests/support/mpi.h"
#include "tests/support/scheme_rows.h"
#include "tests/support/stand_in.h"
#include "tests/support/terminal.h"
#include "tests/support/variables.h"

#define AUTO                                                                       \
    "run", "circular-dam-dry", "--nx=24", "--ny=20", "--steps=5", "--scheme=auto", \
        "--mode=strict", "--backend=cpu", "--exchange-timeout=20"

/* A database in which srk2 is the fastest on this CPU with that many threads. */
static void measure_on_this_cpu(int threads)
{
    build_for_this_cpu(threads);
    scratch_write(inside("experiments/schemes.tsv"), "w",
                  COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "0.100000"));
}

static void expect_scheme(const char *scheme)
{
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, scheme);
}

/* The threads of all together. */
static void auto_is_the_same_scheme_for_any_number_of_processes(void **state)
{
    (void)state;
    measure_on_this_cpu(4);
    SHOAL(AUTO, "--threads=4");
    expect_scheme("scheme=srk2 ");
    SHOAL(AUTO, "--threads=2");
    expect_scheme("scheme=rk2 ");
    MPI("2", AUTO, "--threads=2");
    expect_scheme("scheme=srk2 ");
    MPI("2", AUTO, "--threads=4");
    expect_scheme("scheme=rk2 ");
    SHOAL(AUTO, "--threads=2", "--ranks=2");
    expect_scheme("scheme=srk2 ");
}

/* The first may use one core only, the second one all. */
static void who_has_fewer_cores_takes_the_same_scheme(void **state)
{
    cpu_set_t cores;
    char first[16];
    size_t core = 0;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof cores, &cores), 0);
    while (!CPU_ISSET(core, &cores))
        core++;
    if (CPU_COUNT(&cores) < 2)
        skip();
    snprintf(first, sizeof first, "%zu", core);
    measure_on_this_cpu(CPU_COUNT(&cores));
    for (int turn = 0; turn < 2; turn++) {
        const char *const one[] = {"taskset", "-c", first, shoal, AUTO, ":",
                                   "-n",      "1",  shoal, AUTO,  NULL};
        const char *const two[] = {shoal, AUTO,  ":",   "-n", "1", "taskset",
                                   "-c",  first, shoal, AUTO, NULL};
        const char *words[MOST_WORDS] = {"--oversubscribe", "--bind-to", "none", "-n", "1"};
        for (int k = 0; (words[5 + k] = (turn ? two : one)[k]) != NULL; k++)
            ;
        strcpy(program, mpirun);
        program_run(words);
        strcpy(program, shoal);
        expect_scheme("scheme=srk2 ");
        ASSERT_HAS(result.out, " ranks=2 ");
    }
}

static int use_stand_in_gpus(void **state)
{
    (void)state;
    return stand_in_use();
}

static int use_no_stand_in(void **state)
{
    static const char *const names[] = {"SHOAL_CUDA",    "SHOAL_CACHE",   "SHOAL_LIBNVML",
                                        "SHOAL_LIBNCCL", "SHOAL_LIBCUDA", "FAKE_DEVICES",
                                        "FAKE_MEMORY",   "FAKE_PEERS"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
    return scratch_remove(state);
}

#define ON_GPU                                                                                     \
    "run", "circular-dam", "--nx=24", "--ny=20", "--mode=strict", "--early-exit=off", "--steps=6", \
        "--backend=cuda", "--exchange-timeout=5"

static void processes_take_their_gpus_and_the_first_says_which(void **state)
{
    static const struct {
        const char *gpus, *devices, *taken[2], *peers, *reason, *division;
    } way[] = {
        {"1",
         "0",
         {"GPU 0 (0000:00:00.0)", "GPU 0 (0000:00:00.0)"},
         "all",
         "exchange by mpi: through the hosts of 2 processes",
         " parts=2 ranks=2 exchange=mpi"},
        {"2",
         NULL,
         {"GPU 0 (0000:00:00.0)", "GPU 1 (0000:01:00.0)"},
         "all",
         "exchange by peers: the GPUs of 2 processes can reach each other's memory",
         " parts=2 ranks=2 exchange=peers"},
        {"2",
         "all",
         {"GPU 0 (0000:00:00.0)", "GPU 1 (0000:01:00.0)"},
         "none",
         "; not by peers: GPUs of two processes cannot reach each other's memory; not by NCCL: no "
         "NCCL (",
         " parts=2 ranks=2 exchange=mpi"},
        {"4",
         NULL,
         {"GPU 0 (0000:00:00.0)", "GPU 2 (0000:02:00.0)"},
         "none",
         "exchange by mpi: ",
         " parts=2 ranks=2 exchange=mpi"},
        {"4",
         "all",
         {"GPU 0 (0000:00:00.0), 1 (0000:01:00.0)", "GPU 2 (0000:02:00.0), 3 (0000:03:00.0)"},
         "all",
         "exchange by peers: ",
         " parts=4 ranks=2 exchange=peers"}};
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1], line[64];
    (void)state;
    SHOAL(ON_GPU, "--output=one.nc");
    ASSERT_STATUS(0);
    scratch_path(one, "one.nc");
    scratch_path(two, "two.nc");
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        char devices[32] = "--exchange=auto";
        if (way[k].devices)
            snprintf(devices, sizeof devices, "--devices=%s", way[k].devices);
        setenv("FAKE_DEVICES", way[k].gpus, 1);
        setenv("FAKE_PEERS", way[k].peers, 1);
        MPI("2", ON_GPU, "--output=two.nc", devices);
        ASSERT_STATUS(0);
        expect_once(0, way[k].reason);
        ASSERT_HAS(result.out, way[k].division);
        for (int rank = 0; rank < 2; rank++) {
            snprintf(line, sizeof line, "shoal: process %d of 2, on ", rank);
            expect_once(0, line);
            const char *said = strstr(strstr(result.err, line), ": Stand-in, ");
            assert_non_null(said);
            said += strlen(": Stand-in, ");
            if (strncmp(said, way[k].taken[rank], strcspn(said, "\n")) != 0)
                fail_msg("process %d: not %s, but %.60s", rank, way[k].taken[rank], said);
        }
        if (!same_variables(one, two, which))
            fail_msg("%s GPUs: '%s' is not what it is on one", way[k].gpus, which);
    }
}

/* Kernels of the other one wait for its numbers. */
static void a_process_that_is_killed_takes_its_neighbour_along(void **state)
{
    (void)state;
    setenv("FAKE_DEVICES", "2", 1);
    launcher_does_not_help();
    const pid_t launcher =
        MPI_START("2", "run", "circular-dam", "--nx=24", "--ny=20", "--early-exit=off",
                  "--backend=cuda", "--exchange=peers", "--t-end=1e6", "--checkpoint=1",
                  "--output=o.nc", "--exchange-timeout=20");
    kill_second_when_saved(launcher, "o.nc" CHECKPOINT_ENDING, 20);
    assert_int_equal(times(result.err, "shoal: error: process 1 of 2 is gone"), 1);
}

static void all_use_a_gpu_or_none(void **state)
{
#define ON_ANYTHING \
    "run", "circular-dam", "--nx=24", "--ny=20", "--steps=6", "--exchange=mpi", "--quiet"
    (void)state;
    MPI("1", ON_ANYTHING, ":", "-n", "1", "env", "SHOAL_LIBCUDA=/nowhere", shoal, ON_ANYTHING);
    expect_once(3, "shoal: error: process 1 of 2, on ");
    ASSERT_HAS(result.err, ", uses the cpu backend, and process 0, on ");
    ASSERT_HAS(result.err, ", the cuda backend: expected the same");
#undef ON_ANYTHING
}

/* Each part needs half of what all need, and a GPU has room for one. */
static void parts_that_share_a_gpu_share_its_memory(void **state)
{
    (void)state;
    setenv("FAKE_MEMORY", "10000", 1);
    setenv("FAKE_DEVICES", "2", 1);
    MPI("2", "run", "circular-dam", "--nx=512", "--ny=512", "--steps=1", "--backend=cuda");
    ASSERT_STATUS(0);
    SHOAL("run", "circular-dam", "--nx=512", "--steps=1", "--devices=0,1");
    ASSERT_STATUS(0);
    SHOAL("run", "circular-dam", "--nx=1024", "--steps=1", "--devices=0,1");
    expect_once(3, "of GPU memory on each of 2 GPUs, but");
    MPI("2", "run", "circular-dam", "--nx=512", "--ny=512", "--steps=1", "--devices=1");
    expect_once(3, "of GPU memory for the 2 parts that share one GPU, but");
    setenv("FAKE_DEVICES", "1", 1);
    MPI("2", "run", "circular-dam", "--nx=512", "--ny=512", "--steps=1", "--backend=cuda");
    expect_once(3, "of GPU memory for the 2 parts that share one GPU, but");
    SHOAL("run", "circular-dam", "--nx=512", "--steps=1", "--devices=0,0");
    expect_once(3, "of GPU memory for the 2 parts that share one GPU, but");
}

/* The second one's stderr is the same terminal. */
static void the_first_process_draws_the_water(void **state)
{
    const char *const words[] = {"--oversubscribe",
                                 "-n",
                                 "2",
                                 "sh",
                                 "-c",
                                 "exec \"$0\" \"$@\" 2>\"$TERMINAL\"",
                                 shoal,
                                 "run",
                                 "three-humps",
                                 "--live",
                                 "--nx",
                                 "75",
                                 "--t-end",
                                 "20",
                                 "--backend",
                                 "cpu",
                                 NULL};
    (void)state;
    setenv("TERM", "xterm-256color", 1);
    setenv("COLORTERM", "truecolor", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    strcpy(program, mpirun);
    run_in_terminal(60, 20, words, 0);
    strcpy(program, shoal);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " ranks=2 ");
    assert_int_equal(count(TAKEN), 1);
    assert_int_equal(count(GIVEN), 1);
    ASSERT_HAS(strstr(sent, GIVEN), "\xe2\x96\x80"); /* the last picture stays */
    ASSERT_HAS(strstr(sent, GIVEN), "shoal: volume");
}

#define ON_STAND_INS(test) cmocka_unit_test_setup_teardown(test, use_stand_in_gpus, use_no_stand_in)
#define WITH_DATABASE(test) \
    cmocka_unit_test_setup_teardown(test, use_empty_database, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(auto_is_the_same_scheme_for_any_number_of_processes),
        WITH_DATABASE(who_has_fewer_cores_takes_the_same_scheme),
        ON_STAND_INS(processes_take_their_gpus_and_the_first_says_which),
        ON_STAND_INS(a_process_that_is_killed_takes_its_neighbour_along),
        ON_STAND_INS(all_use_a_gpu_or_none),
        ON_STAND_INS(parts_that_share_a_gpu_share_its_memory),
        cmocka_unit_test_setup_teardown(the_first_process_draws_the_water, scratch_setup,
                                        scratch_remove),
    };
    if (!mpi_prepare())
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
