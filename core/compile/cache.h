/* Compiled kernels on disk, by key. Safe for several processes: entries appear by rename. */
#ifndef SHOAL_CACHE_H
#define SHOAL_CACHE_H

#include "core/base/err.h"

/* Path of an entry: cache/<key><suffix>. True if it exists (then it is marked as just used). */
enum err cache_lookup(const char *key, const char *suffix, char *path, int *found);

/* A temporary file beside the entry's final place: the caller writes it, then publishes it. */
enum err cache_temporary(const char *path, char *temporary);
void cache_discard(const char *temporary);

/* The error for an entry or a temporary file that could not be written: `error` is errno. */
enum err cache_failed(const char *path, int error, const char *reason);

/* Opens an entry for reading: only one that is whole, was published under this name, and that nobody else
 * owns (but root) or may write to. *fd: -1 where there is none; what is there is deleted. Fails where that
 * cannot be found out. */
enum err cache_open(const char *path, int *fd);

/* Seals a finished file and moves it to its place; then, if the cache has outgrown its bounds (SHOAL_CACHE_MB,
 * 512 by default), deletes the entries that were not used for longest. */
enum err cache_publish(const char *temporary, const char *path);

#endif
