/* What a guided search predicts of each block, beside what was measured (Weber et al. 2015, figure 3). */
#include <math.h>
#include <stdlib.h>

#include "experiments/tuner/replay.h"
#include "plots/data/kernel_tables.h"

#define COLUMN_TABLE(X)             \
    X(KERNEL, "kernel")             \
    X(NX, "nx")                     \
    X(PRECISION, "precision")       \
    X(WIDTH, "width")               \
    X(HEIGHT, "height")             \
    X(RANK, "rank")                 \
    X(MEASURED_US, "measured_us")   \
    X(MEASURED, "measured_ratio")   \
    X(PREDICTED, "predicted_ratio") \
    X(ROLE, "role")

enum column {
#define COLUMN_ENUM(id, name) AT_##id,
    COLUMN_TABLE(COLUMN_ENUM) COLUMNS
};
#define COLUMN_NAME(id, name) "\t" name
static const char names[] = COLUMN_TABLE(COLUMN_NAME);

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

/* The blocks that are ok, the fastest first. */
static enum err add_blocks(struct frame *f, const struct kernel_rows *rows,
                           const struct replay_space *space, const struct search *s)
{
    const struct db_group *g = &rows->group;
    const struct db_row *base = db_group_row(g, space->kernel->block[space->backend]);
    const double base_us = base && base->outcome == DB_OK ? base->number[DB_MEDIAN] : (double)NAN;
    qsort(g->row, g->ok, sizeof *g->row, faster);
    for (size_t k = 0; k < g->ok; k++) {
        const struct block b = g->row[k].block;
        const double us = g->row[k].number[DB_MEDIAN];
        const char *text[COLUMNS] = {[AT_KERNEL] = rows->kernel->name,
                                     [AT_PRECISION] = precision_names[rows->place.precision],
                                     [AT_ROLE] = roles[search_role(s, b)]};
        const double number[COLUMNS] = {[AT_NX] = rows->place.nx,
                                        [AT_WIDTH] = b.w,
                                        [AT_HEIGHT] = b.h,
                                        [AT_RANK] = (double)(k + 1),
                                        [AT_MEASURED_US] = us,
                                        [AT_MEASURED] = us / space->best,
                                        [AT_PREDICTED] =
                                            search_prediction(s, b) * base_us / space->best};
        TRY(kernel_tables_add(f, text, number));
    }
    return ERR_OK;
}

/* Searches the stored space as a device would be searched. One that is not complete tells nothing. */
static enum err add_space(struct frame *f, const struct source_request *r,
                          const struct kernel_rows *rows)
{
    const enum backend_kind backend = r->device->backend;
    const struct search_setup setup = {
        .kernel = rows->kernel, .backend = backend, .strategy = SEARCH_GUIDED};
    struct replay_space space;
    struct replay_result result;
    struct search *s = NULL;
    enum err e = ERR_OK;
    if (!rows->complete)
        return ERR_OK;
    TRY(replay_load(&space, rows->kernel, backend, &rows->group));
    TRY_OUT(search_create(&s, &setup));
    replay_follow(&space, s, &result, NULL, 0);
    TRY_OUT(add_blocks(f, rows, &space, s));
out:
    search_destroy(s);
    replay_free(&space);
    return e;
}

enum err source_predicted(const struct source_request *r, struct plot_table *t)
{
    return kernel_tables_frame(r, t, WHOLE_SPACES, names + 1, add_space);
}
