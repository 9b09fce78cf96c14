/* What the tiles of a sparse domain hold: absent ones the initial state, or dry ground, and what
 * observers have found there. */
#include "core/sim/sparse_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/problem/initial_state_parts.h"
#include "core/sim/active_tiles.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"
#include "core/sim/upload.h"

int sparse_unknown_of(const struct sim *s, const struct array *a)
{
    for (int k = 0; k < STATES * UNKNOWNS; k++)
        if (s->state[k / UNKNOWNS][k % UNKNOWNS] == a)
            return k % UNKNOWNS;
    return -1;
}

int sparse_is_found(const struct sim *s, const struct array *a)
{
    return a->layout == ARRAY_CELLS && a->kept && sparse_unknown_of(s, a) < 0;
}

size_t sparse_found_at(const struct sim *s, const struct array *a, int tile)
{
    size_t n = 0;
    for (int k = 0; k < s->array_count && &s->array[k] != a; k++)
        n += sparse_is_found(s, &s->array[k]) ? sparse_cells_of(s, tile) * s->real_size : 0;
    return n;
}

double sparse_dry(const struct initial *in, int unknown, int i, int j)
{
    return unknown == 0 ? initial_floor(in, i, j) : 0;
}

/* What an observer found in these cells of an absent tile; if nothing yet, the array's initial
 * bytes. */
static void found_in(const struct sim *s, const struct array *a, int tile, const struct window *w,
                     void *to)
{
    const struct window all = tiles_window(&s->tiles, tile);
    const size_t size = s->real_size, row = (size_t)w->nx * size;
    const char *const saved = s->sparse->saved[tile];
    if (!saved) {
        memset(to, a->byte, row * (size_t)w->ny);
        return;
    }
    for (int j = 0; j < w->ny; j++) {
        const size_t first =
            (size_t)(w->j0 + j - all.j0) * (size_t)all.nx + (size_t)(w->i0 - all.i0);
        memcpy((char *)to + (size_t)j * row, saved + sparse_found_at(s, a, tile) + first * size,
               row);
    }
}

/* Cells of a state's array, or of one with initial data. Where nothing is wet, only the bed is
 * sampled, and only for the level. */
static enum err begun(const struct sim *s, const struct array *a, int dry, const struct window *w,
                      void *to)
{
    const size_t size = s->real_size, row = (size_t)w->nx * size;
    const int unknown = sparse_unknown_of(s, a);
    const int settled = unknown >= 0 && (dry || initial_is_dry(s->initial, w));
    struct initial *cut;
    if (settled && unknown > 0) {
        memset(to, 0, row * (size_t)w->ny);
        return ERR_OK;
    }
    TRY(initial_cut(&cut, s->initial, w,
                    settled        ? INITIAL_BED
                    : unknown >= 0 ? INITIAL_STATE
                                   : INITIAL_FIELDS));
    const char *const field = upload_field(s, a, cut);
    if (!field && !settled)
        memset(to, a->byte, row * (size_t)w->ny);
    for (int j = 0; (field || settled) && j < w->ny; j++) {
        char *const here = (char *)to + (size_t)j * row;
        if (field)
            memcpy(here, field + initial_offset(cut, 0, j) * size, row);
        for (int i = 0; settled && i < w->nx; i++)
            reals_put(here, size, (size_t)i, sparse_dry(cut, unknown, i, j));
    }
    initial_destroy(cut);
    return ERR_OK;
}

double sparse_eta(const struct sim *s, int i, int j)
{
    return s->forest->state[tiles_of_cell(&s->tiles, i, j)] == TILE_DRY
               ? initial_floor(s->initial, i, j)
               : initial_eta(s->initial, i, j);
}

enum err sparse_cells(const struct sim *s, const struct array *a, int tile, const struct window *w,
                      void *to)
{
    if (!sparse_is_found(s, a))
        return begun(s, a, s->forest->state[tile] == TILE_DRY, w, to);
    found_in(s, a, tile, w, to);
    return ERR_OK;
}

enum err sparse_put_cells(struct sim *s, const struct array *a, int tile, const void *from)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const size_t bytes = sparse_cells_of(s, tile) * s->real_size;
    char *now = malloc(bytes);
    if (!now)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    const enum err e = sparse_cells(s, a, tile, &w, now);
    const int same = memcmp(now, from, bytes) == 0;
    free(now);
    if (e || same)
        return e;
    if (sparse_unknown_of(s, a) >= 0)
        return sparse_store(s, &tile, 1);
    const size_t all = sparse_found_at(s, NULL, tile);
    if (!s->sparse->saved[tile]) {
        char *saved = malloc(all);
        if (!saved)
            FAIL(MEMORY, "no memory for what observers found in a tile");
        for (int k = 0; k < s->array_count; k++)
            if (sparse_is_found(s, &s->array[k]))
                memset(saved + sparse_found_at(s, &s->array[k], tile), s->array[k].byte, bytes);
        s->sparse->saved[tile] = saved;
    }
    memcpy((char *)s->sparse->saved[tile] + sparse_found_at(s, a, tile), from, bytes);
    return ERR_OK;
}

void sparse_held(const struct sim *s, unsigned char *state)
{
    memcpy(state, s->forest->state, (size_t)s->forest->tiles);
    for (int k = 0; k < s->forest->tiles; k++)
        if (state[k] == TILE_INITIAL && s->sparse->saved[k])
            state[k] = TILE_DRY;
}

