/* Entries of a cache in an installation of the test's own; include after cmocka.h. */
#ifndef SHOAL_TEST_ENTRIES_H
#define SHOAL_TEST_ENTRIES_H

#include <errno.h>
#include <unistd.h>

#include "core/compile/cache.h"
#include "core/compile/recipe.h"
#include "tests/support/scratch.h"

/* An installation of its own for every test, with the cache in its usual place. */
static inline int build_home(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_write("kernels/tile.h", "w", "");
    setenv("SHOAL_HOME", scratch, 1);
    unsetenv("SHOAL_CACHE");
    unsetenv("SHOAL_CACHE_MB");
    unsetenv("XDG_CACHE_HOME");
    return 0;
}

/* A key of one repeated digit. */
static inline const char *key_of(char digit)
{
    static char key[KEY_LENGTH + 1];
    memset(key, digit, KEY_LENGTH);
    return key;
}

static inline void assert_fine(enum err e)
{
    if (e)
        fail_msg("%s", err_message());
}

/* Fills a file and publishes it as an entry. */
static inline enum err publish(char digit, char content, size_t size)
{
    char path[PATH_LENGTH], temporary[PATH_LENGTH];
    int found;
    TRY(cache_lookup(key_of(digit), ".so", path, &found));
    TRY(cache_temporary(path, temporary));
    FILE *f = fopen(temporary, "w");
    if (!f)
        FAIL(MACHINE, "%s: %s", temporary, strerror(errno));
    for (size_t k = 0; k < size; k++)
        putc(content, f);
    if (fclose(f) != 0)
        FAIL(MACHINE, "%s: %s", temporary, strerror(errno));
    return cache_publish(temporary, path);
}

static inline int is_there(char digit)
{
    char path[PATH_LENGTH];
    const char *cache;
    assert_fine(paths_cache(&cache));
    assert_true(snprintf(path, sizeof path, "%s/%s.so", cache, key_of(digit)) < PATH_LENGTH);
    return access(path, F_OK) == 0;
}

static inline int opened_entry(const char *path)
{
    int fd;
    assert_fine(cache_open(path, &fd));
    return fd;
}

/* Can the entry be opened? If not, it is deleted. */
static inline int is_sound(char digit)
{
    char path[PATH_LENGTH];
    int found;
    assert_fine(cache_lookup(key_of(digit), ".so", path, &found));
    const int fd = opened_entry(path);
    if (fd >= 0)
        close(fd);
    assert_int_equal(fd >= 0, is_there(digit));
    return fd >= 0;
}

#endif
