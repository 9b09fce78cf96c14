/* The blocks that the thesis chose for its kernels and GPUs, by its table 4.1. */
#include "plots/data/kernel_tables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/options/run_config.h"

static const char table_file[] = "published/amundsen-2014/table-4.1.tsv";

/* Kernels with early exit are one in the thesis: their blocks must be equal. Both Y_block rows are
 * called Y_block0. The kernels that transpose are not in the table. */
static const struct {
    const char *kernel, *row;
} rows[] = {
    {"flux_fgh0", "FGH0"},
    {"flux_fgh1", "FGH1"},
    {"flux_yblock0", "Y_block0"},
    {"flux_yblock1", "Y_block0"},
    {"flux_fx0", "X_line0"},
    {"flux_fx1", "X_line1"},
    {"flux_fy0", "Y_line0"},
    {"flux_fy1", "Y_line1"},
    {"rk0", "RK0"},
    {"rk1", "RK1"},
    {"srk0", "SRK0"},
    {"srk1", "SRK1"},
    {"flux_fgh0_ee", "EE0"},
    {"flux_fgh1_ee", "EE1"},
    {"rk0_ee", "EE0"},
    {"rk1_ee", "EE1"},
};

static const char *row_name(const char *kernel)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].kernel, kernel) == 0)
            return rows[k].row;
    return NULL;
}

/* A column's name as the GPU is called; the blocks before tuning are of none. */
static void name_gpu(struct thesis_block *b, const char *column)
{
    snprintf(b->gpu, sizeof b->gpu, "%s", column);
    if (strcmp(column, "reference") == 0)
        return;
    for (char *c = b->gpu; *c; c++)
        *c = (char)toupper((unsigned char)*c);
}

/* "16x12"; false where a cell is none. */
static int read_block(const char *cell, struct block *b)
{
    char *end;
    const long w = strtol(cell, &end, 10);
    const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    *b = (struct block){(int)w, (int)h};
    return !*end && w > 0 && w <= LARGEST_SIDE && h > 0 && h <= LARGEST_SIDE;
}

static int read_row(const struct db_cells *t, size_t row, struct thesis_block *out, int most)
{
    int count = 0;
    for (int c = 1; c < t->columns && count < most; c++) {
        if (!read_block(db_cells_at(t, row, c), &out[count].block))
            continue;
        name_gpu(&out[count], db_cells_at(t, 0, c));
        count++;
    }
    return count;
}

int thesis_blocks(const char *kernel, const char *database, struct thesis_block *out, int most)
{
    char path[PATH_LENGTH];
    struct db_cells t;
    int count = 0;
    const char *name = row_name(kernel);
    if (!name)
        return 0;
    if (db_path(database, table_file, path))
        return -1;
    if (access(path, F_OK) != 0)
        return 0;
    if (db_cells_read(path, &t))
        return -1;
    for (size_t row = 1; row < t.rows && count == 0; row++)
        if (strcmp(db_cells_at(&t, row, 0), name) == 0)
            count = read_row(&t, row, out, most);
    db_cells_free(&t);
    return count;
}
