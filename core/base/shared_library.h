/* Libraries opened at run time: Shoal builds without them. */
#ifndef SHOAL_SHARED_LIBRARY_H
#define SHOAL_SHARED_LIBRARY_H

#include <stddef.h>

#include "core/base/paths.h"

/* A library's function, and where its pointer goes in a table. */
struct library_symbol {
    const char *name;
    size_t offset;
};

/* Fills the table; missing functions become NULL. Returns the name of one that is missing, or NULL
 * if none is. */
const char *library_resolve(void *library, void *table, const struct library_symbol *symbols,
                            size_t count);

/* The full path of an open library, "" if the loader cannot tell. */
void library_path(void *library, char path[PATH_LENGTH]);

#endif
