/* The content of a sparse domain's slots: tiles made from the initial state; NaN in free ones. */
#include "core/sim/sparse_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/problem/initial_state_parts.h"
#include "core/sim/active_tiles.h"
#include "core/sim/balance.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"
#include "core/sim/upload.h"

/* The number of the unknown that a state's array holds; -1: not a state's array. */
static int unknown_of(const struct sim *s, const struct array *a)
{
    for (int k = 0; k < STATES * UNKNOWNS; k++)
        if (s->state[k / UNKNOWNS][k % UNKNOWNS] == a)
            return k % UNKNOWNS;
    return -1;
}

/* The initial state of a tile, kept until another tile's is requested. */
static enum err cut_tile(const struct sim *s, int tile, const struct initial **cut)
{
    struct sparse *p = s->sparse;
    const struct window w = tiles_window(&s->tiles, tile);
    if (!p->cut || p->cut_tile != tile) {
        initial_destroy(p->cut);
        p->cut = NULL;
        TRY(initial_cut(&p->cut, s->initial, &w, INITIAL_FIELDS));
        p->cut_tile = tile;
    }
    *cut = p->cut;
    return ERR_OK;
}

/* Does the array hold an observer's result in each cell? */
static int is_found(const struct sim *s, const struct array *a)
{
    return a->layout == ARRAY_CELLS && a->kept && unknown_of(s, a) < 0;
}

static int is_pool(const struct array *a)
{
    return a->layout != ARRAY_FLAT;
}

/* Offset of an array among all that observers found in the tile, in bytes; NULL: the size of
 * all. */
static size_t found_at(const struct sim *s, const struct array *a, int tile)
{
    size_t n = 0;
    for (int k = 0; k < s->array_count && &s->array[k] != a; k++)
        n += is_found(s, &s->array[k]) ? sparse_cells_of(s, tile) * s->real_size : 0;
    return n;
}

static double dry_value(const struct initial *in, int unknown, int i, int j)
{
    return unknown == 0 ? initial_floor(in, i, j) : 0;
}

/* What an observer found in an absent tile; if nothing yet, the array's initial bytes. */
static void found_in(const struct sim *s, const struct array *a, int tile, void *to)
{
    const size_t bytes = sparse_cells_of(s, tile) * s->real_size;
    if (s->sparse->saved[tile])
        memcpy(to, (char *)s->sparse->saved[tile] + found_at(s, a, tile), bytes);
    else
        memset(to, a->byte, bytes);
}

enum err sparse_begun(const struct sim *s, const struct array *a, int tile, enum tile_state state,
                      void *to)
{
    const size_t size = s->real_size;
    const int unknown = unknown_of(s, a);
    const struct initial *cut;
    if (is_found(s, a)) {
        found_in(s, a, tile, to);
        return ERR_OK;
    }
    TRY(cut_tile(s, tile, &cut));
    const char *const field = upload_field(s, a, cut);
    if (!field)
        memset(to, a->byte, sparse_cells_of(s, tile) * size);
    for (int j = 0; field && j < cut->ny; j++) {
        char *const row = (char *)to + (size_t)(j * cut->nx) * size;
        memcpy(row, field + initial_offset(cut, 0, j) * size, (size_t)cut->nx * size);
        for (int i = 0; state == TILE_DRY && unknown >= 0 && i < cut->nx; i++)
            reals_put(row, size, (size_t)i, dry_value(cut, unknown, i, j));
    }
    return ERR_OK;
}

double sparse_eta(const struct sim *s, int i, int j)
{
    return s->forest->state[tiles_of_cell(&s->tiles, i, j)] == TILE_DRY
               ? initial_floor(s->initial, i, j)
               : initial_eta(s->initial, i, j);
}

enum err sparse_cells(const struct sim *s, const struct array *a, int tile, void *to)
{
    return sparse_begun(s, a, tile, (enum tile_state)s->forest->state[tile], to);
}

