/* The file that is locked is deleted at the end; one that a crash has left is taken over. */
#include "core/base/output_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/log.h"

#define LOCK_ENDING ".lock.tmp"

/* Is the file that was locked still the one of that name? Who had it before may have deleted it since. */
static int is_current(const struct outlock *l)
{
    struct stat ours, there;
    return fstat(l->fd, &ours) == 0 && stat(l->path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

static enum err cannot_lock(struct outlock *l, const char *path, int error)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
    log_warning("'%s' cannot be locked (%s): see to it that no other run writes it", path,
                strerror(error));
    return ERR_OK;
}

enum err outlock_take(struct outlock *l, const char *path)
{
    char place[PATH_LENGTH];
    *l = (struct outlock){.fd = -1};
    TRY(outfile_find_place(path, place));
    if (snprintf(l->path, sizeof l->path, "%s" LOCK_ENDING, place) >= PATH_LENGTH)
        FAIL(USAGE, "the name of output '%s' is too long", path);
    for (;;) {
        l->fd = open(l->path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (l->fd < 0)
            return cannot_lock(l, path, errno);
        const int error = flock(l->fd, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
        if (error == EWOULDBLOCK) {
            close(l->fd);
            l->fd = -1;
            FAIL(USAGE,
                 "another run is writing '%s': wait until it has ended, or choose another --output",
                 path);
        }
        if (error) {
            unlink(l->path);
            return cannot_lock(l, path, error);
        }
        if (is_current(l)) {
            outfile_remember(l->path);
            return ERR_OK;
        }
        close(l->fd);
    }
}

void outlock_release(struct outlock *l)
{
    if (!*l->path || l->fd < 0)
        return;
    unlink(l->path);
    outfile_forget(l->path);
    close(l->fd);
    l->fd = -1;
}
