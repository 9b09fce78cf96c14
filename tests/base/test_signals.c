/* A run that is stopped by a signal of those that batch systems, terminals and people send keeps its state and leaves
 * no temporary file. */
#include "tests/support/test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "core/base/forked_child.h"
#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"
#include "core/base/output_file.h"
#include "core/base/signals.h"
#include "core/base/whole_file.h"
#include "tests/support/program.h"

static const int signals[] = {SIGHUP,  SIGINT,  SIGTERM, SIGALRM, SIGVTALRM,
                              SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* A run that has written a checkpoint, and would take hours. */
static pid_t start(void)
{
    static const char *const words[] = {"run",         "circular-dam",      "--nx=16",
                                        "--ny=12",     "--t-end=1e9",       "--mode=fast",
                                        "--threads=1", "--checkpoint=1e-6", "--output=r.nc",
                                        "--quiet",     "--backend=cpu",     NULL};
    const pid_t pid = program_start(-1, words);
    for (int k = 0; k < 2000 && !scratch_has("r.nc" CHECKPOINT_ENDING); k++)
        usleep(5000);
    assert_true(scratch_has("r.nc" CHECKPOINT_ENDING));
    return pid;
}

static int temporaries(void)
{
    char command[2 * PATH_LENGTH];
    snprintf(command, sizeof command, "ls -A '%s' | grep -q 'tmp'", scratch);
    return system(command) == 0;
}

static void expect_stopped(void)
{
    ASSERT_STATUS(5);
    ASSERT_HAS(result.err, "--restart r.nc" CHECKPOINT_ENDING);
    assert_false(temporaries());
    assert_false(scratch_has("r.nc"));
    scratch_delete("r.nc" CHECKPOINT_ENDING);
    scratch_delete("r.nc" RECORDS_ENDING);
}

static void each_signal_stops_a_run_with_a_checkpoint_and_no_temporaries(void **state)
{
    (void)state;
    for (int k = 0; k < SIGNALS; k++) {
        const pid_t pid = start();
        assert_int_equal(kill(pid, signals[k]), 0);
        program_end(pid);
        if (result.status != 5)
            print_error("after signal %d: ", signals[k]);
        expect_stopped();
    }
}

static void a_second_signal_ends_a_run_at_once_and_leaves_no_temporaries(void **state)
{
    (void)state;
    const pid_t pid = start();
    kill(pid, SIGTERM);
    kill(pid, SIGINT);
    program_end(pid);
    /* Two signals that are pending at the same time are delivered in the order of their numbers; or the checkpoint
     * was written sooner. */
    if (result.signal != SIGINT && result.signal != SIGTERM && result.status != 5)
        fail_msg("status %d, signal %d: %s", result.status, result.signal, result.err);
    assert_false(temporaries());
    assert_false(scratch_has("r.nc"));
}

/* As a limit of processor time sends it: repeatedly, until the program has ended. */
static void a_signal_that_comes_every_second_does_not_end_a_run_at_once(void **state)
{
    (void)state;
    const pid_t pid = start();
    for (int k = 0; k < 20; k++) {
        kill(pid, SIGXCPU);
        usleep(200);
    }
    program_end(pid);
    expect_stopped();
}

static void a_signal_that_is_ignored_stays_ignored(void **state)
{
    (void)state;
    for (int k = 0; k < SIGNALS; k++) {
        if (signals[k] == SIGTERM)
            continue;
        signal(signals[k], SIG_IGN);
        const pid_t pid = start();
        signal(signals[k], SIG_DFL);
        assert_int_equal(kill(pid, signals[k]), 0);
        scratch_delete("r.nc" CHECKPOINT_ENDING);
        for (int n = 0; n < 2000 && !scratch_has("r.nc" CHECKPOINT_ENDING); n++)
            usleep(5000);
        if (!scratch_has("r.nc" CHECKPOINT_ENDING))
            fail_msg("signal %d is not ignored", signals[k]);
        assert_int_equal(kill(pid, SIGTERM), 0);
        program_end(pid);
        expect_stopped();
    }
}

/* Commands that have no state to keep are ended by the signal. */
static void a_command_that_is_stopped_is_seen_to_be_stopped(void **state)
{
    char folder[16];
    (void)state;
    for (int k = 0; k < SIGNALS; k++) {
        const char *const words[] = {"verify", "--full", "--output", folder, NULL};
        snprintf(folder, sizeof folder, "out-%d", k);
        const pid_t pid = program_start(-1, words);
        usleep(100000);
        assert_int_equal(kill(pid, signals[k]), 0);
        program_end(pid);
        if (result.signal != signals[k] && result.status != 5)
            fail_msg("signal %d: status %d, signal %d: %s", signals[k], result.status,
                     result.signal, result.err);
        assert_false(temporaries());
    }
}

static int end_by_a_signal(void *context)
{
    (void)context;
    raise(SIGTERM);
    return 0;
}

static void a_child_that_is_stopped_leaves_the_temporaries_of_its_parent(void **state)
{
    struct outfile f;
    char path[PATH_LENGTH];
    (void)state;
    scratch_path(path, "result");
    signals_catch(NULL, 0);
    assert_int_equal(outfile_create(&f, path), ERR_OK);
    assert_int_equal(forked_child_ask(end_by_a_signal, NULL), CHILD_DIED);
    signals_release();
    assert_int_equal(access(f.temporary, F_OK), 0);
    outfile_discard(&f);
}

static volatile sig_atomic_t came;

/* However the text's lines are folded. */
static int says(const char *text, const char *words)
{
    for (; *text; text++) {
        const char *a = text, *b = words;
        for (; *b && (*a == *b || (*b == ' ' && *a == '\n')); a++, b++)
            ;
        if (!*b)
            return 1;
    }
    return 0;
}

static void readme_manual_and_help_name_the_signals(void **state)
{
    static const char *const pages[] = {"README.md", "manual/long-runs.md"};
    static const char *const names = "HUP, INT, TERM, ALRM, VTALRM, PROF, XCPU, USR1, USR2";
    (void)state;
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        char path[PATH_LENGTH], *text;
        fine(paths_file(pages[k], path));
        fine(whole_file_read(path, WHOLE_DATA, &text, NULL));
        if (!says(text, names))
            fail_msg("%s does not name the signals that end a run: %s", pages[k], names);
        free(text);
    }
    SHOAL("run", "--help");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, names);
}

