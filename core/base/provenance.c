/* Determines what measures. */
#include "core/base/provenance.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/git.h"
#include "core/base/paths.h"
#include "core/base/sha256.h"
#include "core/base/version.h"

static const char unknown[] = "unknown", yes[] = "yes";

static enum err feed_file(struct sha256 *s, const char *path)
{
    char buffer[65536];
    size_t n;
    FILE *f = fopen(path, "r");
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        sha256_update(s, buffer, n);
    const int failed = ferror(f);
    fclose(f);
    if (failed)
        FAIL(INPUT, "%s: cannot be read to its end", path);
    return ERR_OK;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum err feed_folder(struct sha256 *s, char *folder)
{
    enum err e = ERR_OK;
    const size_t n = strlen(folder);
    FTS *walk = fts_open((char *[]){folder, NULL}, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!walk)
        FAIL(INPUT, "%s: cannot be read: %s", folder, strerror(errno));
    for (const FTSENT *f = fts_read(walk); f && !e; f = fts_read(walk)) {
        if (f->fts_info != FTS_F)
            continue;
        sha256_update(s, f->fts_path + n, strlen(f->fts_path + n) + 1);
        e = feed_file(s, f->fts_path);
    }
    fts_close(walk);
    return e;
}

static enum err digest_program(struct provenance *p)
{
    char hex[SHA256_DIGITS + 1], kernels[PATH_LENGTH];
    struct sha256 s;
    sha256_init(&s);
    TRY(feed_file(&s, "/proc/self/exe"));
    TRY(paths_file("kernels", kernels));
    TRY(feed_folder(&s, kernels));
    sha256_final(&s, hex);
    snprintf(p->program, sizeof p->program, "%.*s", PROVENANCE_DIGITS, hex);
    return ERR_OK;
}

/* "yes": git prints something, or something other than `but`; "unknown": git cannot tell. */
static const char *says(const char *folder, const char *const arguments[], const char *but)
{
    char *text;
    size_t size;
    if (git_ask(folder, arguments, NULL, &text, &size))
        return unknown;
    const int something = but ? strncmp(text, but, strlen(but)) != 0 : size > 0;
    free(text);
    return something ? yes : "no";
}

/* The files that affect measurements, untracked ones too; a new scheme is one. */
static enum err find_changes(struct provenance *p)
{
    static const char *const status[] = {"status",       "--porcelain", "--untracked-files=normal",
                                         "--",           "Makefile",    "core",
                                         "kernels",      "schemes",     "experiments",
                                         "verification", NULL};
    static const char *const head[] = {"rev-parse", "HEAD", NULL};
    const char *home;
    p->dirty = strstr(shoal_commit, "-dirty") ? yes : unknown;
    if (p->dirty == yes || strcmp(p->commit, unknown) == 0)
        return ERR_OK;
    TRY(paths_home(&home));
    p->dirty = says(home, status, NULL);
    if (strcmp(p->dirty, "no") == 0)
        p->dirty = says(home, head, p->commit);
    return ERR_OK;
}

enum err provenance_find(struct provenance *p)
{
    *p = (struct provenance){.dirty = unknown};
    snprintf(p->commit, sizeof p->commit, "%.*s", (int)strcspn(shoal_commit, "-"), shoal_commit);
    snprintf(p->committed, sizeof p->committed, "%s", shoal_committed);
    TRY(digest_program(p));
    return find_changes(p);
}
