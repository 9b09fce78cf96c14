/* Main memory: what the system would give. Linux grants more than it has and kills the process that
 * takes it, so a failed malloc is no answer. */
#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number after `key` in a file of lines "key number". */
static int read_value(const char *path, const char *key, unsigned long long *value)
{
    const size_t n = strlen(key);
    char line[256];
    int found = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    while (!found && fgets(line, sizeof line, f)) {
        char *end = line + n;
        if (strncmp(line, key, n) != 0)
            continue;
        *value = strtoull(line + n, &end, 10);
        found = end != line + n; /* a group without a limit says "max" */
    }
    fclose(f);
    return found;
}

/* What is left in the control group; as seen from inside a container it is the root. */
static int left_in_group(unsigned long long *left)
{
    unsigned long long most, used, active = 0, inactive = 0;
    if (!read_value("/sys/fs/cgroup/memory.max", "", &most) ||
        !read_value("/sys/fs/cgroup/memory.current", "", &used))
        return 0;
    /* pages of files are given back when memory is asked for */
    read_value("/sys/fs/cgroup/memory.stat", "active_file ", &active);
    read_value("/sys/fs/cgroup/memory.stat", "inactive_file ", &inactive);
    used -= active + inactive < used ? active + inactive : used;
    *left = used < most ? most - used : 0;
    return 1;
}

size_t memory_available(void)
{
    unsigned long long kib, left;
    size_t bytes = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (read_value("/proc/meminfo", "MemAvailable:", &kib))
        bytes = (size_t)kib * 1024;
    if (left_in_group(&left) && left < bytes)
        bytes = (size_t)left;
    return bytes;
}

/* What *list points to, whatever type that is of, with that many bytes. */
static void *larger(const void *list, size_t bytes)
{
    void *at;
    memcpy(&at, list, sizeof at);
    return realloc(at, bytes);
}

enum err memory_more(void *list, size_t count, size_t size, const char *what)
{
    if (count & (count - 1))
        return ERR_OK;
    void *more = larger(list, (count ? 2 * count : 1) * size);
    if (!more)
        FAIL(MEMORY, "no memory for %s", what);
    memcpy(list, &more, sizeof more);
    return ERR_OK;
}
