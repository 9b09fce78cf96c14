/* One run at a time writes a file: a lock that ends with its process, however that ends. */
#ifndef SHOAL_OUTPUT_LOCK_H
#define SHOAL_OUTPUT_LOCK_H

#include "core/base/output_file.h"

struct outlock {
    int fd; /* -1: there is none */
    char path[PATH_LENGTH];
};

/* Locks what `path` stands for, by a file beside it. Fails with ERR_USAGE where another process has it;
 * where files cannot be locked a warning says so. Ends with outlock_release, also after a failure. */
enum err outlock_take(struct outlock *l, const char *path);
void outlock_release(struct outlock *l); /* accepts a zeroed or released struct */

/* Deletes temporaries (core/base/output_file.h) of the locked file, and of those whose names are its own and one of these
 * endings, that processes have left which are gone: killed ones. Does nothing where there is no lock. */
void outlock_clear(const struct outlock *l, const char *const endings[], int count);

#endif
