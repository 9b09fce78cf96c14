/* Starts git and reads what it prints. */
#include "core/base/git.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/subprocess.h"
#include "core/base/whole_file.h"

enum { MOST_ARGUMENTS = 32 };

/* 0 or an error number. Discards git's stderr. */
static int start(const char *folder, const char *const arguments[], int in, int out, pid_t *pid)
{
    const char *list[MOST_ARGUMENTS + 4] = {"git", "-C", folder};
    for (int k = 0; k < MOST_ARGUMENTS && arguments[k]; k++)
        list[3 + k] = arguments[k];
    return program_spawn(list, &(struct program_ends){.in = in, .out = out}, pid);
}

/* A file in memory that holds a text, positioned at its beginning; negative on failure. */
static int file_of(const char *input)
{
    const int in = memfd_create("input", MFD_CLOEXEC);
    const size_t size = input ? strlen(input) : 0;
    for (size_t done = 0; in >= 0 && done < size;) {
        const ssize_t n = pwrite(in, input + done, size - done, (off_t)done);
        if (n <= 0 && errno != EINTR) {
            close(in);
            return -1;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return in;
}

enum err git_ask(const char *folder, const char *const arguments[], const char *input, char **text,
                 size_t *size)
{
    int ends[2], status = 0;
    pid_t child = 0;
    const int in = file_of(input);
    *text = NULL;
    if (in < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        const int error = errno;
        if (in >= 0)
            close(in);
        FAIL(MACHINE, "no pipe to git: %s", strerror(error));
    }
    const int error = start(folder, arguments, in, ends[1], &child);
    close(in);
    close(ends[1]);
    enum err e = error ? ERR_OK : whole_file_read_on(ends[0], "git", WHOLE_DATA, text, size);
    close(ends[0]);
    if (!error)
        status = program_wait(child);
    if (error)
        e = err_set(ERR_ABSENT, __FILE__, __LINE__, "git cannot be started: %s", strerror(error));
    else if (!e && status != 0)
        e = err_set(ERR_ABSENT, __FILE__, __LINE__,
                    "git finds nothing: %s is in no repository, or in one without the commits or "
                    "files asked for",
                    folder);
    if (!e)
        return ERR_OK;
    free(*text);
    *text = NULL;
    return e;
}
