/* Compiled kernels on disk, by key. Safe for several processes: entries appear by rename. */
#ifndef SHOAL_CACHE_H
#define SHOAL_CACHE_H

#include "core/base/err.h"

/* Path of an entry: cache/<key><suffix>. True if it exists (marks it as just used). */
enum err cache_lookup(const char *key, const char *suffix, char *path, int *found);

/* A temporary file beside the entry's final place: the caller writes it, then publishes it. */
enum err cache_temporary(const char *path, char *temporary);
void cache_discard(const char *temporary);

/* The error for an entry or a temporary file whose write failed: `error` is errno. */
enum err cache_failed(const char *path, int error, const char *reason);

/* Opens an entry for reading, but only if it is intact, was published under this name, and nobody
 * else owns it (but root) or may write to it. *fd: -1 if there is none; an unacceptable file is
 * deleted. Fails if the check itself fails. */
enum err cache_open(const char *path, int *fd);

/* Seals a finished file and moves it into place; then, if the cache exceeds its limit
 * (SHOAL_CACHE_MB, 512 by default), deletes the least recently used entries. */
enum err cache_publish(const char *temporary, const char *path);

/* Makes an entry that says all by being there, and holds nothing. Without room for it there is none. */
void cache_mark(const char *path);

#endif
