/* Functions of libraries opened at run time. */
#include "core/base/shared_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

const char *library_resolve(void *library, void *table, const struct library_symbol *symbols,
                            size_t count)
{
    const char *missing = NULL;
    for (size_t k = 0; k < count; k++) {
        void *p = dlsym(library, symbols[k].name);
        if (!p && !missing)
            missing = symbols[k].name;
        memcpy((char *)table + symbols[k].offset, &p, sizeof p);
    }
    return missing;
}

void library_path(void *library, char path[PATH_LENGTH])
{
    struct link_map *map;
    *path = 0;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
        snprintf(path, PATH_LENGTH, "%s", map->l_name);
}
