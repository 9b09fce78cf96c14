/* Runs started by mpirun: the bits of one process, and one message and one status whatever happens. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <glob.h>
#include <signal.h>
#include <time.h>

#include "core/base/monotonic_time.h"
#include "core/base/process_life.h"
#include "core/base/random.h"
#include "core/options/run_config.h"
#include "tests/support/mpi.h"
#include "tests/support/variables.h"

#define RUN                                                                                    \
    "run", "circular-dam-dry", "--nx=41", "--ny=33", "--mode=strict", "--backend=cpu",         \
        "--threads=1", "--quiet", "--bc-west=open", "--every=.4", "--gauge=a,3,4", "--maxima", \
        "--gauge-every=.02"
#define LONG_RUN                                                                                  \
    "run", "circular-dam", "--nx=60", "--ny=50", "--mode=strict", "--backend=cpu", "--threads=1", \
        "--quiet", "--checkpoint=1"
#define CHECKPOINT ("o.nc" CHECKPOINT_ENDING)

static void expect_equal_files(const char *name, const char *wanted)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    scratch_path(one, wanted);
    scratch_path(two, name);
    if (!same_variables(one, two, which))
        fail_msg("%s: '%s' is not what it is in %s", name, which, wanted);
}

/* The summary up to `division`, without the time that the run took. */
static void expect_summary(const char *division)
{
    static const char *const keys[] = {
        "steps=", "redone=", "mass_error=", "clipped=", "volume_in="};
    static char plain[MOST_TEXT];
    const char *word, *other;
    if (!*plain) {
        strcpy(plain, result.out);
        return;
    }
    ASSERT_HAS(result.out, division);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        word = strstr(plain, keys[k]);
        other = strstr(result.out, keys[k]);
        assert_non_null(word);
        assert_non_null(other);
        if (strcspn(word, " ") != strcspn(other, " ") ||
            memcmp(word, other, strcspn(word, " ")) != 0)
            fail_msg("'%.30s' is not '%.30s'", other, word);
    }
}

static void processes_come_to_the_bits_of_one(void **state)
{
    (void)state;
    SHOAL(RUN, "--output=plain.nc", "--checkpoint=1");
    ASSERT_STATUS(0);
    expect_summary("");
    static const struct {
        const char *n, *parts, *division;
    } way[] = {{"2", NULL, " parts=2 ranks=2 exchange=mpi"},
               {"3", NULL, " parts=3 ranks=3 exchange=mpi"},
               {"2", "2x2", " parts=4 ranks=2 exchange=mpi"},
               {"4", "1:2x3", " parts=6 ranks=4 exchange=mpi"}};
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        char parts[32] = "--exchange=auto";
        if (way[k].parts)
            snprintf(parts, sizeof parts, "--parts=%s", way[k].parts);
        MPI(way[k].n, RUN, "--output=o.nc", "--checkpoint=1", parts);
        ASSERT_STATUS(0);
        assert_string_equal(result.err, "");
        expect_summary(way[k].division);
        expect_equal_files("o.nc", "plain.nc");
        expect_equal_files(CHECKPOINT, "plain.nc" CHECKPOINT_ENDING);
    }
}

static void a_run_goes_on_in_another_number_of_processes(void **state)
{
    (void)state;
    SHOAL(RUN, "--output=plain.nc", "--t-end=2");
    MPI("3", RUN, "--output=o.nc", "--checkpoint=1", "--t-end=1.2");
    ASSERT_STATUS(0);
    MPI("2", RUN, "--output=o.nc", "--t-end=2", ("--restart=o.nc" CHECKPOINT_ENDING));
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "plain.nc");
}

static void what_is_wrong_is_said_once_and_nothing_is_written(void **state)
{
    (void)state;
    scratch_delete("o.nc");
    MPI("2", RUN, "--output=o.nc", "--cfl=0");
    expect_once(2, "shoal: error: --cfl: expected more than 0, at most 1, got 0");
    MPI("2", RUN, "--output=o.nc", "--exchange=peers");
    expect_once(2, "shoal: error: --exchange peers: expected the cuda backend, got cpu");
    MPI("2", RUN, "--output=o.nc", "--exchange=host");
    expect_once(2,
                "shoal: error: --exchange host: this run is in 2 processes, which exchange by mpi");
    MPI("3", RUN, "--output=o.nc", "--parts=2");
    expect_once(2, "shoal: error: 2 parts for 3 processes");
    MPI("1", RUN, "--output=o.nc", ":", "-n", "1", shoal, RUN, "--output=o.nc", "--cfl=.2");
    expect_once(2, "shoal: error: the processes of this run have different");
    MPI("2", RUN, "--output=nowhere/o.nc");
    expect_once(2, "there is no folder");
    MPI("2", "verify", "--quick"); /* each copy may say so */
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "shoal: error: the launcher (OMPI_COMM_WORLD_SIZE) started 2 processes");
    assert_false(scratch_has("o.nc"));
}

