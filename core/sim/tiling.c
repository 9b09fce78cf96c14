/* Tiles of a sim: their places and neighbours. */
#include "core/sim/tiling.h"

#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state_parts.h"
#include "core/sim/active_tiles.h"
#include "core/sim/kernels.h"
#include "core/sim/sparse.h"
#include "core/sim/strips.h"
#include "kernels/tile_ghosts.h"

_Static_assert((int)TILED_UNKNOWNS == (int)UNKNOWNS,
               "kernels/tile_ghosts.h must have room for every unknown");

enum { LEAST_PAIRED = LEAST_TILE + 2 }; /* columns of a tile */

int tiling_slots(const struct sim *s)
{
    if (!s->forest && sparse_wanted(s)) /* not counted yet */
        return 1;
    return s->forest ? s->forest->slots : tiles_count(&s->tiles);
}

int tiling_tile(const struct sim *s, int slot)
{
    return s->forest ? s->forest->tile[slot] : slot;
}

int tiling_slot(const struct sim *s, int tile)
{
    return tile < 0 || !s->forest ? tile : s->forest->slot[tile];
}

size_t tiling_slot_bytes(const struct sim *s)
{
    return (size_t)(s->pitch[PLAIN] * s->slot_rows) * s->real_size;
}

/* On a GPU kernels by rows take strips of 28 columns in f64 (warp_block): a tile of whole strips keeps 0.88 (112 cells) to
 * 0.91 (252) of the speed without tiles on an H200, and one of 60 cells 0.75. In f32 tiles of 60 cells keep 0.76 and those of
 * 124 0.92, but these follow the water less closely. kernels/SPEED.md, Tiles and a tracer. */
struct tile_size tiling_usual(const struct sim *s)
{
    enum { USUAL = 60, STRIPS_OF_28 = 112 };
    const int side =
        s->backend == &backend_cuda && s->config->precision == F64 ? STRIPS_OF_28 : USUAL;
    return (struct tile_size){side, side};
}

/* Kernels of a sparse domain store their neighbours' ghost cells, in pairs: pushes(). */
static enum err check_size(const struct sim *s, const struct tile_size *t)
{
    const int sparse = s->config->domain == DOMAIN_SPARSE,
              least = sparse ? LEAST_PAIRED : LEAST_TILE;
    const int w = t->w < least ? least : t->w, h = t->h < LEAST_TILE ? LEAST_TILE : t->h;
    const struct tile_size fit = {sparse ? w - w % 2 : w, h};
    if (fit.w != t->w || fit.h != t->h)
        FAIL(
            USAGE,
            "--tile %dx%d: expected %d columns at least%s, and %d rows at least: give --tile %dx%d",
            t->w, t->h, least,
            sparse ? " and an even number of them, as --domain sparse needs" : "", (int)LEAST_TILE,
            fit.w, fit.h);
    return ERR_OK;
}

enum err tiling_choose(struct sim *s)
{
    const int sparse = sparse_wanted(s);
    const struct tile_size usual = tiling_usual(s),
                           *t = s->config->tile.w || !sparse ? &s->config->tile : &usual;
    TRY(sparse_check(s));
    if (!t->w)
        return ERR_OK;
    if (s->scheme->split)
        FAIL(USAGE,
             "--tile: scheme %s transposes the whole domain, so it supports no tiles: choose "
             "another "
             "scheme, or omit --tile",
             s->scheme->name);
    TRY(check_size(s, t));
    if (s->config->domain == DOMAIN_SPARSE && !sparse)
        return ERR_OK;
    s->tiles = tiles_cut(s->grid.nx, s->grid.ny, t->w, t->h);
    s->slot_rows = s->tiles.h + 2 * GHOSTS;
    return active_tiles_choose(s);
}

/* Rows begin with their ghost cells, at a multiple of 128 bytes. No kernel uses the corners after
 * the last ghost cells: those of a row may be missing, and a slot has no row for them. */
long tiling_pitch(const struct sim *s)
{
    const int width = s->tiles.w + 2 * GHOSTS;
    return ((long)width + 31) / 32 * 32;
}

long tiling_offset(const struct sim *s, int i, int j)
{
    const long pitch = s->pitch[PLAIN];
    if (!s->tiles.columns)
        return at(pitch, i, j);
    const int k = tiles_of_cell(&s->tiles, i, j), slot = tiling_slot(s, k);
    const struct window w = tiles_window(&s->tiles, k);
    return slot < 0 ? -1 : at(pitch, i - w.i0, slot * s->slot_rows + j - w.j0);
}

