/* Finds this program's installation and the folder of compiled kernels. */
#include "core/base/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What identifies an installation. */
#define LANDMARK "kernels/tile.h"

/* Where `make install` puts everything but the program, below the PREFIX whose bin/ holds that. */
#define SHARE "/share/shoal"

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
             "SHOAL_HOME=%s: no " LANDMARK
             " in it; SHOAL_HOME names the folder that holds Shoal's kernels/ and tuning_db/, and "
             "is needed only if the program was moved away from them",
             folder);
    return ERR_OK;
}

static enum err search_above_program(char home[PATH_LENGTH])
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
        if ((size_t)(slash - home) + sizeof SHARE > PATH_LENGTH)
            continue;
        strcpy(slash, SHARE);
        if (is_home(home))
            return ERR_OK;
        *slash = 0;
    }
    FAIL(INPUT,
         "no folder above %s holds " LANDMARK "; set SHOAL_HOME to the folder that holds "
         "Shoal's kernels/ and tuning_db/",
         program);
}

/* The program does not move, and asks for each kernel's texts: search once. */
static enum err home_from_program(char home[PATH_LENGTH])
{
    static _Thread_local char known[PATH_LENGTH];
    if (*known && is_home(known)) {
        strcpy(home, known);
        return ERR_OK;
    }
    TRY(search_above_program(home));
    strcpy(known, home);
    return ERR_OK;
}

enum err paths_home(const char **home)
{
    static _Thread_local char found[PATH_LENGTH];
    const char *set = setting("SHOAL_HOME");
    TRY(set ? home_from_setting(set, found) : home_from_program(found));
    *home = found;
    return ERR_OK;
}

enum err paths_file(const char *name, char path[PATH_LENGTH])
{
    const char *home;
    TRY(paths_home(&home));
    return join(home, name, path);
}

enum err paths_installed(int *installed)
{
    const char *home;
    TRY(paths_home(&home));
    const size_t n = strlen(home), m = strlen(SHARE);
    *installed = n > m && strcmp(home + n - m, SHARE) == 0;
    return ERR_OK;
}

enum err paths_personal(const char *variable, const char *below_home, char path[PATH_LENGTH])
{
    const char *base = setting(variable);
    char folder[PATH_LENGTH];
    if (base)
        return join(base, "shoal", path);
    base = setting("HOME");
    if (!base)
        FAIL(INPUT,
             "no folder to write to: neither %s nor HOME is set; set one of them to a folder of "
             "your own",
             variable);
    TRY(join(base, below_home, folder));
    return join(folder, "shoal", path);
}

/* Creates a folder's parents. */
static enum err make_parents(const char *path, const char *remedy)
{
    char partial[PATH_LENGTH];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(partial, sizeof partial, "%.*s", (int)(slash - path), path);
        if (access(partial, F_OK) != 0)
            TRY(paths_folder(partial, remedy));
    }
    return ERR_OK;
}

static enum err personal_data(const char *name, char path[PATH_LENGTH])
{
    char folder[PATH_LENGTH];
    TRY(paths_personal("XDG_DATA_HOME", ".local/share", folder));
    return join(folder, name, path);
}

enum err paths_written(const char *name, const char *remedy, char path[PATH_LENGTH])
{
    char below[PATH_LENGTH];
    int installed;
    TRY(paths_installed(&installed));
    TRY(join("build", name, below));
    TRY(installed ? personal_data(name, path) : paths_file(below, path));
    return make_parents(path, remedy);
}

enum err paths_database(char path[PATH_LENGTH])
{
    const char *set = setting("SHOAL_DB");
    int installed;
    if (set && snprintf(path, PATH_LENGTH, "%s", set) >= PATH_LENGTH)
        FAIL(INPUT, "SHOAL_DB: a path may have at most %d characters", PATH_LENGTH - 1);
    if (set)
        return ERR_OK;
    TRY(paths_installed(&installed));
    if (installed && !personal_data("tuning_db", path) && access(path, R_OK) == 0)
        return ERR_OK;
    return paths_file("tuning_db", path);
}

enum err paths_folder(const char *path, const char *remedy)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return ERR_OK;
    const int error = errno;
    return err_set(error == ENOSPC || error == EDQUOT || error == EIO ? ERR_MACHINE : ERR_USAGE,
                   __FILE__, __LINE__, "cannot create the folder %s: %s; %s", path, strerror(error),
                   remedy);
}
