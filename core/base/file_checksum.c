/* SHA-256 of a file, in pieces of which each core takes some, because it is slow. */
#include "core/base/file_checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/sha256.h"

static const char head[] = "\nsha256 ";
enum { PIECE = 1 << 22, HEAD = sizeof head - 1, SEAL = HEAD + SHA256_DIGITS + 1 };

/* The digest of up to PIECE bytes from `at` on; 0, or errno. */
static int digest_piece(int fd, size_t at, size_t n, char hex[SHA256_DIGITS + 1])
{
    struct sha256 s;
    char *piece = malloc(n);
    size_t have = 0;
    int error = piece ? 0 : ENOMEM;
    while (have < n && !error) {
        const ssize_t got = pread(fd, piece + have, n - have, (off_t)(at + have));
        if (got > 0)
            have += (size_t)got;
        else
            error = got < 0 ? errno : EIO;
    }
    if (!error) {
        sha256_init(&s);
        sha256_update(&s, piece, n);
        sha256_final(&s, hex);
    }
    free(piece);
    return error;
}

/* The digest of the digests of all pieces, and of `about`: the same for any number of threads. */
static int digest(int fd, size_t length, const char *about, char hex[SHA256_DIGITS + 1])
{
    struct piece {
        char hex[SHA256_DIGITS + 1];
    };
    const size_t pieces = (length + PIECE - 1) / PIECE;
    struct piece *p = calloc(pieces + 1, sizeof *p);
    struct sha256 all;
    int failed = p ? 0 : ENOMEM;
#pragma omp parallel for schedule(dynamic) if (pieces > 1)
    for (size_t k = 0; k < pieces; k++) {
        const size_t left = length - k * PIECE;
        const int error =
            p ? digest_piece(fd, k * PIECE, left < PIECE ? left : PIECE, p[k].hex) : 0;
        if (error) {
#pragma omp critical
            failed = error;
        }
    }
    sha256_init(&all);
    for (size_t k = 0; k < pieces && p; k++)
        sha256_update(&all, p[k].hex, SHA256_DIGITS);
    sha256_update(&all, about, strlen(about));
    sha256_final(&all, hex);
    free(p);
    return failed;
}

static int put_seal(int fd, const char *about)
{
    struct stat s;
    char line[SEAL + 1], hex[SHA256_DIGITS + 1];
    if (fstat(fd, &s) != 0)
        return errno;
    const int error = digest(fd, (size_t)s.st_size, about, hex);
    if (error)
        return error;
    snprintf(line, sizeof line, "%s%s\n", head, hex);
    for (ssize_t done = 0, n; done < SEAL; done += n) {
        n = pwrite(fd, line + done, (size_t)(SEAL - done), s.st_size + done);
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
    }
    return 0;
}

int checksum_append(const char *path, const char *about)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return errno;
    const int error = put_seal(fd, about);
    return close(fd) != 0 && !error ? errno : error;
}

enum checksum checksum_check_open(int fd, const char *about)
{
    struct stat s;
    char line[SEAL], hex[SHA256_DIGITS + 1];
    if (fstat(fd, &s) != 0)
        return CHECKSUM_UNREADABLE;
    if (!S_ISREG(s.st_mode) || s.st_size < SEAL ||
        pread(fd, line, SEAL, s.st_size - SEAL) != SEAL || memcmp(line, head, HEAD) != 0 ||
        line[SEAL - 1] != '\n')
        return CHECKSUM_MISSING;
    errno = digest(fd, (size_t)s.st_size - SEAL, about, hex);
    if (errno)
        return CHECKSUM_UNREADABLE;
    return memcmp(line + HEAD, hex, SHA256_DIGITS) == 0 ? CHECKSUM_GOOD : CHECKSUM_WRONG;
}

enum checksum checksum_check(const char *path, const char *about)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return CHECKSUM_UNREADABLE;
    const enum checksum found = checksum_check_open(fd, about);
    const int error = errno;
    close(fd);
    errno = error;
    return found;
}
