/* Fields in memory, and in mapped files. */
#include "core/base/plane.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/output_file.h"
#include "core/base/paths.h"

static const double GIB = 1024.0 * 1024.0 * 1024.0;

/* Before the numbers of each. */
struct head {
    struct head *next, **link; /* of those in files */
    size_t numbers;
    size_t bytes; /* of the mapping, this one included; 0: there is no file */
    size_t kept;  /* bytes at its beginning that are this process's alone */
    int file;     /* open while the plane may be lent; -1: a borrowed one */
};

enum { HEAD = 64, REST = 1 << 20 }; /* bytes of a head; numbers after which pages are given back */

static size_t in_files_from = (size_t)32 << 20;
static struct head *files;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static atomic_size_t touched;

void planes_in_files_from(size_t bytes)
{
    in_files_from = bytes;
}

static const char *folder(void)
{
    const char *set = getenv("TMPDIR");
    return set && *set ? set : "/var/tmp";
}

/* Bytes that the folder's disk has, some left for others. */
static double disk_room(void)
{
    struct statvfs s;
    return statvfs(folder(), &s) == 0 ? 0.9 * (double)s.f_bavail * (double)s.f_frsize : 0;
}

/* A file of so many bytes that is gone as soon as nobody has it open; its blocks are taken at once, for a mapping of them cannot
 * say that the disk is full. -1, and errno: there is none. */
static int open_file(size_t bytes)
{
    char path[PATH_LENGTH];
    if (snprintf(path, sizeof path, "%s/shoal-XXXXXX", folder()) >= PATH_LENGTH) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(path);
    if (file < 0)
        return -1;
    fcntl(file, F_SETFD, FD_CLOEXEC);
    unlink(path);
    const int error = posix_fallocate(file, 0, (off_t)bytes);
    if (!error)
        return file;
    close(file);
    errno = error;
    return -1;
}

static void enlist(struct head *h)
{
    pthread_mutex_lock(&turn);
    h->next = files;
    h->link = &files;
    if (files)
        files->link = &h->next;
    files = h;
    pthread_mutex_unlock(&turn);
}

/* Null, and errno: there is none. */
static struct head *map_file(size_t bytes)
{
    if ((double)bytes > disk_room()) {
        errno = ENOSPC;
        return NULL;
    }
    const int file = open_file(bytes);
    if (file < 0)
        return NULL;
    struct head *h = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (h == MAP_FAILED) {
        const int error = errno;
        close(file);
        errno = error;
        return NULL;
    }
    *h = (struct head){.bytes = bytes, .file = file};
    enlist(h);
    return h;
}

static void delist(struct head *h)
{
    pthread_mutex_lock(&turn);
    *h->link = h->next;
    if (h->next)
        h->next->link = h->link;
    pthread_mutex_unlock(&turn);
}

static enum err in_memory(const char *what, size_t nx, size_t ny, struct head **h)
{
    const double need = (double)nx * (double)ny * sizeof(double), room = (double)memory_available();
    *h = need <= room ? calloc(1, HEAD + nx * ny * sizeof(double)) : NULL;
    if (!*h)
        FAIL(MEMORY,
             "%s: %zu x %zu values need %.1f GiB of main memory, and %.1f GiB are free, or of a "
             "disk, and %s has %.1f GiB for it: cut out a part of it, make it coarser, or let "
             "TMPDIR name a folder with more room",
             what, nx, ny, need / GIB, room / GIB, folder(), disk_room() / GIB);
    return ERR_OK;
}

enum err plane_new(const char *what, size_t nx, size_t ny, double **p)
{
    struct head *h = NULL;
    const double need = (double)nx * (double)ny * sizeof(double);
    const size_t bytes = HEAD + nx * ny * sizeof(double);
    *p = NULL;
    if (need >= (double)in_files_from) {
        h = map_file(bytes);
        if (!h)
            log_info("%s: %.2f GiB of values stay in main memory: no file in %s takes them: %s",
                     what, need / GIB, folder(), strerror(errno));
    }
    if (!h)
        TRY(in_memory(what, nx, ny, &h));
    h->numbers = nx * ny;
    *p = (void *)((char *)h + HEAD);
    return ERR_OK;
}

static struct head *head_of(const double *p)
{
    return p ? (void *)((char *)(size_t)p - HEAD) : NULL;
}

struct plane_loan plane_lend(const double *p)
{
    const struct head *h = head_of(p);
    struct plane_loan l = {.numbers = h ? h->numbers : 0, .process = (long)getpid(), .file = -1};
    struct stat s;
    if (!h || !h->bytes || h->file < 0 || fstat(h->file, &s) != 0)
        return l;
    l.file = h->file;
    l.disk = (unsigned long)s.st_dev;
    l.node = (unsigned long)s.st_ino;
    l.bytes = h->bytes;
    return l;
}

/* Is the open file the one that is lent? Another process may have taken the lender's number. */
static int is_lent(int file, const struct plane_loan *l)
{
    struct stat s;
    return fstat(file, &s) == 0 && (unsigned long)s.st_dev == l->disk &&
           (unsigned long)s.st_ino == l->node && (size_t)s.st_size == l->bytes;
}

/* Maps it to be read, but for the page with the head: of that each process has a copy of its own. */
static struct head *map_lent(int file, size_t bytes, size_t numbers, size_t page)
{
    struct head *h = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (h == MAP_FAILED)
        return NULL;
    if (mprotect(h, page < bytes ? page : bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(h, bytes);
        return NULL;
    }
    *h = (struct head){.numbers = numbers, .bytes = bytes, .kept = page, .file = -1};
    enlist(h);
    return h;
}

int plane_borrow(const struct plane_loan *l, double **p)
{
    char path[64];
    *p = NULL;
    if (l->file < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", l->process, l->file);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    struct head *h = is_lent(file, l)
                         ? map_lent(file, l->bytes, l->numbers, (size_t)sysconf(_SC_PAGESIZE))
                         : NULL;
    close(file); /* the mapping keeps it */
    if (h)
        *p = (void *)((char *)h + HEAD);
    return h != NULL;
}

void plane_free(double *p)
{
    struct head *h = head_of(p);
    if (h && h->bytes) {
        delist(h);
        if (h->file >= 0)
            close(h->file);
        munmap(h, h->bytes);
    } else {
        free(h);
    }
}

/* No number is lost by that: pages that were written stay the file's, or were not written. */
static void give_back(void)
{
    pthread_mutex_lock(&turn);
    for (struct head *h = files; h; h = h->next)
        if (h->bytes > h->kept)
            madvise((char *)h + h->kept, h->bytes - h->kept, MADV_DONTNEED);
    pthread_mutex_unlock(&turn);
}

void planes_begin(void)
{
#ifdef __GLIBC__
    enum {
        KEPT = 64 << 20,
        SEPARATE = 32 << 20
    }; /* bytes of each thread; the most that it takes */
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, SEPARATE);
#endif
}

void planes_rest(void)
{
    give_back();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void planes_touched(size_t numbers)
{
    const size_t before = atomic_fetch_add(&touched, numbers);
    if (before / REST != (before + numbers) / REST)
        give_back();
}

void plane_hash(struct sha256 *sum, const double *p, size_t numbers)
{
    for (size_t k = 0; k < numbers; k += REST) {
        const size_t n = numbers - k < REST ? numbers - k : REST;
        sha256_update(sum, p + k, n * sizeof *p);
        planes_touched(n);
    }
}
