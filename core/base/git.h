/* Asks git, where there is one, about the repository that a folder lies in. */
#ifndef SHOAL_GIT_H
#define SHOAL_GIT_H

#include <stddef.h>

#include "core/base/err.h"

/* Runs `git -C FOLDER ARGUMENTS...` (NULL at the end), which reads `input` (NULL: nothing), and takes what it
 * prints, with a NUL after it that does not count in `size`, for the caller to free. Fails with ERR_ABSENT where git cannot be started or
 * its status is not 0: no repository, no such commit. */
enum err git_ask(const char *folder, const char *const arguments[], const char *input, char **text,
                 size_t *size);

#endif
