/* Where a command may write: a regular file at the end of all links, outside the system's folders. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/output_file.h"
#include "core/base/input_files.h"

/* A path's folder, with a trailing slash. */
static void folder_of(const char *path, char folder[PATH_LENGTH])
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, PATH_LENGTH, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
}

/* Folders of devices and of the system. /dev/shm is an ordinary disk. */
static enum err check_folder(const char *path, const char *place)
{
    static const char *const systems[] = {"/dev", "/proc", "/sys"};
    char folder[PATH_LENGTH], whole[PATH_LENGTH];
    folder_of(place, folder);
    if (!realpath(folder, whole) || strncmp(whole, "/dev/shm", strlen("/dev/shm")) == 0)
        return ERR_OK;
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        const size_t n = strlen(systems[k]);
        if (strncmp(whole, systems[k], n) == 0 && (whole[n] == '/' || whole[n] == '\0'))
            FAIL(USAGE, "'%s' lies in %s, which is for the system's files: choose another output",
                 path, systems[k]);
    }
    return ERR_OK;
}

enum err outfile_resolve(const char *path, char place[PATH_LENGTH])
{
    enum { MOST_LINKS = 40 };
    char to[PATH_LENGTH], folder[PATH_LENGTH];
    if (snprintf(place, PATH_LENGTH, "%s", path) >= PATH_LENGTH)
        FAIL(USAGE, "the name of output '%s' is too long", path);
    for (int k = 0; k < MOST_LINKS; k++) {
        struct stat s;
        TRY(check_folder(path, place));
        if (lstat(place, &s) != 0 || !S_ISLNK(s.st_mode))
            return ERR_OK;
        const ssize_t n = readlink(place, to, sizeof to - 1);
        if (n < 0)
            FAIL(USAGE, "'%s' is a link that cannot be read: %s: choose another output file", path,
                 strerror(errno));
        to[n] = '\0';
        folder_of(*to == '/' ? "/" : place, folder);
        if (snprintf(place, PATH_LENGTH, "%s%s", *to == '/' ? "" : folder, to) >= PATH_LENGTH)
            FAIL(USAGE, "the target of the link '%s' has too long a name", path);
    }
    FAIL(USAGE, "the link '%s' leads back to itself: choose another output file", path);
}

/* Is the file where stdout or stderr goes? */
static int is_own_stream(const struct stat *file)
{
    struct stat s;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &s) == 0 && s.st_dev == file->st_dev && s.st_ino == file->st_ino)
            return 1;
    return 0;
}

enum err outfile_find_place(const char *path, char place[PATH_LENGTH])
{
    struct stat s;
    if (!*path)
        FAIL(USAGE, "the output file has no name: name it");
    TRY(outfile_resolve(path, place));
    TRY(input_files_check(place));
    if (stat(place, &s) != 0)
        return ERR_OK;
    if (S_ISDIR(s.st_mode))
        FAIL(USAGE, "'%s' is a folder: name the output file", path);
    if (!S_ISREG(s.st_mode))
        FAIL(USAGE, "'%s' is not a regular file: choose another output file", path);
    if (is_own_stream(&s))
        FAIL(USAGE,
             "'%s' is the standard output or error of this command: choose another output file",
             path);
    if (access(place, W_OK) != 0)
        FAIL(USAGE, "'%s' exists and is write-protected: choose another output file", path);
    return ERR_OK;
}

enum err outfile_check(const char *path)
{
    char place[PATH_LENGTH];
    return outfile_find_place(path, place);
}
