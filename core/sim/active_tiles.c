/* The map of tiles that may change, and the list of those that a step computes. */
#include "core/sim/active_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/problem/springs.h"
#include "core/sim/cycle.h"
#include "core/sim/launch_room.h"
#include "core/sim/sparse.h"
#include "core/sim/tiling.h"

_Static_assert((int)TILE_MAPS == (int)SCHEME_KERNELS,
               "kernels/active_tiles.h must have room for the map of every kernel");

struct active_tiles {
    bits *moved;                /* of all kernels that keep a map, one after the other: */
    int blocks[SCHEME_KERNELS]; /* per slot; 0: the kernel keeps no map */
    const unsigned char *fed;   /* on the device */
    int *list;
    struct tile_counts *counts;
    struct tile_totals *totals; /* on the device; null: nobody asks */
    int only;                   /* kernels of all kinds compute only the listed tiles */
    int timed;                  /* the cycle decides in which passes there is a list */
    int lists;                  /* there is one in the pass under way */
    int mapping, stale;         /* it keeps the map; earlier ones did not */
    struct cycle cycle;
};

const char *active_tiles_stranger(const struct scheme *scheme)
{
    int keep = 0;
    for (int k = 0; scheme->kernels[k]; k++) {
        const struct kernel *kernel = find_kernel(scheme->kernels[k]);
        if (scheme->on_demand && k >= scheme->on_demand)
            break;
        if (!kernel || kernel->map == MAPPING_UNKNOWN)
            return scheme->kernels[k];
        keep += kernel->map == KEEPS_THE_MAP;
    }
    return keep ? NULL : scheme->kernels[0];
}

/* The tiles that a step reaches from cell (i, j), also across periodic edges. */
static void mark_around(struct sim *s, int i, int j)
{
    const int nx = s->grid.nx, ny = s->grid.ny;
    const int around_x = s->boundary[WEST] == PERIODIC, around_y = s->boundary[SOUTH] == PERIODIC;
    for (int dj = -FARTHEST; dj <= FARTHEST; dj++)
        for (int di = -FARTHEST; di <= FARTHEST; di++) {
            const int x = beside(i, di, nx, around_x), y = beside(j, dj, ny, around_y);
            if (x >= 0 && y >= 0)
                s->fed_tiles[tiles_of_cell(&s->tiles, x, y)] = 1;
        }
}

/* A part considers only its own sources: tiles beside other parts are always computed. */
static enum err mark_fed(struct sim *s)
{
    const struct spring_list *l = s->spring_list;
    if (!l || !s->tiles.columns)
        return ERR_OK;
    s->fed_tiles = calloc((size_t)tiles_count(&s->tiles), 1);
    if (!s->fed_tiles)
        FAIL(MEMORY, "no memory for a table of %d tiles", tiles_count(&s->tiles));
    for (int k = 0; k < l->count; k++)
        for (int n = 0; n < l->place[k].cells; n++) {
            const int x = l->place[k].i[n], y = l->place[k].j[n];
            const int i = (s->turned ? y : x) - s->window.i0;
            const int j = (s->turned ? x : y) - s->window.j0;
            if (i >= 0 && i < s->grid.nx && j >= 0 && j < s->grid.ny)
                mark_around(s, i, j);
        }
    return ERR_OK;
}

enum err active_tiles_choose(struct sim *s)
{
    const int choice = s->config->early_exit;
    s->mapped = sparse_wanted(s);
    TRY(mark_fed(s));
    if (s->mapped || !s->tiles.columns || choice == EARLY_EXIT_OFF ||
        (choice == EARLY_EXIT_AUTO && !cycle_pays(s)))
        return ERR_OK;
    const char *const stranger = active_tiles_stranger(s->scheme);
    s->mapped = !s->forced && !s->added[RAIN_KERNEL] && !s->added[SOIL_KERNEL] && !stranger;
    if (s->mapped || choice == EARLY_EXIT_AUTO)
        return ERR_OK;
    if (stranger)
        log_info("no early exit: kernel %s keeps no map of tiles (`map` in kernels/kernel.h)",
                 stranger);
    else
        log_info("no early exit: %s",
                 s->forced ? "the flow is forced everywhere" : "rain or soil may change any tile");
    return ERR_OK;
}

