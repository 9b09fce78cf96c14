/* One row for each kernel, size and precision: the best block, and what others lose to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/data/kernel_tables.h"

#define COLUMN_TABLE(X)               \
    X(KERNEL, "kernel")               \
    X(STEM, "stem")                   \
    X(NX, "nx")                       \
    X(NY, "ny")                       \
    X(PRECISION, "precision")         \
    X(BEST, "best")                   \
    X(BEST_US, "best_us")             \
    X(BEST_LOW, "best_low")           \
    X(BEST_HIGH, "best_high")         \
    X(TIES, "ties")                   \
    X(TRIED, "tried")                 \
    X(OK, "ok")                       \
    X(FAILED, "failed")               \
    X(CONSTRAINT, "constraint")       \
    X(COMPILE, "compile")             \
    X(LAUNCH, "launch")               \
    X(WRONG, "wrong")                 \
    X(TIME_OUT, "time_out")           \
    X(DEFAULT, "default")             \
    X(DEFAULT_RATIO, "default_ratio") \
    X(DEFAULT_LOW, "default_low")     \
    X(DEFAULT_HIGH, "default_high")   \
    X(USUAL_RATIO, "usual_ratio")     \
    X(USUAL_LOW, "usual_low")         \
    X(USUAL_HIGH, "usual_high")       \
    X(THESIS_RATIO, "thesis_ratio")   \
    X(WORST_RATIO, "worst_ratio")     \
    X(WITHIN5, "within5")             \
    X(WITHIN10, "within10")           \
    X(REFERENCE, "thesis_reference")  \
    X(Q1800M, "thesis_q1800m")        \
    X(GTX480, "thesis_gtx480")        \
    X(GTX435M, "thesis_gtx435m")      \
    X(REGISTERS, "registers")         \
    X(OCCUPANCY, "occupancy")

enum column {
#define COLUMN_ENUM(id, name) AT_##id,
    COLUMN_TABLE(COLUMN_ENUM) COLUMNS
};
#define COLUMN_NAME(id, name) "\t" name
static const char names[] = COLUMN_TABLE(COLUMN_NAME);

static const enum column counted_at[DB_OUTCOMES] = {
    [DB_OK] = AT_OK,         [DB_CONSTRAINT] = AT_CONSTRAINT, [DB_COMPILE] = AT_COMPILE,
    [DB_LAUNCH] = AT_LAUNCH, [DB_WRONG_ANSWER] = AT_WRONG,    [DB_TIME_OUT] = AT_TIME_OUT};

static void count_outcomes(const struct db_group *g, double number[COLUMNS])
{
    for (int k = 0; k < DB_OUTCOMES; k++)
        number[counted_at[k]] = 0;
    for (size_t k = 0; k < g->count; k++)
        number[counted_at[g->row[k].outcome]]++;
    number[AT_TRIED] = (double)g->count;
    number[AT_FAILED] = (double)(g->count - g->ok);
}

static double ratio(const struct db_group *g, const struct db_row *row)
{
    return row && row->outcome == DB_OK ? row->number[DB_MEDIAN] / g->row[0].number[DB_MEDIAN]
                                        : (double)NAN;
}

/* Three columns from `at` on: how many times the best's time a block takes, and the interval that the
 * intervals of both medians allow. */
static void compare(const struct db_group *g, struct block b, double *at)
{
    const struct db_row *row = db_group_row(g, b);
    double low, high, other_low, other_high;
    at[0] = ratio(g, row);
    if (isnan(at[0]))
        return;
    db_interval(&g->row[0], &low, &high);
    db_interval(row, &other_low, &other_high);
    at[1] = other_low / high;
    at[2] = other_high / low;
}

/* What all blocks that work say together. */
static void sum_up(const struct db_group *g, double number[COLUMNS])
{
    double worst = 0, ties = 0, within5 = 0, within10 = 0;
    for (size_t k = 0; k < g->ok; k++) {
        const double times = ratio(g, &g->row[k]);
        worst = fmax(worst, times);
        ties += db_tied(&g->row[0], &g->row[k]) ? 1 : 0;
        within5 += times <= 1.05 ? 1 : 0;
        within10 += times <= 1.1 ? 1 : 0;
    }
    number[AT_TIES] = ties;
    number[AT_WORST_RATIO] = worst;
    number[AT_WITHIN5] = within5 / (double)g->ok;
    number[AT_WITHIN10] = within10 / (double)g->ok;
}

