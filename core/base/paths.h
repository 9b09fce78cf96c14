/* Where things are: this program's tree or installation, what it writes, the cache of compiled
 * kernels. */
#ifndef SHOAL_PATHS_H
#define SHOAL_PATHS_H

#include <stddef.h>

#include "core/base/err.h"

enum { PATH_LENGTH = 4096 };

/* The folder that holds kernels/ and tuning_db/: SHOAL_HOME, else the nearest folder above the
 * program that holds them, itself or in share/shoal. The text is valid until this thread's next
 * call. */
enum err paths_home(const char **home);

/* Did `make install` create that folder? Nothing is written to it then. */
enum err paths_installed(int *installed);

/* "home/name" */
enum err paths_file(const char *name, char path[PATH_LENGTH]);

/* The tuning database to read: SHOAL_DB, else home/tuning_db; for an installation the user's own,
 * paths_written's tuning_db, if it exists. core/db/own.h has the one to write to. */
enum err paths_database(char path[PATH_LENGTH]);

/* Where files without a given place go: home/build/name, or for an installation
 * $XDG_DATA_HOME/shoal/name, by default ~/.local/share/shoal/name. Creates the folders above it; a
 * failure's message ends with `remedy`. */
enum err paths_written(const char *name, const char *remedy, char path[PATH_LENGTH]);

/* One of the user's folders: $VARIABLE/shoal, else ~/BELOW_HOME/shoal. */
enum err paths_personal(const char *variable, const char *below_home, char path[PATH_LENGTH]);

/* Creates a folder unless it exists. A failure's message ends with `remedy`. */
enum err paths_folder(const char *path, const char *remedy);

/* The cache: SHOAL_CACHE, else home/build/cache, else (if that is not writable, or for an
 * installation) $XDG_CACHE_HOME/shoal or ~/.cache/shoal. Creates it if need be, for this user
 * alone; refuses a folder that others can write to. If others could replace it, through a parent
 * folder, it uses a private one and logs that. The text is valid until this thread's next call. */
enum err paths_cache(const char **cache);

#endif