static void note(int number)
{
    came = number;
}

static void a_signal_that_is_held_back_comes_when_it_is_let_through(void **state)
{
    (void)state;
    signals_catch(note, 0);
    for (int k = 0; k < SIGNALS; k++) {
        came = 0;
        signals_hold(SIG_BLOCK);
        pthread_kill(pthread_self(), signals[k]);
        assert_int_equal(came, 0);
        signals_hold(SIG_UNBLOCK);
        assert_int_equal(came, signals[k]);
    }
    signals_release();
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(each_signal_stops_a_run_with_a_checkpoint_and_no_temporaries),
        HERE(a_second_signal_ends_a_run_at_once_and_leaves_no_temporaries),
        HERE(a_signal_that_comes_every_second_does_not_end_a_run_at_once),
        HERE(a_signal_that_is_ignored_stays_ignored),
        HERE(a_command_that_is_stopped_is_seen_to_be_stopped),
        HERE(a_child_that_is_stopped_leaves_the_temporaries_of_its_parent),
        HERE(readme_manual_and_help_name_the_signals),
        cmocka_unit_test(a_signal_that_is_held_back_comes_when_it_is_let_through),
    };
    if (program_find())
        return 1;
    if (!ncfile_available()) {
        print_message("skipped: signals: %s\n", err_message());
        return 0;
    }
    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
