/* A whole file in memory. */
#ifndef SHOAL_WHOLE_FILE_H
#define SHOAL_WHOLE_FILE_H

#include <stddef.h>

#include "core/base/err.h"

/* At most so many bytes are read of a text that people or other tools write, and of what Shoal and the
 * programs that it starts write. */
enum { WHOLE_TEXT = 1 << 26, WHOLE_DATA = 1 << 30 };

/* Reads a file of up to `most` bytes and puts a NUL behind it that `size` does not count; null where that is not
 * wanted. The caller frees `bytes`, which are null after a failure: ERR_INPUT, with errno, or ERR_MEMORY. */
enum err whole_file_read(const char *path, size_t most, char **bytes, size_t *size);

/* The same of what follows in an open file or a pipe, which messages call `name`. */
enum err whole_file_read_on(int fd, const char *name, size_t most, char **bytes, size_t *size);

#endif
