/* Reads until nothing follows: a file's reported size may change, and a pipe reports none. */
#include "core/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes room for one byte more and a NUL; sets errno on failure. */
static int make_room(char **bytes, size_t used, size_t *room)
{
    if (used + 1 < *room)
        return 0;
    const size_t wanted = *room ? 2 * *room : 1 << 14;
    char *larger = realloc(*bytes, wanted);
    if (!larger)
        return ENOMEM;
    *bytes = larger;
    *room = wanted;
    return 0;
}

/* Returns 0 or errno: EFBIG if there are more than `most` bytes. */
static int read_bytes(int fd, size_t most, char **bytes, size_t *size)
{
    size_t used = 0, room = 0;
    for (;;) {
        const int error = make_room(bytes, used, &room);
        if (error)
            return error;
        const ssize_t n = read(fd, *bytes + used, room - 1 - used);
        if (n < 0 && errno != EINTR)
            return errno;
        used += n > 0 ? (size_t)n : 0;
        if (used > most)
            return EFBIG;
        if (n == 0)
            break;
    }
    (*bytes)[used] = '\0';
    if (size)
        *size = used;
    return 0;
}

static enum err fail(const char *name, size_t most, int error)
{
    if (error == ENOMEM)
        FAIL(MEMORY, "no memory to read %s", name);
    if (error == EFBIG)
        FAIL(INPUT, "%s: more than %zu MB, the most that Shoal reads", name, most >> 20);
    FAIL(INPUT, "%s: cannot be read: %s", name, strerror(error));
}

enum err whole_file_read_on(int fd, const char *name, size_t most, char **bytes, size_t *size)
{
    *bytes = NULL;
    const int error = read_bytes(fd, most, bytes, size);
    if (!error)
        return ERR_OK;
    free(*bytes);
    *bytes = NULL;
    const enum err e = fail(name, most, error);
    errno = error;
    return e;
}

enum err whole_file_read(const char *path, size_t most, char **bytes, size_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC), error = errno;
    *bytes = NULL;
    if (fd < 0) {
        const enum err e = fail(path, most, error);
        errno = error;
        return e;
    }
    const enum err e = whole_file_read_on(fd, path, most, bytes, size);
    const int kept = errno;
    close(fd);
    errno = kept;
    return e;
}
