/* What measures: the commit, the bytes of the program and of the kernels' texts, and whether the
 * tree has uncommitted changes. */
#ifndef SHOAL_PROVENANCE_H
#define SHOAL_PROVENANCE_H

#include "core/base/err.h"

enum { PROVENANCE_DIGITS = 12, PROVENANCE_TEXT = 40 };

struct provenance {
    char commit[PROVENANCE_TEXT + 1];    /* the build's; "unknown" without git */
    char committed[32];                  /* its date, UTC; "unknown" */
    char program[PROVENANCE_DIGITS + 1]; /* SHA-256 of the program and all files in kernels/ */
    /* "yes": the build's tree or today's has changes, or the tree is at another commit than the
     * build's; "no"; "unknown": git cannot tell */
    const char *dirty;
};

enum err provenance_find(struct provenance *p);

#endif
