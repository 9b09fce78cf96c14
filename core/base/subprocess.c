/* Starts other programs, feeds them, and keeps their error output. */
#include "core/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/whole_file.h"

/* The id of the last one started and of its group, which includes what a script starts; 0: it has
 * ended. */
static volatile sig_atomic_t at_work;

enum { MESSAGE = 1024 };

/* This process's environment, but in English; the caller frees it. */
static char **english_environment(void)
{
    static char english[] = "LC_ALL=C";
    int n = 0;
    while (environ[n])
        n++;
    char **list = calloc((size_t)n + 2, sizeof *list);
    if (!list)
        return NULL;
    list[0] = english;
    for (int k = 0, to = 1; k < n; k++)
        if (strncmp(environ[k], "LC_ALL=", 7) != 0 && strncmp(environ[k], "LANGUAGE=", 9) != 0)
            list[to++] = environ[k];
    return list;
}

int program_spawn(const char *const argv[], const struct program_ends *ends, pid_t *pid)
{
    const int given[] = {ends->in, ends->out, ends->err};
    char *const *list = NULL, **english = ends->in_english ? english_environment() : NULL;
    posix_spawn_file_actions_t io;
    posix_spawnattr_t attributes;
    if (!argv[0] || (ends->in_english && !english))
        return argv[0] ? ENOMEM : EINVAL;
    memcpy(&list, &argv, sizeof list); /* POSIX omits a const here */
    posix_spawn_file_actions_init(&io);
    for (int k = 0; k < 3; k++)
        if (given[k] > 0)
            posix_spawn_file_actions_adddup2(&io, given[k], k);
        else
            posix_spawn_file_actions_addopen(&io, k, "/dev/null", k ? O_WRONLY : O_RDONLY, 0);
    if (ends->folder)
        posix_spawn_file_actions_addchdir_np(&io, ends->folder);
    posix_spawnattr_init(&attributes);
    if (ends->held)
        posix_spawnattr_setsigmask(&attributes, ends->held);
    posix_spawnattr_setflags(&attributes, (short)((ends->apart ? POSIX_SPAWN_SETPGROUP : 0) |
                                                  (ends->held ? POSIX_SPAWN_SETSIGMASK : 0)));
    const int error =
        posix_spawnp(pid, argv[0], &io, &attributes, list, english ? english : environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&io);
    free(english);
    return error;
}

int program_wait(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static void forget(struct program *p)
{
    if (p->to)
        fclose(p->to);
    if (p->said > 0)
        close(p->said);
    *p = (struct program){.name = p->name};
}

/* A signal comes either before the start or after the id is known. */
static int spawn_at_work(const char *const argv[], const struct program_ends *ends, pid_t *pid)
{
    sigset_t all, before;
    struct program_ends with = *ends;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    with.held = &before;
    const int rc = program_spawn(argv, &with, pid);
    if (!rc)
        at_work = *pid;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

static enum err start(struct program *p, const char *const argv[], const char *folder, int fed,
                      int out, const char *package)
{
    int ends[2] = {-1, -1};
    *p = (struct program){.name = argv[0]};
    p->said = memfd_create("messages", MFD_CLOEXEC);
    if (p->said < 0 || (fed && pipe2(ends, O_CLOEXEC) != 0)) {
        const int error = errno;
        forget(p);
        FAIL(MACHINE, "%s cannot be started: %s", argv[0], strerror(error));
    }
    const int rc =
        spawn_at_work(argv,
                      &(struct program_ends){
                          .in = ends[0], .out = out, .err = p->said, .folder = folder, .apart = 1},
                      &p->pid);
    if (fed) {
        close(ends[0]);
        p->to = fdopen(ends[1], "w");
    }
    if (!rc && (!fed || p->to))
        return ERR_OK;
    if (!rc)
        program_kill(p);
    p->pid = 0;
    forget(p);
    FAIL(ABSENT, "%s cannot be started (%s): on Debian or Ubuntu, install the package %s", argv[0],
         strerror(rc ? rc : errno), package);
}

enum err program_start(struct program *p, const char *const argv[], const char *folder, int fed,
                       const char *package)
{
    return start(p, argv, folder, fed, 0, package);
}

/* The end of its error output, on one line. */
static void last_words(const struct program *p, char text[MESSAGE])
{
    const off_t length = lseek(p->said, 0, SEEK_END);
    const off_t from = length > MESSAGE - 1 ? length - (MESSAGE - 1) : 0;
    const ssize_t got = pread(p->said, text, MESSAGE - 1, from);
    size_t used = 0;
    for (ssize_t k = 0; k < got; k++) { /* control characters must not reach a terminal */
        char c = text[k];
        if ((unsigned char)c < ' ')
            c = ' ';
        if (c != ' ' || (used && text[used - 1] != ' '))
            text[used++] = c;
    }
    text[used] = '\0';
}

static int wait_for(struct program *p)
{
    const int status = program_wait(p->pid);
    at_work = 0;
    p->pid = 0;
    return status;
}

enum err program_end(struct program *p)
{
    int taken = 1;
    char said[MESSAGE];
    if (p->to) {
        taken = !ferror(p->to);
        if (fclose(p->to) != 0)
            taken = 0;
        p->to = NULL;
    }
    const int status = wait_for(p);
    last_words(p, said);
    forget(p);
    if (WIFSIGNALED(status))
        FAIL(MACHINE, "%s was killed by signal %d: %s", p->name, WTERMSIG(status), said);
    if (status || !taken)
        FAIL(MACHINE, "%s failed: %s", p->name, *said ? said : "it gives no reason");
    return ERR_OK;
}

enum err program_read(const char *const argv[], const char *package, char **text, size_t *size)
{
    struct program p;
    *text = NULL;
    const int out = memfd_create("output", MFD_CLOEXEC);
    if (out < 0)
        FAIL(MACHINE, "%s cannot be started: %s", argv[0], strerror(errno));
    enum err e = start(&p, argv, NULL, 0, out, package);
    if (!e)
        e = program_end(&p);
    if (!e && lseek(out, 0, SEEK_SET) == 0)
        e = whole_file_read_on(out, argv[0], WHOLE_TEXT, text, size);
    close(out);
    return e;
}

void program_kill(struct program *p)
{
    if (p->pid > 0) {
        kill(-p->pid, SIGKILL);
        (void)wait_for(p);
    }
    forget(p);
}

void program_interrupt(void)
{
    if (at_work > 0)
        kill(-at_work, SIGKILL);
}
