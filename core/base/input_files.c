/* Device and inode number identify a file under all its names and links. A deleted file's number
 * may become another file's, so a record holds only while its file is where it was read. */
#include "core/base/input_files.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/paths.h"

static struct {
    pthread_mutex_t lock;
    struct note {
        dev_t device;
        ino_t number;
        char *path; /* absolute; owned */
    } * list;
    size_t count, room;
} noted = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_file(const struct note *n, const struct stat *s)
{
    return n->device == s->st_dev && n->number == s->st_ino;
}

static int is_noted(const struct stat *s)
{
    struct stat now;
    for (size_t k = 0; k < noted.count; k++)
        if (is_file(&noted.list[k], s) && stat(noted.list[k].path, &now) == 0 &&
            is_file(&noted.list[k], &now))
            return 1;
    return 0;
}

static void add_file(const struct stat *s, const char *path)
{
    if (noted.count == noted.room) {
        const size_t room = noted.room ? 2 * noted.room : 64;
        struct note *list = realloc(noted.list, room * sizeof *list);
        if (!list) /* the next allocation that matters reports it */
            return;
        noted.list = list;
        noted.room = room;
    }
    char *const whole = realpath(path, NULL);
    if (whole)
        noted.list[noted.count++] = (struct note){s->st_dev, s->st_ino, whole};
}

void input_files_note(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return;
    pthread_mutex_lock(&noted.lock);
    if (!is_noted(&s))
        add_file(&s, path);
    pthread_mutex_unlock(&noted.lock);
}

void input_files_forget(void)
{
    pthread_mutex_lock(&noted.lock);
    for (size_t k = 0; k < noted.count; k++)
        free(noted.list[k].path);
    free(noted.list);
    noted.list = NULL;
    noted.count = noted.room = 0;
    pthread_mutex_unlock(&noted.lock);
}

static int path_is_noted(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return 0;
    pthread_mutex_lock(&noted.lock);
    const int yes = is_noted(&s);
    pthread_mutex_unlock(&noted.lock);
    return yes;
}

enum err input_files_check(const char *path)
{
    char folder[PATH_LENGTH], whole[PATH_LENGTH];
    if (path_is_noted(path))
        FAIL(USAGE, "'%s' is an input of this command: choose another output file", path);
    const char *slash = strrchr(path, '/');
    if (snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
                 slash ? path : ".") >= PATH_LENGTH ||
        !realpath(folder, whole))
        return ERR_OK; /* the path cannot hold a file */
    for (char *end; (end = strrchr(whole, '/')) && end > whole; *end = '\0')
        if (path_is_noted(whole))
            FAIL(USAGE, "'%s' would lie in %s, an input of this command: choose another output",
                 path, whole);
    return ERR_OK;
}
