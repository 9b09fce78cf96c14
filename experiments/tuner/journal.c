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
#include "experiments/measure/environment.h"
#include "experiments/tuner/journal_line.h"

#define FIRST_WORD "shoal-tuning-journal-1"
#define NAME_START "tune-"
#define NAME_END   ".journal"

enum { SESSION = 1, ENVIRONMENT, WHAT, HEAD_FIELDS };

struct journal {
    int fd;     /* locked */
    off_t size; /* of the whole lines */
    char path[PATH_LENGTH];
};

/* In one call: a process that is killed leaves the line, or its beginning at the end of the file. */
static enum err write_line(struct journal *j, struct journal_line *l)
{
    ssize_t n;
    if (!journal_line_end(l))
        FAIL(INPUT, "%s: a line of more than %d characters: %.80s...", j->path, JOURNAL_LINE,
             l->text);
    do {
        n = pwrite(j->fd, l->text, l->used, j->size);
    } while (n < 0 && errno == EINTR);
    if (n == (ssize_t)l->used) {
        j->size += n;
        return ERR_OK;
    }
    FAIL(MACHINE, "%s: cannot be written: %s; free some space, then go on with --resume", j->path,
         strerror(n < 0 ? errno : ENOSPC));
}

enum err journal_admitted(struct journal *j, const struct trial *t)
{
    return journal_timed(j, t, t->timings);
}

enum err journal_timed(struct journal *j, const struct trial *t, int first)
{
    struct journal_line l = {.used = 0};
    journal_line_trial(&l, t, first, t->timings);
    return write_line(j, &l);
}

/* The whole lines of the file and a NUL, for the caller to free. What follows the last line's end was
 * cut off. */
