/* Programs in processes of their own. */
#ifndef SHOAL_PROGRAM_H
#define SHOAL_PROGRAM_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* Where this program lies. */
enum err program_self(char path[PATH_LENGTH]);

/* Runs argv[0], a path, to its end, which comes with this process's at the latest. It reads
 * nothing, and its output goes to the file `output`. `status` is its exit status, or 128 and the number
 * of the signal that ended it. */
enum err program_run(char *const argv[], const char *output, int *status);

#endif
