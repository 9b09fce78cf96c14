/* Results of earlier sessions on this device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "experiments/measure/measure_parts.h"

struct earlier {
    const struct measure *m;
    const struct measure_points *all;
    double *rate;
    char (
        *started)[DB_TIME]; /* the session that a point's rate is of; "" where there is none yet */
};

static void note_row(struct earlier *e, const struct stored_row *r, const char *started)
{
    char key[POINT_CELLS];
    for (int k = 0; k < e->all->count; k++) {
        measure_cells(&e->all->point[k], 0, key);
        if (strcmp(key, r->key) != 0 || strcmp(started, e->started[k]) <= 0)
            continue;
        e->rate[k] = r->rate;
        snprintf(e->started[k], DB_TIME, "%s", started);
    }
}

/* An unreadable table, perhaps of another Shoal, is not compared. */
static enum err take_earlier(void *context, const char *path, enum db_match match,
                             const struct db_manifest *manifest)
{
    struct earlier *e = context;
    struct stored s;
    if (match == DB_SAME_CAPABILITY)
        return ERR_OK;
    if (stored_read(&s, path, e->m->kind)) {
        log_warning("not compared with: %s", err_message());
        return ERR_OK;
    }
    for (size_t k = 0; k < s.count; k++) {
        const struct stored_row *r = &s.row[k];
        const char *started = db_session_get(manifest, r->session, "started");
        if (r->ok && !isnan(r->rate) && started && strcmp(r->session, e->m->session) != 0)
            note_row(e, r, started);
    }
    stored_free(&s);
    return ERR_OK;
}

/* As the environment that is measured in describes itself. */
static enum err open_view(const struct measure *m, struct db_view **view)
{
    char database[PATH_LENGTH], path[PATH_LENGTH];
    struct db_manifest manifest;
    TRY(paths_database(database));
    TRY(db_path(m->folder, "manifest.json", path));
    TRY(db_manifest_read(path, &manifest));
    const char *device = db_manifest_get(&manifest, "environment", "device");
    const char *threads = db_manifest_get(&manifest, "environment", "threads");
    const enum err e = db_view_open(view, database, device ? device : "", NULL,
                                    threads ? (int)strtol(threads, NULL, 10) : 0);
    db_manifest_free(&manifest);
    return e;
}

enum err measure_earlier(const struct measure *m, const struct measure_points *all, double *rate)
{
    struct earlier found = {.m = m, .all = all, .rate = rate};
    struct db_view *view = NULL;
    enum err e = ERR_OK;
    for (int k = 0; k < all->count; k++)
        rate[k] = (double)NAN;
    found.started = calloc((size_t)all->count, sizeof *found.started);
    if (!found.started)
        FAIL(MEMORY, "no memory to compare %d points", all->count);
    TRY_OUT(open_view(m, &view));
    TRY_OUT(db_view_experiments(view, m->experiment->name, take_earlier, &found));
out:
    db_view_close(view);
    free(found.started);
    return e;
}
