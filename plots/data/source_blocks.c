/* Every block of kernels, as it was measured: what heat maps are drawn from. */
#include <math.h>
#include <stdlib.h>

#include "plots/data/kernel_tables.h"

#define COLUMN_TABLE(X)       \
    X(KERNEL, "kernel")       \
    X(STEM, "stem")           \
    X(NX, "nx")               \
    X(NY, "ny")               \
    X(PRECISION, "precision") \
    X(WIDTH, "width")         \
    X(HEIGHT, "height")       \
    X(OUTCOME, "outcome")     \
    X(REASON, "reason")       \
    X(MEDIAN, "median_us")    \
    X(LOW, "low_us")          \
    X(HIGH, "high_us")        \
    X(LOSS, "loss")           \
    X(FRACTION, "fraction")   \
    X(BEST, "best")           \
    X(TIED, "tied")           \
    X(DEFAULT, "default")     \
    X(USUAL, "usual")         \
    X(REGISTERS, "registers") \
    X(SHARED, "shared_b")     \
    X(OCCUPANCY, "occupancy") \
    X(KEPT, "kept")           \
    X(DROPPED, "dropped")     \
    X(SPREAD, "spread")       \
    X(COMPILE, "compile_ms")  \
    X(LOAD, "load_ms")        \
    X(MEASURE, "measure_ms")  \
    X(SEQUENCE, "sequence")   \
    X(SESSION, "session")

enum column {
#define COLUMN_ENUM(id, name) AT_##id,
    COLUMN_TABLE(COLUMN_ENUM) COLUMNS
};
#define COLUMN_NAME(id, name) "\t" name
static const char names[] = COLUMN_TABLE(COLUMN_NAME);

static int is_block(const struct db_row *row, struct block b)
{
    return row->block.w == b.w && row->block.h == b.h;
}

static enum err add_row(struct frame *f, const struct kernel_rows *rows, enum backend_kind backend,
                        const struct db_row *best, const struct db_row *row)
{
    const char *text[COLUMNS] = {[AT_KERNEL] = rows->kernel->name,
                                 [AT_STEM] = rows->kernel->stem,
                                 [AT_PRECISION] = precision_names[rows->place.precision],
                                 [AT_OUTCOME] = db_outcomes[row->outcome],
                                 [AT_REASON] = row->reason,
                                 [AT_SESSION] = row->session};
    const int ok = row->outcome == DB_OK;
    double number[COLUMNS] = {[AT_NX] = rows->place.nx,
                              [AT_NY] = rows->place.ny,
                              [AT_WIDTH] = row->block.w,
                              [AT_HEIGHT] = row->block.h,
                              [AT_MEDIAN] = row->number[DB_MEDIAN],
                              [AT_LOW] = (double)NAN,
                              [AT_HIGH] = (double)NAN,
                              [AT_LOSS] = (double)NAN,
                              [AT_FRACTION] = (double)NAN,
                              [AT_BEST] = ok && is_block(row, best->block),
                              [AT_TIED] = ok && db_tied(best, row),
                              [AT_DEFAULT] = is_block(row, rows->kernel->block[backend]),
                              [AT_USUAL] = is_block(row, (struct block){16, 16}),
                              [AT_REGISTERS] = row->number[DB_REGISTERS],
                              [AT_SHARED] = row->number[DB_SHARED],
                              [AT_OCCUPANCY] = row->number[DB_OCCUPANCY],
                              [AT_KEPT] = row->number[DB_KEPT],
                              [AT_DROPPED] = row->number[DB_DROPPED],
                              [AT_SPREAD] = 100 * row->number[DB_SPREAD] / row->number[DB_MEAN],
                              [AT_COMPILE] = row->number[DB_COMPILE_COST],
                              [AT_LOAD] = row->number[DB_LOAD_COST],
                              [AT_MEASURE] = row->number[DB_MEASURE_COST],
                              [AT_SEQUENCE] = row->number[DB_SEQUENCE]};
    if (ok) {
        db_interval(row, &number[AT_LOW], &number[AT_HIGH]);
        number[AT_LOSS] = 100 * (row->number[DB_MEDIAN] / best->number[DB_MEDIAN] - 1);
        number[AT_FRACTION] = best->number[DB_MEDIAN] / row->number[DB_MEDIAN];
    }
    return kernel_tables_add(f, text, number);
}

static int by_block(const void *x, const void *y)
{
    const struct db_row *a = x, *b = y;
    return a->block.w != b->block.w ? a->block.w - b->block.w : a->block.h - b->block.h;
}

static enum err add_group(struct frame *f, const struct source_request *r,
                          const struct kernel_rows *rows)
{
    const enum backend_kind backend = r->device->backend;
    const struct db_group *g = &rows->group;
    const struct db_row best = g->row[0];
    qsort(g->row, g->count, sizeof *g->row, by_block);
    for (size_t k = 0; k < g->count; k++)
        TRY(add_row(f, rows, backend, &best, &g->row[k]));
    return ERR_OK;
}

enum err source_blocks(const struct source_request *r, struct plot_table *t)
{
    return kernel_tables_frame(r, t, WHOLE_SPACES, names + 1, add_group);
}
