/* Reads every version of a tuning database's files that git has. */
#include "core/db/git_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/git.h"
#include "core/base/memory.h"

enum { ID = 40, MOST_PATH = 1024 };

/* A version of a file: git's name for it, and its place relative to the database. */
struct version {
    char blob[SHA256_DIGITS + 1], path[DB_FILE + 1];
};

struct versions {
    struct version *at;
    size_t count;
};

void db_history_free(struct db_history *h)
{
    for (size_t k = 0; k < h->count; k++) {
        db_lines_free(&h->at[k].lines);
        free(h->at[k].record);
    }
    free(h->at);
    *h = (struct db_history){0};
}

static int by_place(const void *a, const void *b)
{
    const struct version *x = a, *y = b;
    const int order = strcmp(x->path, y->path);
    return order ? order : strcmp(x->blob, y->blob);
}

/* ":100644 100644 OLD NEW M<tab>tuning_db/device/hash/manifest.json" */
static enum err add_version(struct versions *all, const char *line, const char *prefix)
{
    struct version v;
    const char *path = strchr(line, '\t');
    if (*line != ':' || !path || strncmp(path + 1, prefix, strlen(prefix)) != 0 ||
        sscanf(line, ":%*s %*s %*s %64s", v.blob) != 1 || strspn(v.blob, "0") == strlen(v.blob) ||
        snprintf(v.path, sizeof v.path, "%s", path + 1 + strlen(prefix)) > DB_FILE)
        return ERR_OK;
    TRY(memory_more(&all->at, all->count, sizeof *all->at, "versions of files"));
    all->at[all->count++] = v;
    return ERR_OK;
}

