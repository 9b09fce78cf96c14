/* The slots of a sparse domain: pools and tables that grow; what a tile takes along when it gets a slot,
 * and leaves when it gives it up. */
#include "core/sim/sparse_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/sim/active_tiles.h"
#include "core/sim/balance.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"

static int is_pool(const struct array *a)
{
    return a->layout != ARRAY_FLAT;
}

/* A kernel's wave speeds begin at its offset; each slot has the same number. */
static long speeds_of_slot(const struct sim *s, int kernel)
{
    return sim_blocks(s, &s->kernels[kernel], PLAIN) / tiling_slots(s);
}

/* Where the speeds of a kernel's blocks in a slot begin among all, in bytes. */
static size_t speed_at(const struct sim *s, int kernel, int slot)
{
    return (size_t)(s->speed_offset[kernel] + speeds_of_slot(s, kernel) * slot) * s->real_size;
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
    long n = 0, was[SCHEME_KERNELS] = {0};
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

/* Grows what has an entry for each slot; the tables of tiles are still to be updated. If memory ends, the
 * number of slots stays. */
static enum err grow_tables(struct sim *s, int slots)
{
    const int before = s->forest->slots;
    TRY(forest_grow(s->forest, slots));
    enum err e = tiling_grow(s);
    e = e ? e : grow_speeds(s, before);
    e = e ? e : active_tiles_grow(s, before);
    if (e)
        s->forest->slots = before;
    return e;
}

/* If memory ends, the pools that have grown stay so, perhaps elsewhere, and only their ends are unused. */
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

/* So that pools seldom grow, where that copies them; else they grow by little more than is needed: each slot takes memory. */
static int spare_slots(const struct sim *s)
{
    int moves = 0;
    for (int k = 0; k < s->array_count; k++)
        moves |= is_pool(&s->array[k]) && !s->array[k].most;
    return s->forest->slots / (moves ? 16 : 64);
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
             "--tiles-most allows %d: give more, or choose smaller tiles (--tile)",
             s->now.t, least, s->tiles.w, s->tiles.h, most);
    const int usual = f->slots + spare_slots(s), more = least > usual ? least : usual;
    const enum err e = grow_pools(s, more < most ? more : most);
    if (e == ERR_MEMORY)
        FAIL(MEMORY,
             "t = %.9g s: the water has come to where %d tiles of %d x %d cells are needed, and "
             "there is memory for %d: choose smaller tiles (--tile), or fewer cells%s",
             s->now.t, least, s->tiles.w, s->tiles.h, f->slots,
             s->real_size == sizeof(double) ? ", or --precision f32" : "");
    return e;
}

enum err sparse_put_rest(struct sim *s)
{
    bits most = 0;
    for (int k = 0; k < s->forest->tiles; k++)
        if (s->forest->slot[k] < 0 && s->sparse->rest[k] > most)
            most = s->sparse->rest[k];
    for (int k = 0; s->scheme->kernels[k]; k++) {
        char *const last = (char *)s->block_speed + speed_at(s, k, tiling_slots(s));
        TRY(s->backend->upload(s->device, last, &most,
                               s->real_size)); /* little-endian: the lower bytes come first */
    }
    return ERR_OK;
}

/* Takes the largest wave speed in a slot, as a bit pattern, from the host's copy of all speeds, and clears the
 * slot's speeds there. */
static bits take_speed(const struct sim *s, int slot, char *speeds)
{
    bits most = 0;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const long n = speeds_of_slot(s, k);
        char *const own = speeds + speed_at(s, k, slot);
        for (long b = 0; b < n; b++) {
            bits x = 0;
            memcpy(&x, own + (size_t)b * s->real_size, s->real_size);
            most = x > most ? x : most;
        }
        memset(own, 0, (size_t)n * s->real_size);
    }
    return most;
}

