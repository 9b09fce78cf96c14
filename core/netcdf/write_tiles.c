/* Sparse domains in a file: which tiles were stored at the time of each record, and what the
 * maps omit. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include "core/mesh/forest.h"
#include "core/netcdf/write_parts.h"

/* The tiles that have cells of the maps. */
static struct window shown(const struct ncwriter *w)
{
    return tiles_under(&w->info.tiles, &w->info.window);
}

/* The first cell of each column or row of tiles, counted in the maps; of the first one it may lie before them. */
static enum err put_firsts(const struct ncwriter *w, const struct label *l, int dim, int up)
{
    const struct window table = shown(w), *c = &w->info.window;
    int var;
    TRY(ncwrite_define(w, l, NC_INT, 1, &dim, &var));
    for (size_t k = 0; k < (size_t)(up ? table.ny : table.nx); k++) {
        const int x = table.i0 + (up ? 0 : (int)k), y = table.j0 + (up ? (int)k : 0);
        const struct window t = tiles_window(&w->info.tiles, y * w->info.tiles.columns + x);
        const int first = up ? t.j0 - c->j0 : t.i0 - c->i0;
        NC(nc_put_var1_int(w->id, var, &k, &first));
    }
    return ERR_OK;
}

enum err ncwrite_define_tiles(struct ncwriter *w)
{
    static const struct label state = {"tile_state", "what was stored of each tile", NULL, NULL,
                                       NULL};
    static const struct label column = {"tile_column", "first cell of a column of tiles", NULL,
                                        NULL, NULL};
    static const struct label row = {"tile_row", "first cell of a row of tiles", NULL, NULL, NULL};
    static const signed char values[] = {TILE_INITIAL, TILE_DRY, TILE_STORED};
    if (!w->info.tiles.columns)
        return ERR_OK;
    const struct window table = shown(w);
    const size_t chunk[3] = {1, (size_t)table.ny, (size_t)table.nx};
    int dims[3] = {w->dim_time, 0, 0};
    NC(nc_def_dim(w->id, "tile_row", chunk[1], &dims[1]));
    NC(nc_def_dim(w->id, "tile_column", chunk[2], &dims[2]));
    TRY(ncwrite_define(w, &state, NC_BYTE, 3, dims, &w->tile_state));
    NC(nc_def_var_chunking(w->id, w->tile_state, NC_CHUNKED, chunk));
    NC(nc_put_att_schar(w->id, w->tile_state, "flag_values", NC_BYTE, 3, values));
    TRY(ncwrite_text(w, w->tile_state, "flag_meanings", "initial dry stored"));
    TRY(put_firsts(w, &row, dims[1], 1));
    return put_firsts(w, &column, dims[2], 0);
}

enum err ncwrite_put_tiles(const struct ncwriter *w, const unsigned char *state)
{
    const int columns = w->info.tiles.columns;
    if (!columns)
        return ERR_OK;
    const struct window table = shown(w);
    const size_t count[3] = {1, 1, (size_t)table.nx};
    for (int y = 0; y < table.ny; y++) {
        const size_t start[3] = {w->records, (size_t)y, 0};
        const unsigned char *const first =
            state + (size_t)(table.j0 + y) * (size_t)columns + table.i0;
        NC(nc_put_vara_uchar(w->id, w->tile_state, start, count, first));
    }
    return ERR_OK;
}

int ncwrite_is_gap(const struct ncwriter *w, const struct plane *p, const struct piece *c)
{
    const struct tiles *t = &w->info.tiles;
    const int least = w->info.held ? TILE_DRY : TILE_STORED;
    if (!p->tile_state)
        return 0;
    const int i = w->info.window.i0 + (int)c->start[1], j = w->info.window.j0 + (int)c->start[0];
    const int first = tiles_of_cell(t, i, j);
    const int last = tiles_of_cell(t, i + (int)c->count[1] - 1, j + (int)c->count[0] - 1);
    for (int y = first / t->columns; y <= last / t->columns; y++)
        for (int x = first % t->columns; x <= last % t->columns; x++)
            if (p->tile_state[y * t->columns + x] >= least)
                return 0;
    return 1;
}

#endif