static void count_blocks(struct sim *s)
{
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const struct tiling t = tiling_of(s, &s->kernels[k]);
        const int now = !s->scheme->on_demand || k < s->scheme->on_demand;
        if (now && s->kernels[k].recipe.kernel->map == KEEPS_THE_MAP)
            s->active->blocks[k] = t.across * t.up;
    }
}

/* How many numbers the maps before a kernel's have, for this many slots; and all maps. */
static size_t numbers_before(const struct sim *s, int kernel, int slots)
{
    size_t n = 0;
    for (int k = 0; k < kernel; k++)
        n += (size_t)s->active->blocks[k] * (size_t)slots;
    return n;
}

static size_t map_bytes(const struct sim *s, int slots)
{
    return numbers_before(s, SCHEME_KERNELS, slots) * s->real_size;
}

static bits *map_of(const struct sim *s, int kernel)
{
    return (void *)((char *)s->active->moved +
                    numbers_before(s, kernel, tiling_slots(s)) * s->real_size);
}

/* Index of a slot's numbers in the first map: those of its first block, which all tiles have. */
static size_t first_of(const struct sim *s, int slot)
{
    int k = 0;
    while (!s->active->blocks[k])
        k++;
    return (size_t)slot * (size_t)s->active->blocks[k] * s->real_size;
}

enum err active_tiles_put_moved(struct sim *s, const bits *moved)
{
    unsigned char *map = calloc(1, map_bytes(s, tiling_slots(s)));
    if (!map)
        FAIL(MEMORY, "no memory for the map of tiles");
    for (int k = 0; k < tiling_slots(s); k++) {
        const int tile = tiling_tile(s, k);
        const bits noted = tile < 0 ? 0 : moved ? moved[tile] : sparse_begins(s, tile);
        memcpy(map + first_of(s, k), &noted,
               s->real_size); /* little-endian: the lower bytes come first */
    }
    const enum err e =
        s->backend->upload(s->device, s->active->moved, map, map_bytes(s, tiling_slots(s)));
    free(map);
    return e;
}

enum err active_tiles_mark(struct sim *s, int slot)
{
    return s->active ? s->backend->fill(s->device, (char *)s->active->moved + first_of(s, slot),
                                        0xff, s->real_size)
                     : ERR_OK;
}

enum err active_tiles_create(struct sim *s)
{
    void *p;
    if (!s->mapped)
        return ERR_OK;
    struct active_tiles *a = s->active = calloc(1, sizeof *a);
    if (!a)
        FAIL(MEMORY, "no memory for the map of tiles");
    a->timed = !s->forest && s->config->early_exit == EARLY_EXIT_AUTO;
    a->cycle.steps = 1;
    count_blocks(s);
    /* Without one from a checkpoint the next step computes all tiles that have water, and makes a
     * new one. */
    TRY(sim_room(s, "tile_map", map_bytes(s, tiling_slots(s)), &p));
    a->moved = p;
    TRY(active_tiles_put_moved(s, NULL));
    if (s->fed_tiles)
        TRY(sim_constant(s, "fed_tiles", s->fed_tiles, (size_t)tiles_count(&s->tiles), &a->fed));
    TRY(sim_room(s, "tile_list", 2 * (size_t)tiles_count(&s->tiles) * sizeof(int), &p));
    a->list = p;
    TRY(sim_room(s, "tile_counts", sizeof *a->counts, &p));
    a->counts = p;
    if (!a->timed) {
        TRY(sim_room(s, "tile_totals", sizeof *a->totals, &p));
        a->totals = p;
    }
    if (!s->forest && !a->timed)
        log_info("early exit: steps skip tiles in which nothing can change");
    return ERR_OK;
}

void active_tiles_destroy(struct sim *s)
{
    free(s->active);
    s->active = NULL;
}

