/* Tiles of a sim: where they lie, who is beside whom. */
#include "core/sim/tiling.h"

#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/sim/active_tiles.h"
#include "kernels/tile_ghosts.h"

_Static_assert((int)TILED_UNKNOWNS == (int)UNKNOWNS,
               "kernels/tile_ghosts.h must have room for every unknown");

static int count(const struct sim *s)
{
    return s->tiles.columns * s->tiles.rows;
}

enum err tiling_choose(struct sim *s)
{
    const struct tile_size *t = &s->config->tile;
    if (!t->w)
        return ERR_OK;
    if (s->scheme->split)
        FAIL(
            USAGE,
            "--tile: scheme %s turns its whole rectangle, and has no tiles: choose another scheme, "
            "or leave it out",
            s->scheme->name);
    if (s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL] || s->added[SPRINGS_KERNEL])
        FAIL(USAGE, "--tile: rain, infiltration and sources do not know tiles yet: leave it out");
    s->tiles = tiles_cut(s->grid.nx, s->grid.ny, t->w, t->h);
    s->slot_rows = s->tiles.h + 2 * GHOSTS + 1;
    return active_tiles_choose(s);
}

long tiling_offset(const struct sim *s, int i, int j)
{
    const long pitch = s->pitch[PLAIN];
    if (!s->tiles.columns)
        return at(pitch, i, j);
    const int k = tiles_of_cell(&s->tiles, i, j);
    const struct window w = tiles_window(&s->tiles, k);
    return at(pitch, i - w.i0, k * s->slot_rows + j - w.j0);
}

void tiling_lay(const struct sim *s, const void *field, void *to)
{
    const struct initial *in = s->initial;
    const size_t size = s->real_size;
    memset(to, 0xff, s->field_bytes);
    for (int k = 0; k < count(s); k++) {
        const struct window w = tiles_window(&s->tiles, k);
        for (int j = -GHOSTS; j <= w.ny + GHOSTS; j++) {
            const long from = (long)(w.j0 + j + GHOSTS) * in->pitch + MARGIN + w.i0 - GHOSTS;
            const long row = (long)k * s->slot_rows + j + GHOSTS;
            memcpy((char *)to + (size_t)(row * s->pitch[PLAIN] + MARGIN - GHOSTS) * size,
                   (const char *)field + (size_t)from * size,
                   (size_t)(w.nx + 2 * GHOSTS + 1) * size);
        }
    }
}

static struct tile_place place_of(const struct sim *s, int k)
{
    const struct tiles *t = &s->tiles;
    const struct window w = tiles_window(t, k);
    const int column = k % t->columns, row = k / t->columns;
    return (struct tile_place){.slot = k,
                               .nx = w.nx,
                               .ny = w.ny,
                               .i0 = w.i0,
                               .j0 = w.j0,
                               .edges = (column == 0) << WEST | (column == t->columns - 1) << EAST |
                                        (row == 0) << SOUTH | (row == t->rows - 1) << NORTH};
}

/* Where there is no tile at a corner, one beside the tile has the cell, as a ghost cell outside an edge. */
static struct tile_neighbour neighbour_of(const struct sim *s, int k, int dx, int dy)
{
    const struct tiles *t = &s->tiles;
    const int periodic[2] = {s->boundary[WEST] == PERIODIC, s->boundary[SOUTH] == PERIODIC};
    int slot = tiles_beside(t, periodic, k, dx, dy);
    if (slot < 0 && dx && dy && tiles_beside(t, periodic, k, dx, 0) >= 0)
        dy = 0, slot = tiles_beside(t, periodic, k, dx, 0);
    else if (slot < 0 && dx && dy && tiles_beside(t, periodic, k, 0, dy) >= 0)
        dx = 0, slot = tiles_beside(t, periodic, k, 0, dy);
    if (slot < 0 || (!dx && !dy))
        return (struct tile_neighbour){.slot = -1};
    const struct window own = tiles_window(t, k), theirs = tiles_window(t, slot);
    return (struct tile_neighbour){
        .slot = slot,
        .di = dx < 0   ? theirs.nx
              : dx > 0 ? -own.nx
                       : 0,
        .dj = dy < 0   ? theirs.ny
              : dy > 0 ? -own.ny
                       : 0,
        .around = (dx < 0 && theirs.i0 > own.i0) || (dx > 0 && theirs.i0 < own.i0) ||
                  (dy < 0 && theirs.j0 > own.j0) || (dy > 0 && theirs.j0 < own.j0)};
}

