/* A whole file in memory. */
#ifndef SHOAL_WHOLE_FILE_H
#define SHOAL_WHOLE_FILE_H

#include <stddef.h>

#include "core/base/err.h"

/* Size limits: for texts written by people or other tools, and for those written by Shoal and the
 * programs that it starts. */
enum { WHOLE_TEXT = 1 << 26, WHOLE_DATA = 1 << 30 };

/* Reads a file of up to `most` bytes and appends a NUL that `size` does not count; `size` may be
 * NULL. The caller frees `bytes`, which is null after a failure: ERR_INPUT, with errno, or
 * ERR_MEMORY. */
enum err whole_file_read(const char *path, size_t most, char **bytes, size_t *size);

/* The same for the rest of an open file or a pipe, which messages call `name`. */
enum err whole_file_read_on(int fd, const char *name, size_t most, char **bytes, size_t *size);

#endif
