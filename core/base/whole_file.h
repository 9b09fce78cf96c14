/* A whole file in memory. */
#ifndef SHOAL_WHOLE_FILE_H
#define SHOAL_WHOLE_FILE_H

#include <stddef.h>

#include "core/base/err.h"

/* Reads a file of up to `most` bytes (a pipe, too) and puts a NUL behind it that `size` does not count; null
 * where that is not wanted. The caller frees `bytes`, which are null after a failure: ERR_INPUT, with errno, or
 * ERR_MEMORY. */
enum err whole_file_read(const char *path, size_t most, char **bytes, size_t *size);

#endif
