/* The devices that the tuning database has measurements of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plots/data/source.h"

static enum err add(struct plot_devices *all, const char *file, const struct db_place *place)
{
    char path[PATH_LENGTH];
    struct plot_device d = {0};
    struct plot_device *more = realloc(all->at, ((size_t)all->count + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory to list the devices of the tuning database");
    all->at = more;
    snprintf(d.device, sizeof d.device, "%s", place->device);
    snprintf(d.environment, sizeof d.environment, "%s", place->environment);
    TRY(db_path(all->database, file, path));
    TRY(db_manifest_read(path, &d.manifest));
    snprintf(d.folder, sizeof d.folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    d.backend = db_manifest_backend(&d.manifest);
    db_manifest_latest(&d.manifest, d.latest);
    all->at[all->count++] = d;
    return ERR_OK;
}

static int by_device(const void *a, const void *b)
{
    const struct plot_device *l = a, *r = b;
    int order = (r->backend == CUDA) - (l->backend == CUDA);
    order = order ? order : strcmp(l->device, r->device);
    order = order ? order : strcmp(r->latest, l->latest);
    return order ? order : strcmp(l->environment, r->environment);
}

enum err plot_devices_read(struct plot_devices *all)
{
    struct db_list list;
    struct stat folder;
    enum err e = ERR_OK;
    *all = (struct plot_devices){0};
    TRY(paths_database(all->database));
    if (stat(all->database, &folder) != 0 || !S_ISDIR(folder.st_mode))
        FAIL(INPUT,
             "there is no tuning database '%s': it is the folder tuning_db, or what SHOAL_DB names",
             all->database);
    TRY(db_list_read(all->database, &list));
    for (size_t k = 0; k < list.count && !e; k++) {
        struct db_place place;
        db_place_parse(list.path[k], &place);
        if (place.kind == DB_MANIFEST)
            e = add(all, list.path[k], &place);
    }
    db_list_free(&list);
    if (e)
        plot_devices_free(all);
    else if (all->count)
        qsort(all->at, (size_t)all->count, sizeof *all->at, by_device);
    return e;
}

void plot_devices_free(struct plot_devices *all)
{
    for (int k = 0; k < all->count; k++)
        db_manifest_free(&all->at[k].manifest);
    free(all->at);
    *all = (struct plot_devices){0};
}

const char *plot_device_title(const struct plot_device *d)
{
    const char *title = db_manifest_get(&d->manifest, "environment", "device");
    return title ? title : d->device;
}
