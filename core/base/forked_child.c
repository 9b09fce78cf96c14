/* Shared memory, and questions that a child process answers. */
#include "core/base/forked_child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/signals.h"

void *forked_child_share(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void forked_child_unshare(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes);
}

int forked_child_ask(int (*ask)(void *context), void *context)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        signals_release();
        _exit(ask(context));
    }
    if (child < 0)
        return NO_CHILD;
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            return CHILD_DIED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_DIED;
}

void forked_child_begin(int parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no orphan keeps computing */
    if (getppid() != parent)
        _exit(0);
    signals_release();
}
