/* Loaded before a program with LD_PRELOAD: counts the calls by which it changes files, and at one of
 * them ends it or fails as a disk would. What is to happen stands in the environment:
 *
 *     SHOAL_FAULT         ACTION NUMBER, of calls counted from 1
 *         kill            ends the process before the call does anything
 *         int             the process gets SIGINT, as by Ctrl-C
 *         tear            as kill, but half of the data of a write are in the file
 *         short           a write takes half of the data, and says so
 *         28 (or another) the call fails with this errno, here ENOSPC; later ones do not
 *         full            the call and all after it that take room on a disk fail with ENOSPC
 *     SHOAL_FAULT_REPORT  a file of the size of struct fault_report, shared by all processes
 *
 * SHOAL_NO_LOCKS: no file can be locked.
 *
 * Counted are the calls that the action can meet, in processes called "shoal". */
#include "tests/support/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a call does. */
enum { NAMES = 1, CONTENT = 2, WRITES = 4, REMOVALS = 8 };

enum { KILL = -1, TEAR = -2, SHORT = -3, FULL = -4, INTERRUPT = -5, FILES = 1024 };

static struct fault_report *report;
static int action, number, met;
static char written[FILES]; /* is this descriptor of a file that is written? */

/* Parameters of the C library's own declarations have reserved names. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* Defines `real`: the C library's function of this name, or a sanitizer's. */
#define REAL(name)                                  \
    static __typeof__(&name) real;                  \
    if (!real) {                                    \
        void *found = dlsym(RTLD_NEXT, #name);      \
        memcpy((void *)&real, &found, sizeof real); \
    }

static void read_action(const char *word)
{
    static const struct {
        const char *word;
        int action, met;
    } all[] = {{"kill", KILL, NAMES | CONTENT | WRITES | REMOVALS},
               {"int", INTERRUPT, NAMES | CONTENT | WRITES | REMOVALS},
               {"tear", TEAR, WRITES},
               {"short", SHORT, WRITES},
               {"full", FULL, NAMES | CONTENT | WRITES}};
    action = (int)strtol(word, NULL, 10);
    met = action == EACCES ? NAMES : NAMES | CONTENT | WRITES;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(word, all[k].word) == 0) {
            action = all[k].action;
            met = all[k].met;
        }
}

__attribute__((constructor)) static void set_up(void)
{
    const char *fault = getenv("SHOAL_FAULT"), *file = getenv("SHOAL_FAULT_REPORT");
    const char *blank = fault ? strchr(fault, ' ') : NULL;
    char word[16];
    if (!blank || !file || strcmp(program_invocation_short_name, "shoal") != 0)
        return;
    snprintf(word, sizeof word, "%.*s", (int)(blank - fault), fault);
    number = (int)strtol(blank, NULL, 10);
    read_action(word);
    const int fd = open(file, O_RDWR | O_CLOEXEC);
    void *shared = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared != MAP_FAILED)
        report = shared;
}

/* Does the fault meet this call? Then what it is: an errno, TEAR or SHORT. */
static int meets(int kind, const char *call, const char *path)
{
    if (!report || !(met & kind))
        return 0;
    const int now = __atomic_add_fetch(&report->calls, 1, __ATOMIC_SEQ_CST);
    if (now < number || (now > number && action != FULL))
        return 0;
    if (now == number)
        snprintf(report->at, sizeof report->at, "%s %s", call, path);
    if (action == KILL || action == INTERRUPT)
        kill(getpid(), action == KILL ? SIGKILL : SIGINT);
    if (action == INTERRUPT)
        return 0;
    return action == FULL ? ENOSPC : action;
}

static int fails(int kind, const char *call, const char *path)
{
    const int error = meets(kind, call, path);
    if (error)
        errno = error;
    return error;
}

static int is_file(int fd)
{
    return fd >= 0 && fd < FILES && written[fd];
}

static int note(int fd, int yes)
{
    if (fd >= 0 && fd < FILES)
        written[fd] = (char)yes;
    return fd;
}

static int is_change(const char *path, int flags)
{
    return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) && strncmp(path, "/dev/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0;
}

