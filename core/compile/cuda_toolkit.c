/* Finds the libraries of a CUDA toolkit. */
#include "core/compile/cuda_toolkit.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/paths.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

int cuda_older_than_needed(int major, int minor)
{
    return major < CUDA_NEEDED_MAJOR || (major == CUDA_NEEDED_MAJOR && minor < CUDA_NEEDED_MINOR);
}

void cuda_too_old(const char *what, int major, int minor, const char *missing, char *why, size_t n)
{
    char found[32] = "an unknown version of CUDA";
    if (major > 0)
        snprintf(found, sizeof found, "CUDA %d.%d", major, minor);
    snprintf(why, n, "%s is too old: %s found%s%s%s, CUDA %d.%d or later needed", what, found,
             missing ? " (without " : "", missing ? missing : "", missing ? ")" : "",
             CUDA_NEEDED_MAJOR, CUDA_NEEDED_MINOR);
}

/* Where a library may be, and the result of the search, for error messages. */
struct search {
    const char *const *names; /* newest first */
    size_t count;
    void *library;
    char looked[3 * PATH_LENGTH]; /* places, separated by commas */
    char broken[PATH_LENGTH];     /* the loader's complaint about a library that exists */
};

/* In a folder, or with "" along the loader's path. */
static void search_folder(struct search *s, const char *folder)
{
    for (size_t k = 0; k < s->count && !s->library; k++) {
        char path[PATH_LENGTH + 32];
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", s->names[k]);
        s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *complaint = s->library ? NULL : dlerror();
        if (complaint && *folder && access(path, F_OK) == 0)
            snprintf(s->broken, sizeof s->broken, " (%s)", complaint);
    }
}

static int later_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

/* In all folders that match a pattern, of the newest toolkit first. */
static void search_folders(struct search *s, const char *pattern)
{
    glob_t found;
    size_t used = strlen(s->looked);
    if (s->library)
        return;
    snprintf(s->looked + used, sizeof s->looked - used, "%s%s", used ? ", " : "",
             *pattern ? pattern : "the loader's path");
    if (!*pattern)
        search_folder(s, "");
    else if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, later_version);
        for (size_t k = 0; k < found.gl_pathc; k++)
            search_folder(s, found.gl_pathv[k]);
        globfree(&found);
    }
}

static void search_under(struct search *s, const char *root, const char *sub)
{
    char folder[PATH_LENGTH];
    if (snprintf(folder, sizeof folder, "%s%s", root, sub) < (int)sizeof folder)
        search_folders(s, folder);
}

/* The library folders of a toolkit. */
static void search_toolkit(struct search *s, const char *root)
{
    static const char *const sub[] = {"/lib64", "/lib", "/targets/*/lib", "/extras/CUPTI/lib64"};
    for (size_t k = 0; k < COUNT_OF(sub); k++)
        search_under(s, root, sub[k]);
}

/* If SHOAL_CUDA is set, nothing else is tried. */
static void search_everywhere(struct search *s)
{
    const char *chosen = getenv("SHOAL_CUDA"), *home;
    if (chosen && *chosen) {
        search_toolkit(s, chosen);
        search_under(s, chosen, "");
        return;
    }
    if (paths_home(&home) == ERR_OK)
        search_under(s, home, "/build/cuda/lib");
    search_folders(s, "");
    search_toolkit(s, "/usr/local/cuda*");
}

void *cuda_toolkit_open(const char *const *names, size_t count, char *looked, size_t n)
{
    struct search s = {.names = names, .count = count};
    search_everywhere(&s);
    if (!s.library)
        snprintf(looked, n, "%s%s", s.looked, s.broken);
    return s.library;
}