/* The thesis's blocks; and what the one before its tuning takes. */
struct thesis {
    char text[4][16];
    double times;
};
static const char *const thesis_gpus[] = {"reference", "Q1800M", "GTX480", "GTX435M"};

static enum err read_thesis(const struct source_request *r, const struct kernel_rows *rows,
                            struct thesis *t)
{
    struct thesis_block b[8];
    const int count = thesis_blocks(rows->kernel->name, r->database, b, 8);
    t->times = (double)NAN;
    for (int gpu = 0; gpu < 4; gpu++) {
        snprintf(t->text[gpu], sizeof t->text[gpu], "-");
        for (int k = 0; k < count; k++)
            if (strcmp(b[k].gpu, thesis_gpus[gpu]) == 0)
                snprintf(t->text[gpu], sizeof t->text[gpu], "%dx%d", b[k].block.w, b[k].block.h);
    }
    if (count < 0)
        return err_last();
    for (int k = 0; k < count && rows->group.ok; k++)
        if (strcmp(b[k].gpu, thesis_gpus[0]) == 0)
            t->times = ratio(&rows->group, db_group_row(&rows->group, b[k].block));
    return ERR_OK;
}

static void describe_best(const struct source_request *r, const struct kernel_rows *rows,
                          double number[COLUMNS])
{
    const struct db_group *g = &rows->group;
    const struct db_row *best = &g->row[0];
    number[AT_BEST_US] = best->number[DB_MEDIAN];
    db_interval(best, &number[AT_BEST_LOW], &number[AT_BEST_HIGH]);
    number[AT_REGISTERS] = best->number[DB_REGISTERS];
    number[AT_OCCUPANCY] = best->number[DB_OCCUPANCY];
    compare(g, rows->kernel->block[r->device->backend], &number[AT_DEFAULT_RATIO]);
    compare(g, (struct block){16, 16}, &number[AT_USUAL_RATIO]);
    sum_up(g, number);
}

static enum err add_kernel(struct frame *f, const struct source_request *r,
                           const struct kernel_rows *rows)
{
    const struct block usual = rows->kernel->block[r->device->backend];
    char best[32] = "-", by_default[32];
    struct thesis thesis;
    TRY(read_thesis(r, rows, &thesis));
    const char *text[COLUMNS] = {[AT_KERNEL] = rows->kernel->name,
                                 [AT_STEM] = rows->kernel->stem,
                                 [AT_PRECISION] = precision_names[rows->place.precision],
                                 [AT_BEST] = best,
                                 [AT_DEFAULT] = by_default,
                                 [AT_REFERENCE] = thesis.text[0],
                                 [AT_Q1800M] = thesis.text[1],
                                 [AT_GTX480] = thesis.text[2],
                                 [AT_GTX435M] = thesis.text[3]};
    double number[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        number[c] = (double)NAN;
    number[AT_THESIS_RATIO] = thesis.times;
    number[AT_NX] = rows->place.nx;
    number[AT_NY] = rows->place.ny;
    snprintf(by_default, sizeof by_default, "%dx%d", usual.w, usual.h);
    count_outcomes(&rows->group, number);
    if (rows->group.ok) {
        const struct block b = rows->group.row[0].block;
        snprintf(best, sizeof best, "%dx%d", b.w, b.h);
        describe_best(r, rows, number);
    }
    return kernel_tables_add(f, text, number);
}

enum err source_kernels(const struct source_request *r, struct plot_table *t)
{
    const char *texts = experiment_value(r->experiment, r->data, "texts");
    const int whole = texts && strcmp(texts, "complete") == 0;
    return kernel_tables_frame(r, t, whole ? WHOLE_SPACES : ROWS_OF_NOW, names + 1, add_kernel);
}
