/* The folder that a verification leaves its results in. */
#ifndef SHOAL_RESULT_FOLDER_H
#define SHOAL_RESULT_FOLDER_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* Makes the folder `output` and `data` in it (a path of at least PATH_LENGTH bytes), and deletes what
 * an earlier verification left there: it would be taken for this one's. Fails with ERR_USAGE where it
 * cannot be written to, and where there is a folder `data` that no verification made. */
enum err folder_prepare(const char *output, char data[PATH_LENGTH]);

#endif
