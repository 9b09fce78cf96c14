/* Where things are: the tree or the installation this program belongs to, what it writes, the cache of compiled
 * kernels. */
#ifndef SHOAL_PATHS_H
#define SHOAL_PATHS_H

#include <stddef.h>

#include "core/base/err.h"

enum { PATH_LENGTH = 4096 };

/* The folder that holds kernels/ and tuning_db/: SHOAL_HOME, else the nearest above the program's
 * that has them, itself or in share/shoal. The text stays until this thread's next call. */
enum err paths_home(const char **home);

/* Is that folder what `make install` made, to which nothing is written? */
enum err paths_installed(int *installed);

/* "home/name" */
enum err paths_file(const char *name, char path[PATH_LENGTH]);

/* The tuning database to read: SHOAL_DB, else home/tuning_db; of an installation the user's own, paths_written's
 * tuning_db, where there is one. core/db/own.h has the one to write to. */
enum err paths_database(char path[PATH_LENGTH]);

/* Where what nobody gave a place is written: home/build/name, or of an installation $XDG_DATA_HOME/shoal/name,
 * by default ~/.local/share/shoal/name. Makes the folders above it; the message of a failure ends with `remedy`. */
enum err paths_written(const char *name, const char *remedy, char path[PATH_LENGTH]);

/* A folder of the user's: $VARIABLE/shoal, else ~/BELOW_HOME/shoal. */
enum err paths_personal(const char *variable, const char *below_home, char path[PATH_LENGTH]);

/* Makes a folder, unless it is there. The message of a failure ends with `remedy`. */
enum err paths_folder(const char *path, const char *remedy);

/* The cache: SHOAL_CACHE, else home/build/cache, else (where that cannot be written, and of an installation)
 * $XDG_CACHE_HOME/shoal or ~/.cache/shoal. Created if need be, for this user alone; a folder that
 * others can write to is refused. Where they could replace it, by a folder that holds it, a private one is
 * taken, and a line of the log says so. The text stays until this thread's next call. */
enum err paths_cache(const char **cache);

#endif
