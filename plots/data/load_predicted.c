/* A guided search's prediction for each block, and the measured time (Weber et al. 2015, figure 3),
 * as an SQL table. */
#include <math.h>
#include <stdlib.h>

#include "core/device/backend.h"
#include "experiments/tuner/replay.h"
#include "plots/data/load.h"

static const char *const roles[SEARCH_ROLES] = {
    [SEARCH_OTHER] = "other",         [SEARCH_BASE] = "base",       [SEARCH_SUPPORT] = "support",
    [SEARCH_CANDIDATE] = "candidate", [SEARCH_DESCENT] = "descent",
};

static int faster(const void *x, const void *y)
{
    const struct db_row *a = x, *b = y;
    const double first = a->number[DB_MEDIAN], second = b->number[DB_MEDIAN];
    return first != second ? (first > second) - (first < second) : db_row_order(a, b);
}

static int ok_first(const void *x, const void *y)
{
    const struct db_row *a = x, *b = y;
    const int order = (a->outcome != DB_OK) - (b->outcome != DB_OK);
    return order ? order : faster(x, y);
}

/* The ok blocks, fastest first. */
static enum err add_blocks(struct database *d, const struct stored_space *stored,
                           const struct replay_space *space, const struct search *s)
{
    const struct db_group *g = &stored->group;
    const struct db_row *base = db_group_row(g, space->kernel->block[space->backend]);
    const double base_us = base && base->outcome == DB_OK ? base->number[DB_MEDIAN] : (double)NAN;
    qsort(g->row, g->count, sizeof *g->row, ok_first);
    enum err e = sql_into(d->sql, "predicted", 14);
    for (size_t k = 0; k < g->ok && !e; k++) {
        const struct block b = g->row[k].block;
        const double us = g->row[k].number[DB_MEDIAN];
        const struct sql_value v[] = {
            {stored->kernel->name, 0},
            {NULL, stored->nx},
            {precision_names[stored->precision], 0},
            {NULL, b.w},
            {NULL, b.h},
            {NULL, (double)(k + 1)},
            {NULL, us},
            {NULL, us / space->best},
            {NULL, search_prediction(s, b) * base_us / space->best},
            {roles[search_role(s, b)], 0},
            {stored->device->device, 0},
            {stored->device->environment, 0},
            {plot_device_title(stored->device), 0},
            {backends[space->backend]->name, 0},
        };
        e = sql_add(d->sql, v);
    }
    return sql_done(d->sql, e);
}

/* Searches the stored space like a device. */
static enum err add_space(void *context, const struct stored_space *stored)
{
    const enum backend_kind backend = stored->device->backend;
    const struct search_setup setup = {
        .kernel = stored->kernel, .backend = backend, .strategy = SEARCH_GUIDED};
    struct replay_space space;
    struct replay_result result;
    struct search *s = NULL;
    enum err e = ERR_OK;
    TRY(replay_load(&space, stored->kernel, backend, &stored->group));
    TRY_OUT(search_create(&s, &setup));
    replay_follow(&space, s, &result, NULL, 0);
    e = add_blocks(context, stored, &space, s);
out:
    search_destroy(s);
    replay_free(&space);
    return e;
}

enum err load_predicted(struct database *d)
{
    TRY(sql_run(d->sql, "CREATE TABLE predicted (kernel, nx, precision, width, height, rank, "
                        "measured_us, measured_ratio, predicted_ratio, role, device, environment, "
                        "device_title, backend)"));
    return stored_spaces(d, "blocks WHERE complete", add_space, d);
}