static void without_the_module_it_stops(void **state)
{
    (void)state;
    scratch_delete("o.nc");
    setenv("SHOAL_MPI", "/nowhere/shoal-mpi.so", 1);
    MPI("2", RUN, "--output=o.nc");
    unsetenv("SHOAL_MPI");
    ASSERT_STATUS(3);
    ASSERT_HAS(
        result.err,
        "this build has no MPI (there is no '/nowhere/shoal-mpi.so', the path in SHOAL_MPI)");
    assert_false(scratch_has("o.nc"));
}

/* In seconds, for what takes a second or two if the machine does nothing else; the run itself would take hours. */
enum { LONGEST_WAIT = 300 };

static const struct timespec nap = {.tv_nsec = 1000000};

static pid_t pid_of(const char *rank)
{
    char name[16];
    size_t size;
    snprintf(name, sizeof name, "pid.%s", rank);
    char *text = scratch_read(name, &size);
    const pid_t pid = (pid_t)strtol(text, NULL, 10);
    free(text);
    return pid;
}

/* A stopped process goes on when this other one has ended. If that does not end the launcher ends all. */
static void revive_after(const char *stopped, const char *other, pid_t launcher)
{
    const double began = seconds();
    while (!process_gone(pid_of(other)) && seconds() - began < LONGEST_WAIT)
        nanosleep(&nap, NULL);
    const int ended = process_gone(pid_of(other));
    assert_int_equal(kill(pid_of(stopped), SIGCONT), 0);
    if (!ended)
        kill(launcher, SIGTERM);
}

/* Starts a run that would last long, waits for its first checkpoint, and sends a signal to one of its processes or,
 * if no rank is given, to the launcher. */
static void disturb(const char *rank, int signal_number)
{
    static unsigned dice = 1;
    if (scratch_has(CHECKPOINT))
        scratch_delete(CHECKPOINT);
    strcpy(program, mpirun);
    const pid_t launcher =
        MPI_START("3", LONG_RUN, "--t-end=1e4", "--exchange-timeout=5", "--output=o.nc");
    const double started = seconds();
    while (!scratch_has(CHECKPOINT) && seconds() - started < LONGEST_WAIT)
        nanosleep(&nap, NULL);
    assert_true(scratch_has(CHECKPOINT));
    if (getenv("SHOAL_TEST_KILLS")) /* at any moment */
        nanosleep(&(struct timespec){.tv_nsec = xorshift(&dice) % 300000000}, NULL);
    assert_int_equal(kill(rank ? pid_of(rank) : launcher, signal_number), 0);
    const double signalled = seconds();
    if (signal_number == SIGSTOP)
        revive_after(rank, *rank == '0' ? "1" : "0", launcher);
    program_end(launcher);
    strcpy(program, shoal);
    assert_true(seconds() - signalled < LONGEST_WAIT);
}

/* The next run has deleted what a killed writer had begun. */
static void expect_no_temporaries(void)
{
    char pattern[PATH_LENGTH];
    glob_t found;
    scratch_path(pattern, "*.tmp");
    const int none = glob(pattern, 0, NULL, &found) == GLOB_NOMATCH;
    if (!none)
        fail_msg("%s is left", found.gl_pathv[0]);
}

/* Continues from it for a second, to the result of an undisturbed run. */
static void expect_checkpoint_as_good(void)
{
    char path[PATH_LENGTH], end[32];
    int id, var;
    double t = 0;
    scratch_path(path, CHECKPOINT);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "time", &var), NC_NOERR);
    assert_int_equal(nc_get_var_double(id, var, &t), NC_NOERR);
    assert_int_equal(nc_close(id), NC_NOERR);
    snprintf(end, sizeof end, "--t-end=%.3f", t + 1);
    SHOAL(LONG_RUN, end, "--output=whole.nc");
    ASSERT_STATUS(0);
    SHOAL(LONG_RUN, end, "--output=o.nc", ("--restart=o.nc" CHECKPOINT_ENDING));
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "whole.nc");
    expect_no_temporaries();
    scratch_delete("o.nc");
    scratch_delete(CHECKPOINT);
}

