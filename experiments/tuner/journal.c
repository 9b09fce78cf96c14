/* The files of journals: created, found, locked, appended to and read back. */
#include "experiments/tuner/journal.h"

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
#include "core/base/sha256.h"
#include "core/base/whole_file.h"
#include "core/registry/registry.h"
#include "experiments/measure/environment.h"

#define FIRST_WORD "shoal-tuning-journal-2"
#define NAME_START "tune-"
#define NAME_END   ".journal"

/* The first line, which is readable text. */
enum { HEAD = sizeof FIRST_WORD + DB_HASH + DB_VALUE + 4 };

/* The journal keeps the bytes of a trial from here up to its last timing. */
enum { KEPT = offsetof(struct trial, sequence), LEAST = offsetof(struct trial, us) - KEPT };

/* The header in front of them. */
struct record {
    char sum[SHA256_DIGITS + 1]; /* of the record with none, and of the trial's bytes */
    char kernel[64];
    struct block block;
    size_t bytes; /* of the trial */
};

struct journal {
    int fd;     /* locked */
    off_t size; /* of the valid part */
    char path[PATH_LENGTH];
};

static void digest(struct record *r, const char *trial, char sum[SHA256_DIGITS + 1])
{
    struct sha256 s;
    memset(r->sum, 0, sizeof r->sum);
    sha256_init(&s);
    sha256_update(&s, r, sizeof *r);
    sha256_update(&s, trial, r->bytes);
    sha256_final(&s, sum);
}

/* In one call: a killed process leaves all of it, or its beginning at the end of the file. */
static enum err append(struct journal *j, const void *bytes, size_t size)
{
    ssize_t n;
    do {
        n = pwrite(j->fd, bytes, size, j->size);
    } while (n < 0 && errno == EINTR);
    if (n == (ssize_t)size) {
        j->size += n;
        return ERR_OK;
    }
    FAIL(MACHINE, "cannot write %s: %s; free some space, then continue with --resume", j->path,
         strerror(n < 0 ? errno : ENOSPC));
}

enum err journal_keep(struct journal *j, const struct trial *t)
{
    const char *trial = (const char *)t + KEPT;
    char text[sizeof(struct record) + sizeof *t], sum[SHA256_DIGITS + 1];
    struct record r;
    memset(&r, 0, sizeof r);
    snprintf(r.kernel, sizeof r.kernel, "%s", t->recipe.kernel->name);
    r.block = t->recipe.block;
    r.bytes = LEAST + (size_t)t->timings * sizeof *t->us;
    digest(&r, trial, sum);
    memcpy(r.sum, sum, sizeof sum);
    memcpy(text, &r, sizeof r);
    memcpy(text + sizeof r, trial, r.bytes);
    return append(j, text, sizeof r + r.bytes);
}

static int print_head(const struct journal_head *head, char text[HEAD])
{
    return snprintf(text, HEAD, "%s\t%s\t%s\n", FIRST_WORD, head->environment, head->what);
}

static int has_head(const struct journal *j, const struct journal_head *head)
{
    char wanted[HEAD], text[HEAD];
    const int n = print_head(head, wanted);
    return pread(j->fd, text, (size_t)n, 0) == n && memcmp(text, wanted, (size_t)n) == 0;
}

static enum err path_of(const char *name, char path[PATH_LENGTH])
{
    const char *cache;
    TRY(paths_cache(&cache));
    if (snprintf(path, PATH_LENGTH, "%s/%s", cache, name) >= PATH_LENGTH)
        FAIL(INPUT, "%s: too long a path for a journal; set SHOAL_CACHE to a shorter one", cache);
    return ERR_OK;
}

