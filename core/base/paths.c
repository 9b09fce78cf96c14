/* Finds the installation this program belongs to and the folder of compiled kernels. */
#include "core/base/paths.h"

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

enum err paths_database(char path[PATH_LENGTH])
{
    const char *set = setting("SHOAL_DB");
    if (!set)
        return paths_file("tuning_db", path);
    if (snprintf(path, PATH_LENGTH, "%s", set) >= PATH_LENGTH)
        FAIL(INPUT, "SHOAL_DB: a path may have at most %d characters", PATH_LENGTH - 1);
    return ERR_OK;
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
