/* Runs build/shoal with its stderr at a terminal; include after cmocka.h. */
#ifndef SHOAL_TEST_TERMINAL_H
#define SHOAL_TEST_TERMINAL_H

#include <signal.h>
#include <sys/ioctl.h>

#include "tests/support/program.h"

/* What takes the whole screen, and gives it back. */
#define TAKEN "\033[?1049h"
#define GIVEN "\033[?1049l"

/* Everything that a run writes to stderr, as a terminal gets it: a slow machine draws many pictures. */
static char sent[1 << 24];

static inline int open_terminal(int columns, int rows)
{
    const struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(master >= 0);
    assert_int_equal(grantpt(master) | unlockpt(master), 0);
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    return master;
}

static inline pid_t start_at(int terminal, const char *const *words)
{
    char path[PATH_LENGTH], *argv[MOST_WORDS] = {program};
    for (int k = 0; words[k]; k++)
        memcpy(&argv[k + 1], &words[k], sizeof *argv);
    scratch_path(path, "stdout");
    const pid_t pid = fork();
    if (pid == 0) {
        const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (out >= 0 && dup2(out, 1) == 1 && dup2(terminal, 2) == 2)
            execv(program, argv);
        _exit(127);
    }
    assert_true(pid > 0);
    return pid;
}

/* Runs the program with stderr at a terminal, which the variable TERMINAL names; sends signal `number`, if not 0, when the first picture is there. */
static inline void run_in_terminal(int columns, int rows, const char *const *words, int number)
{
    const int master = open_terminal(columns, rows);
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    size_t used = 0;
    int status;
    assert_true(terminal >= 0);
    assert_int_equal(setenv("TERMINAL", ptsname(master), 1), 0);
    const pid_t pid = start_at(terminal, words);
    close(terminal);
    for (ssize_t n; (n = read(master, sent + used, sizeof sent - 1 - used)) > 0;) {
        used += (size_t)n;
        sent[used] = '\0';
        if (number && strstr(sent, "depth 0")) {
            kill(pid, number);
            number = 0;
        }
    }
    close(master);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    program_read("stdout", result.out);
    snprintf(result.err, sizeof result.err, "%s", sent);
}

static inline int count(const char *part)
{
    int n = 0;
    for (const char *s = sent; (s = strstr(s, part)); s++)
        n++;
    return n;
}

#endif