/* Creates a new file, locked before anybody could mistake it for an abandoned one. */
static enum err open_new(struct journal *j, struct journal_head *head)
{
    char text[HEAD];
    if (strpbrk(head->what, "\n\t"))
        FAIL(INPUT, "what is tuned, '%s', must be one line without tabs", head->what);
    do {
        char name[64];
        TRY(environment_new_session(head->session));
        snprintf(name, sizeof name, NAME_START "%s" NAME_END, head->session);
        TRY(path_of(name, j->path));
        j->fd = open(j->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    } while (j->fd < 0 && errno == EEXIST);
    if (j->fd < 0)
        FAIL(MACHINE,
             "%s: cannot be created: %s; free some space, or set SHOAL_CACHE to another folder",
             j->path, strerror(errno));
    if (flock(j->fd, LOCK_EX | LOCK_NB) != 0)
        FAIL(MACHINE,
             "%s: cannot be locked: %s; set SHOAL_CACHE to a folder of another file system",
             j->path, strerror(errno));
    return append(j, text, (size_t)print_head(head, text));
}

enum err journal_create(struct journal **j, struct journal_head *head)
{
    *j = calloc(1, sizeof **j);
    if (!*j)
        FAIL(MEMORY, "no memory for a journal");
    (*j)->fd = -1;
    const enum err e = open_new(*j, head);
    if (e) {
        journal_close(*j, 1);
        *j = NULL;
    }
    return e;
}

static int is_journal(const char *name)
{
    const size_t n = strlen(NAME_START), end = n + DB_SESSION;
    return strlen(name) == end + strlen(NAME_END) && strncmp(name, NAME_START, n) == 0 &&
           strspn(name + n, "0123456789abcdef") == DB_SESSION && strcmp(name + end, NAME_END) == 0;
}

/* Opens and locks a file if it matches and was written to after `least`; else fd is below 0. One
 * that was finished and deleted meanwhile has no name any more. */
static void try_open(struct journal *j, const struct journal_head *head, struct timespec *least)
{
    struct stat s;
    j->fd = open(j->path, O_RDWR | O_CLOEXEC);
    if (j->fd < 0)
        return;
    if (has_head(j, head) && fstat(j->fd, &s) == 0 &&
        (s.st_mtim.tv_sec > least->tv_sec ||
         (s.st_mtim.tv_sec == least->tv_sec && s.st_mtim.tv_nsec > least->tv_nsec)) &&
        flock(j->fd, LOCK_EX | LOCK_NB) == 0 && fstat(j->fd, &s) == 0 && s.st_nlink > 0) {
        *least = s.st_mtim;
        return;
    }
    close(j->fd);
    j->fd = -1;
}

static enum err find_latest(struct journal *best, struct journal_head *head)
{
    struct timespec least = {0};
    struct journal other;
    const char *cache;
    enum err e = ERR_OK;
    TRY(paths_cache(&cache));
    DIR *folder = opendir(cache);
    if (!folder)
        FAIL(MACHINE, "%s: cannot be listed: %s", cache, strerror(errno));
    for (const struct dirent *d = readdir(folder); d; d = readdir(folder)) {
        if (!is_journal(d->d_name))
            continue;
        TRY_OUT(path_of(d->d_name, other.path));
        try_open(&other, head, &least);
        if (other.fd < 0)
            continue;
        if (best->fd >= 0)
            close(best->fd);
        *best = other;
        snprintf(head->session, sizeof head->session, "%s", d->d_name + strlen(NAME_START));
    }
out:
    closedir(folder);
    return e;
}

enum err journal_resume(struct journal **j, struct journal_head *head)
{
    enum err e = ERR_OK;
    *j = NULL;
    struct journal *found = calloc(1, sizeof *found);
    if (!found)
        FAIL(MEMORY, "no memory for a journal");
    found->fd = -1;
    TRY_OUT(find_latest(found, head));
    if (found->fd < 0)
        goto out;
    *j = found;
    found = NULL;
out:
    journal_close(found, 0);
    return e;
}

void journal_close(struct journal *j, int finished)
{
    if (!j)
        return;
    if (finished && j->fd >= 0)
        unlink(j->path);
    if (j->fd >= 0)
        close(j->fd);
    free(j);
}

/* The index of the record's trial, which is reset: a later record replaces an earlier one. -1:
 * there is no such kernel, or no room. */
static int place_of(const struct record *r, struct trial *all, int most, int *count)
{
    const struct recipe recipe = {.kernel = find_kernel(r->kernel), .block = r->block};
    int k = 0;
    while (k < *count &&
           (all[k].recipe.kernel != recipe.kernel || all[k].recipe.block.w != r->block.w ||
            all[k].recipe.block.h != r->block.h))
        k++;
    if (k == most || !recipe.kernel)
        return -1;
    trial_start(&all[k], &recipe, 0);
    *count += k == *count;
    return k;
}

/* The bytes of the record at `text`, of which `left` follow; 0 if it is not a record, or
 * damaged. */
static size_t sound(const char *text, size_t left, struct record *r)
{
    char kept[SHA256_DIGITS + 1], sum[SHA256_DIGITS + 1];
    if (left < sizeof *r)
        return 0;
    memcpy(r, text, sizeof *r);
    memcpy(kept, r->sum, sizeof kept);
    if (r->bytes < LEAST || r->bytes > sizeof(struct trial) - KEPT || r->bytes > left - sizeof *r)
        return 0;
    digest(r, text + sizeof *r, sum);
    return memcmp(sum, kept, sizeof sum) == 0 ? sizeof *r + r->bytes : 0;
}

enum err journal_read(struct journal *j, struct trial *all, int most, int *count)
{
    struct record r;
    size_t size, n;
    char *text;
    *count = 0;
    if (lseek(j->fd, 0, SEEK_SET) != 0)
        FAIL(MACHINE, "%s: %s", j->path, strerror(errno));
    TRY(whole_file_read_on(j->fd, j->path, WHOLE_DATA, &text, &size));
    size_t at = strcspn(text, "\n") + 1;
    for (; (n = sound(text + at, size - at, &r)) > 0; at += n) {
        const int k = place_of(&r, all, most, count);
        if (k >= 0)
            memcpy((char *)&all[k] + KEPT, text + at + sizeof r, r.bytes);
    }
    free(text);
    if (at < size)
        log_warning("%s: truncated or damaged; the last %zu bytes are measured again", j->path,
                    size - at);
    j->size = (off_t)at;
    if (ftruncate(j->fd, j->size) != 0)
        FAIL(MACHINE, "%s: cannot be written: %s", j->path, strerror(errno));
    return ERR_OK;
}
