/* Starts programs and waits for them. */
#include "experiments/measure/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 127 };

enum err program_self(char path[PATH_LENGTH])
{
    const ssize_t n = readlink("/proc/self/exe", path, PATH_LENGTH - 1);
    if (n < 0)
        FAIL(MACHINE, "/proc/self/exe: %s", strerror(errno));
    path[n] = '\0';
    return ERR_OK;
}

/* In the child of a process that may have threads: nothing here takes a lock or memory. */
static void become(char *const argv[], const char *output, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(CANNOT_START);
    const int nothing = open("/dev/null", O_RDONLY);
    const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (dup2(nothing, 0) < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0)
        _exit(CANNOT_START);
    execv(argv[0], argv);
    _exit(CANNOT_START);
}

enum err program_run(char *const argv[], const char *output, int *status)
{
    int how;
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(argv, output, parent);
    if (child < 0)
        FAIL(MACHINE, "no process for %s: %s", argv[0], strerror(errno));
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            FAIL(MACHINE, "waiting for %s: %s", argv[0], strerror(errno));
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return ERR_OK;
}