void tiling_lay(const struct sim *s, const struct initial *tile, const void *field, void *slot)
{
    const size_t size = s->real_size;
    const long pitch = s->pitch[PLAIN], corners = tile->nx + 2 * GHOSTS + 1;
    memset(slot, 0xff, tiling_slot_bytes(s)); /* NaN */
    for (int j = -GHOSTS; j <= tile->ny + GHOSTS && j + GHOSTS < s->slot_rows; j++)
        memcpy((char *)slot + tiling_cell(s, -GHOSTS, j) * size,
               (const char *)field + initial_offset(tile, -GHOSTS, j) * size,
               (size_t)(corners < pitch ? corners : pitch) * size);
}

static struct tile_place place_of(const struct sim *s, int k)
{
    const struct tiles *t = &s->tiles;
    const struct window w = tiles_window(t, k);
    const int column = k % t->columns, row = k / t->columns;
    return (struct tile_place){.slot = tiling_slot(s, k),
                               .nx = w.nx,
                               .ny = w.ny,
                               .i0 = w.i0,
                               .j0 = w.j0,
                               .edges = (column == 0) << WEST | (column == t->columns - 1) << EAST |
                                        (row == 0) << SOUTH | (row == t->rows - 1) << NORTH};
}

/* If there is no tile at a corner, a neighbouring tile has the cell, as a ghost cell outside an
 * edge. */
static struct tile_neighbour neighbour_of(const struct sim *s, int k, int dx, int dy)
{
    const struct tiles *t = &s->tiles;
    const int periodic[2] = {s->boundary[WEST] == PERIODIC, s->boundary[SOUTH] == PERIODIC};
    int tile = tiles_beside(t, periodic, k, dx, dy);
    if (tile < 0 && dx && dy && tiles_beside(t, periodic, k, dx, 0) >= 0)
        dy = 0, tile = tiles_beside(t, periodic, k, dx, 0);
    else if (tile < 0 && dx && dy && tiles_beside(t, periodic, k, 0, dy) >= 0)
        dx = 0, tile = tiles_beside(t, periodic, k, 0, dy);
    if (tiling_slot(s, tile) < 0 || (!dx && !dy))
        return (struct tile_neighbour){.slot = -1};
    const struct window own = tiles_window(t, k), theirs = tiles_window(t, tile);
    const int around_x = (dx > 0 && theirs.i0 <= own.i0) - (dx < 0 && theirs.i0 >= own.i0);
    const int around_y = (dy > 0 && theirs.j0 <= own.j0) - (dy < 0 && theirs.j0 >= own.j0);
    return (struct tile_neighbour){.slot = tiling_slot(s, tile),
                                   .di = dx < 0   ? theirs.nx
                                         : dx > 0 ? -own.nx
                                                  : 0,
                                   .dj = dy < 0   ? theirs.ny
                                         : dy > 0 ? -own.ny
                                                  : 0,
                                   .around = around_x || around_y,
                                   .around_x = around_x,
                                   .around_y = around_y};
}

/* A line of cells along y (`up`) or x, from cell (i, j) to the domain's end, tile by tile. */
static void list_line(const struct sim *s, int i, int j, int up, long *where)
{
    const int n = up ? s->grid.ny : s->grid.nx;
    for (int k = 0, end; k < n; k = end) {
        const int x = up ? i : k, y = up ? k : j;
        const struct window w = tiles_window(&s->tiles, tiles_of_cell(&s->tiles, x, y));
        const long first = tiling_offset(s, x, y), step = first < 0 ? 0 : up ? s->pitch[PLAIN] : 1;
        end = up ? w.j0 + w.ny : w.i0 + w.nx;
        for (int m = k; m < end; m++)
            where[m] = first + (m - k) * step;
    }
}

/* For each position along the edges, its cell: for the boundary conditions, which need not run where all are absent. */
static void list_rim(struct sim *s, long *where)
{
    list_line(s, 0, 0, 1, where + sim_rim_at(s, WEST));
    list_line(s, s->grid.nx - 1, 0, 1, where + sim_rim_at(s, EAST));
    list_line(s, 0, 0, 0, where + sim_rim_at(s, SOUTH));
    list_line(s, 0, s->grid.ny - 1, 0, where + sim_rim_at(s, NORTH));
    s->inland = 1;
    for (size_t k = 0; k < sim_rim_length(s); k++)
        s->inland &= where[k] < 0;
}

