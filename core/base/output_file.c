/* Files that appear complete or not at all, and the messages for a full disk. */
#include "core/base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/input_files.h"

enum { OPEN_FILES = 64, TEMPORARY_LENGTH = 4096 + 64, NAMES_TRIED = 100 };

/* A signal handler may read a path while its state is KEPT. */
enum state { FREE, TAKEN, KEPT };
static struct {
    char path[TEMPORARY_LENGTH];
    atomic_int state;
} temporaries[OPEN_FILES];

/* How many files threads are creating now, and whether the process is about to end. */
static atomic_int making, ending;

/* Waits for files that other threads are creating; the interrupted thread creates no more. */
void outfile_delete_temporaries(void)
{
    const struct timespec moment = {0, 1000000};
    atomic_store(&ending, 1);
    for (int k = 0; k < 50 && atomic_load(&making) > 0; k++)
        nanosleep(&moment, NULL);
    for (int twice = 0; twice < 2; twice++) /* folders last, when they are empty */
        for (int k = 0; k < OPEN_FILES; k++)
            if (atomic_load(&temporaries[k].state) == KEPT && unlink(temporaries[k].path) != 0)
                rmdir(temporaries[k].path);
}

int outfile_make(const char *path, mode_t mode)
{
    atomic_fetch_add(&making, 1);
    if (atomic_load(&ending)) {
        atomic_fetch_sub(&making, 1);
        for (;;)
            pause();
    }
    outfile_remember(path);
    const int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode), error = errno;
    if (fd < 0)
        outfile_forget(path);
    atomic_fetch_sub(&making, 1);
    errno = error;
    return fd;
}

void outfile_remember(const char *path)
{
    for (int k = 0; k < OPEN_FILES && strlen(path) < TEMPORARY_LENGTH; k++) {
        int state = FREE;
        if (!atomic_compare_exchange_strong(&temporaries[k].state, &state, TAKEN))
            continue;
        memcpy(temporaries[k].path, path, strlen(path) + 1);
        atomic_store(&temporaries[k].state, KEPT);
        return;
    }
}

void outfile_forget(const char *path)
{
    for (int k = 0; k < OPEN_FILES; k++) {
        int state = KEPT;
        if (atomic_load(&temporaries[k].state) == KEPT && strcmp(temporaries[k].path, path) == 0)
            atomic_compare_exchange_strong(&temporaries[k].state, &state, FREE);
    }
}

enum err outfile_cannot(const char *path, const char *beside, int error, const char *reason)
{
    struct statvfs disk;
    const int known = statvfs(beside, &disk) == 0;
    const double megabytes = known ? (double)disk.f_bavail * (double)disk.f_frsize / 1e6 : 0;
    char room[32] = "";
    if (known)
        snprintf(room, sizeof room, " (%.0f MB free)", megabytes);
    if (error == EFBIG)
        FAIL(MACHINE,
             "cannot write '%s': file too large for the file system, or for the limit that "
             "'ulimit -f' shows: write less, or choose another place",
             path);
    if (error == ENOSPC || error == EDQUOT || (known && megabytes < 1))
        FAIL(MACHINE,
             "cannot write '%s': %s%s: free some space, write less, or choose another place", path,
             strerror(error == EDQUOT ? EDQUOT : ENOSPC), room);
    FAIL(MACHINE, "cannot write '%s': %s%s%s: choose another place", path, reason,
         error ? ": " : "", error ? strerror(error) : "");
}

enum err outfile_failed(const struct outfile *f, int error, const char *reason)
{
    (void)outfile_cannot(f->path, f->temporary ? f->temporary : f->path, error, reason);
    return ERR_MACHINE; /* so that analysers see that it is not ERR_OK */
}

