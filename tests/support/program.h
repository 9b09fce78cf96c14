/* Runs build/shoal as scripts do, in the scratch folder, and captures its output; include after
 * cmocka.h. */
#ifndef SHOAL_TEST_PROGRAM_H
#define SHOAL_TEST_PROGRAM_H

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scratch.h"

enum { MOST_WORDS = 40, MOST_TEXT = 1 << 18 };

static char program[PATH_LENGTH];

/* The outcome of the last run that ended: its status, or the signal that ended it, and its
 * output. */
static struct {
    int status, signal;
    char out[MOST_TEXT], err[MOST_TEXT];
} result;

/* SHOAL_BIN, else build/shoal. Nonzero: neither exists. */
static inline int program_find(void)
{
    const char *set = getenv("SHOAL_BIN");
    if (!set || !*set)
        return paths_file("build/shoal", program) != ERR_OK;
    return !realpath(set, program);
}

static inline void program_read(const char *name, char text[MOST_TEXT])
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, MOST_TEXT - 1, f)] = '\0';
    fclose(f);
}

/* Starts it; the words end with NULL. Its stdout goes to `out`, or to a file, or is closed. */
enum { TO_FILE = -1, TO_NOTHING = -2 };
static inline pid_t program_start(int out, const char *const *words)
{
    static char text[MOST_WORDS][PATH_LENGTH];
    char *argv[MOST_WORDS + 2] = {program}, path[2][PATH_LENGTH];
    const int create = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_t a;
    pid_t pid;
    for (int k = 0; words[k]; k++) {
        assert_true(k < MOST_WORDS && strlen(words[k]) < PATH_LENGTH);
        argv[k + 1] = strcpy(text[k], words[k]);
    }
    scratch_path(path[0], "stdout");
    scratch_path(path[1], "stderr");
    assert_int_equal(posix_spawn_file_actions_init(&a), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&a, 1, path[0], create, 0600), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&a, 2, path[1], create, 0600), 0);
    if (out >= 0)
        assert_int_equal(posix_spawn_file_actions_adddup2(&a, out, 1), 0);
    if (out == TO_NOTHING)
        assert_int_equal(posix_spawn_file_actions_addclose(&a, 1), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&a, scratch), 0);
    if (posix_spawn(&pid, program, &a, NULL, argv, environ) != 0)
        fail_msg("%s cannot be started: run make, or set SHOAL_BIN", program);
    posix_spawn_file_actions_destroy(&a);
    return pid;
}

static inline void program_end(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    program_read("stdout", result.out);
    program_read("stderr", result.err);
}

static inline void program_run(const char *const *words)
{
    program_end(program_start(TO_FILE, words));
}

#define SHOAL(...) program_run((const char *const[]){__VA_ARGS__, NULL})

/* Steps, time and volumes of the last run's summary, which says in which parts it was. */
static inline void flow_of(char text[256])
{
    program_read("stdout", result.out);
    const char *steps = strstr(result.out, "steps="), *wall = strstr(result.out, " wall=");
    const char *mass = strstr(result.out, "mass_error="), *parts = strstr(result.out, " parts=");
    assert_true(steps && wall && mass && parts);
    snprintf(text, 256, "%.*s %.*s", (int)(wall - steps), steps, (int)(parts - mass), mass);
}

#define ASSERT_HAS(text, part)                               \
    do {                                                     \
        if (!strstr((text), (part)))                         \
            fail_msg("'%s' is not in '%s'", (part), (text)); \
    } while (0)
#define ASSERT_STATUS(wanted)                                                                   \
    do {                                                                                        \
        if (result.status != (wanted))                                                          \
            fail_msg("status %d (signal %d), not %d: %s", result.status, result.signal, wanted, \
                     result.err);                                                               \
    } while (0)

#endif
