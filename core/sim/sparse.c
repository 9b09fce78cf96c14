/* Which tiles a sparse domain stores: at the start, and when the clock halts for more. */
#include "core/sim/sparse_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/problem/initial_state_parts.h"
#include "core/problem/scan.h"
#include "core/registry/registry.h"
#include "core/sim/active_tiles.h"
#include "core/sim/sections.h"

/* Why each cell may change in every step; null: no reason. */
static const char *why_all_change(const struct sim *s)
{
    return s->forced ? "the flow is forced everywhere"
           : s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL]
               ? "rain or infiltration may change any cell"
               : NULL;
}

int sparse_wanted(const struct sim *s)
{
    return s->config->domain == DOMAIN_SPARSE && !why_all_change(s);
}

/* The schemes that can, in words: "one, another or a third". */
static void list_able(const struct sim *s, char *text, size_t n)
{
    enum { MOST = 32 };
    const char *able[MOST];
    int count = 0;
    size_t used = 0;
    for (int k = 0; schemes[k] && count < MOST; k++)
        if (!schemes[k]->split && scheme_solves(schemes[k], s->system) &&
            !active_tiles_stranger(schemes[k]))
            able[count++] = schemes[k]->name;
    *text = '\0';
    for (int k = 0; k < count && used < n; k++)
        used += (size_t)snprintf(text + used, n - used, "%s%s",
                                 k == 0           ? ""
                                 : k == count - 1 ? " or "
                                                  : ", ",
                                 able[k]);
}

enum err sparse_check(const struct sim *s)
{
    const struct config *c = s->config;
    char able[256];
    if (c->domain != DOMAIN_SPARSE) {
        if (c->tiles_most)
            FAIL(USAGE,
                 "--tiles-most: the domain is full: choose --domain sparse, or leave it out");
        return ERR_OK;
    }
    list_able(s, able, sizeof able);
    if (s->scheme->split)
        FAIL(USAGE,
             "--domain sparse: scheme %s transposes the whole domain, so it supports no tiles: "
             "choose %s",
             s->scheme->name, able);
    if (!s->system->over_bed)
        FAIL(USAGE, "--domain sparse: the system %s has no dry or resting state: leave it out",
             s->system->name);
    if (s->parts || s->whole)
        FAIL(USAGE,
             "--domain sparse: a sparse domain is in one piece: leave out --parts, --ranks and "
             "--devices");
    if (active_tiles_stranger(s->scheme))
        FAIL(USAGE,
             "--domain sparse: kernel %s of scheme %s keeps no map of tiles: see `map` in "
             "kernels/kernel.h",
             active_tiles_stranger(s->scheme), s->scheme->name);
    if (c->early_exit == EARLY_EXIT_OFF)
        FAIL(USAGE, "--domain sparse goes by the map of early exit: leave out --early-exit off");
    if (why_all_change(s))
        log_info("the domain is full: %s", why_all_change(s));
    return ERR_OK;
}

size_t sparse_cells_of(const struct sim *s, int tile)
{
    const struct window w = tiles_window(&s->tiles, tile);
    return (size_t)w.nx * (size_t)w.ny;
}

/* A cell with water or a discharge at the start: what a kernel would note of it. */
static int noted(const struct initial *tile, int i, int j)
{
    if (!(initial_get(tile, tile->field[0], i, j) > initial_floor(tile, i, j)) &&
        initial_get(tile, tile->field[1], i, j) == 0 &&
        initial_get(tile, tile->field[2], i, j) == 0)
        return 0;
    return MOVES | (i < FARTHEST ? MOVES_WEST : 0) | (i >= tile->nx - FARTHEST ? MOVES_EAST : 0) |
           (j < FARTHEST ? MOVES_SOUTH : 0) | (j >= tile->ny - FARTHEST ? MOVES_NORTH : 0);
}

static enum err begins(const struct sim *s, int tile, int *all)
{
    const struct window w = tiles_window(&s->tiles, tile);
    struct initial *cut = NULL;
    *all = 0;
    if (initial_is_dry(s->initial, &w))
        return ERR_OK;
    TRY(initial_cut(&cut, s->initial, &w, INITIAL_STATE));
    for (int j = 0; j < w.ny; j++)
        for (int i = 0; i < w.nx; i++)
            *all |= noted(cut, i, j);
    initial_destroy(cut);
    return ERR_OK;
}

bits sparse_begins(const struct sim *s, int tile)
{
    return s->sparse ? s->sparse->wet[tile] : ~(bits)0;
}

int sparse_most(const struct sim *s)
{
    const int most = s->config->tiles_most, all = tiles_count(&s->tiles);
    return most && most < all ? most : all;
}

static void pin_gauges(struct sim *s)
{
    for (int k = 0; s->gauge_list && k < s->gauge_list->count; k++) {
        const struct gauge *g = &s->gauge_list->gauge[k];
        s->sparse->pinned[s->turned ? tiles_of_cell(&s->tiles, g->j, g->i)
                                    : tiles_of_cell(&s->tiles, g->i, g->j)] = 1;
    }
}