static void a_signal_to_one_stops_all_with_a_checkpoint(void **state)
{
    (void)state;
    disturb("2", SIGTERM);
    expect_once(5, "stopped by a signal after step");
    expect_checkpoint_as_good();
}

static void a_signal_that_the_launcher_passes_on_stops_all_with_a_checkpoint(void **state)
{
    (void)state;
    disturb(NULL, SIGUSR1);
    expect_once(5, "stopped by a signal after step");
    expect_checkpoint_as_good();
}

static void who_is_killed_takes_the_others_along_and_leaves_the_checkpoint(void **state)
{
    (void)state;
    static const char *const ranks[] = {"1", "0", "2"};
    const char *many = getenv("SHOAL_TEST_KILLS");
    for (int k = 0; k < (many ? strtol(many, NULL, 10) : 2); k++) {
        char gone[64];
        snprintf(gone, sizeof gone, "shoal: error: process %s of 3 is gone", ranks[k % 3]);
        setenv("OMPI_MCA_orte_enable_recovery", "1", 1); /* the launcher does not help */
        disturb(ranks[k % 3], SIGKILL);
        unsetenv("OMPI_MCA_orte_enable_recovery");
        if (times(result.err, gone) != 1)
            fail_msg("'%s' is not once in '%s'", gone, result.err);
        expect_checkpoint_as_good();
    }
}

static void who_is_stopped_is_blamed_and_has_nothing_to_add(void **state)
{
    (void)state;
    static const char *const ranks[] = {"2", "0"};
    for (int k = 0; k < 2; k++) {
        char late[64];
        snprintf(late, sizeof late, "shoal: error: process %s of 3 has not answered", ranks[k]);
        setenv("OMPI_MCA_orte_enable_recovery", "1", 1);
        disturb(ranks[k], SIGSTOP);
        unsetenv("OMPI_MCA_orte_enable_recovery");
        if (times(result.err, late) != 1 || times(result.err, "shoal: error: ") != 1)
            fail_msg("'%s' is not once, or not alone in '%s'", late, result.err);
        scratch_delete("o.nc" CHECKPOINT_ENDING);
    }
}

/* Others wait without limit for one that reads or writes a file. The first process reads a pipe, so it is in the midst
 * of that. */
static void one_stopped_while_others_take_their_time_is_blamed(void **state)
{
    static const char here[] = "echo $$ >pid.$OMPI_COMM_WORLD_RANK; "
                               "cd piped.$OMPI_COMM_WORLD_RANK && exec \"$0\" \"$@\"";
    (void)state;
    char pipe[PATH_LENGTH];
    scratch_folder("piped.0");
    scratch_folder("piped.1");
    scratch_path(pipe, "piped.0/w.txt");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    scratch_write("piped.1/w.txt", "w", "0 1\n99 2\n");
    setenv("OMPI_MCA_orte_enable_recovery", "1", 1);
    strcpy(program, mpirun);
    const pid_t launcher = program_start(
        TO_FILE,
        (const char *const[]){"--oversubscribe", "-n", "2", "sh", "-c", here, shoal, "run", "lake",
                              "--nx=20", "--ny=20", "--backend=cpu", "--steps=3", "--quiet",
                              "--exchange-timeout=0.5", "--bc-west=discharge:w.txt", NULL});
    strcpy(program, shoal);
    unsetenv("OMPI_MCA_orte_enable_recovery");
    int writes = -1; /* possible once there is a reader */
    for (const double began = seconds(); writes < 0 && seconds() - began < LONGEST_WAIT;) {
        writes = open(pipe, O_WRONLY | O_NONBLOCK);
        nanosleep(&nap, NULL);
    }
    assert_true(writes >= 0);
    assert_int_equal(kill(pid_of("0"), SIGSTOP), 0);
    revive_after("0", "1", launcher);
    assert_int_equal(write(writes, "0 1\n99 2\n", 9), 9);
    close(writes);
    program_end(launcher);
    const char *late = "shoal: error: process 0 of 2 has not answered for 0.5 s";
    if (times(result.err, late) != 1 || times(result.err, "shoal: error: ") != 1)
        fail_msg("'%s' is not once, or not alone in '%s'", late, result.err);
}

/* Tests that take long, or depend on limits of the machine. */
static void only_with_kills(void)
{
    if (getenv("SHOAL_TEST_KILLS"))
        return;
    print_message("skipped: make test-kills does it\n");
    skip();
}

