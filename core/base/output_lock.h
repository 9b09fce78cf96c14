/* Only one run at a time writes a file: a lock that ends with its process, however that ends. */
#ifndef SHOAL_OUTPUT_LOCK_H
#define SHOAL_OUTPUT_LOCK_H

#include "core/base/output_file.h"

struct outlock {
    int fd; /* -1: none */
    char path[PATH_LENGTH];
};

/* Locks what `path` stands for, by a lock file beside it. Fails with ERR_USAGE if another process
 * holds it; warns if the file system cannot lock. Call outlock_release also after a failure. */
enum err outlock_take(struct outlock *l, const char *path);
void outlock_release(struct outlock *l); /* accepts a zeroed or released struct */

/* Deletes the temporary files (core/base/output_file.h) that dead processes left for the locked
 * file, and for files with its name and one of these endings. Does nothing without a lock. */
void outlock_clear(const struct outlock *l, const char *const endings[], int count);

#endif
