/* A copy of the kernels: where it is, and how a mistake gets into it. */
#include "tests/support/test.h"

#include "tests/support/kernel_copy.h"

enum { MOST_SOURCE = 1 << 17 };

static char home[PATH_LENGTH], copy[PATH_LENGTH];

const char *kernel_home(void)
{
    return home;
}

int kernel_home_find(void)
{
    const char *found;
    if (!*home && paths_home(&found))
        return -1;
    if (!*home)
        snprintf(home, sizeof home, "%s", found);
    return 0;
}

int kernel_home_keep(void **state)
{
    const char *cache;
    (void)state;
    return kernel_home_find() || paths_cache(&cache) ? -1 : setenv("SHOAL_CACHE", cache, 1);
}

void kernel_copy(const char *folder)
{
    char command[3 * PATH_LENGTH];
    snprintf(copy, sizeof copy, "%s", folder);
    snprintf(command, sizeof command, "rm -rf '%s/kernels' && cp -RL '%s/kernels' '%s/'", copy,
             home, copy);
    assert_int_equal(system(command), 0);
    assert_int_equal(setenv("SHOAL_HOME", copy, 1), 0);
}

void kernel_plant(const char *file, const char *right, const char *wrong)
{
    static char text[MOST_SOURCE];
    char path[PATH_LENGTH];
    assert_true(snprintf(path, sizeof path, "%s/kernels/%s", copy, file) < PATH_LENGTH);
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    const size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    const char *at = strstr(text, right);
    if (!at || strstr(at + 1, right))
        fail_msg("'%s' is in kernels/%s %s, not once: this test must follow it", right, file,
                 at ? "more often" : "nowhere");
    rewind(f);
    fprintf(f, "%.*s%s%s", (int)(at - text), text, wrong, at + strlen(right));
    assert_int_equal(ftruncate(fileno(f), ftell(f)), 0);
    assert_int_equal(fclose(f), 0);
}

void kernel_copy_leave(void)
{
    setenv("SHOAL_HOME", home, 1);
}
