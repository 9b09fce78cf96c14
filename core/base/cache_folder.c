/* The folder of compiled kernels. Shoal runs what it finds there, so nobody else may be able to put
 * anything into it or replace it. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/paths.h"

/* The variable's value, NULL if it is unset or empty. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Creates a folder and its parents, for this user alone. False, with errno set, on failure. */
static int make_folder(const char *path)
{
    char partial[PATH_LENGTH];
    size_t n = strlen(path);
    for (size_t k = 1; k <= n; k++) {
        if (path[k] && path[k] != '/')
            continue;
        memcpy(partial, path, k);
        partial[k] = 0;
        struct stat s;
        if (mkdir(partial, 0700) != 0 && stat(partial, &s) != 0)
            return 0;
    }
    return 1;
}

/* Why a folder cannot be the cache. */
enum refusal { NONE, UNUSABLE, FOREIGN, EXPOSED, REPLACEABLE };

static int is_foreign(const struct stat *s)
{
    return s->st_uid != geteuid() && s->st_uid != 0;
}

/* Whoever may write to a parent folder can replace it, unless the parent is sticky. */
static enum refusal examine_parents(const char *path, char why[256])
{
    char whole[PATH_LENGTH];
    struct stat s;
    if (!realpath(path, whole))
        return NONE;
    for (char *slash; (slash = strrchr(whole, '/')) && slash > whole;) {
        *slash = '\0';
        if (stat(whole, &s) != 0)
            continue;
        const int open = (s.st_mode & (S_IWGRP | S_IWOTH)) && !(s.st_mode & S_ISVTX);
        if (is_foreign(&s))
            snprintf(why, 256, "%.160s belongs to another user (uid %ld)", whole, (long)s.st_uid);
        else if (open)
            snprintf(why, 256, "others can write to %.160s (mode %03o)", whole,
                     (unsigned)s.st_mode & 0777u);
        if (is_foreign(&s) || open)
            return REPLACEABLE;
    }
    return NONE;
}

static enum refusal examine(const char *path, char why[256])
{
    struct stat s;
    if (!make_folder(path) || stat(path, &s) != 0) {
        snprintf(why, 256, "it cannot be created (%s)", strerror(errno));
        return UNUSABLE;
    }
    if (!S_ISDIR(s.st_mode)) {
        snprintf(why, 256, "it is not a folder");
        return UNUSABLE;
    }
    if (is_foreign(&s)) {
        snprintf(why, 256, "it belongs to another user (uid %ld)", (long)s.st_uid);
        return FOREIGN;
    }
    if (s.st_mode & (S_IWGRP | S_IWOTH)) {
        snprintf(why, 256, "others can write to it (mode %03o)", (unsigned)s.st_mode & 0777u);
        return EXPOSED;
    }
    if (access(path, R_OK | W_OK | X_OK) != 0) {
        snprintf(why, 256, "it is not writable (%s)", strerror(errno));
        return UNUSABLE;
    }
    return examine_parents(path, why);
}

static enum err refuse(const char *path, enum refusal refusal, const char *why)
{
    if (refusal == EXPOSED)
        FAIL(INPUT,
             "cannot use %s as the cache of compiled kernels: %s, and Shoal runs what is in it; "
             "`chmod go-w` it if you trust its contents, or delete it",
             path, why);
    FAIL(INPUT,
         "cannot use %s as the cache of compiled kernels: %s; set SHOAL_CACHE to a folder of your "
         "own",
         path, why);
}

/* The cache of a user who may not write to Shoal's own folder. */
static enum err personal_cache(char path[PATH_LENGTH])
{
    if (!setting("XDG_CACHE_HOME") && !setting("HOME"))
        FAIL(INPUT, "no folder for compiled kernels: Shoal's own is not writable, and neither "
                    "SHOAL_CACHE, XDG_CACHE_HOME nor HOME is set; set SHOAL_CACHE");
    return paths_personal("XDG_CACHE_HOME", ".cache", path);
}

/* The usual folder: SHOAL_CACHE (`set`), else the tree's or the user's. */
static enum err usual_cache(const char *set, char path[PATH_LENGTH])
{
    int installed = 0;
    if (set && strlen(set) >= PATH_LENGTH)
        FAIL(INPUT, "SHOAL_CACHE: a path may have at most %d characters", PATH_LENGTH - 1);
    if (set) {
        memcpy(path, set, strlen(set) + 1);
        return ERR_OK;
    }
    TRY(paths_installed(&installed));
    return installed ? personal_cache(path) : paths_file("build/cache", path);
}

/* Where others could replace the usual folder: a private one, in a sticky folder. */
static enum refusal private_cache(const char *usual, char path[PATH_LENGTH], char why[256])
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char because[256];
    snprintf(because, sizeof because, "%s", why);
    enum refusal refusal = personal_cache(path) ? REPLACEABLE : examine(path, why);
    if (refusal) {
        snprintf(path, PATH_LENGTH, "/tmp/shoal-cache-%ld", (long)geteuid());
        refusal = examine(path, why);
    }
    if (refusal == REPLACEABLE)
        refusal = NONE; /* nothing here is safer */
    if (!refusal && !atomic_flag_test_and_set(&said))
        log_info("compiled kernels are kept in %s, not in %s: %s", path, usual, because);
    return refusal;
}

enum err paths_cache(const char **cache)
{
    static _Thread_local char found[PATH_LENGTH];
    char why[256], usual[PATH_LENGTH];
    enum refusal refusal;
    const char *set = setting("SHOAL_CACHE");
    TRY(usual_cache(set, found));
    refusal = examine(found, why);
    if (!set && (refusal == UNUSABLE || refusal == FOREIGN)) {
        TRY(personal_cache(found));
        refusal = examine(found, why);
    }
    if (refusal == REPLACEABLE) {
        memcpy(usual, found, sizeof usual);
        refusal = private_cache(usual, found, why);
    }
    if (refusal)
        return refuse(found, refusal, why);
    *cache = found;
    return ERR_OK;
}
