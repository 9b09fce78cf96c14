/* What measures: the commit, the bytes of the program and of the kernels' texts, and whether the tree has
 * changes that no commit has. */
#ifndef SHOAL_PROVENANCE_H
#define SHOAL_PROVENANCE_H

#include "core/base/err.h"

enum { PROVENANCE_DIGITS = 12, PROVENANCE_TEXT = 40 };

struct provenance {
    char commit[PROVENANCE_TEXT + 1];    /* of the build; "unknown" without git */
    char committed[32];                  /* when, UTC; "unknown" */
    char program[PROVENANCE_DIGITS + 1]; /* of SHA-256 over the program and all files in kernels/ */
    const char *
        dirty; /* "yes": the build's tree or today's has changes, or is at another commit than the build's; "no";
                        * "unknown": git cannot be asked about the tree */
};

enum err provenance_find(struct provenance *p);

#endif
