/* The map of tiles in which something may change, and the list of those that a step computes. */
#include "core/sim/active_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/sim/tiling.h"
#include "kernels/active_tiles.h"

_Static_assert((int)TILE_MAPS == (int)SCHEME_KERNELS,
               "kernels/active_tiles.h must have room for the map of every kernel");

/* Cells that a step of any scheme depends on in each direction: two for each substep, of which there are three at most. */
enum { FARTHEST = 6 };
enum { LISTED, WANTED, NUMBERS };

struct active_tiles {
    bits *moved; /* of all kernels that keep a map, one after the other */
    long at
        [SCHEME_KERNELS]; /* where each kernel's begins, in numbers of the run's precision; -1: it keeps none */
    int *list, *number; /* [NUMBERS] */
};

static int tiles(const struct sim *s)
{
    return s->tiles.columns * s->tiles.rows;
}

/* The first kernel of which nobody has said what it does with the map; null: all of them keep it, or write no state. */
static const char *stranger(const struct sim *s)
{
    int keep = 0;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const struct kernel *kernel = find_kernel(s->scheme->kernels[k]);
        if (s->scheme->on_demand && k >= s->scheme->on_demand)
            break;
        if (!kernel || kernel->map == MAPPING_UNKNOWN)
            return s->scheme->kernels[k];
        keep += kernel->map == KEEPS_THE_MAP;
    }
    return keep ? NULL : s->scheme->kernels[0];
}

enum err active_tiles_choose(struct sim *s)
{
    if (!s->tiles.columns || s->config->early_exit != EARLY_EXIT_ON)
        return ERR_OK;
    if (s->forced)
        log_info("no early exit: the flow is forced everywhere");
    else if (stranger(s))
        log_info("no early exit: kernel %s keeps no map of tiles (`map` in kernels/kernel.h)",
                 stranger(s));
    else
        s->mapped = 1;
    return ERR_OK;
}

/* Blocks of a slot. */
static int blocks_of(const struct sim *s, const struct sim_kernel *k)
{
    const struct tiling t = tiling_of(s, k);
    return t.across * t.up;
}

static bits *map_of(const struct sim *s, int kernel)
{
    const struct active_tiles *a = s->active;
    return (void *)((char *)a->moved + (size_t)a->at[kernel] * s->real_size);
}

/* Notes in the first map that something may change in the first block of every tile, which all tiles have. */
static enum err mark_all(struct sim *s)
{
    int k = 0;
    while (s->active->at[k] < 0)
        k++;
    const size_t slot = (size_t)blocks_of(s, &s->kernels[k]) * s->real_size;
    unsigned char *map = calloc((size_t)tiles(s), slot);
    if (!map)
        FAIL(MEMORY, "no memory for the map of tiles");
    for (int n = 0; n < tiles(s); n++)
        memset(map + (size_t)n * slot, 0xff, s->real_size);
    const enum err e = s->backend->upload(s->device, map_of(s, k), map, (size_t)tiles(s) * slot);
    free(map);
    return e;
}

enum err active_tiles_create(struct sim *s)
{
    long n = 0;
    void *p;
    if (!s->mapped)
        return ERR_OK;
    struct active_tiles *a = s->active = calloc(1, sizeof *a);
    if (!a)
        FAIL(MEMORY, "no memory for the map of tiles");
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const int keeps = s->kernels[k].recipe.kernel->map == KEEPS_THE_MAP;
        const int now = !s->scheme->on_demand || k < s->scheme->on_demand;
        a->at[k] = keeps && now ? n : -1;
        n += keeps && now ? (long)blocks_of(s, &s->kernels[k]) * tiles(s) : 0;
    }
    /* No checkpoint keeps the map: the next step computes all tiles, and makes a new one. */
    TRY(sim_room(s, "tile_map", (size_t)n * s->real_size, &p));
    a->moved = p;
    TRY(mark_all(s));
    TRY(sim_room(s, "tile_list", (size_t)tiles(s) * sizeof(int), &p));
    a->list = p;
    TRY(sim_room(s, "tile_numbers", NUMBERS * sizeof(int), &p));
    a->number = p;
    log_info("early exit: steps leave out tiles in which nothing can change");
    return ERR_OK;
}

void active_tiles_destroy(struct sim *s)
{
    free(s->active);
    s->active = NULL;
}

/* Tiles that a step reaches across, where the smallest has so many cells. */
static int rings(int cells, int pieces)
{
    const int least = cells / pieces;
    return (FARTHEST + least - 1) / least;
}

/* Edges that are no wall all along. */
static int open_edges(const struct sim *s)
{
    int open = 0;
    for (int e = 0; e < EDGES; e++)
        open |= (s->boundary[e] != WALL || s->edges.others[e]) << e;
    return open;
}

enum err active_tiles_begin(struct sim *s)
{
    const struct active_tiles *a = s->active;
    if (!a)
        return ERR_OK;
    struct active_tiles_args args = {
        .span = {tiles(s), 1},
        .columns = s->tiles.columns,
        .rows = s->tiles.rows,
        .around = {s->boundary[WEST] == PERIODIC, s->boundary[SOUTH] == PERIODIC},
        .rings = {rings(s->tiles.nx, s->tiles.columns), rings(s->tiles.ny, s->tiles.rows)},
        .open = open_edges(s),
        .list = a->list,
        .count = a->number + LISTED,
        .wanted = a->number + WANTED,
        .clock = s->clock,
        .p = s->physics,
    };
    for (int k = 0; s->scheme->kernels[k]; k++)
        if (a->at[k] >= 0)
            args.map[args.maps++] = (struct tile_map){map_of(s, k), blocks_of(s, &s->kernels[k])};
    TRY(s->backend->fill(s->device, a->number, 0, NUMBERS * sizeof *a->number));
    return sim_launch(s, &s->auxiliary[ACTIVE_TILES], &args, sizeof args);
}

void active_tiles_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t)
{
    const struct active_tiles *a = s->active;
    if (!a || k < s->kernels || k >= s->kernels + SCHEME_KERNELS)
        return;
    t->list = a->list;
    t->count = a->number + LISTED;
    t->moved = a->at[k - s->kernels] >= 0 ? map_of(s, (int)(k - s->kernels)) : NULL;
}

enum err active_tiles_count(struct sim *s, int *count)
{
    *count = tiles(s);
    return s->active
               ? s->backend->download(s->device, count, s->active->number + LISTED, sizeof *count)
               : ERR_OK;
}
