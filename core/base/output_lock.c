/* The lock file is deleted at the end; one left by a crash is reused. */
#include "core/base/output_lock.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/process_life.h"

#define LOCK_ENDING ".lock.tmp"

/* Is the locked file still the one of that name? Its previous holder may have deleted it since. */
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
    log_warning("'%s' cannot be locked (%s): make sure that no other run writes it", path,
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
                 "another run is writing '%s': wait until it ends, or choose another --output",
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

/* The process in ".PID-NUMBER.tmp", the end of a temporary file's name, or 0 if it is not one. */
static long writer_of(const char *rest)
{
    char *end, *last;
    if (rest[0] != '.' || !isdigit((unsigned char)rest[1]))
        return 0;
    const long pid = strtol(rest + 1, &end, 10);
    if (end[0] != '-' || !isdigit((unsigned char)end[1]))
        return 0;
    (void)strtol(end + 1, &last, 10);
    return strcmp(last, ".tmp") == 0 ? pid : 0;
}

static int is_left_behind(const char *name, const char *file, const char *ending)
{
    const size_t n = strlen(file), more = strlen(ending);
    if (strncmp(name, file, n) != 0 || strncmp(name + n, ending, more) != 0)
        return 0;
    const long pid = writer_of(name + n + more);
    return pid > 0 && process_gone(pid);
}

void outlock_clear(const struct outlock *l, const char *const endings[], int count)
{
    char folder[PATH_LENGTH], file[PATH_LENGTH];
    if (!*l->path || l->fd < 0)
        return;
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(l->path) - strlen(LOCK_ENDING)), l->path);
    char *slash = strrchr(folder, '/');
    snprintf(file, sizeof file, "%s", slash ? slash + 1 : folder);
    slash = slash ? slash + 1 : folder;
    *slash = 0;
    DIR *d = opendir(*folder ? folder : ".");
    for (const struct dirent *entry; d && (entry = readdir(d)) != NULL;)
        for (int k = 0; k < count; k++)
            if (is_left_behind(entry->d_name, file, endings[k]) &&
                unlinkat(dirfd(d), entry->d_name, 0) == 0)
                log_info("deleted %s%s, left by a run that was killed", folder, entry->d_name);
    if (d)
        closedir(d);
}
