/* The folder of compiled kernels. Files appear and vanish whole; a caller whose entry vanishes
 * between look-up and load compiles it again. */
#include "core/compile/cache.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/output_file.h"
#include "core/base/paths.h"
#include "core/compile/recipe.h"
#include "core/base/file_checksum.h"

#define TEMPORARY ".tmp"
#define PLACE     "the cache of compiled kernels (SHOAL_CACHE names its folder)"

enum {
    DEFAULT_MB = 512,
    KEEP_PERCENT = 80,    /* pruning goes down to this share, so that not every entry causes it */
    IN_USE_SECONDS = 60,  /* another process may be about to load it */
    STALE_SECONDS = 3600, /* no compiler runs that long: its process is gone */
};

struct entry {
    char name[256];
    time_t used;
    off_t size;
};

struct entries {
    struct entry *list;
    size_t count, room;
    off_t size;
};

enum err cache_lookup(const char *key, const char *suffix, char *path, int *found)
{
    const char *cache;
    TRY(paths_cache(&cache));
    if (snprintf(path, PATH_LENGTH, "%s/%s%s", cache, key, suffix) >= PATH_LENGTH)
        FAIL(INPUT, "%s: the path is too long for the cache; set SHOAL_CACHE to a shorter one",
             cache);
    struct stat s;
    *found = stat(path, &s) == 0 && S_ISREG(s.st_mode);
    if (*found)
        utimensat(AT_FDCWD, path, NULL, 0);
    return ERR_OK;
}

/* An entry's identity: its name, without the folder. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Compiled kernels are executed: nobody else may have written one. */
static int is_safe(int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && (s.st_uid == geteuid() || s.st_uid == 0) &&
           !(s.st_mode & (S_IWGRP | S_IWOTH));
}

enum err cache_open(const char *path, int *fd)
{
    *fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        FAIL(MACHINE, "%s: cannot be opened: %s", path, strerror(errno));
    const enum checksum found =
        *fd >= 0 && is_safe(*fd) ? checksum_check_open(*fd, name_of(path)) : CHECKSUM_MISSING;
    const int error = errno;
    if (found == CHECKSUM_GOOD)
        return ERR_OK;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    if (found == CHECKSUM_UNREADABLE)
        FAIL(MACHINE, "%s: cannot be read: %s", path, strerror(error));
    unlink(path);
    return ERR_OK;
}

enum err cache_failed(const char *path, int error, const char *reason)
{
    const enum err e = outfile_cannot(path, path, error, reason);
    err_context(PLACE);
    return e;
}

enum err cache_temporary(const char *path, char *temporary)
{
    static atomic_uint made;
    for (;;) {
        if (snprintf(temporary, PATH_LENGTH, "%s.%ld-%u" TEMPORARY, path, (long)getpid(),
                     atomic_fetch_add(&made, 1)) >= PATH_LENGTH)
            FAIL(INPUT, "%s: the path is too long; set SHOAL_CACHE to a shorter one", path);
        const int fd = outfile_make(temporary, 0600);
        if (fd >= 0) {
            close(fd);
            return ERR_OK;
        }
        if (errno != EEXIST) /* left by a killed process with this number */
            return cache_failed(path, errno, "no temporary file can be created beside it");
    }
}

void cache_discard(const char *temporary)
{
    unlink(temporary);
    outfile_forget(temporary);
}

/* The largest size the cache may have, bytes. */
static enum err bound(off_t *bytes)
{
    const char *set = getenv("SHOAL_CACHE_MB");
    long megabytes = DEFAULT_MB;
    if (set && *set) {
        char *end;
        errno = 0;
        megabytes = strtol(set, &end, 10);
        if (errno || *end || end == set || megabytes < 0 || megabytes > 1 << 30)
            FAIL(INPUT, "SHOAL_CACHE_MB=%s: expected the cache's size in MB as a whole number",
                 set);
    }
    *bytes = (off_t)megabytes * 1000000;
    return ERR_OK;
}

/* Is it one of our files? Others in the folder stay untouched. */
static int is_ours(const char *name)
{
    for (int k = 0; k < KEY_LENGTH; k++)
        if (!isxdigit((unsigned char)name[k]))
            return 0;
    return 1;
}