#define DEFINE_OPEN(name)                                             \
    int name(const char *path, int flags, ...)                        \
    {                                                                 \
        REAL(name)                                                    \
        mode_t mode = 0;                                              \
        if (flags & O_CREAT) {                                        \
            va_list list;                                             \
            va_start(list, flags);                                    \
            mode = va_arg(list, mode_t);                              \
            va_end(list);                                             \
        }                                                             \
        if (is_change(path, flags) && fails(NAMES, "open", path))     \
            return -1;                                                \
        return note(real(path, flags, mode), is_change(path, flags)); \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

/* Files that are written: whether a disk has said since that it has all of it. */
static struct {
    dev_t device;
    ino_t number;
    int dirty;
} files[FILES];

static void set_dirty(const struct stat *s, int dirty)
{
    int k = 0;
    while (k < FILES - 1 && files[k].number &&
           (files[k].device != s->st_dev || files[k].number != s->st_ino))
        k++;
    files[k].device = s->st_dev;
    files[k].number = s->st_ino;
    files[k].dirty = dirty;
}

/* What another program has written is not known. */
static int is_dirty(const struct stat *s)
{
    for (int k = 0; k < FILES; k++)
        if (files[k].device == s->st_dev && files[k].number == s->st_ino)
            return files[k].dirty;
    return 1;
}

/* How much of a write is done; below 0: none, with errno. */
static ssize_t allowed(int fd, const char *call, size_t n)
{
    const int what = is_file(fd) ? meets(WRITES, call, "") : 0;
    struct stat s;
    if (report && is_file(fd) && fstat(fd, &s) == 0)
        set_dirty(&s, 1);
    if (what > 0) {
        errno = what;
        return -1;
    }
    return (ssize_t)(what == TEAR || (what == SHORT && n > 1) ? n / 2 : n);
}

/* After a torn write nothing follows. */
static ssize_t done(ssize_t n, size_t wanted)
{
    if (action == TEAR && n >= 0 && (size_t)n < wanted)
        kill(getpid(), SIGKILL);
    return n;
}

ssize_t write(int fd, const void *data, size_t n)
{
    REAL(write)
    const ssize_t m = allowed(fd, "write", n);
    return m < 0 ? m : done(real(fd, data, (size_t)m), n);
}

#define DEFINE_PWRITE(name, offset)                                \
    ssize_t name(int fd, const void *data, size_t n, offset at)    \
    {                                                              \
        REAL(name)                                                 \
        const ssize_t m = allowed(fd, #name, n);                   \
        return m < 0 ? m : done(real(fd, data, (size_t)m, at), n); \
    }
DEFINE_PWRITE(pwrite, off_t)
DEFINE_PWRITE(pwrite64, off64_t)

#define DEFINE_FTRUNCATE(name, offset)                      \
    int name(int fd, offset size)                           \
    {                                                       \
        REAL(name)                                          \
        if (is_file(fd) && fails(CONTENT, "ftruncate", "")) \
            return -1;                                      \
        return real(fd, size);                              \
    }
DEFINE_FTRUNCATE(ftruncate, off_t)
DEFINE_FTRUNCATE(ftruncate64, off64_t)

/* Of a file opened for reading, too: a disk says then that data never reached it. */
int fsync(int fd)
{
    REAL(fsync)
    const int rc = fails(CONTENT, "fsync", "") ? -1 : real(fd);
    struct stat s;
    if (rc == 0 && report && fstat(fd, &s) == 0)
        set_dirty(&s, 0);
    return rc;
}

/* It is closed even where that fails. */
int close(int fd)
{
    REAL(close)
    const int error = is_file(fd) ? meets(CONTENT, "close", "") : 0;
    note(fd, 0);
    const int closed = real(fd);
    if (error)
        errno = error;
    return error ? -1 : closed;
}

/* As the C library does, it goes on after a short write. */
static ssize_t stream_write(void *fd, const char *data, size_t n)
{
    size_t had = 0;
    for (ssize_t m = 1; had < n && m > 0; had += m > 0 ? (size_t)m : 0)
        m = write(*(int *)fd, data + had, n - had);
    return (ssize_t)had;
}

static int stream_close(void *fd)
{
    const int closed = close(*(int *)fd);
    free(fd);
    return closed;
}

/* A stream's own calls stay within the C library: one that writes gets others. */
static FILE *open_stream(const char *path, const char *mode)
{
    const int way = *mode == 'w' ? O_TRUNC : O_APPEND;
    int *fd = malloc(sizeof *fd);
    *fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | way, 0666);
    if (*fd >= 0)
        return fopencookie(fd, "w",
                           (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    free(fd);
    return NULL;
}

#define DEFINE_FOPEN(name)                                                                   \
    FILE *name(const char *path, const char *mode)                                           \
    {                                                                                        \
        REAL(name)                                                                           \
        return report && *mode != 'r' && is_change(path, O_WRONLY) ? open_stream(path, mode) \
                                                                   : real(path, mode);       \
    }
DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)

int mkstemps(char *path, int suffix)
{
    REAL(mkstemps)
    return fails(NAMES, "open", path) ? -1 : note(real(path, suffix), 1);
}

char *mkdtemp(char *path)
{
    REAL(mkdtemp)
    return fails(NAMES, "mkdir", path) ? NULL : real(path);
}

/* Making a folder that is there changes nothing. */
int mkdir(const char *path, mode_t mode)
{
    REAL(mkdir)
    struct stat s;
    return stat(path, &s) != 0 && fails(NAMES, "mkdir", path) ? -1 : real(path, mode);
}

int rename(const char *from, const char *to)
{
    REAL(rename)
    struct stat s;
    if (report && stat(from, &s) == 0 && S_ISREG(s.st_mode) && is_dirty(&s))
        __atomic_add_fetch(&report->unsynced, 1, __ATOMIC_SEQ_CST);
    return fails(NAMES, "rename", to) ? -1 : real(from, to);
}

/* As on a file system that has no locks. */
int flock(int fd, int how)
{
    REAL(flock)
    if (getenv("SHOAL_NO_LOCKS")) {
        errno = ENOLCK;
        return -1;
    }
    return real(fd, how);
}

int unlink(const char *path)
{
    REAL(unlink)
    return fails(REMOVALS, "unlink", path) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags)
{
    REAL(unlinkat)
    return fails(REMOVALS, "unlink", path) ? -1 : real(folder, path, flags);
}

int rmdir(const char *path)
{
    REAL(rmdir)
    return fails(REMOVALS, "rmdir", path) ? -1 : real(path);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
