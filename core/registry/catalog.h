/* Everything that users choose by name, kind by kind, with one line about each. */
#ifndef SHOAL_CATALOG_H
#define SHOAL_CATALOG_H

#include "core/base/err.h"
#include "kernels/kernel.h"

enum listed {
    LIST_SCHEMES,
    LIST_SYSTEMS,
    LIST_VARIABLES,
    LIST_LIMITERS,
    LIST_FLUXES,
    LIST_RECONSTRUCTIONS,
    LIST_CASES,
    LIST_KERNELS,
    LIST_BACKENDS,
    LISTS
};

enum { CATALOG_ENTRIES = 256, TITLE_LENGTH = 160 };

struct catalog {
    int count;
    const char *name[CATALOG_ENTRIES];
    char title[CATALOG_ENTRIES][TITLE_LENGTH];
};

/* "schemes", "limiters", ...: what `shoal list` calls the kinds. */
extern const char *const catalog_kinds[LISTS];

/* Fills `c` with the registered names of a kind, in the registry's order. */
void catalog_fill(struct catalog *c, enum listed list);

/* Adds a name that is not in the registry ("auto"). */
void catalog_add(struct catalog *c, const char *name);

int catalog_has(const struct catalog *c, const char *name);

/* The kernel of that name. If there is none, fails with ERR_USAGE and suggests the nearest. */
enum err catalog_kernel(const char *name, const struct kernel **kernel);

/* Fails with ERR_USAGE and a message that calls `typed` an unknown `what`, suggests the nearest
 * name if one is near, and ends with `remedy`, or, if that is NULL, with all names. */
enum err catalog_unknown(const struct catalog *c, const char *what, const char *typed,
                         const char *remedy);

#endif