/* What the boundary conditions have of each position along the edges: its cell. */
static void list_rim(const struct sim *s, long *where)
{
    const int nx = s->grid.nx, ny = s->grid.ny;
    for (int k = 0; k < ny; k++) {
        where[k] = tiling_offset(s, 0, k);
        where[ny + k] = tiling_offset(s, nx - 1, k);
    }
    for (int k = 0; k < nx; k++) {
        where[2 * ny + k] = tiling_offset(s, k, 0);
        where[2 * ny + nx + k] = tiling_offset(s, k, ny - 1);
    }
}

enum err tiling_create(struct sim *s)
{
    const size_t n = (size_t)count(s), rim = sim_rim_length(s);
    enum err e = ERR_OK;
    if (!n)
        return ERR_OK;
    struct tile_place *place = malloc(n * sizeof *place);
    struct tile_neighbour *neighbour = malloc(n * TILE_SIDES * sizeof *neighbour);
    long *where = malloc(rim * sizeof *where);
    if (!place || !neighbour || !where) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %zu tiles", n);
        goto out;
    }
    for (int k = 0; k < (int)n; k++) {
        place[k] = place_of(s, k);
        for (int d = 0; d < TILE_SIDES; d++)
            neighbour[k * TILE_SIDES + d] = neighbour_of(s, k, d % 3 - 1, d / 3 - 1);
    }
    list_rim(s, where);
    TRY_OUT(sim_constant(s, "tile_places", place, n * sizeof *place, &s->tile_place));
    TRY_OUT(sim_constant(s, "tile_neighbours", neighbour, n * TILE_SIDES * sizeof *neighbour,
                         &s->tile_neighbour));
    TRY_OUT(sim_constant(s, "rim_cells", where, rim * sizeof *where, &s->rim_cell));
    TRY_OUT(active_tiles_create(s));
out:
    free(place);
    free(neighbour);
    free(where);
    return e;
}

static int blocks(int cells, int size)
{
    return (cells + size - 1) / size;
}

struct tiling tiling_of(const struct sim *s, const struct sim_kernel *k)
{
    struct tiling t = {.place = s->tile_place,
                       .neighbour = k->recipe.kernel->pushes ? s->tile_neighbour : NULL,
                       .rows = s->slot_rows,
                       .across = blocks(s->tiles.w, k->recipe.block.w),
                       .up = blocks(s->tiles.h, k->recipe.block.h)};
    for (int e = 0; e < EDGES; e++) {
        t.rim[e] = rim_part(s, s->rim, (enum edge)e);
        t.carried[e] = rim_part(s, s->tracer.rim, (enum edge)e);
    }
    active_tiles_tell(s, k, &t);
    return t;
}

struct block tiling_block(const struct sim *s, const struct kernel *k, struct block b)
{
    const int by_warps = k->threads && (s->backend == &backend_cuda || s->config->order);
    const int widest = by_warps ? (s->tiles.w + 4) / 32 * 32 - 4 : s->tiles.w; /* rows.h */
    if (b.w > widest)
        b.w = by_warps && widest < 28 ? 28 : widest;
    if (b.h > s->tiles.h)
        b.h = s->tiles.h;
    return b;
}

static enum err fill(struct sim *s, int state, int only_around)
{
    const struct tiles *t = &s->tiles;
    struct tile_ghosts_args a = {
        .span = {2 * GHOSTS * (t->w + 2 * GHOSTS + t->h), count(s)},
        .pitch = s->pitch[PLAIN],
        .rows = s->slot_rows,
        .place = s->tile_place,
        .neighbour = s->tile_neighbour,
        .only_around = only_around,
        .unknowns = s->system->unknowns,
        .centre = s->system->over_bed ? s->ground.centre : NULL,
        .clock = s->clock,
        .p = s->physics,
    };
    for (int k = 0; k < a.unknowns; k++)
        a.unknown[k] = array_first(s, s->state[state][k], PLAIN);
    return sim_launch(s, &s->auxiliary[TILE_GHOSTS], &a, sizeof a);
}

/* The kernels that write the states do it themselves. */
static int is_pushed(const struct sim *s)
{
    return s->kernels[0].recipe.kernel->pushes;
}

enum err tiling_exchange(struct sim *s, int state)
{
    if (count(s) < 2)
        return ERR_OK;
    const int periodic = s->boundary[WEST] == PERIODIC || s->boundary[SOUTH] == PERIODIC;
    return is_pushed(s) && !periodic ? ERR_OK : fill(s, state, is_pushed(s));
}

enum err tiling_begin(struct sim *s)
{
    return count(s) > 1 && is_pushed(s) ? fill(s, 0, 0) : ERR_OK;
}
