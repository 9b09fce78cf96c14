/* Starts git and reads what it prints. */
#include "core/base/git.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/whole_file.h"

enum { MOST_ARGUMENTS = 32 };

/* Its id; a negative error number if it cannot be started. What it complains of is not shown. */
static pid_t start(const char *folder, const char *const arguments[], int in, int out)
{
    const char *list[MOST_ARGUMENTS + 4] = {"git", "-C", folder};
    char *argv[MOST_ARGUMENTS + 4];
    posix_spawn_file_actions_t io;
    pid_t child;
    for (int k = 0; k < MOST_ARGUMENTS && arguments[k]; k++)
        list[3 + k] = arguments[k];
    memcpy(argv, list, sizeof argv);
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_adddup2(&io, in, 0);
    posix_spawn_file_actions_adddup2(&io, out, 1);
    posix_spawn_file_actions_addopen(&io, 2, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(&child, "git", &io, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&io);
    return error ? -error : child;
}

/* A file in memory that holds a text, to be read from its beginning; below 0: there can be none. */
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
    const int in = file_of(input);
    *text = NULL;
    if (in < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        const int error = errno;
        if (in >= 0)
            close(in);
        FAIL(MACHINE, "no pipe to git: %s", strerror(error));
    }
    const pid_t child = start(folder, arguments, in, ends[1]);
    close(in);
    close(ends[1]);
    enum err e = child > 0 ? whole_file_read_on(ends[0], "git", WHOLE_DATA, text, size) : ERR_OK;
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!e && child <= 0)
        e = err_set(ERR_ABSENT, __FILE__, __LINE__, "git cannot be started: %s", strerror(-child));
    else if (!e && status != 0)
        e = err_set(ERR_ABSENT, __FILE__, __LINE__, "git %s: %s is in no repository that has it",
                    arguments[0], folder);
    if (!e)
        return ERR_OK;
    free(*text);
    *text = NULL;
    return e;
}
