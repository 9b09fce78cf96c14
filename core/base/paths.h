/* Where things are: the installation this program belongs to, and the cache of compiled kernels. */
#ifndef SHOAL_PATHS_H
#define SHOAL_PATHS_H

#include <stddef.h>

#include "core/base/err.h"

enum { PATH_LENGTH = 4096 };

/* The folder that holds kernels/ and tuning_db/: SHOAL_HOME, else the nearest above the program's
 * that has them. The text stays until this thread's next call. */
enum err paths_home(const char **home);

/* "home/name" */
enum err paths_file(const char *name, char path[PATH_LENGTH]);

/* The tuning database: SHOAL_DB, else home/tuning_db. */
enum err paths_database(char path[PATH_LENGTH]);

/* Makes a folder, unless it is there. The message of a failure ends with `remedy`. */
enum err paths_folder(const char *path, const char *remedy);

/* The cache: SHOAL_CACHE, else home/build/cache, else (where that cannot be written)
 * $XDG_CACHE_HOME/shoal or ~/.cache/shoal. Created if need be, for this user alone; a folder that
 * others can write to is refused. Where they could replace it, by a folder that holds it, a private one is
 * taken, and a line of the log says so. The text stays until this thread's next call. */
enum err paths_cache(const char **cache);

#endif