int outfile_refusal(const struct outfile *f)
{
    enum { PIECE = 1 << 16, PIECES = 16 };
    static const char more[PIECE];
    const int fd = f->temporary ? open(f->temporary, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    int error = 0;
    for (int k = 0; fd >= 0 && k < PIECES && !error; k++)
        if (write(fd, more, sizeof more) < 0) /* it reports why the previous write was short */
            error = errno;
    if (fd >= 0)
        close(fd);
    return error;
}

static enum err open_failed(const struct outfile *f, int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        FAIL(USAGE, "the folder of output '%s' does not exist: create it first", f->path);
    case EACCES:
    case EPERM:
    case EROFS:
        FAIL(USAGE, "output '%s' cannot be written into its folder: %s: choose another one",
             f->path, strerror(error));
    case ENAMETOOLONG:
        FAIL(USAGE, "the name of output '%s' is too long", f->path);
    default:
        return outfile_failed(f, error, "no temporary file can be created beside it");
    }
}

static enum err open_temporary(struct outfile *f, const char *place)
{
    size_t room = strlen(place) + 64;
    f->temporary = malloc(room);
    if (!f->temporary)
        FAIL(MEMORY, "no memory to write '%s'", f->path);
    for (int k = 0;; k++) {
        snprintf(f->temporary, room, "%s.%ld-%d.tmp", place, (long)getpid(), k);
        const int fd = outfile_make(f->temporary, 0666);
        if (fd >= 0) {
            close(fd);
            return ERR_OK;
        }
        if (errno != EEXIST || k == NAMES_TRIED) {
            enum err e = open_failed(f, errno);
            free(f->temporary); /* it is not ours to delete */
            f->temporary = NULL;
            return e;
        }
    }
}

enum err outfile_create(struct outfile *f, const char *path)
{
    enum err e = ERR_OK;
    char place[PATH_LENGTH];
    *f = (struct outfile){0};
    TRY(outfile_find_place(path, place));
    f->path = strdup(path);
    if (!f->path)
        FAIL(MEMORY, "no memory to write '%s'", path);
    TRY_OUT(open_temporary(f, place));
    return ERR_OK;
out:
    outfile_discard(f);
    return e;
}

static void release(struct outfile *f)
{
    if (f->temporary)
        outfile_forget(f->temporary);
    free(f->temporary);
    free(f->path);
    *f = (struct outfile){0};
}

/* Some file systems report a full disk only when data reach it. */
static enum err flush(const char *written, const char *path)
{
    int fd = open(written, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0 && close(fd) != 0 && !error)
        error = errno;
    return error ? outfile_cannot(path, written, error, "the data do not reach the disk") : ERR_OK;
}

enum err outfile_flush(const struct outfile *f)
{
    return flush(f->temporary, f->path);
}

enum err outfile_move(const char *written, const char *path)
{
    char place[PATH_LENGTH];
    TRY(outfile_resolve(path, place));
    TRY(input_files_check(place));
    TRY(flush(written, path));
    if (rename(written, place) != 0)
        return outfile_cannot(path, written, errno,
                              "the complete file cannot be moved to its place");
    return ERR_OK;
}

enum err outfile_publish(struct outfile *f)
{
    const enum err e = outfile_move(f->temporary, f->path);
    if (e)
        outfile_discard(f);
    else
        release(f);
    return e;
}

void outfile_discard(struct outfile *f)
{
    if (f->temporary)
        unlink(f->temporary);
    release(f);
}

static enum err give_up(struct outfile *f, int error)
{
    (void)outfile_failed(f, error, "writing failed");
    outfile_discard(f);
    return ERR_MACHINE; /* as in outfile_failed: so that analysers see that it is not ERR_OK */
}

enum err outfile_open(struct outfile *f, const char *path, FILE **stream)
{
    TRY(outfile_create(f, path));
    /* It has a name: only analysers do not see that. */
    *stream = f->temporary ? fopen(f->temporary, "w") : NULL;
    return *stream ? ERR_OK : give_up(f, errno);
}

enum err outfile_close(struct outfile *f, FILE *stream)
{
    int bad = ferror(stream), error = errno;
    if (fclose(stream) != 0 && !bad) {
        bad = 1;
        error = errno;
    }
    return bad ? give_up(f, error) : outfile_publish(f);
}

enum err outfile_print(const char *path, void (*print)(FILE *f, const void *context),
                       const void *context)
{
    struct outfile out;
    FILE *f;
    TRY(outfile_open(&out, path, &f));
    print(f, context);
    return outfile_close(&out, f);
}