/* Marks the tiles that overlap these cells. */
static void mark(const struct sim *s, const struct window *w, unsigned char *marked)
{
    const struct window under = tiles_under(&s->tiles, w);
    for (int y = under.j0; y < under.j0 + under.ny; y++)
        for (int x = under.i0; x < under.i0 + under.nx; x++)
            marked[y * s->tiles.columns + x] = 1;
}

enum err sparse_note(struct sim *s, bits *notes)
{
    const struct forest *f = s->forest;
    bits *moved = malloc((size_t)f->slots * sizeof *moved + 1);
    const enum err e = moved ? active_tiles_moved(s, moved)
                             : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                       "no memory for a table of %d tiles", f->slots);
    for (int k = 0; k < f->tiles && !e; k++)
        notes[k] = f->slot[k] < 0 ? s->sparse->rest[k] : moved[f->slot[k]];
    free(moved);
    return e;
}

enum err sparse_take_notes(struct sim *s, const bits *notes)
{
    const int n = s->forest->tiles;
    bits *moved = malloc((size_t)n * sizeof *moved);
    if (!moved)
        FAIL(MEMORY, "no memory for a table of %d tiles", n);
    /* The next step computes all stored tiles, also those at rest: for their wave speeds, and for the states besides the
     * solution. */
    for (int k = 0; k < n; k++)
        moved[k] = notes[k] | MOVES;
    const enum err e = active_tiles_put_moved(s, moved);
    free(moved);
    return e;
}

/* Drops the stored tiles that are not marked; `tile` and `as_begun` have room for all. */
static enum err drop_unmarked(struct sim *s, const unsigned char *marked, const bits *notes,
                              int *tile, enum tile_state *as_begun)
{
    struct sparse *p = s->sparse;
    int n = 0;
    for (int k = 0; k < p->forest.tiles; k++)
        if (p->forest.slot[k] >= 0 && !marked[k] && !p->pinned[k] && (notes || !p->wet[k])) {
            as_begun[n] = TILE_INITIAL;
            tile[n++] = k;
        }
    if (n == 0)
        return ERR_OK;
    TRY(sparse_drop(s, tile, as_begun, n));
    for (int k = 0; k < n && notes; k++)
        p->rest[tile[k]] = notes[tile[k]];
    return sparse_put_rest(s);
}

/* `tile` has room for all. */
static enum err store_marked(struct sim *s, const unsigned char *marked, int *tile)
{
    const struct forest *f = s->forest;
    int n = 0;
    for (int k = 0; k < f->tiles; k++)
        if (marked[k] && f->slot[k] < 0)
            tile[n++] = k;
    const int most = sparse_most(s), all = f->stored + n;
    const int need = f->slots > most && f->slots > all ? f->slots : all;
    if (need > most)
        FAIL(USAGE,
             "--tiles-most %d: the start and the checkpoint together need %d tiles of %d x %d: "
             "give at least %d",
             s->config->tiles_most, need, s->tiles.w, s->tiles.h, need);
    return n ? sparse_store(s, tile, n) : ERR_OK;
}

enum err sparse_prepare(struct sim *s, const struct tiles *t, const unsigned char *state,
                        const bits *notes)
{
    const size_t n = (size_t)tiles_count(&s->tiles);
    unsigned char *marked = calloc(n, 1);
    int *tile = malloc(n * sizeof *tile), next = 0;
    enum tile_state *as_begun = malloc(n * sizeof *as_begun);
    struct window w;
    enum err e = marked && tile && as_begun ? ERR_OK
                                            : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                                      "no memory for a table of %zu tiles", n);
    while (!e && tiles_run(t, state, TILE_DRY, &next, &w))
        mark(s, &w, marked);
    e = e ? e : drop_unmarked(s, marked, notes, tile, as_begun);
    e = e ? e : store_marked(s, marked, tile);
    free(marked);
    free(tile);
    free(as_begun);
    return e;
}

char *sparse_slot(const struct sim *s, const struct array *a, int slot)
{
    return (char *)a->memory + (size_t)slot * tiling_slot_bytes(s);
}

enum err sparse_make_room(struct sim *s, size_t bytes)
{
    struct sparse *p = s->sparse;
    size_t more = tiling_slot_bytes(s);
    while (more < bytes)
        more *= 2;
    sparse_free_room(s);
    void *room;
    TRY(s->backend->host_alloc(s->device, more, &room));
    p->room = room;
    p->room_bytes = more;
    return ERR_OK;
}

void sparse_free_room(struct sim *s)
{
    if (!s->sparse)
        return;
    s->backend->host_release(s->device, s->sparse->room);
    s->sparse->room = NULL;
    s->sparse->room_bytes = 0;
}

enum err sparse_read(struct sim *s, const struct array *a, int tile, void *to)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const size_t size = s->real_size;
    if (!s->sparse->room)
        TRY(sparse_make_room(s, tiling_slot_bytes(s)));
    char *const image = s->sparse->room;
    TRY(s->backend->download(s->device, image, sparse_slot(s, a, s->forest->slot[tile]),
                             tiling_slot_bytes(s)));
    for (int j = 0; j < w.ny; j++)
        memcpy((char *)to + (size_t)(j * w.nx) * size, image + tiling_cell(s, 0, j) * size,
               (size_t)w.nx * size);
    return ERR_OK;
}
