/* Reads on until nothing follows: what a file says of its size may change, and a pipe says none. */
#include "core/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one byte more and a NUL; errno where there is none. */
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

/* EFBIG where there are more bytes than `most`. */
static int read_file(FILE *f, size_t most, char **bytes, size_t *size)
{
    size_t used = 0, room = 0;
    for (;;) {
        const int error = make_room(bytes, used, &room);
        if (error)
            return error;
        const size_t n = fread(*bytes + used, 1, room - 1 - used, f);
        used += n;
        if (used > most)
            return EFBIG;
        if (n == 0)
            break;
    }
    (*bytes)[used] = '\0';
    if (size)
        *size = used;
    return ferror(f) ? errno : 0;
}

enum err whole_file_read(const char *path, size_t most, char **bytes, size_t *size)
{
    *bytes = NULL;
    FILE *f = fopen(path, "rb");
    const int error = f ? read_file(f, most, bytes, size) : errno;
    if (f)
        fclose(f);
    if (!error)
        return ERR_OK;
    free(*bytes);
    *bytes = NULL;
    if (error == ENOMEM)
        FAIL(MEMORY, "no memory to read %s", path);
    errno = error;
    if (error == EFBIG)
        err_set(ERR_INPUT, __FILE__, __LINE__, "%s: more than %zu MB, and at most so many are read",
                path, most >> 20);
    else
        err_set(ERR_INPUT, __FILE__, __LINE__, "%s: cannot be read: %s", path, strerror(error));
    errno = error;
    return ERR_INPUT;
}
