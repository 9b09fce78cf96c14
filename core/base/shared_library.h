/* Libraries that are opened at run time: nothing of them is needed to build Shoal. */
#ifndef SHOAL_SHARED_LIBRARY_H
#define SHOAL_SHARED_LIBRARY_H

#include <stddef.h>

#include "core/base/paths.h"

/* A function of a library, and where its pointer stands in a table of them. */
struct library_symbol {
    const char *name;
    size_t offset;
};

/* Fills the table; pointers to what the library lacks become NULL. The name of such a function, or
 * NULL if all are there. */
const char *library_resolve(void *library, void *table, const struct library_symbol *symbols,
                            size_t count);

/* The full path of an open library, "" if the loader does not tell. */
void library_path(void *library, char path[PATH_LENGTH]);

#endif