/* The flow through a face counts even where tiles at rest are not stored. */
static void pin_sections(struct sim *s, const struct setup *setup)
{
    const struct section_list *l = setup->sections;
    for (int k = 0; l && k < l->count; k++)
        for (int m = 0; m < l->place[k].faces; m++) {
            const struct section_cell c = sim_section_cell(setup, &l->place[k].face[m]);
            s->sparse->pinned[tiles_of_cell(&s->tiles, c.i, c.j)] = 1;
        }
}

static enum err allocate(struct sim *s)
{
    const size_t n = (size_t)tiles_count(&s->tiles);
    struct sparse *p = s->sparse = calloc(1, sizeof *p);
    if (!p)
        FAIL(MEMORY, "no memory for a sparse domain");
    TRY(forest_create(&p->forest, (int)n));
    p->wet = calloc(n, 1);
    p->pinned = calloc(n, 1);
    p->looked_at = calloc(n, 1);
    p->rest = calloc(n, sizeof *p->rest);
    p->saved = calloc(n, sizeof *p->saved);
    if (!p->wet || !p->pinned || !p->looked_at || !p->rest || !p->saved)
        FAIL(MEMORY, "no memory for a table of %zu tiles", n);
    return ERR_OK;
}

/* A checkpoint needs more tiles: core/sim/sparse_content.c then says how many all are. */
static enum err store_first(struct sim *s, const unsigned char *reached)
{
    struct forest *f = &s->sparse->forest;
    const int restarts = *s->config->restart && !s->turned;
    int n = 0;
    for (int k = 0; k < f->tiles; k++)
        n += reached[k] || s->sparse->pinned[k];
    if (n > sparse_most(s) && !restarts)
        FAIL(USAGE,
             "--tiles-most %d: the water at the start, gauges, sections and open edges need %d "
             "tiles of %d x %d: give at least %d",
             s->config->tiles_most, n, s->tiles.w, s->tiles.h, n);
    const int most = sparse_most(s) > n ? sparse_most(s) : n, room = n + n / 64 + 1;
    TRY(forest_grow(f, room < most ? room : most));
    for (int k = 0; k < f->tiles; k++)
        if (reached[k] || s->sparse->pinned[k])
            forest_store(f, k);
    log_info("sparse domain: %d of %d tiles of %d x %d cells are stored at the start", n, f->tiles,
             s->tiles.w, s->tiles.h);
    return ERR_OK;
}

enum err sparse_create(struct sim *s, const struct setup *setup)
{
    if (!sparse_wanted(s))
        return ERR_OK;
    TRY(allocate(s));
    struct sparse *p = s->sparse;
    const int n = p->forest.tiles;
    bits *moved = calloc((size_t)n, sizeof *moved);
    unsigned char *reached = calloc((size_t)n, 1);
    enum err e = moved && reached ? ERR_OK
                                  : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                            "no memory for a table of %d tiles", n);
    int failed = 0, all;
    struct scan scan = scan_begin("tiles with water", s->grid.nx, s->grid.ny, n);
#pragma omp parallel for schedule(dynamic, 8) private(all) reduction(| : failed)
    for (int k = 0; k < (e ? 0 : n); k++) {
        failed |= begins(s, k, &all) != ERR_OK;
        moved[k] = p->wet[k] = (unsigned char)all;
        scan_step(&scan);
    }
    if (failed)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory to look at %d tiles", n);
    if (!e) {
        pin_gauges(s);
        pin_sections(s, setup);
        active_tiles_reach(s, NULL, moved, 1, reached);
        e = store_first(s, reached);
    }
    if (!e)
        s->forest = &p->forest;
    free(moved);
    free(reached);
    return e;
}

void sparse_destroy(struct sim *s)
{
    struct sparse *p = s->sparse;
    if (!p)
        return;
    for (int k = 0; p->saved && k < p->forest.tiles; k++)
        free(p->saved[k]);
    free(p->wet);
    free(p->pinned);
    free(p->looked_at);
    free(p->rest);
    free(p->saved);
    forest_destroy(&p->forest);
    free(p);
    s->sparse = NULL;
    s->forest = NULL;
}

enum err sparse_tell(struct sim *s, struct sparse_report *r)
{
    const struct sparse *p = s->sparse;
    struct tile_totals t;
    *r = (struct sparse_report){.share = 1};
    if (!p)
        return ERR_OK;
    TRY(active_tiles_totals(s, &t));
    *r = (struct sparse_report){p->forest.stored, p->forest.most, p->halts,
                                p->made,          p->seconds,     .share = 1};
    for (int k = 0; k < p->forest.tiles; k++)
        r->cells += p->forest.slot[k] < 0 ? 0 : (double)sparse_cells_of(s, k);
    if (t.passes)
        r->share = (double)t.cells / (double)t.passes / sim_cells(s);
    return ERR_OK;
}

void sparse_count(const struct sim *s, int conserved, counter total[VOLUME_COUNTERS])
{
    for (int k = 0; s->forest && k < VOLUME_COUNTERS; k++)
        total[k] += s->sparse->absent[conserved][k];
}
