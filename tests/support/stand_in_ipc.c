/* The part of tests/support/stand_in_gpu.c that lends memory to other processes: it lies in files without a name. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/stand_in_setting.h"
#include "tests/support/stand_in_memory.h"

enum { OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201, UNSUPPORTED = 217 };

struct handle {
    char *at;
    size_t bytes;
    pid_t process;
    int file;
    char rest[40];
};

struct lump {
    struct lump *next;
    struct handle as;
};

static struct lump *lumps;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *map(int file, size_t bytes)
{
    void *p =
        file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return p == MAP_FAILED ? NULL : p;
}

static struct lump *add(void *at, size_t bytes, int file)
{
    struct lump *l = at ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->as = (struct handle){.at = at, .bytes = bytes, .process = getpid(), .file = file};
    pthread_mutex_lock(&lock);
    l->next = lumps;
    lumps = l;
    pthread_mutex_unlock(&lock);
    return l;
}

/* The place that leads to it, with the lock held; at the end null. */
static struct lump **find(const void *at)
{
    struct lump **l = &lumps;
    while (*l && (*l)->as.at != at)
        l = &(*l)->next;
    return l;
}

int memory_take(void **p, size_t bytes)
{
    const size_t some = bytes ? bytes : 1;
    const int file = memfd_create("stand-in", MFD_CLOEXEC);
    *p = file < 0 || ftruncate(file, (off_t)some) ? NULL : map(file, some);
    return add(*p, some, file) ? 0 : OUT_OF_MEMORY;
}

int memory_give(void *p)
{
    pthread_mutex_lock(&lock);
    struct lump **l = find(p), *found = *l;
    if (found)
        *l = found->next;
    pthread_mutex_unlock(&lock);
    if (!found)
        return p ? 1 : 0;
    munmap(p, found->as.bytes);
    close(found->as.file);
    free(found);
    return 0;
}

int cuIpcGetMemHandle(struct handle *h, void *p);
int cuIpcGetMemHandle(struct handle *h, void *p)
{
    pthread_mutex_lock(&lock);
    const struct lump *l = *find(p);
    if (l)
        *h = l->as;
    pthread_mutex_unlock(&lock);
    return l ? 0 : 1;
}

int cuIpcOpenMemHandle_v2(void **p, struct handle h, unsigned flags);
int cuIpcOpenMemHandle_v2(void **p, struct handle h, unsigned flags)
{
    char path[64];
    if (strcmp(setting("FAKE_PEERS", "all"), "none") == 0 || flags != 1)
        return UNSUPPORTED;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)h.process, h.file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    *p = map(file, h.bytes);
    return add(*p, h.bytes, file) ? 0 : INVALID_CONTEXT;
}

int cuIpcCloseMemHandle(void *p);
int cuIpcCloseMemHandle(void *p)
{
    return memory_give(p);
}
