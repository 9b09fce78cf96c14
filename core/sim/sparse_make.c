/* Many tiles of a sparse domain at once: made from the initial state, and compared with it. Threads
 * share out the tiles; a copy to or from the device moves all slots that lie side by side. */
#include "core/sim/sparse_parts.h"

#include <string.h>

#include "core/base/reals.h"
#include "core/problem/initial_state_parts.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"
#include "core/sim/upload.h"

/* Bytes of the host's copies of slots: enough tiles for all threads, and for copies that take longer
 * than a call. */
enum { ROOM = 1 << 24 };

/* Tiles that are worked on together, and their place in the host's room: `images` of each. */
struct batch {
    const int *tile;
    int n, images;
};

static char *image(const struct sim *s, const struct batch *b, int number, int k)
{
    return s->sparse->room + (size_t)(number * b->n + k) * tiling_slot_bytes(s);
}

/* The next batch of these tiles: as many as the room may hold, one at least. */
static enum err reserve(struct sim *s, struct batch *b, const int *tile, int left)
{
    struct sparse *p = s->sparse;
    const size_t each = (size_t)(b->images > 0 ? b->images : 1) * tiling_slot_bytes(s);
    const int fit = each < ROOM ? (int)(ROOM / each) : 1;
    b->tile = tile;
    b->n = left < fit ? left : fit;
    return (size_t)b->n * each > p->room_bytes ? sparse_make_room(s, (size_t)b->n * each) : ERR_OK;
}

/* How many of the batch's tiles from number k on have slots side by side. */
static int side_by_side(const struct sim *s, const struct batch *b, int k)
{
    const int *const slot = s->forest->slot;
    int n = 1;
    while (k + n < b->n && slot[b->tile[k + n]] == slot[b->tile[k]] + n)
        n++;
    return n;
}

/* Where the pools' slots come from. */
struct recipe_of_slots {
    int like[SIM_ARRAYS];   /* the first array with the same data: itself, or another one */
    int number[SIM_ARRAYS]; /* its image's; -1: no data, its byte everywhere */
    int images;
};

static int is_like(const struct array *a, const struct array *other)
{
    return a->like && strcmp(a->like, other->name) == 0;
}

/* With ghosts that face absent tiles, all states begin alike. */
static enum err find_recipe(const struct sim *s, struct recipe_of_slots *r)
{
    const struct window nothing = {0};
    const void *field[SIM_ARRAYS];
    struct initial *cut = NULL;
    TRY(initial_cut(&cut, s->initial, &nothing, INITIAL_FIELDS));
    r->images = 0;
    for (int k = 0; k < s->array_count; k++) {
        field[k] = upload_field(s, &s->array[k], cut);
        r->like[k] = k;
        for (int m = k - 1; m >= 0; m--)
            if ((field[k] && field[m] == field[k]) || is_like(&s->array[k], &s->array[m]))
                r->like[k] = m;
        const int own = r->like[k] == k && (field[k] || sparse_is_found(s, &s->array[k]));
        r->number[k] = own ? r->images++ : -1;
    }
    initial_destroy(cut);
    return ERR_OK;
}

enum err sparse_furnish(struct sim *s)
{
    struct recipe_of_slots r;
    struct batch b;
    if (!s->forest)
        return ERR_OK;
    TRY(find_recipe(s, &r));
    b.images = r.images;
    return reserve(s, &b, NULL, tiles_count(&s->tiles));
}

/* Is a tile dry by now that overlaps the window and its ghosts? */
static int is_beside_dry(const struct sim *s, const struct window *w)
{
    const struct window around = {w->i0 - GHOSTS, w->j0 - GHOSTS, w->nx + 2 * GHOSTS,
                                  w->ny + 2 * GHOSTS};
    const struct window under = tiles_under(&s->tiles, &around);
    int dry = 0;
    for (int y = under.j0; y < under.j0 + under.ny; y++)
        for (int x = under.i0; x < under.i0 + under.nx; x++)
            dry |= s->forest->state[y * s->tiles.columns + x] == TILE_DRY;
    return dry;
}

/* Replaces the initial state where it is dry by now: in the tile, and in ghosts in absent ones. */
static void lay_dry(const struct sim *s, int unknown, const struct initial *cut, int dry, char *to)
{
    const struct window w = cut->window;
    if (!dry && !is_beside_dry(s, &w))
        return;
    for (int j = -GHOSTS; j < w.ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < w.nx + GHOSTS; i++) {
            const int x = w.i0 + i, y = w.j0 + j;
            const int own = i >= 0 && i < w.nx && j >= 0 && j < w.ny;
            const int outside = x < 0 || y < 0 || x >= s->grid.nx || y >= s->grid.ny;
            if (own ? dry
                    : !outside && s->forest->state[tiles_of_cell(&s->tiles, x, y)] == TILE_DRY)
                reals_put(to, s->real_size, tiling_cell(s, i, j), sparse_dry(cut, unknown, i, j));
        }
}

static void lay_found(const struct sim *s, const struct array *a, int tile, char *to)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const size_t row = (size_t)w.nx * s->real_size;
    const char *const saved = s->sparse->saved[tile];
    memset(to, a->byte, tiling_slot_bytes(s));
    for (int j = 0; saved && j < w.ny; j++)
        memcpy(to + tiling_cell(s, 0, j) * s->real_size,
               saved + sparse_found_at(s, a, tile) + (size_t)j * row, row);
}

