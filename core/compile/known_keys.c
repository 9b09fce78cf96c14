/* The last keys, each with the state of the files behind it. */
#include "core/compile/known_keys.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/paths.h"

enum { KEYS = 512, SETTLED = 2 /* seconds */ };

struct known {
    char recipe[KEY_LENGTH + 1], key[KEY_LENGTH + 1];
    struct probe *files;
    int count;
};

static struct known known[KEYS];
static int kept; /* in all: the next one replaces number kept % KEYS */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_unchanged(const struct known *k)
{
    for (int n = 0; n < k->count; n++) {
        const struct probe was = k->files[n];
        struct probe now = {.path = was.path};
        probe_file(&now);
        if (memcmp(&now.stamp, &was.stamp, sizeof now.stamp) != 0)
            return 0;
    }
    return 1;
}

/* With the lock held. */
static struct known *find(const char *recipe)
{
    for (int n = 0; n < KEYS && n < kept; n++)
        if (strcmp(known[n].recipe, recipe) == 0)
            return &known[n];
    return NULL;
}

int known_key(const char *recipe, char key[KEY_LENGTH + 1])
{
    pthread_mutex_lock(&lock);
    const struct known *k = find(recipe);
    const int yes = k && is_unchanged(k);
    if (yes)
        memcpy(key, k->key, sizeof k->key);
    pthread_mutex_unlock(&lock);
    return yes;
}

static int has_settled(const struct texts *t)
{
    const time_t now = time(NULL);
    for (int n = 0; n < t->probed; n++)
        if (t->probe[n].stamp.changed.tv_sec > now - SETTLED)
            return 0;
    return 1;
}

/* In one piece of memory, with the paths behind them; null without memory. */
static struct probe *copy_probes(const struct probe *from, int count)
{
    const size_t table = (size_t)count * sizeof *from;
    size_t size = table;
    for (int n = 0; n < count; n++)
        size += strlen(from[n].path) + 1;
    struct probe *files = malloc(size);
    if (!files)
        return NULL;
    char *to = (char *)files + table;
    for (int n = 0; n < count; n++) {
        files[n] = from[n];
        files[n].path = strcpy(to, from[n].path);
        to += strlen(to) + 1;
    }
    return files;
}

void known_key_keep(const char *recipe, const struct texts *t, const char *key)
{
    if (t->probed == PROBES || !has_settled(t))
        return;
    pthread_mutex_lock(&lock);
    struct known *k = find(recipe);
    k = k ? k : &known[kept++ % KEYS];
    free(k->files);
    *k = (struct known){.count = 0};
    struct probe *files = copy_probes(t->probe, t->probed);
    if (files) {
        snprintf(k->recipe, sizeof k->recipe, "%s", recipe);
        snprintf(k->key, sizeof k->key, "%s", key);
        k->count = t->probed;
        k->files = files;
    }
    pthread_mutex_unlock(&lock);
}
