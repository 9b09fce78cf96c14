/* Reads the variables that write_tiles.c writes. */
#include "core/netcdf/read_tiles.h"

#include <stdlib.h>

void nctiles_close(struct nctiles *t)
{
    free(t->west);
    free(t->south);
    free(t->stored);
    *t = (struct nctiles){0};
}

#ifdef HAVE_NETCDF

#include "core/mesh/forest.h"
#include "core/netcdf/variables.h"

/* The first cells of all columns or rows of tiles, which ascend; of the first one it may lie before the maps. */
static enum err read_firsts(const struct ncrecords *file, const char *name, int cells, int **first,
                            int *count)
{
    const struct ncaccess access = {file->path, file->id}, *f = &access;
    int var, dims, dim;
    size_t n;
    NC_READ(nc_inq_varid(f->id, name, &var));
    NC_READ(nc_inq_varndims(f->id, var, &dims));
    if (dims != 1)
        FAIL(INPUT, "%s: variable '%s': expected one dimension, got %d", f->path, name, dims);
    NC_READ(nc_inq_vardimid(f->id, var, &dim));
    NC_READ(nc_inq_dimlen(f->id, dim, &n));
    if (n < 1 || n > (size_t)cells)
        FAIL(INPUT, "%s: variable '%s': %zu tiles do not fit beside each other into %d cells",
             f->path, name, n, cells);
    *first = malloc(n * sizeof **first);
    if (!*first)
        FAIL(MEMORY, "%s: no memory for a table of tiles", f->path);
    *count = (int)n;
    NC_READ(nc_get_var_int(f->id, var, *first));
    for (size_t k = 0; k < n; k++)
        if (k ? (*first)[k] <= (*first)[k - 1] || (*first)[k] < 1 || (*first)[k] >= cells
              : (*first)[k] > 0)
            FAIL(INPUT, "%s: variable '%s': tile %zu cannot begin at cell %d of %d", f->path, name,
                 k, (*first)[k], cells);
    return ERR_OK;
}

static enum err check_states(const struct nctiles *t)
{
    const struct ncaccess access = {t->file->path, t->file->id}, *f = &access;
    const char *name = "tile_state";
    int dims, dim[NC_MAX_VAR_DIMS];
    size_t n[3] = {0};
    NC_READ(nc_inq_varndims(f->id, t->id, &dims));
    NC_READ(nc_inq_vardimid(f->id, t->id, dim));
    for (int k = 0; k < 3 && dims == 3; k++)
        NC_READ(nc_inq_dimlen(f->id, dim[k], &n[k]));
    if (n[0] != t->file->records || n[1] != (size_t)t->rows || n[2] != (size_t)t->columns)
        FAIL(INPUT, "%s: variable '%s': expected %zu records of %d x %d tiles", f->path, name,
             t->file->records, t->columns, t->rows);
    return ERR_OK;
}

enum err nctiles_open(struct nctiles *t, const struct ncrecords *file)
{
    *t = (struct nctiles){.file = file};
    if (file->memory || nc_inq_varid(file->id, "tile_state", &t->id) != NC_NOERR)
        FAIL(USAGE,
             "%s has no table of tiles: results of `shoal run --domain sparse` without "
             "--fill-absent have one",
             file->path);
    if (!file->records)
        FAIL(USAGE, "%s has no record yet, and so no tiles", file->path);
    TRY(read_firsts(file, "tile_column", file->grid.nx, &t->west, &t->columns));
    TRY(read_firsts(file, "tile_row", file->grid.ny, &t->south, &t->rows));
    TRY(check_states(t));
    t->stored = calloc((size_t)t->columns * (size_t)t->rows, 1);
    if (!t->stored)
        FAIL(MEMORY, "%s: no memory for a table of tiles", file->path);
    return ERR_OK;
}

enum err nctiles_read(struct nctiles *t, size_t record)
{
    const struct ncaccess access = {t->file->path, t->file->id}, *f = &access;
    const char *name = "tile_state";
    const size_t start[3] = {record, 0, 0};
    const size_t count[3] = {1, (size_t)t->rows, (size_t)t->columns};
    NC_READ(nc_get_vara_uchar(f->id, t->id, start, count, t->stored));
    for (size_t k = 0; k < count[1] * count[2]; k++)
        t->stored[k] = t->stored[k] == TILE_STORED;
    return ERR_OK;
}

#endif
