/* Winners and ties, derived from the rows of the tuning database and never stored. */
#include "core/db/tuning_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* McGill, Tukey, Larsen, Variations of box plots (1978): medians whose notches, the median +- 1.57
 * (q3 - q1) / sqrt(n), do not overlap differ at about the 5 % level. */
static const double NOTCH = 1.57;
/* Clocks are not locked: medians closer than twice this share are never told apart, however many
 * timings agree. */
static const double LEAST_HALF_WIDTH = 0.0025;

void db_interval(const struct db_row *row, double *low, double *high)
{
    const double *x = row->number;
    const double n = x[DB_KEPT] + x[DB_DROPPED];
    const double half =
        fmax(NOTCH * (x[DB_Q3] - x[DB_Q1]) / sqrt(n), LEAST_HALF_WIDTH * x[DB_MEDIAN]);
    *low = x[DB_MEDIAN] - half;
    *high = x[DB_MEDIAN] + half;
}

int db_tied(const struct db_row *a, const struct db_row *b)
{
    double low[2], high[2];
    db_interval(a, &low[0], &high[0]);
    db_interval(b, &low[1], &high[1]);
    return low[0] <= high[1] && low[1] <= high[0];
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static double out_of_square(const struct db_row *row)
{
    return fabs(log((double)row->block.w / row->block.h));
}

static double registers(const struct db_row *row)
{
    const double n = row->number[DB_REGISTERS];
    return isnan(n) ? 0 : n;
}

/* The median, us, that a row is believed to have at most. */
static double at_most(const struct db_row *row)
{
    double low, high;
    db_interval(row, &low, &high);
    return high;
}

/* ok before the rest; then the one that is surely faster, so that a few lucky timings do not beat many;
 * of equals the one with fewer registers, then the squarest. */
static int better(const void *x, const void *y)
{
    const struct db_row *a = x, *b = y;
    int order = (a->outcome != DB_OK) - (b->outcome != DB_OK);
    if (!order && a->outcome == DB_OK) {
        order = compare(at_most(a), at_most(b));
        if (!order)
            order = compare(registers(a), registers(b));
        if (!order)
            order = compare(out_of_square(a), out_of_square(b));
    }
    return order ? order : db_row_order(a, b);
}

static int same_group(const struct db_row *a, const struct db_row *b)
{
    return strcmp(a->flags, b->flags) == 0 && strcmp(a->source, b->source) == 0;
}

static int same_block(const struct db_row *a, const struct db_row *b)
{
    return a->block.w == b->block.w && a->block.h == b->block.h;
}

enum err db_group_next(const struct db_table *t, size_t *next, struct db_group *g)
{
    const size_t start = *next;
    size_t end = start;
    *g = (struct db_group){0};
    while (end < t->count && same_group(&t->row[start], &t->row[end]))
        end++;
    if (end == start)
        return ERR_OK;
    g->row = calloc(end - start, sizeof *g->row);
    if (!g->row)
        FAIL(MEMORY, "no memory for %zu rows of the tuning database", end - start);
    for (size_t k = start; k < end; k++) {
        const struct db_row *row = &t->row[k];
        if (g->count && same_block(&g->row[g->count - 1], row)) {
            if (db_row_weight(row, &g->row[g->count - 1]) > 0)
                g->row[g->count - 1] = *row;
        } else {
            g->row[g->count++] = *row;
        }
    }
    qsort(g->row, g->count, sizeof *g->row, better);
    while (g->ok < g->count && g->row[g->ok].outcome == DB_OK)
        g->ok++;
    *next = end;
    return ERR_OK;
}

void db_group_free(struct db_group *g)
{
    free(g->row);
    *g = (struct db_group){0};
}

const struct db_row *db_group_row(const struct db_group *g, struct block b)
{
    for (size_t k = 0; k < g->count; k++)
        if (g->row[k].block.w == b.w && g->row[k].block.h == b.h)
            return &g->row[k];
    return NULL;
}