/* All images of tile number k, which was in state `was` before. */
static enum err lay_tile(const struct sim *s, const struct recipe_of_slots *r,
                         const struct batch *b, int k, unsigned char was)
{
    const struct window w = tiles_window(&s->tiles, b->tile[k]);
    struct initial *cut = NULL;
    TRY(initial_cut(&cut, s->initial, &w, INITIAL_FIELDS));
    for (int m = 0; m < s->array_count; m++) {
        const struct array *const a = &s->array[m];
        const int unknown = sparse_unknown_of(s, a);
        if (r->number[m] < 0)
            continue;
        char *const to = image(s, b, r->number[m], k);
        if (sparse_is_found(s, a))
            lay_found(s, a, b->tile[k], to);
        else
            tiling_lay(s, cut, upload_field(s, a, cut), to);
        if (unknown >= 0)
            lay_dry(s, unknown, cut, was == TILE_DRY, to);
    }
    initial_destroy(cut);
    return ERR_OK;
}

/* Slots side by side, the first of which is tile number k's, of one pool. */
static enum err fill_slots(struct sim *s, const struct recipe_of_slots *r, const struct batch *b,
                           int pool, int k, int n)
{
    const struct array *const a = &s->array[pool], *const like = &s->array[r->like[pool]];
    const int slot = s->forest->slot[b->tile[k]];
    const size_t bytes = (size_t)n * tiling_slot_bytes(s);
    char *const to = sparse_slot(s, a, slot);
    if (like != a)
        return s->backend->copy(s->device, to, sparse_slot(s, like, slot), bytes);
    return r->number[pool] < 0
               ? s->backend->fill(s->device, to, a->byte, bytes)
               : s->backend->upload(s->device, to, image(s, b, r->number[pool], k), bytes);
}

static enum err fill_batch(struct sim *s, const struct recipe_of_slots *r, const struct batch *b,
                           const unsigned char *was)
{
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed) if (b->n > 1)
    for (int k = 0; k < b->n; k++)
        failed |= lay_tile(s, r, b, k, was[k]) != ERR_OK;
    if (failed)
        FAIL(MEMORY, "no memory for the initial state of %d tiles", b->n);
    for (int m = 0; m < s->array_count; m++) {
        if (s->array[m].layout == ARRAY_FLAT)
            continue;
        for (int k = 0, n; k < b->n; k += n) {
            n = side_by_side(s, b, k);
            TRY(fill_slots(s, r, b, m, k, n));
        }
    }
    return ERR_OK;
}

enum err sparse_make(struct sim *s, const int *tile, unsigned char *was, int n, int *made)
{
    struct recipe_of_slots r = {0};
    struct batch b;
    *made = 0;
    TRY(find_recipe(s, &r));
    b.images = r.images;
    while (*made < n) {
        TRY(reserve(s, &b, tile + *made, n - *made));
        for (int k = 0; k < b.n; k++) {
            was[*made + k] = s->forest->state[b.tile[k]];
            forest_store(s->forest, b.tile[k]);
        }
        const enum err e = fill_batch(s, &r, &b, was + *made);
        for (int k = 0; k < b.n && e; k++)
            forest_drop(s->forest, b.tile[k], (enum tile_state)was[*made + k]);
        TRY(e);
        *made += b.n;
    }
    return ERR_OK;
}

/* Do the cells in the tile's images equal those of its initial state, or dry ones? */
static void compare(const struct sim *s, const struct batch *b, int k, const struct initial *cut,
                    int *begun, int *dry)
{
    const size_t size = s->real_size;
    *begun = 1;
    *dry = !s->system->carried;
    for (int u = 0; u < b->images; u++) {
        const char *const now = image(s, b, u, k), *const field = cut->field[u];
        for (int j = 0; j < cut->ny && (*begun || *dry); j++) {
            const char *const row = now + tiling_cell(s, 0, j) * size;
            *begun = *begun && memcmp(row, field + initial_offset(cut, 0, j) * size,
                                      (size_t)cut->nx * size) == 0;
            for (int i = 0; i < cut->nx && *dry; i++) {
                double want;
                reals_put(&want, size, 0, sparse_dry(cut, u, i, j));
                *dry = memcmp(row + (size_t)i * size, &want, size) == 0;
            }
        }
    }
}

static enum err look_at(const struct sim *s, const struct batch *b, int k, enum tile_state *state)
{
    const struct window w = tiles_window(&s->tiles, b->tile[k]);
    struct initial *cut = NULL;
    int begun, dry;
    TRY(initial_cut(&cut, s->initial, &w, INITIAL_STATE));
    compare(s, b, k, cut, &begun, &dry);
    *state = begun ? TILE_INITIAL : dry ? TILE_DRY : TILE_STORED;
    initial_destroy(cut);
    return ERR_OK;
}

static enum err look_at_batch(struct sim *s, const struct batch *b, enum tile_state *state)
{
    int failed = 0;
    for (int u = 0; u < b->images; u++)
        for (int k = 0, n; k < b->n; k += n) {
            n = side_by_side(s, b, k);
            TRY(s->backend->download(s->device, image(s, b, u, k),
                                     sparse_slot(s, s->state[0][u], s->forest->slot[b->tile[k]]),
                                     (size_t)n * tiling_slot_bytes(s)));
        }
#pragma omp parallel for schedule(dynamic) reduction(| : failed) if (b->n > 1)
    for (int k = 0; k < b->n; k++)
        failed |= look_at(s, b, k, &state[k]) != ERR_OK;
    if (failed)
        FAIL(MEMORY, "no memory to look at %d tiles", b->n);
    return ERR_OK;
}

enum err sparse_look(struct sim *s, const int *tile, int n, enum tile_state *state)
{
    struct batch b = {.images = s->system->unknowns};
    for (int seen = 0; seen < n; seen += b.n) {
        TRY(reserve(s, &b, tile + seen, n - seen));
        TRY(look_at_batch(s, &b, state + seen));
    }
    return ERR_OK;
}