/* Grows the maps from this many slots to the present number. */
static void lay_maps(const struct sim *s, int before, const char *from, char *to)
{
    const int now = tiling_slots(s);
    memset(to, 0, map_bytes(s, now));
    for (int k = 0; k < SCHEME_KERNELS; k++)
        memcpy(to + numbers_before(s, k, now) * s->real_size,
               from + numbers_before(s, k, before) * s->real_size,
               (size_t)s->active->blocks[k] * (size_t)before * s->real_size);
}

enum err active_tiles_grow(struct sim *s, int before)
{
    struct active_tiles *a = s->active;
    const size_t old = map_bytes(s, before), now = map_bytes(s, tiling_slots(s));
    char *from = malloc(old + 1), *to = malloc(now + 1);
    enum err e = ERR_OK;
    if (!from || !to) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the map of tiles");
        goto out;
    }
    TRY_OUT(s->backend->download(s->device, from, a->moved, old));
    lay_maps(s, before, from, to);
    struct array *map = sim_find_array(s, "tile_map");
    TRY_OUT(sim_array_grow(s, map, now));
    a->moved = map->memory;
    TRY_OUT(s->backend->upload(s->device, a->moved, to, now));
out:
    free(from);
    free(to);
    return e;
}

enum err active_tiles_clear(struct sim *s, int slot)
{
    for (int k = 0; k < SCHEME_KERNELS; k++) {
        const size_t n = (size_t)s->active->blocks[k] * s->real_size;
        if (n)
            TRY(s->backend->fill(s->device, (char *)map_of(s, k) + (size_t)slot * n, 0, n));
    }
    return ERR_OK;
}

/* How many tiles a step reaches along an axis, judged by the narrowest one between two others:
 * the last ones may be narrower. */
static int rings(const struct sim *s, int across, int periodic)
{
    const struct tiles *t = &s->tiles;
    const int count = across ? t->columns : t->rows;
    int least = across ? t->w : t->h;
    for (int k = 0; k < count - !periodic; k++) {
        const struct window w = tiles_window(t, across ? k : k * t->columns);
        least = (across ? w.nx : w.ny) < least ? (across ? w.nx : w.ny) : least;
    }
    return (FARTHEST + least - 1) / least;
}

/* Edges that are not entirely walls. */
static int open_sides(const struct sim *s)
{
    int open = s->open_sides;
    for (int e = 0; e < EDGES; e++)
        open |= (s->boundary[e] == NEIGHBOUR) << e;
    return open;
}

struct active_tiles_args active_tiles_args(const struct sim *s)
{
    const int around_x = s->boundary[WEST] == PERIODIC, around_y = s->boundary[SOUTH] == PERIODIC;
    return (struct active_tiles_args){
        .span = {tiles_count(&s->tiles), 1},
        .columns = s->tiles.columns,
        .rows = s->tiles.rows,
        .cells = s->tiles.w * s->tiles.h,
        .around = {around_x, around_y},
        .rings = {rings(s, 1, around_x), rings(s, 0, around_y)},
        .open = open_sides(s),
        .fed = s->fed_tiles,
        .p = s->physics,
    };
}

void active_tiles_reach(const struct sim *s, const int *slot_of, const bits *moved, int open,
                        unsigned char *reached)
{
    struct active_tiles_args a = active_tiles_args(s);
    a.slot_of = slot_of;
    a.maps = 1;
    a.map[0] = (struct tile_map){moved, 1};
#pragma omp parallel for schedule(static)
    for (int k = 0; k < a.span.nx; k++) {
        const int i = k % a.columns, j = k / a.columns;
        reached[k] = open && is_open(&a, i, j);
        for (int n = 0; n < tiles_around(&a) && !reached[k]; n++)
            reached[k] = (unsigned char)is_reached_from(&a, i, j, n);
    }
}

/* Passes for which all tiles are computed keep no map as long as that is faster. The next one that needs it computes all
 * tiles, so while lists are faster a pass without one, which is only timed, keeps it, too. */