/* A line that git prints; "" is none. */
static enum err ask_line(const char *folder, const char *const arguments[], char line[MOST_PATH])
{
    char *text;
    size_t size;
    TRY(git_ask(folder, arguments, NULL, &text, &size));
    snprintf(line, MOST_PATH, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
    return ERR_OK;
}

static enum err list_versions(const char *folder, struct versions *all)
{
    static const char *const shallow[] = {"rev-parse", "--is-shallow-repository", NULL},
                             *const where[] = {"rev-parse", "--show-prefix", NULL},
                             *const log[] = {"-c",          "core.quotePath=off",
                                             "log",         "--full-history",
                                             "-m",          "--raw",
                                             "--no-abbrev", "--no-renames",
                                             "--format=",   "HEAD",
                                             "--",          ".",
                                             NULL};
    char line[MOST_PATH], prefix[MOST_PATH], *text, *next;
    size_t size, kept = 0;
    enum err e = ERR_OK;
    TRY(ask_line(folder, shallow, line));
    if (strcmp(line, "false") != 0)
        FAIL(ABSENT, "this clone's history is cut: `git fetch --unshallow` gets all of it");
    TRY(ask_line(folder, where, prefix));
    TRY(git_ask(folder, log, NULL, &text, &size));
    next = text;
    for (char *p = strsep(&next, "\n"); p && !e; p = strsep(&next, "\n"))
        e = add_version(all, p, prefix);
    free(text);
    TRY(e);
    if (all->count)
        qsort(all->at, all->count, sizeof *all->at, by_place);
    for (size_t k = 0; k < all->count; k++)
        if (k == 0 || by_place(&all->at[k - 1], &all->at[k]) != 0)
            all->at[kept++] = all->at[k];
    all->count = kept;
    return ERR_OK;
}

static enum err past_of(struct db_history *h, const struct db_place *place, struct db_past **past)
{
    char name[sizeof h->at->environment];
    snprintf(name, sizeof name, "%s/%s", place->device, place->environment);
    for (size_t k = 0; k < h->count; k++)
        if (strcmp(h->at[k].environment, name) == 0) {
            *past = &h->at[k];
            return ERR_OK;
        }
    TRY(memory_more(&h->at, h->count, sizeof *h->at, "the past of environments"));
    *past = &h->at[h->count++];
    **past = (struct db_past){.records = 0};
    strcpy((*past)->environment, name);
    return ERR_OK;
}

/* The names of records in a manifest: members of 64 digits that are objects. */
static enum err add_records(struct db_past *past, const char *text)
{
    for (const char *c = strchr(text, '"'); c; c = strchr(c + 1, '"')) {
        const size_t n = strspn(c + 1, "0123456789abcdef");
        if (n != SHA256_DIGITS || c[1 + n] != '"' || c[2 + n] != ':' ||
            c[3 + n + strspn(c + 3 + n, " \n")] != '{')
            continue;
        TRY(memory_more(&past->record, past->records, sizeof *past->record, "records of the past"));
        snprintf(past->record[past->records++], sizeof *past->record, "%.*s", (int)n, c + 1);
    }
    return ERR_OK;
}

/* Adds one version of a file. History ignores files that do not belong to the database. */
static enum err take_version(struct db_history *h, const struct version *v, const char *text,
                             size_t size)
{
    struct db_place place;
    struct db_past *past;
    db_place_parse(v->path, &place);
    if (place.kind != DB_MANIFEST && place.kind != DB_KERNEL && place.kind != DB_KERNEL_PART &&
        place.kind != DB_EXPERIMENT)
        return ERR_OK;
    TRY(past_of(h, &place, &past));
    if (place.kind == DB_MANIFEST)
        return add_records(past, text);
    char *copy = strndup(text, size);
    if (!copy)
        FAIL(MEMORY, "no memory for a version of %s", v->path);
    return db_lines_add(&past->lines, v->path + strlen(past->environment) + 1, copy);
}

/* What `git cat-file --batch` prints of each: "BLOB blob SIZE", its bytes, a line end. */
static enum err take_all(struct db_history *h, const struct versions *all, char *text)
{
    for (size_t k = 0; k < all->count; k++) {
        static const char kind[] = " blob ";
        const char *blob = strstr(text, kind);
        char *head = text + strcspn(text, "\n");
        const size_t size = blob && blob < head ? strtoul(blob + sizeof kind - 1, NULL, 10) : 0;
        if (!blob || blob > head || *head != '\n')
            FAIL(ABSENT, "git does not have %s of %s: is this a partial clone?", all->at[k].blob,
                 all->at[k].path);
        text = head + 1;
        char *end = text + size;
        *end = '\0';
        TRY(take_version(h, &all->at[k], text, size));
        text = end + 1;
    }
    return ERR_OK;
}

static enum err read_versions(const char *folder, const struct versions *all, struct db_history *h)
{
    static const char *const batch[] = {"cat-file", "--batch", NULL};
    const size_t each = SHA256_DIGITS + 1;
    char *input = calloc(all->count + 1, each), *text = NULL;
    size_t size, used = 0;
    if (!input)
        FAIL(MEMORY, "no memory to ask git for %zu files", all->count);
    for (size_t k = 0; k < all->count; k++)
        used += (size_t)snprintf(input + used, each + 1, "%s\n", all->at[k].blob);
    enum err e = git_ask(folder, batch, input, &text, &size);
    free(input);
    if (!e)
        e = take_all(h, all, text);
    free(text);
    return e;
}

enum err db_history_read(const char *folder, struct db_history *h)
{
    struct versions all = {0};
    *h = (struct db_history){0};
    enum err e = list_versions(folder, &all);
    if (!e && all.count == 0)
        e = err_set(ERR_ABSENT, __FILE__, __LINE__, "git has no version of any of its files");
    if (!e)
        e = read_versions(folder, &all, h);
    if (e == ERR_ABSENT)
        err_context("%s: nothing can be proved without its history", folder);
    free(all.at);
    for (size_t k = 0; k < h->count && !e; k++)
        db_lines_sort(&h->at[k].lines);
    if (e)
        db_history_free(h);
    return e;
}
