/* Finds the installation this program belongs to and the folder of compiled kernels. */
#include "core/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What an installation is recognised by. */
#define LANDMARK "kernels/tile.h"

static enum err join(const char *folder, const char *name, char path[PATH_LENGTH])
{
    if (snprintf(path, PATH_LENGTH, "%s/%s", folder, name) >= PATH_LENGTH)
        FAIL(INPUT, "%s/%s: a path may have at most %d characters", folder, name, PATH_LENGTH - 1);
    return ERR_OK;
}

static int is_home(const char *folder)
{
    char path[PATH_LENGTH + sizeof "/" LANDMARK];
    snprintf(path, sizeof path, "%s/" LANDMARK, folder);
    return access(path, R_OK) == 0;
}

/* The variable's value, NULL if it is unset or empty. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static enum err home_from_setting(const char *folder, char home[PATH_LENGTH])
{
    if (strlen(folder) >= PATH_LENGTH || !realpath(folder, home) || !is_home(home))
        FAIL(INPUT,
             "SHOAL_HOME=%s: no " LANDMARK " in it; SHOAL_HOME names the folder that holds "
             "Shoal's kernels/ and tuning_db/, and is only needed when the program was moved "
             "away from them",
             folder);
    return ERR_OK;
}

static enum err home_from_program(char home[PATH_LENGTH])
{
    char program[PATH_LENGTH];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0)
        FAIL(MACHINE,
             "/proc/self/exe: %s; set SHOAL_HOME to the folder that holds Shoal's kernels/",
             strerror(errno));
    program[n] = 0;
    memcpy(home, program, (size_t)n + 1);
    for (char *slash = strrchr(home, '/'); slash; slash = strrchr(home, '/')) {
        *slash = 0;
        if (is_home(home))
            return ERR_OK;
    }
    FAIL(INPUT,
         "no folder above %s holds " LANDMARK "; set SHOAL_HOME to the folder that holds "
         "Shoal's kernels/ and tuning_db/",
         program);
}

enum err place_home(const char **home)
{
    static _Thread_local char found[PATH_LENGTH];
    const char *set = setting("SHOAL_HOME");
    TRY(set ? home_from_setting(set, found) : home_from_program(found));
    *home = found;
    return ERR_OK;
}

enum err place_file(const char *name, char path[PATH_LENGTH])
{
    const char *home;
    TRY(place_home(&home));
    return join(home, name, path);
}

enum err place_database(char path[PATH_LENGTH])
{
    const char *set = setting("SHOAL_DB");
    if (!set)
        return place_file("tuning_db", path);
    if (snprintf(path, PATH_LENGTH, "%s", set) >= PATH_LENGTH)
        FAIL(INPUT, "SHOAL_DB: a path may have at most %d characters", PATH_LENGTH - 1);
    return ERR_OK;
}

enum err place_folder(const char *path, const char *remedy)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return ERR_OK;
    const int error = errno;
    return err_set(error == ENOSPC || error == EDQUOT || error == EIO ? ERR_MACHINE : ERR_USAGE,
                   __FILE__, __LINE__, "cannot create the folder %s: %s; %s", path, strerror(error),
                   remedy);
}

/* Makes a folder and its parents, for this user alone. False, with errno set, where it cannot. */
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
enum refusal { NONE, UNUSABLE, FOREIGN, EXPOSED };

/* What is loaded from the cache is run: nobody else may be able to put something there. */
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
    if (s.st_uid != geteuid() && s.st_uid != 0) {
        snprintf(why, 256, "it belongs to another user (uid %ld)", (long)s.st_uid);
        return FOREIGN;
    }
    if (s.st_mode & (S_IWGRP | S_IWOTH)) {
        snprintf(why, 256, "others can write to it (mode %03o)", (unsigned)s.st_mode & 0777u);
        return EXPOSED;
    }
    if (access(path, R_OK | W_OK | X_OK) != 0) {
        snprintf(why, 256, "it cannot be written (%s)", strerror(errno));
        return UNUSABLE;
    }
    return NONE;
}

static enum err refuse(const char *path, enum refusal refusal, const char *why)
{
    if (refusal == EXPOSED)
        FAIL(INPUT,
             "the cache of compiled kernels, %s, is not used: %s, and what is in it is run; "
             "`chmod go-w` it if you trust its contents, or delete it",
             path, why);
    FAIL(INPUT,
         "the cache of compiled kernels, %s, is not used: %s; set SHOAL_CACHE to a folder of "
         "your own",
         path, why);
}

/* The cache of a user who cannot write to the installation. */
static enum err personal_cache(char path[PATH_LENGTH])
{
    const char *base = setting("XDG_CACHE_HOME");
    if (base)
        return join(base, "shoal", path);
    base = setting("HOME");
    if (!base)
        FAIL(INPUT, "no folder for compiled kernels: Shoal's own cannot be written, and neither "
                    "SHOAL_CACHE, XDG_CACHE_HOME nor HOME is set; set SHOAL_CACHE");
    return join(base, ".cache/shoal", path);
}

enum err place_cache(const char **cache)
{
    static _Thread_local char found[PATH_LENGTH];
    char why[256];
    enum refusal refusal;
    const char *set = setting("SHOAL_CACHE");
    if (set) {
        if (strlen(set) >= PATH_LENGTH)
            FAIL(INPUT, "SHOAL_CACHE: a path may have at most %d characters", PATH_LENGTH - 1);
        memcpy(found, set, strlen(set) + 1);
        refusal = examine(found, why);
    } else {
        TRY(place_file("build/cache", found));
        refusal = examine(found, why);
        if (refusal == UNUSABLE || refusal == FOREIGN) {
            TRY(personal_cache(found));
            refusal = examine(found, why);
        }
    }
    if (refusal)
        return refuse(found, refusal, why);
    *cache = found;
    return ERR_OK;
}
