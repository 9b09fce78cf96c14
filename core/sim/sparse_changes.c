/* Which tiles a sparse domain stores as the run goes on: what its water may reach soon. */
#include "core/sim/sparse_parts.h"

#include <stdlib.h>

#include "core/base/monotonic_time.h"
#include "core/sim/active_tiles.h"

/* What the map of tiles says of each tile. */
struct reach {
    unsigned char *reached, *near; /* the next step computes it; later ones may do so soon */
};

static enum err no_table(const struct sim *s)
{
    FAIL(MEMORY, "no memory for a table of %d tiles", s->forest->tiles);
}

static void free_reach(struct reach *r)
{
    free(r->reached);
    free(r->near);
}

/* `near` is what the step after the next one would reach if this one took water everywhere that it
 * computes. Where water may come in from outside, that is once it is there. */
static enum err find_reach(struct sim *s, struct reach *r)
{
    const struct forest *f = s->forest;
    const size_t n = (size_t)(f->slots > f->tiles ? f->slots : f->tiles);
    bits *moved = malloc(n * sizeof *moved);
    *r = (struct reach){malloc((size_t)f->tiles), malloc((size_t)f->tiles)};
    enum err e = moved && r->reached && r->near ? active_tiles_moved(s, moved) : no_table(s);
    if (!e) {
        active_tiles_reach(s, f->slot, moved, 1, r->reached);
        active_tiles_reach(s, f->slot, moved, 0, r->near);
        for (int k = 0; k < f->tiles; k++)
            moved[k] = r->near[k] ? ~(bits)0 : 0;
        active_tiles_reach(s, NULL, moved, 0, r->near);
    }
    free(moved);
    return e;
}

/* Drops the tiles that no step will compute soon and that need not be stored. */
static enum err drop_idle(struct sim *s, const struct reach *r)
{
    struct sparse *p = s->sparse;
    const int n = p->forest.tiles;
    int *tile = malloc((size_t)n * sizeof *tile), count = 0, idle = 0;
    enum tile_state *state = malloc((size_t)n * sizeof *state);
    enum err e = tile && state ? ERR_OK : no_table(s);
    for (int k = 0; k < n && !e; k++) {
        if (r->reached[k])
            p->looked_at[k] = 0;
        if (p->forest.slot[k] < 0 || r->reached[k] || r->near[k] || p->pinned[k] || p->looked_at[k])
            continue;
        p->looked_at[k] = 1;
        tile[count++] = k;
    }
    if (!e)
        e = sparse_look(s, tile, count, state);
    for (int k = 0; k < count && !e; k++)
        if (state[k] != TILE_STORED) {
            tile[idle] = tile[k];
            state[idle++] = state[k];
        }
    if (!e && idle)
        e = sparse_drop(s, tile, state, idle);
    free(tile);
    free(state);
    return e;
}

/* Appends the absent tiles among those marked. */
static void list_absent(const struct forest *f, const unsigned char *marked,
                        const unsigned char *but, int *tile, int *n)
{
    for (int k = 0; k < f->tiles; k++)
        if (marked[k] && !(but && but[k]) && f->slot[k] < 0)
            tile[(*n)++] = k;
}

/* The tiles that the clock waits for, and if there is room those that it would wait for next: a halt
 * costs as much as some steps. */
static enum err store_wanted(struct sim *s, const struct reach *r)
{
    struct sparse *p = s->sparse;
    int *tile = malloc((size_t)p->forest.tiles * sizeof *tile), wanted = 0;
    if (!tile)
        return no_table(s);
    list_absent(&p->forest, r->reached, NULL, tile, &wanted);
    int all = wanted;
    list_absent(&p->forest, r->near, r->reached, tile, &all);
    enum err e =
        wanted ? ERR_OK : err_set(ERR_MACHINE, __FILE__, __LINE__, "the clock waits for no tile");
    const int before = p->forest.stored;
    const int ahead = !p->no_margin && before + all <= sparse_most(s);
    if (!e)
        e = sparse_store(s, tile, ahead ? all : wanted);
    const int ready = s->sparse->forest.stored - before;
    if (e == ERR_MEMORY && ahead && all > wanted) {
        p->no_margin = 1;
        e = ready < wanted ? sparse_store(s, tile + ready, wanted - ready) : ERR_OK;
    }
    p->made += p->forest.stored - before;
    free(tile);
    return e;
}

/* Drops the tiles that no step will compute soon; stores those that the next one would, if
 * `wanted`. */
static enum err rearrange(struct sim *s, int wanted)
{
    struct reach r;
    enum err e = find_reach(s, &r);
    if (!e)
        e = drop_idle(s, &r);
    if (!e && wanted)
        e = store_wanted(s, &r);
    free_reach(&r);
    return e;
}

enum err sparse_serve(struct sim *s)
{
    if (!s->forest)
        return ERR_OK;
    const double began = seconds();
    const enum err e = rearrange(s, 1);
    s->sparse->halts++;
    s->sparse->seconds += seconds() - began;
    return e;
}

enum err sparse_tidy(struct sim *s)
{
    return s->forest && s->now.steps > 0 ? rearrange(s, 0) : ERR_OK;
}