static enum err choose_map(struct sim *s)
{
    struct active_tiles *a = s->active;
    a->mapping = a->lists || a->cycle.faster;
    const int anew = a->mapping && a->stale;
    a->stale = !a->mapping;
    return anew ? s->backend->fill(s->device, a->moved, 0xff, map_bytes(s, tiling_slots(s)))
                : ERR_OK;
}

enum err active_tiles_begin(struct sim *s)
{
    struct active_tiles *a = s->active;
    if (!a)
        return ERR_OK;
    a->lists = 1;
    if (a->timed)
        TRY(cycle_begin(s, &a->cycle, &a->lists));
    TRY(choose_map(s));
    if (!a->lists)
        return ERR_OK;
    struct active_tiles_args args = active_tiles_args(s);
    args.slot_of = s->slot_of;
    args.fed = a->fed;
    args.list = a->list;
    args.counts = a->counts;
    args.clock = s->clock;
    args.place = s->tile_place;
    args.totals = a->totals;
    args.most = tiles_launched(s);
    for (int k = 0; s->scheme->kernels[k]; k++)
        if (a->blocks[k])
            args.map[args.maps++] = (struct tile_map){map_of(s, k), a->blocks[k]};
    return sim_launch(s, &s->auxiliary[ACTIVE_TILES], &args, sizeof args);
}

enum err active_tiles_end(struct sim *s)
{
    return active_tiles_timed(s) ? cycle_end(s, &s->active->cycle) : ERR_OK;
}

int active_tiles_mapping(const struct sim *s)
{
    return s->active && s->active->mapping;
}

int active_tiles_timed(const struct sim *s)
{
    return s->active && s->active->timed;
}

void active_tiles_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t)
{
    const struct active_tiles *a = s->active;
    const int of_scheme = k >= s->kernels && k < s->kernels + SCHEME_KERNELS;
    if (!a || !a->counts || !(of_scheme || a->only)) /* before the first step there is no list */
        return;
    if (a->lists || a->only) {
        t->list = a->list;
        t->part = a->only ? &a->counts->only : &a->counts->listed;
    }
    t->moved = of_scheme && a->blocks[k - s->kernels] ? map_of(s, (int)(k - s->kernels)) : NULL;
}

enum err active_tiles_totals(struct sim *s, struct tile_totals *t)
{
    *t = (struct tile_totals){0};
    return s->active && s->active->totals
               ? s->backend->download(s->device, t, s->active->totals, sizeof *t)
               : ERR_OK;
}

enum err active_tiles_only(struct sim *s, const int *slots, int n)
{
    struct active_tiles *a = s->active;
    a->only = n > 0;
    if (n == 0)
        return ERR_OK;
    TRY(s->backend->upload(s->device, a->list, slots, (size_t)n * sizeof *slots));
    return s->backend->upload(s->device, &a->counts->only, &(struct list_part){0, n},
                              sizeof a->counts->only);
}

enum err active_tiles_moved(struct sim *s, bits *moved)
{
    const struct active_tiles *a = s->active;
    const int slots = tiling_slots(s);
    char *map = malloc(map_bytes(s, slots) + 1);
    if (!map)
        FAIL(MEMORY, "no memory for the map of tiles");
    const enum err e = s->backend->download(s->device, map, a->moved, map_bytes(s, slots));
#pragma omp parallel for schedule(static)
    for (int slot = 0; slot < (e ? 0 : slots); slot++) {
        moved[slot] = 0;
        for (int k = 0; k < SCHEME_KERNELS; k++) {
            const size_t n = (size_t)a->blocks[k] * s->real_size;
            const char *own = map + numbers_before(s, k, slots) * s->real_size + (size_t)slot * n;
            for (size_t b = 0; b < n; b += s->real_size) {
                bits noted = 0;
                memcpy(&noted, own + b, s->real_size);
                moved[slot] |= noted;
            }
        }
    }
    free(map);
    return e;
}

enum err active_tiles_count(struct sim *s, int *count)
{
    *count = s->forest ? s->forest->stored : tiles_count(&s->tiles);
    return s->active && s->active->lists
               ? s->backend->download(s->device, count, &s->active->counts->listed.count,
                                      sizeof *count)
               : ERR_OK;
}