/* Also while they start, when only the launcher knows of them. */
static void the_next_run_minds_none_that_were_killed_at_any_moment(void **state)
{
    unsigned dice = 7;
    (void)state;
    only_with_kills();
    SHOAL(LONG_RUN, "--t-end=1", "--output=whole.nc");
    for (long k = 0; k < strtol(getenv("SHOAL_TEST_KILLS"), NULL, 10); k++) {
        char name[16];
        size_t size;
        snprintf(name, sizeof name, "pid.%ld", k % 3);
        if (scratch_has(name))
            scratch_delete(name);
        strcpy(program, mpirun);
        const pid_t launcher =
            MPI_START("3", LONG_RUN, "--t-end=1e4", "--exchange-timeout=5", "--output=o.nc");
        while (!scratch_has(name))
            nanosleep(&nap, NULL);
        nanosleep(&(struct timespec){.tv_nsec = xorshift(&dice) % 900000000}, NULL);
        char *pid = scratch_read(name, &size);
        const int killed = size > 0 && kill((pid_t)strtol(pid, NULL, 10), SIGKILL) == 0;
        free(pid);
        if (!killed)
            kill(launcher, SIGKILL);
        program_end(launcher);
        strcpy(program, shoal);
        SHOAL(LONG_RUN, "--t-end=1", "--output=o.nc");
        ASSERT_STATUS(0);
        expect_equal_files("o.nc", "whole.nc");
        expect_no_temporaries();
    }
}

/* A limit that the shell sets for one process. */
#define LIMITED(limit, rank, ...)                                                                  \
    do {                                                                                           \
        strcpy(program, mpirun);                                                                   \
        program_run((const char *const[]){"--oversubscribe", "-n", "3", "sh", "-c",                \
                                          "[ $OMPI_COMM_WORLD_RANK != " rank " ] || ulimit " limit \
                                          "; exec \"$0\" \"$@\"",                                  \
                                          shoal, __VA_ARGS__, NULL});                              \
        strcpy(program, shoal);                                                                    \
    } while (0)

static void what_one_of_them_lacks_ends_all_with_one_message(void **state)
{
    (void)state;
    only_with_kills();
    if (scratch_has("o.nc"))
        scratch_delete("o.nc");
    LIMITED("-f 100", "0", LONG_RUN, "--t-end=30", "--every=.1", "--output=o.nc");
    expect_once(3, "shoal: error: cannot write 'o.nc");
    assert_false(scratch_has("o.nc"));
    expect_no_temporaries();
    LIMITED("-v 400000", "1", "run", "circular-dam", "--nx=3000", "--ny=3000", "--backend=cpu",
            "--threads=1", "--quiet", "--steps=3", "--output=o.nc");
    expect_once(3, "shoal: error: ");
    ASSERT_HAS(result.err, "memory");
    assert_false(scratch_has("o.nc"));
    expect_no_temporaries();
}

static void a_breakdown_in_one_part_is_that_of_all(void **state)
{
    (void)state;
    char line[256];
    SHOAL(LONG_RUN, "--scheme=euler", "--dt=.3", "--t-end=50", "--output=o.nc");
    ASSERT_STATUS(4);
    snprintf(line, sizeof line, "%.100s", strstr(result.err, "the solution broke down"));
    MPI("3", LONG_RUN, "--scheme=euler", "--dt=.3", "--t-end=50", "--output=o.nc");
    expect_once(4, line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_come_to_the_bits_of_one),
        cmocka_unit_test(a_run_goes_on_in_another_number_of_processes),
        cmocka_unit_test(what_is_wrong_is_said_once_and_nothing_is_written),
        cmocka_unit_test(without_the_module_it_stops),
        cmocka_unit_test(a_signal_to_one_stops_all_with_a_checkpoint),
        cmocka_unit_test(a_signal_that_the_launcher_passes_on_stops_all_with_a_checkpoint),
        cmocka_unit_test(who_is_stopped_is_blamed_and_has_nothing_to_add),
        cmocka_unit_test(one_stopped_while_others_take_their_time_is_blamed),
        cmocka_unit_test(who_is_killed_takes_the_others_along_and_leaves_the_checkpoint),
        cmocka_unit_test(the_next_run_minds_none_that_were_killed_at_any_moment),
        cmocka_unit_test(what_one_of_them_lacks_ends_all_with_one_message),
        cmocka_unit_test(a_breakdown_in_one_part_is_that_of_all),
    };
    if (!mpi_prepare())
        return 0;
    return cmocka_run_group_tests(tests, scratch_setup, scratch_remove);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