static enum err read_lines(const struct journal *j, char **text, off_t *size)
{
    struct stat s;
    size_t got = 0;
    if (fstat(j->fd, &s) != 0)
        FAIL(MACHINE, "%s: %s", j->path, strerror(errno));
    *text = malloc((size_t)s.st_size + 1);
    if (!*text)
        FAIL(MEMORY, "no memory to read %s", j->path);
    while (got < (size_t)s.st_size) {
        const ssize_t n = pread(j->fd, *text + got, (size_t)s.st_size - got, (off_t)got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    const char *end = memrchr(*text, '\n', got);
    *size = end ? end - *text + 1 : 0;
    (*text)[*size] = '\0';
    return ERR_OK;
}

/* Is it a journal with this head? Then its session is filled in. */
static int has_head(const struct journal *j, struct journal_head *head)
{
    char text[JOURNAL_LINE + 1], *field[HEAD_FIELDS];
    const ssize_t n = pread(j->fd, text, JOURNAL_LINE, 0);
    char *end = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;
    if (!end)
        return 0;
    *end = '\0';
    if (!journal_line_verify(text, (size_t)(end - text)) ||
        !journal_line_split(text, field, HEAD_FIELDS) || strcmp(field[0], FIRST_WORD) != 0 ||
        strlen(field[SESSION]) != DB_SESSION ||
        strcmp(field[ENVIRONMENT], head->environment) != 0 || strcmp(field[WHAT], head->what) != 0)
        return 0;
    strcpy(head->session, field[SESSION]);
    return 1;
}

static enum err write_head(struct journal *j, const struct journal_head *head)
{
    struct journal_line l = {.used = 0};
    for (const char *c = head->what; *c; c++)
        if ((unsigned char)*c < ' ')
            FAIL(INPUT, "what is tuned, '%s', must be one line without tabs", head->what);
    journal_line_add(&l, "%s\t%s\t%s\t%s", FIRST_WORD, head->session, head->environment,
                     head->what);
    return write_line(j, &l);
}

static enum err path_of(const char *name, char path[PATH_LENGTH])
{
    const char *cache;
    TRY(paths_cache(&cache));
    if (snprintf(path, PATH_LENGTH, "%s/%s", cache, name) >= PATH_LENGTH)
        FAIL(INPUT, "%s: too long a path for a journal; set SHOAL_CACHE to a shorter one", cache);
    return ERR_OK;
}

/* A file of its own, locked before anybody could take it for one that was left. */
static enum err open_new(struct journal *j, struct journal_head *head)
{
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
    return write_head(j, head);
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

/* Opens and locks a file if it is what is looked for and was written to after `least`; else fd is
 * below 0. One that was finished and deleted meanwhile has no name any more. */
static void try_open(struct journal *j, struct journal_head *head, struct timespec *least)
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
    struct journal_head its = *head;
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
        try_open(&other, &its, &least);
        if (other.fd < 0)
            continue;
        if (best->fd >= 0)
            close(best->fd);
        *best = other;
        *head = its;
    }
out:
    closedir(folder);
    return e;
}

/* Where the whole lines end; what was cut off goes. */
static enum err trim(struct journal *j)
{
    char *text = NULL;
    enum err e = read_lines(j, &text, &j->size);
    free(text);
    if (!e && ftruncate(j->fd, j->size) != 0)
        FAIL(MACHINE, "%s: cannot be written: %s", j->path, strerror(errno));
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
    TRY_OUT(trim(found));
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

/* A sound line of a trial. */
struct record {
    char *text;
    size_t name; /* bytes of journal_line_name */
    int line;
};

static int by_name_and_line(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    int order = (x->name > y->name) - (x->name < y->name);
    if (!order)
        order = memcmp(x->text, y->text, x->name);
    return order ? order : x->line - y->line;
}

static void warn_damaged(const struct journal *j, int line)
{
    log_warning("%s:%d: damaged; what it told is measured again", j->path, line);
}

/* The sound lines after the head, sorted, for the caller to free. */
static enum err find_records(const struct journal *j, char *text, struct record **all,
                             size_t *count)
{
    size_t lines = 0;
    int line = 1;
    char *const end = text + j->size;
    for (const char *c = text; c < end; c++)
        lines += *c == '\n';
    *count = 0;
    *all = calloc(lines + 1, sizeof **all);
    if (!*all)
        FAIL(MEMORY, "no memory for the lines of %s", j->path);
    for (char *next; text < end; text = next + 1, line++) {
        next = memchr(text, '\n', (size_t)(end - text));
        *next = '\0';
        if (line == 1)
            continue;
        const size_t name =
            journal_line_verify(text, (size_t)(next - text)) ? journal_line_name(text) : 0;
        if (name)
            (*all)[(*count)++] = (struct record){text, name, line};
        else
            warn_damaged(j, line);
    }
    qsort(*all, *count, sizeof **all, by_name_and_line);
    return ERR_OK;
}

/* How many records, of `count`, are of the first one's trial. */
static size_t of_one_trial(const struct record *r, size_t count)
{
    size_t n = 1;
    while (n < count && r[n].name == r->name && memcmp(r[n].text, r->text, r->name) == 0)
        n++;
    return n;
}

/* Puts a trial together; false if no line made sense. */
static int assemble(const struct journal *j, const struct record *r, size_t count, struct trial *t)
{
    const struct recipe none = {.kernel = NULL};
    trial_start(t, &none, 0);
    for (size_t k = 0; k < count; k++)
        if (!journal_line_read(r[k].text, t))
            warn_damaged(j, r[k].line);
    return t->recipe.kernel != NULL;
}

enum err journal_read(struct journal *j, enum err (*found)(void *context, const struct trial *t),
                      void *context)
{
    enum err e = ERR_OK;
    char *text = NULL;
    struct record *all = NULL;
    size_t count = 0;
    struct trial *t = malloc(sizeof *t);
    if (!t)
        FAIL(MEMORY, "no memory for a trial of %s", j->path);
    TRY_OUT(read_lines(j, &text, &j->size));
    TRY_OUT(find_records(j, text, &all, &count));
    for (size_t k = 0, n; k < count; k += n) {
        n = of_one_trial(&all[k], count - k);
        if (assemble(j, &all[k], n, t))
            TRY_OUT(found(context, t));
    }
out:
    free(all);
    free(text);
    free(t);
    return e;
}
