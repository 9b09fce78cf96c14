/* Asks git, if installed, about the repository that holds a folder. */
#ifndef SHOAL_GIT_H
#define SHOAL_GIT_H

#include <stddef.h>

#include "core/base/err.h"

/* Runs `git -C FOLDER ARGUMENTS...` (ends with NULL) with `input` as its stdin (NULL: nothing) and
 * returns what it prints, followed by a NUL that `size` does not count; the caller frees it. Fails
 * with ERR_ABSENT if git cannot start or exits with a status other than 0 (no repository, no such
 * commit). */
enum err git_ask(const char *folder, const char *const arguments[], const char *input, char **text,
                 size_t *size);

#endif
