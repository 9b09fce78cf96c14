/* The devices that the tuning database has measurements of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plots/data/database.h"

static enum err add_device(struct plot_devices *all, const char *file, const struct db_place *place)
{
    char path[PATH_LENGTH];
    struct plot_device d = {0};
    struct plot_device *more = realloc(all->at, ((size_t)all->count + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory to list the devices of the tuning database");
    all->at = more;
    snprintf(d.device, sizeof d.device, "%s", place->device);
    snprintf(d.environment, sizeof d.environment, "%s", place->environment);
    TRY(db_path(all->folder, file, path));
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

/* One for each device, and one for all. */
static enum err open_databases(struct plot_devices *all)
{
    for (int k = 0; k < all->count; k += plot_device_environments(all, k))
        TRY(database_open(&all->at[k].database, all, k));
    return database_open(&all->database, all, EVERY_DEVICE);
}

/* Sorts them, and keeps those of one device. */
static void arrange(struct plot_devices *all, const char *only)
{
    int kept = 0;
    if (all->count)
        qsort(all->at, (size_t)all->count, sizeof *all->at, by_device);
    for (int k = 0; k < all->count; k++) {
        all->at[k].rank = 1;
        if (*only && strcmp(all->at[k].device, only) != 0) {
            db_manifest_free(&all->at[k].manifest);
            continue;
        }
        if (kept && strcmp(all->at[kept - 1].device, all->at[k].device) == 0)
            all->at[k].rank = all->at[kept - 1].rank + 1;
        all->at[kept++] = all->at[k];
    }
    all->count = kept;
}

static enum err read_all(struct plot_devices *all, const char *only)
{
    struct db_place place;
    TRY(db_list_read(all->folder, &all->files));
    for (size_t k = 0; k < all->files.count; k++) {
        db_place_parse(all->files.path[k], &place);
        if (place.kind == DB_MANIFEST)
            TRY(add_device(all, all->files.path[k], &place));
    }
    if (*only)
        TRY(plot_devices_check(all, only));
    arrange(all, only);
    return open_databases(all);
}

enum err plot_devices_read(struct plot_devices *all, const char *only)
{
    struct stat folder;
    *all = (struct plot_devices){0};
    TRY(paths_database(all->folder));
    if (stat(all->folder, &folder) != 0 || !S_ISDIR(folder.st_mode))
        FAIL(INPUT,
             "there is no tuning database '%s': it is the folder tuning_db, or what SHOAL_DB names",
             all->folder);
    const enum err e = read_all(all, only);
    if (e)
        plot_devices_free(all);
    return e;
}

void plot_devices_free(struct plot_devices *all)
{
    for (int k = 0; k < all->count; k++) {
        db_manifest_free(&all->at[k].manifest);
        database_close(all->at[k].database);
    }
    database_close(all->database);
    db_list_free(&all->files);
    free(all->at);
    *all = (struct plot_devices){0};
}

int plot_device_environments(const struct plot_devices *all, int first)
{
    int n = 1;
    while (first + n < all->count && all->at[first + n].rank > 1)
        n++;
    return n;
}

const char *plot_device_title(const struct plot_device *d)
{
    const char *title = db_manifest_get(&d->manifest, "environment", "device");
    return title ? title : d->device;
}

int plot_device_count(const struct plot_device *d)
{
    char *end;
    const long count = strtol(plot_device_title(d), &end, 10);
    return count > 0 && strncmp(end, " x ", 3) == 0 ? (int)count : 1;
}

int plot_device_divided(const struct plot_device *d)
{
    static const char ending[] = " parts";
    const char *title = plot_device_title(d);
    const size_t n = strlen(title);
    return n >= sizeof ending && strcmp(title + n + 1 - sizeof ending, ending) == 0;
}

enum err plot_devices_check(const struct plot_devices *all, const char *device)
{
    char known[1024] = "";
    for (int k = 0; k < all->count; k++) {
        const size_t n = strlen(known);
        if (strcmp(all->at[k].device, device) == 0)
            return ERR_OK;
        if (k == 0 || strcmp(all->at[k - 1].device, all->at[k].device) != 0)
            snprintf(known + n, sizeof known - n, " %s", all->at[k].device);
    }
    FAIL(USAGE, "the database has no device '%s'; it has%s", device, *known ? known : " none");
}
