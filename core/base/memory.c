/* Main memory that the system can really provide. Linux grants more than it has and kills the
 * process that uses it, so malloc succeeding proves nothing. */
#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number after `key` in a file of "key number" lines. */
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

/* What is left in the control group; inside a container that group is the root. */
static int left_in_group(unsigned long long *left)
{
    unsigned long long most, used, active = 0, inactive = 0;
    if (!read_value("/sys/fs/cgroup/memory.max", "", &most) ||
        !read_value("/sys/fs/cgroup/memory.current", "", &used))
        return 0;
    /* file pages are released on demand */
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

double memory_most(void)
{
    unsigned long long kib;
    return read_value("/proc/self/status", "VmHWM:", &kib) ? 1024 * (double)kib : (double)NAN;
}

void memory_most_anew(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (!f)
        return;
    fputs("5", f); /* proc(5): the peak resident size alone */
    fclose(f);
}

/* The pointer that *list holds, whatever its type, to this many bytes. */
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
