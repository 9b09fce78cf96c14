/* Starts compilers, with their output in a file in memory. */
#include "core/compile/compiler_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/subprocess.h"

enum { MOST_LOG = 8 << 20 };

void compiler_add(struct compiler_command *c, const char *prefix, const char *word)
{
    if (c->n == COMMAND_WORDS) {
        c->cut = 1;
        return;
    }
    c->cut |=
        snprintf(c->text[c->n], sizeof c->text[0], "%s%s", prefix, word) >= (int)sizeof c->text[0];
    c->argv[c->n] = c->text[c->n];
    c->argv[++c->n] = NULL;
}

void compiler_add_words(struct compiler_command *c, const char *words)
{
    char copy[1 << 14], *save = NULL;
    c->cut |= snprintf(copy, sizeof copy, "%s", words) >= (int)sizeof copy;
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        compiler_add(c, w, "");
}

/* Starts a command whose stdout and stderr go to `said`. */
static enum err start_command(const struct compiler_command *c, int said, pid_t *pid)
{
    const struct program_ends ends = {.out = said, .err = said, .in_english = 1};
    const int rc = program_spawn(c->argv, &ends, pid);
    if (rc)
        FAIL(ABSENT,
             "kernels are compiled on demand, but the C compiler '%s' cannot be started (%s): "
             "install gcc, or name another one in SHOAL_CC",
             c->argv[0], strerror(rc));
    return ERR_OK;
}

/* Up to MOST_LOG bytes of a file, as text; the caller frees it. */
static char *read_log(int said)
{
    const off_t size = lseek(said, 0, SEEK_END);
    const size_t n = size < MOST_LOG ? (size_t)size : MOST_LOG;
    char *log = size < 0 ? NULL : malloc(n + 1);
    const ssize_t got = log ? pread(said, log, n, 0) : 0;
    if (!log)
        return NULL;
    log[got > 0 ? got : 0] = '\0';
    for (char *nul = log; got > 0 && (nul = memchr(nul, '\0', (size_t)(log + got - nul)));)
        *nul = ' ';
    return log;
}

enum err compiler_run(const struct compiler_command *c, char **log, int *status)
{
    pid_t pid = 0;
    *log = NULL;
    if (c->cut)
        FAIL(USAGE,
             "the command that compiles kernels exceeds %d words, or %d characters in one of them: "
             "give fewer options in SHOAL_KERNEL_CFLAGS and SHOAL_CC",
             (int)COMMAND_WORDS, (int)sizeof c->text[0] - 1);
    const int said = memfd_create("compiler", MFD_CLOEXEC);
    if (said < 0)
        FAIL(MACHINE, "cannot make a file in memory: %s", strerror(errno));
    const enum err e = start_command(c, said, &pid);
    if (!e) {
        *status = program_wait(pid);
        *log = read_log(said);
    }
    close(said);
    TRY(e);
    if (!*log)
        FAIL(MEMORY, "no memory for the compiler's output");
    return ERR_OK;
}
