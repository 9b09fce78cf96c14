/* Files are known by device and number, which all their names and links share. */
#include "core/base/input_files.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/paths.h"

static struct {
    pthread_mutex_t lock;
    struct identity {
        dev_t device;
        ino_t number;
    } * list;
    size_t count, room;
} noted = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_noted(const struct stat *s)
{
    for (size_t k = 0; k < noted.count; k++)
        if (noted.list[k].device == s->st_dev && noted.list[k].number == s->st_ino)
            return 1;
    return 0;
}

static void add_file(const struct stat *s)
{
    if (noted.count == noted.room) {
        const size_t room = noted.room ? 2 * noted.room : 64;
        struct identity *list = realloc(noted.list, room * sizeof *list);
        if (!list) /* what needs memory next says so */
            return;
        noted.list = list;
        noted.room = room;
    }
    noted.list[noted.count++] = (struct identity){s->st_dev, s->st_ino};
}

void input_files_note(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return;
    pthread_mutex_lock(&noted.lock);
    if (!is_noted(&s))
        add_file(&s);
    pthread_mutex_unlock(&noted.lock);
}

void input_files_forget(void)
{
    pthread_mutex_lock(&noted.lock);
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
        FAIL(USAGE, "'%s' is a file that is read here: choose another output file", path);
    const char *slash = strrchr(path, '/');
    if (snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
                 slash ? path : ".") >= PATH_LENGTH ||
        !realpath(folder, whole))
        return ERR_OK; /* no file can be made there */
    for (char *end; (end = strrchr(whole, '/')) && end > whole; *end = '\0')
        if (path_is_noted(whole))
            FAIL(USAGE, "'%s' would lie in %s, which is read here: choose another output", path,
                 whole);
    return ERR_OK;
}
