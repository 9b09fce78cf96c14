/* Reads from the tuning database only what is relevant to a device. */
#include "core/db/device_view.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/memory.h"

/* Environments of other devices count if the compute capability is the same. */
static enum err add_shelf(struct db_view *v, const char *device, const char *hash)
{
    char path[PATH_LENGTH];
    struct shelf s = {.same_device = strcmp(device, v->device) == 0};
    if (snprintf(s.path, sizeof s.path, "%s/%s", device, hash) >= (int)sizeof s.path)
        return ERR_OK;
    TRY(db_path(v->folder, s.path, path));
    const size_t end = strlen(path);
    if (snprintf(path + end, sizeof path - end, "/manifest.json") >= (int)(sizeof path - end))
        return ERR_OK;
    if (db_manifest_read(path, &s.manifest)) {
        log_warning("%s; its environment is left out", err_message());
        return ERR_OK;
    }
    const char *capability = db_manifest_get(&s.manifest, "environment", "compute_capability");
    const char *threads = db_manifest_get(&s.manifest, "environment", "threads");
    s.same_device &= !v->threads || !threads || strtol(threads, NULL, 10) == v->threads;
    enum err e = ERR_OK;
    if (s.same_device || (capability && *capability && strcmp(capability, v->capability) == 0)) {
        db_manifest_latest(&s.manifest, s.latest);
        e = memory_more(&v->shelf, (size_t)v->count, sizeof s, "what the tuning database knows");
        if (!e) {
            v->shelf[v->count++] = s;
            return ERR_OK;
        }
    }
    db_manifest_free(&s.manifest);
    return e;
}

/* NULL if there is none, or, with a warning, if it cannot be read. */
static DIR *open_folder(const char *path)
{
    DIR *d = opendir(path);
    if (!d && errno != ENOENT && errno != ENOTDIR)
        log_warning("%s: cannot be read: %s; it is left out", path, strerror(errno));
    return d;
}

static enum err add_device(struct db_view *v, const char *device)
{
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    TRY(db_path(v->folder, device, path));
    DIR *d = open_folder(path);
    for (struct dirent *entry = d ? readdir(d) : NULL; entry && !e; entry = readdir(d))
        if (entry->d_name[0] != '.')
            e = add_shelf(v, device, entry->d_name);
    if (d)
        closedir(d);
    return e;
}

enum err db_view_add_others(struct db_view *v)
{
    enum err e = ERR_OK;
    if (v->others || !*v->capability)
        return ERR_OK;
    v->others = 1;
    DIR *d = open_folder(v->folder);
    for (struct dirent *entry = d ? readdir(d) : NULL; entry && !e; entry = readdir(d))
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, v->device) != 0 &&
            strcmp(entry->d_name, "published") != 0)
            e = add_device(v, entry->d_name);
    if (d)
        closedir(d);
    return e;
}

void db_view_close(struct db_view *v)
{
    for (int k = 0; v && k < v->count; k++)
        db_manifest_free(&v->shelf[k].manifest);
    if (v)
        free(v->shelf);
    free(v);
}

enum err db_view_open(struct db_view **out, const char *folder, const char *device,
                      const char *compute_capability, int threads)
{
    struct db_view *v = calloc(1, sizeof *v);
    if (!v)
        FAIL(MEMORY, "no memory to look into the tuning database");
    snprintf(v->folder, sizeof v->folder, "%s", folder);
    snprintf(v->capability, sizeof v->capability, "%s",
             compute_capability ? compute_capability : "");
    db_device_folder(device, v->device);
    v->threads = threads;
    const enum err e = *v->device ? add_device(v, v->device) : ERR_OK;
    if (e)
        db_view_close(v);
    else
        *out = v;
    return e;
}

enum err db_view_experiments(struct db_view *v, const char *id, db_experiment *each, void *context)
{
    char path[PATH_LENGTH];
    TRY(db_view_add_others(v));
    for (int k = 0; k < v->count; k++) {
        const struct shelf *s = &v->shelf[k];
        if (snprintf(path, sizeof path, "%s/%s/experiments/%s.tsv", v->folder, s->path, id) >=
                PATH_LENGTH ||
            access(path, F_OK) != 0)
            continue;
        TRY(each(context, path, s->same_device ? DB_OTHER_SIZE : DB_SAME_CAPABILITY, &s->manifest));
    }
    return ERR_OK;
}