enum err sparse_put_cells(struct sim *s, const struct array *a, int tile, const void *from)
{
    const size_t bytes = sparse_cells_of(s, tile) * s->real_size;
    char *now = malloc(bytes);
    if (!now)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    const enum err e = sparse_cells(s, a, tile, now);
    const int same = memcmp(now, from, bytes) == 0;
    free(now);
    if (e || same)
        return e;
    if (unknown_of(s, a) >= 0)
        return sparse_store(s, &tile, 1);
    const size_t all = found_at(s, NULL, tile);
    if (!s->sparse->saved[tile]) {
        char *saved = malloc(all);
        if (!saved)
            FAIL(MEMORY, "no memory for what observers found in a tile");
        for (int k = 0; k < s->array_count; k++)
            if (is_found(s, &s->array[k]))
                memset(saved + found_at(s, &s->array[k], tile), s->array[k].byte, bytes);
        s->sparse->saved[tile] = saved;
    }
    memcpy((char *)s->sparse->saved[tile] + found_at(s, a, tile), from, bytes);
    return ERR_OK;
}

/* Ghost cells of the tile that lie in dry absent tiles. */
static void dry_ghosts(const struct sim *s, int unknown, const struct initial *cut, char *image)
{
    const struct window w = cut->window;
    const size_t size = s->real_size;
    for (int j = -GHOSTS; j < w.ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < w.nx + GHOSTS; i++) {
            const int x = w.i0 + i, y = w.j0 + j;
            if ((i >= 0 && i < w.nx && j >= 0 && j < w.ny) || x < 0 || y < 0 || x >= s->grid.nx ||
                y >= s->grid.ny || s->forest->state[tiles_of_cell(&s->tiles, x, y)] != TILE_DRY)
                continue;
            reals_put(image, size, tiling_cell(s, i, j), dry_value(cut, unknown, i, j));
        }
}

static char *slot_in(const struct sim *s, const struct array *a, int slot)
{
    return (char *)a->memory + (size_t)slot * tiling_slot_bytes(s);
}

enum err sparse_read(struct sim *s, const struct array *a, int tile, void *to)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const size_t size = s->real_size;
    char *const image = s->sparse->room;
    TRY(s->backend->download(s->device, image, slot_in(s, a, s->forest->slot[tile]),
                             tiling_slot_bytes(s)));
    for (int j = 0; j < w.ny; j++)
        memcpy((char *)to + (size_t)(j * w.nx) * size, image + tiling_cell(s, 0, j) * size,
               (size_t)w.nx * size);
    return ERR_OK;
}

/* Fills the slot of a newly stored tile, which was in state `was` before. */
static enum err fill_slot(struct sim *s, const struct array *a, int tile, enum tile_state was)
{
    const size_t size = s->real_size;
    char *const image = s->sparse->room;
    const struct initial *cut;
    TRY(cut_tile(s, tile, &cut));
    const void *field = upload_field(s, a, cut);
    char *cells = malloc(sparse_cells_of(s, tile) * size);
    if (!cells)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    if (field)
        tiling_lay(s, cut, field, image);
    else
        memset(image, a->byte, tiling_slot_bytes(s));
    enum err e = sparse_begun(s, a, tile, was, cells);
    for (int j = 0; a->layout == ARRAY_CELLS && (field || is_found(s, a)) && j < cut->ny; j++)
        memcpy(image + tiling_cell(s, 0, j) * size, cells + (size_t)(j * cut->nx) * size,
               (size_t)cut->nx * size);
    if (unknown_of(s, a) >= 0)
        dry_ghosts(s, unknown_of(s, a), cut, image);
    free(cells);
    return e ? e
             : s->backend->upload(s->device, slot_in(s, a, s->forest->slot[tile]), image,
                                  tiling_slot_bytes(s));
}

/* A kernel's wave speeds begin at its offset; each slot has the same number. */
static long speeds_of_slot(const struct sim *s, int kernel)
{
    return sim_blocks(s, &s->kernels[kernel], PLAIN) / tiling_slots(s);
}

/* Copies the speeds of all kernels to the host, or back. */
static enum err move_speeds(struct sim *s, char *speeds, size_t bytes, int back)
{
    return back ? s->backend->upload(s->device, s->block_speed, speeds, bytes)
                : s->backend->download(s->device, speeds, s->block_speed, bytes);
}