/* Of all these tiles, which are still stored; they keep what they had. */
static enum err take_speeds(struct sim *s, const int *tile, int n)
{
    const size_t bytes = sim_find_array(s, "wave_speeds")->bytes;
    char *speeds = malloc(bytes + 1);
    if (!speeds)
        FAIL(MEMORY, "no memory for wave speeds");
    enum err e = move_speeds(s, speeds, bytes, 0);
    for (int k = 0; k < n && !e; k++)
        s->sparse->rest[tile[k]] = take_speed(s, s->forest->slot[tile[k]], speeds);
    if (!e)
        e = move_speeds(s, speeds, bytes, 1);
    free(speeds);
    return e;
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

/* Tiles that are not computed at once keep the wave speeds that they had while they were absent. */
static enum err give_speeds(struct sim *s, const int *tile, int n)
{
    const size_t bytes = sim_find_array(s, "wave_speeds")->bytes;
    bits any = 0;
    for (int m = 0; m < n; m++)
        any |= s->sparse->rest[tile[m]];
    if (!any)
        return ERR_OK;
    char *speeds = malloc(bytes + 1);
    if (!speeds)
        FAIL(MEMORY, "no memory for wave speeds");
    enum err e = move_speeds(s, speeds, bytes, 0);
    for (int m = 0; m < n && !e; m++)
        for (int k = 0; s->sparse->rest[tile[m]] && s->scheme->kernels[k]; k++)
            if (speeds_of_slot(s, k))
                memcpy(speeds + speed_at(s, k, s->forest->slot[tile[m]]), &s->sparse->rest[tile[m]],
                       s->real_size);
    if (!e)
        e = move_speeds(s, speeds, bytes, 1);
    free(speeds);
    return e;
}

/* Tables and totals are right also if memory ends after some of the tiles. */
enum err sparse_store(struct sim *s, const int *tile, int n)
{
    int m;
    TRY(make_room(s, n));
    unsigned char *was = malloc((size_t)n);
    if (!was)
        FAIL(MEMORY, "no memory for a table of %d tiles", n);
    const enum err e = sparse_make(s, tile, was, n, &m);
    free(was);
    TRY(tiling_update(s));
    TRY(sparse_put_rest(s));
    for (int k = 0; k < m; k++)
        s->sparse->looked_at[tile[k]] = 0;
    TRY(give_speeds(s, tile, m));
    if (m)
        TRY(book(s, tile, m, 0));
    return e;
}

/* Keeps what observers have found in a tile. */
static enum err save_found(struct sim *s, int tile)
{
    const size_t all = sparse_found_at(s, NULL, tile);
    if (!all)
        return ERR_OK;
    char *saved = s->sparse->saved[tile] ? s->sparse->saved[tile] : malloc(all);
    if (!saved)
        FAIL(MEMORY, "no memory for what observers found in a tile");
    s->sparse->saved[tile] = saved;
    for (int k = 0; k < s->array_count; k++)
        if (sparse_is_found(s, &s->array[k]))
            TRY(sparse_read(s, &s->array[k], tile, saved + sparse_found_at(s, &s->array[k], tile)));
    return ERR_OK;
}

/* Fills free slots, `n` of them side by side, with NaN. */
static enum err poison(struct sim *s, int slot, int n)
{
    for (int k = 0; k < s->array_count; k++)
        if (is_pool(&s->array[k]))
            TRY(s->backend->fill(s->device, sparse_slot(s, &s->array[k], slot), 0xff,
                                 (size_t)n * tiling_slot_bytes(s)));
    return ERR_OK;
}

enum err sparse_drop(struct sim *s, const int *tile, const enum tile_state *state, int n)
{
    int first = 0, many = 0; /* free slots that are not poisoned yet */
    TRY(book(s, tile, n, 1));
    TRY(take_speeds(s, tile, n));
    for (int m = 0; m < n; m++) {
        TRY(save_found(s, tile[m]));
        const int slot = forest_drop(s->forest, tile[m], state[m]);
        TRY(active_tiles_clear(s, slot));
        if (many && slot != first + many)
            TRY(poison(s, first, many));
        many = many && slot == first + many ? many + 1 : 1;
        first = slot - many + 1;
    }
    TRY(poison(s, first, many));
    TRY(tiling_update(s));
    return sparse_put_rest(s);
}
