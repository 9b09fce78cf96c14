/* The folder for the results of a verification. */
#ifndef SHOAL_RESULT_FOLDER_H
#define SHOAL_RESULT_FOLDER_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* Makes the folder `output` and `data` in it (a path of at least PATH_LENGTH bytes), and deletes
 * the files of an earlier verification, which would be mistaken for new ones. Fails with ERR_USAGE
 * if it cannot write there, and if there is a folder `data` that no verification made. */
enum err folder_prepare(const char *output, char data[PATH_LENGTH]);

#endif