static enum err append(struct entries *e, const char *name, const struct stat *s)
{
    if (e->count == e->room) {
        size_t room = e->room ? 2 * e->room : 256;
        struct entry *list = realloc(e->list, room * sizeof *list);
        if (!list)
            FAIL(MEMORY, "no memory to list the cache");
        e->list = list;
        e->room = room;
    }
    struct entry *new = &e->list[e->count++];
    snprintf(new->name, sizeof new->name, "%s", name);
    new->used = s->st_mtime;
    new->size = s->st_size;
    e->size += s->st_size;
    return ERR_OK;
}

/* Lists the entries and removes what killed compilations left. */
static enum err take_stock(DIR *folder, struct entries *e, time_t now)
{
    for (struct dirent *d = readdir(folder); d; d = readdir(folder)) {
        struct stat s;
        if (!is_ours(d->d_name) || fstatat(dirfd(folder), d->d_name, &s, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(s.st_mode))
            continue;
        if (!strstr(d->d_name, TEMPORARY))
            TRY(append(e, d->d_name, &s));
        else if (now - s.st_mtime > STALE_SECONDS)
            unlinkat(dirfd(folder), d->d_name, 0);
    }
    return ERR_OK;
}

static int by_last_use(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* What this process knows of a cache's size without listing it again. */
static struct {
    pthread_mutex_t lock;
    char folder[PATH_LENGTH];
    off_t most, room, added; /* bytes: the limit; up to it when the cache was listed; since then */
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Is there room for a new entry, even if several other processes have added as much since? A listing takes as long as
 * thousands of entries are looked at. */
static int has_room(const char *folder, off_t most, off_t bytes)
{
    enum { OTHERS = 8 };
    pthread_mutex_lock(&known.lock);
    known.added += bytes;
    const int yes = known.most == most && strcmp(known.folder, folder) == 0 &&
                    known.added < known.room / OTHERS;
    pthread_mutex_unlock(&known.lock);
    return yes;
}

static void remember(const char *folder, off_t most, off_t room)
{
    pthread_mutex_lock(&known.lock);
    snprintf(known.folder, sizeof known.folder, "%s", folder);
    known.most = most;
    known.room = room;
    known.added = 0;
    pthread_mutex_unlock(&known.lock);
}

static enum err prune(const char *path, off_t bytes, off_t most)
{
    enum err e = ERR_OK;
    struct entries all = {0};
    char name[PATH_LENGTH];
    snprintf(name, sizeof name, "%s", path);
    char *slash = strrchr(name, '/');
    if (slash)
        *slash = 0;
    const char *const where = slash ? name : ".";
    if (has_room(where, most, bytes))
        return ERR_OK;
    DIR *folder = opendir(where);
    if (!folder)
        FAIL(MACHINE, "%s: cannot be listed: %s", name, strerror(errno));
    time_t now = time(NULL);
    TRY_OUT(take_stock(folder, &all, now));
    remember(where, most, most - all.size);
    if (!all.list || all.size <= most)
        goto out;
    qsort(all.list, all.count, sizeof *all.list, by_last_use);
    for (size_t k = 0; k < all.count && all.size > most / 100 * KEEP_PERCENT; k++) {
        if (now - all.list[k].used < IN_USE_SECONDS)
            break;
        unlinkat(dirfd(folder), all.list[k].name, 0);
        all.size -= all.list[k].size;
    }
out:
    free(all.list);
    closedir(folder);
    return e;
}

/* The umask may let linkers make files that others can write to. */
static enum err add_checksum(const char *temporary, const char *path, off_t *size)
{
    struct stat s = {0};
    int error = stat(temporary, &s) != 0 ? errno : checksum_append(temporary, name_of(path));
    *size = s.st_size;
    if (!error && chmod(temporary, s.st_mode & 0755) != 0)
        error = errno;
    return error ? cache_failed(path, error, "its digest cannot be added") : ERR_OK;
}

enum err cache_publish(const char *temporary, const char *path)
{
    off_t most = 0, size = 0;
    enum err e = bound(&most);
    if (!e)
        e = add_checksum(temporary, path, &size);
    if (e) {
        cache_discard(temporary);
        return e;
    }
    e = outfile_move(temporary, path);
    if (e) {
        err_context(PLACE);
        cache_discard(temporary);
        return e;
    }
    outfile_forget(temporary);
    return prune(path, size, most);
}

void cache_mark(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}