/* Room in a device table for more; the first entries stay. */
static enum err grow_table(struct sim *s, const char *name, size_t bytes, void *to)
{
    struct array *a = sim_find_array(s, name);
    const enum err e = sim_array_grow(s, a, bytes);
    memcpy(to, &a->memory, sizeof a->memory);
    return e;
}

/* A device table, created or rewritten. */
static enum err put_table(struct sim *s, const char *name, const void *from, size_t bytes, void *to)
{
    struct array *a = sim_find_array(s, name);
    if (!a)
        return sim_constant(s, name, from, bytes, to);
    TRY(grow_table(s, name, bytes, to));
    return s->backend->upload(s->device, a->memory, from, bytes);
}

enum err tiling_grow(struct sim *s)
{
    const size_t n = (size_t)tiling_slots(s);
    TRY(grow_table(s, "tile_places", n * sizeof *s->tile_place, &s->tile_place));
    return grow_table(s, "tile_neighbours", n * TILE_SIDES * sizeof *s->tile_neighbour,
                      &s->tile_neighbour);
}

enum err tiling_update(struct sim *s)
{
    enum { SHARED = 512 }; /* tiles that take longer than to call threads */
    const size_t n = (size_t)tiling_slots(s), rim = sim_rim_length(s);
    const struct tile_neighbour none = {.slot = -1};
    enum err e = ERR_OK;
    struct tile_place *place = calloc(n, sizeof *place);
    struct tile_neighbour *neighbour = malloc(n * TILE_SIDES * sizeof *neighbour);
    long *where = malloc(rim * sizeof *where);
    if (!place || !neighbour || !where) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %zu tiles", n);
        goto out;
    }
#pragma omp parallel for schedule(static) if (n > SHARED)
    for (int k = 0; k < (int)n; k++) {
        const int tile = tiling_tile(s, k);
        if (tile >= 0)
            place[k] = place_of(s, tile);
        for (int d = 0; d < TILE_SIDES; d++)
            neighbour[k * TILE_SIDES + d] =
                tile < 0 ? none : neighbour_of(s, tile, d % 3 - 1, d / 3 - 1);
    }
    list_rim(s, where);
    TRY_OUT(put_table(s, "tile_places", place, n * sizeof *place, &s->tile_place));
    TRY_OUT(put_table(s, "tile_neighbours", neighbour, n * TILE_SIDES * sizeof *neighbour,
                      &s->tile_neighbour));
    TRY_OUT(put_table(s, "rim_cells", where, rim * sizeof *where, &s->rim_cell));
    if (s->forest)
        TRY_OUT(put_table(s, "tile_slots", s->forest->slot,
                          (size_t)s->forest->tiles * sizeof *s->forest->slot, &s->slot_of));
out:
    free(place);
    free(neighbour);
    free(where);
    return e;
}

enum err tiling_create(struct sim *s)
{
    if (!s->tiles.columns)
        return ERR_OK;
    TRY(tiling_update(s));
    TRY(active_tiles_create(s));
    return strips_choose(s);
}

/* The kernel stores the neighbours' ghost cells; a kernel by rows if the ends of rows are whole pairs
 * of cells: rows.h. */
static int pushes(const struct sim *s, const struct kernel *k)
{
    const struct tiles *t = &s->tiles;
    const int pairs = t->columns == 1 || (t->w % 2 == 0 && t->w >= LEAST_PAIRED);
    return k->pushes && (!k->threads || pairs);
}

/* All kernels that write a state do it. */
static int is_pushed(const struct sim *s)
{
    int writers = 0, pushed = 1;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const struct kernel *kernel = s->kernels[k].recipe.kernel;
        const int now = !s->scheme->on_demand || k < s->scheme->on_demand;
        if (!now || kernel->map == WRITES_NO_STATE)
            continue;
        writers++;
        pushed &= kernel->map == KEEPS_THE_MAP && pushes(s, kernel);
    }
    return writers && pushed;
}