/* Makes room for the speeds of the present number of slots; there were `before`. */
static enum err grow_speeds(struct sim *s, int before)
{
    struct array *a = sim_find_array(s, "wave_speeds");
    const size_t size = s->real_size, old = a->bytes;
    long n = 0, was[SCHEME_KERNELS];
    for (int k = 0; s->scheme->kernels[k]; k++) {
        was[k] = s->speed_offset[k];
        s->speed_offset[k] = n;
        n += sim_speeds(s, &s->kernels[k], PLAIN);
    }
    char *from = malloc(old + 1), *to = calloc((size_t)n + 1, size);
    enum err e =
        from && to ? ERR_OK : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for wave speeds");
    if (!e)
        e = move_speeds(s, from, old, 0);
    for (int k = 0; !e && s->scheme->kernels[k]; k++)
        memcpy(to + (size_t)s->speed_offset[k] * size, from + (size_t)was[k] * size,
               (size_t)(speeds_of_slot(s, k) * before) * size);
    if (!e)
        e = sim_array_grow(s, a, (size_t)n * size);
    s->block_speed = a->memory;
    if (!e)
        e = move_speeds(s, to, (size_t)n * size, 1);
    for (int k = 0; e && s->scheme->kernels[k]; k++)
        s->speed_offset[k] = was[k];
    free(from);
    free(to);
    return e;
}

/* Grows what has an entry for each slot. If memory ends, the number of slots stays. */
static enum err grow_tables(struct sim *s, int slots)
{
    const int before = s->forest->slots;
    TRY(forest_grow(s->forest, slots));
    enum err e = tiling_update(s);
    e = e ? e : grow_speeds(s, before);
    e = e ? e : active_tiles_grow(s, before);
    if (e)
        s->forest->slots = before;
    return e;
}

/* If memory ends, the pools that have grown have moved, and only their ends are unused. */
static enum err grow_pools(struct sim *s, int slots)
{
    const size_t bytes = (size_t)slots * tiling_slot_bytes(s);
    enum err e = ERR_OK;
    for (int k = 0; k < s->array_count && !e; k++)
        if (is_pool(&s->array[k]))
            e = sim_array_grow(s, &s->array[k], bytes);
    sim_find_ground(s);
    TRY(e);
    s->field_bytes = bytes;
    return grow_tables(s, slots);
}

/* At least `wanted` free slots. */
static enum err make_room(struct sim *s, int wanted)
{
    const struct forest *f = s->forest;
    const int least = f->stored + wanted, most = sparse_most(s);
    if (least <= f->slots)
        return ERR_OK;
    if (least > most)
        FAIL(MEMORY,
             "t = %.9g s: the water has come to where %d tiles of %d x %d cells are needed, and "
             "--tiles-most allows %d: give more, or larger cells",
             s->now.t, least, s->tiles.w, s->tiles.h, most);
    const int more = least + least / 16;
    const enum err e = grow_pools(s, more < most ? more : most);
    if (e == ERR_MEMORY)
        FAIL(MEMORY,
             "t = %.9g s: the water has come to where %d tiles of %d x %d cells are needed, and "
             "there is memory for %d: use fewer cells%s",
             s->now.t, least, s->tiles.w, s->tiles.h, f->slots,
             s->real_size == sizeof(double) ? ", or --precision f32" : "");
    return e;
}

/* The largest wave speed of all absent tiles follows those of each kernel's blocks. */
static enum err put_rest(struct sim *s)
{
    bits most = 0;
    for (int k = 0; k < s->forest->tiles; k++)
        if (s->forest->slot[k] < 0 && s->sparse->rest[k] > most)
            most = s->sparse->rest[k];
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const long at = s->speed_offset[k] + sim_blocks(s, &s->kernels[k], PLAIN);
        TRY(s->backend->upload(s->device, (char *)s->block_speed + (size_t)at * s->real_size, &most,
                               s->real_size)); /* little-endian: the lower bytes come first */
    }
    return ERR_OK;
}