struct tiling tiling_of(const struct sim *s, const struct sim_kernel *k)
{
    struct tiling t = {.place = s->tile_place,
                       .neighbour = pushes(s, k->recipe.kernel) ? s->tile_neighbour : NULL,
                       .rows = s->slot_rows,
                       .across = block_count(s->tiles.w, k->recipe.block.w)};
    strips_tell(s, k, &t);
    for (int e = 0; e < EDGES; e++) {
        t.rim[e] = rim_part(s, s->rim, (enum edge)e);
        t.carried[e] = rim_part(s, s->tracer.rim, (enum edge)e);
    }
    active_tiles_tell(s, k, &t);
    return t;
}

/* Blocks of a kernel by rows on a GPU (rows.h) in a tile: of the width whose strips take least time, and about 60 rows
 * high, on an H200 the best of 31, 62 and 124. */
static struct block warp_block(const struct sim *s)
{
    enum { WIDTHS = 4, ROWS = 62 };
    static const int width[WIDTHS] = {28, 60, 92, 124};
    /* Of a row: in f32 the instructions of fused0; in f64, where wide rows want registers, as an H100 computes tiles. */
    static const int time[PRECISIONS][WIDTHS] = {
        [F32] = {281, 489, 716, 915}, [F64] = {100, 267, 397, 560}};
    const int *const takes = time[s->config->precision], w = s->tiles.w;
    int best = 0;
    for (int k = 1; k < WIDTHS; k++)
        if (block_count(w, width[k]) * takes[k] < block_count(w, width[best]) * takes[best])
            best = k;
    const int strips = block_count(s->tiles.h, ROWS);
    return (struct block){width[best], block_count(s->tiles.h, strips)};
}

/* As many cells as elsewhere, in narrower rows, which all blocks of a tile share evenly: each block takes time, and so do
 * rows beyond its own. */
static struct block narrow_block(const struct sim *s, struct block b)
{
    const int w = b.w < s->tiles.w ? b.w : s->tiles.w, rows = b.w * b.h / w;
    const int most = rows < s->tiles.h ? rows : s->tiles.h;
    return (struct block){w, block_count(s->tiles.h, block_count(s->tiles.h, most))};
}

struct block tiling_block(const struct sim *s, const struct kernel *k, struct block b)
{
    const int as_gpu = s->backend == &backend_cuda || s->config->order;
    return k->threads && as_gpu ? warp_block(s) : narrow_block(s, b);
}

static enum err fill_tiles(struct sim *s, int state, int only_around)
{
    const int each = 2 * GHOSTS * (s->tiles.w + 2 * GHOSTS + s->tiles.h);
    struct tile_ghosts_args a = {
        .span = {each * tiling_slots(s), 1}, /* a GPU's grid has 65535 rows at most */
        .each = each,
        .pitch = s->pitch[PLAIN],
        .rows = s->slot_rows,
        .place = s->tile_place,
        .neighbour = s->tile_neighbour,
        .only_around = only_around,
        .unknowns = sim_exchanged(s),
        .centre = s->system->over_bed ? s->ground.centre : NULL,
        .rise = s->rise,
        .clock = s->clock,
        .p = s->physics,
    };
    sim_exchanged_first(s, state, PLAIN, a.unknown);
    return sim_launch(s, &s->auxiliary[TILE_GHOSTS], &a, sizeof a);
}

enum err tiling_exchange(struct sim *s, int state)
{
    if (tiles_count(&s->tiles) < 2)
        return ERR_OK;
    const int periodic = s->boundary[WEST] == PERIODIC || s->boundary[SOUTH] == PERIODIC;
    return is_pushed(s) && !periodic ? ERR_OK : fill_tiles(s, state, is_pushed(s));
}

enum err tiling_added(struct sim *s)
{
    const int added = s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL] || s->added[SPRINGS_KERNEL];
    return added && tiles_count(&s->tiles) > 1 && is_pushed(s) ? fill_tiles(s, 0, 0) : ERR_OK;
}

/* Everything that a newly stored tile may read, in a sparse domain: the kernels that write states
 * have not filled its ghost cells. */
enum err tiling_begin(struct sim *s)
{
    if (tiles_count(&s->tiles) < 2 || !(is_pushed(s) || s->forest))
        return ERR_OK;
    for (int k = 0; k <= (s->forest ? s->scheme->stages : 0); k++)
        TRY(fill_tiles(s, k, 0));
    return ERR_OK;
}