/* Takes the largest wave speed in a slot, as a bit pattern, and clears the slot's speeds. */
static enum err take_speed(struct sim *s, int slot, bits *most)
{
    *most = 0;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const long n = speeds_of_slot(s, k);
        const size_t bytes = (size_t)n * s->real_size;
        char *const at =
            (char *)s->block_speed + (size_t)(s->speed_offset[k] + n * slot) * s->real_size;
        char *speeds = malloc(bytes + 1);
        if (!speeds)
            FAIL(MEMORY, "no memory for wave speeds");
        enum err e = s->backend->download(s->device, speeds, at, bytes);
        if (!e)
            e = s->backend->fill(s->device, at, 0, bytes);
        for (long b = 0; b < n && !e; b++) {
            bits x = 0;
            memcpy(&x, speeds + (size_t)b * s->real_size, s->real_size);
            *most = x > *most ? x : *most;
        }
        free(speeds);
        TRY(e);
    }
    return ERR_OK;
}

/* Adds the contents of these stored tiles to the total of absent ones, or subtracts them from
 * it. */
static enum err book(struct sim *s, const int *tile, int n, int absent)
{
    int *slot = malloc((size_t)n * sizeof *slot);
    if (!slot)
        FAIL(MEMORY, "no memory for a table of %d tiles", n);
    for (int k = 0; k < n; k++)
        slot[k] = s->forest->slot[tile[k]];
    enum err e = active_tiles_only(s, slot, n);
    for (int c = 0; c < s->system->conserveds && !e; c++) {
        counter total[VOLUME_COUNTERS] = {0};
        e = volume_count(s, c, total);
        for (int k = 0; k < VOLUME_COUNTERS; k++)
            s->sparse->absent[c][k] += absent ? total[k] : -total[k];
    }
    active_tiles_only(s, NULL, 0);
    free(slot);
    return e;
}

static enum err store_one(struct sim *s, int tile)
{
    const enum tile_state was = (enum tile_state)s->forest->state[tile];
    enum err e = ERR_OK;
    forest_store(s->forest, tile);
    for (int k = 0; k < s->array_count && !e; k++)
        if (is_pool(&s->array[k]))
            e = fill_slot(s, &s->array[k], tile, was);
    if (e)
        forest_drop(s->forest, tile, was);
    return e;
}

/* Tables and totals are right also if memory ends after some of the tiles. */
enum err sparse_store(struct sim *s, const int *tile, int n)
{
    enum err e = ERR_OK;
    int m = 0;
    TRY(make_room(s, n));
    while (m < n && !(e = store_one(s, tile[m])))
        m++;
    TRY(tiling_update(s));
    TRY(put_rest(s));
    if (m)
        TRY(book(s, tile, m, 0));
    return e;
}

/* Keeps what observers have found in a tile. */
static enum err save_found(struct sim *s, int tile)
{
    const size_t all = found_at(s, NULL, tile);
    if (!all)
        return ERR_OK;
    char *saved = s->sparse->saved[tile] ? s->sparse->saved[tile] : malloc(all);
    if (!saved)
        FAIL(MEMORY, "no memory for what observers found in a tile");
    s->sparse->saved[tile] = saved;
    for (int k = 0; k < s->array_count; k++)
        if (is_found(s, &s->array[k]))
            TRY(sparse_read(s, &s->array[k], tile, saved + found_at(s, &s->array[k], tile)));
    return ERR_OK;
}

enum err sparse_drop(struct sim *s, const int *tile, const enum tile_state *state, int n)
{
    TRY(book(s, tile, n, 1));
    for (int m = 0; m < n; m++) {
        TRY(save_found(s, tile[m]));
        const int slot = forest_drop(s->forest, tile[m], state[m]);
        TRY(take_speed(s, slot, &s->sparse->rest[tile[m]]));
        TRY(active_tiles_clear(s, slot));
        for (int k = 0; k < s->array_count; k++)
            if (is_pool(&s->array[k]))
                TRY(s->backend->fill(s->device, slot_in(s, &s->array[k], slot), 0xff,
                                     tiling_slot_bytes(s)));
    }
    TRY(tiling_update(s));
    return put_rest(s);
}
