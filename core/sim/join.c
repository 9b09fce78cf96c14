/* Combines all parts' shares of an array: cells in the user's orientation, positions of the rim in
 * its order, sums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/active_tiles.h"
#include "core/sim/orders.h"
#include "core/sim/parts.h"
#include "core/sim/sparse.h"
#include "core/sim/tiling.h"

/* A window of the whole on the host, in the parts' orientation: cell (i, j) is `first` + j `pitch`
 * + i `column` numbers. */
struct plane {
    struct window window;
    char *first;
    long pitch, column;
    size_t size;
};

static struct plane plane_of(const struct sim *whole, const struct window *w, void *memory)
{
    const struct window stored = whole->turned ? (struct window){w->j0, w->i0, w->ny, w->nx} : *w;
    return (struct plane){.window = stored,
                          .first = memory,
                          .pitch = whole->turned ? 1 : w->nx,
                          .column = whole->turned ? w->nx : 1,
                          .size = whole->real_size};
}

static char *number_at(const struct plane *p, int i, int j)
{
    return p->first +
           ((j - p->window.j0) * p->pitch + (i - p->window.i0) * p->column) * (long)p->size;
}

/* Copies between the plane and the numbers of a window, in rows that are `pitch` numbers apart. */
static void copy_rows(const struct plane *p, const struct window *w, char *rows, long pitch,
                      int to_plane)
{
    for (int j = 0; j < w->ny; j++, rows += (size_t)pitch * p->size)
        for (int i = 0; i < w->nx; i++) {
            char *there = number_at(p, w->i0 + i, w->j0 + j), *here = rows + (size_t)i * p->size;
            const size_t n = p->column == 1 ? (size_t)w->nx : 1; /* a row at once */
            memcpy(to_plane ? there : here, to_plane ? here : there, n * p->size);
            i += (int)n - 1;
        }
}

enum err call_read(struct sim *part, const struct part_call *c)
{
    return sim_read(part, sim_find_array(part, c->name), &c->window, c->out);
}

enum err call_write(struct sim *part, const struct part_call *c)
{
    return sim_write(part, sim_find_array(part, c->name), &c->window, c->in);
}

enum err call_download(struct sim *part, const struct part_call *c)
{
    const struct array *a = sim_find_array(part, c->name);
    return part->backend->download(part->device, c->out, a->memory, c->out_bytes);
}

enum err call_upload(struct sim *part, const struct part_call *c)
{
    const struct array *a = sim_find_array(part, c->name);
    return c->in ? part->backend->upload(part->device, a->memory, c->in, c->in_bytes)
                 : part->backend->fill(part->device, a->memory, 0, a->bytes);
}

static struct part_call call_for(enum part_call_kind kind, const struct array *a)
{
    struct part_call c = {.kind = kind};
    snprintf(c.name, sizeof c.name, "%s", a->name);
    return c;
}

static enum err join_part(struct sim *part, const struct array *a, const struct plane *p,
                          int to_plane)
{
    struct part_call c = call_for(to_plane ? CALL_READ : CALL_WRITE, a);
    const struct window common = window_overlap(&part->window, &p->window);
    const struct window own = {common.i0 - part->window.i0, common.j0 - part->window.j0, common.nx,
                               common.ny};
    if (common.nx == 0 || common.ny == 0)
        return ERR_OK;
    const size_t bytes = (size_t)common.nx * (size_t)common.ny * p->size;
    char *dense = malloc(bytes);
    if (!dense)
        FAIL(MEMORY, "no memory for a part of '%s'", a->name);
    if (!to_plane)
        copy_rows(p, &common, dense, common.nx, 0);
    c.window = own;
    c.in = to_plane ? NULL : dense;
    c.in_bytes = to_plane ? 0 : bytes;
    c.out = to_plane ? dense : NULL;
    c.out_bytes = to_plane ? bytes : 0;
    const enum err e = parts_call(part->whole, part->member, &c);
    if (!e && to_plane)
        copy_rows(p, &common, dense, common.nx, 1);
    free(dense);
    return e;
}

static enum err join(struct sim *whole, const struct array *a, const struct plane *p, int to_plane)
{
    for (int k = 0; k < whole->parts->count; k++)
        TRY(join_part(whole->parts->sim[k], a, p, to_plane));
    return ERR_OK;
}

enum err parts_read(struct sim *whole, const struct array *a, const struct window *w, void *to)
{
    const struct plane p = plane_of(whole, w, to);
    return join(whole, a, &p, 1);
}

enum err parts_write(struct sim *whole, const struct array *a, const struct window *w,
                     const void *from)
{
    const struct plane p = plane_of(whole, w, (void *)(size_t)from);
    return join(whole, a, &p, 0);
}

/* Copies the tile's rows of an array to the host; or (to_plane 0) changes them there, and copies
 * them back. */
static enum err join_stored(struct sim *s, const struct array *a, int tile, const struct plane *p,
                            int to_plane)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const struct window common = window_overlap(&w, &p->window);
    const size_t row = (size_t)s->pitch[PLAIN] * p->size, bytes = (size_t)common.ny * row;
    const size_t first =
        (size_t)(tiling_slot(s, tile) * s->slot_rows + GHOSTS + common.j0 - w.j0) * row;
    char *rows = malloc(2 * bytes);
    if (!rows)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    char *before = rows + bytes;
    char *cells = rows + (size_t)(s->margin + common.i0 - w.i0) * p->size;
    enum err e = s->backend->download(s->device, rows, (char *)a->memory + first, bytes);
    if (!e && !to_plane)
        memcpy(before, rows, bytes);
    if (!e)
        copy_rows(p, &common, cells, s->pitch[PLAIN], to_plane);
    if (!e && !to_plane)
        e = s->backend->upload(s->device, (char *)a->memory + first, rows, bytes);
    if (!e && !to_plane && memcmp(before, rows, bytes) != 0)
        e = active_tiles_mark(s, tiling_slot(s, tile));
    free(rows);
    return e;
}

/* Cells of a tile that is not stored, from the host. Thread safe. */
static enum err read_absent(const struct sim *s, const struct array *a, int tile,
                            const struct plane *p)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const struct window common = window_overlap(&w, &p->window);
    char *cells = malloc((size_t)common.nx * (size_t)common.ny * p->size);
    if (!cells)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    const enum err e = sparse_cells(s, a, tile, &common, cells);
    if (!e)
        copy_rows(p, &common, cells, common.nx, 1);
    free(cells);
    return e;
}

/* Writing may store the tile from then on. */
static enum err write_absent(struct sim *s, const struct array *a, int tile, const struct plane *p)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const struct window common = window_overlap(&w, &p->window);
    char *cells = malloc((size_t)w.nx * (size_t)w.ny * p->size);
    if (!cells)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    const long first = (long)(common.j0 - w.j0) * w.nx + common.i0 - w.i0;
    enum err e = sparse_cells(s, a, tile, &w, cells);
    copy_rows(p, &common, cells + (size_t)first * p->size, w.nx, 0);
    if (!e)
        e = sparse_put_cells(s, a, tile, cells);
    free(cells);
    return !e && tiling_slot(s, tile) >= 0 ? join_stored(s, a, tile, p, 0) : e;
}

static int tile_under(const struct sim *s, const struct window *under, int k)
{
    return (under->j0 + k / under->nx) * s->tiles.columns + under->i0 + k % under->nx;
}

/* The host samples absent tiles, whose number is large, in several threads. */
enum err tiles_read(struct sim *s, const struct array *a, const struct window *w, void *to)
{
    const struct plane p = plane_of(s, w, to);
    const struct window under = tiles_under(&s->tiles, &p.window);
    const int n = under.nx * under.ny;
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed) if (s->forest && n > 1)
    for (int k = 0; k < (s->forest ? n : 0); k++)
        if (tiling_slot(s, tile_under(s, &under, k)) < 0)
            failed |= read_absent(s, a, tile_under(s, &under, k), &p) != ERR_OK;
    if (failed)
        FAIL(MEMORY, "no memory for %d tiles of '%s'", n, a->name);
    for (int k = 0; k < n; k++)
        if (tiling_slot(s, tile_under(s, &under, k)) >= 0)
            TRY(join_stored(s, a, tile_under(s, &under, k), &p, 1));
    return ERR_OK;
}

enum err tiles_write(struct sim *s, const struct array *a, const struct window *w, const void *from)
{
    const struct plane p = plane_of(s, w, (void *)(size_t)from);
    const struct window under = tiles_under(&s->tiles, &p.window);
    for (int k = 0; k < under.nx * under.ny; k++) {
        const int tile = tile_under(s, &under, k);
        TRY(tiling_slot(s, tile) < 0 ? write_absent(s, a, tile, &p)
                                     : join_stored(s, a, tile, &p, 0));
    }
    return ERR_OK;
}

/* Does the part's edge lie on the domain's? */
static int is_at_edge(const struct sim *part, enum edge e)
{
    const struct window *w = &part->window;
    const struct grid_info *g = &part->whole->grid;
    const int at[EDGES] = {[WEST] = w->i0 == 0,
                           [EAST] = w->i0 + w->nx == g->nx,
                           [SOUTH] = w->j0 == 0,
                           [NORTH] = w->j0 + w->ny == g->ny};
    return at[e];
}

/* Of an array of the rim, `planes` times `rim` numbers of `size` bytes each: copies between the
 * whole and the part's share of the domain's edges. */
static void copy_rim(const struct sim *part, const struct array *a, char *of_whole, char *of_part,
                     int to_whole)
{
    const size_t rim = sim_rim_length(part->whole), own = sim_rim_length(part), size = a->size;
    const size_t planes = a->bytes / size / rim;
    for (size_t p = 0; p < planes; p++)
        for (int e = 0; e < EDGES; e++) {
            if (!is_at_edge(part, (enum edge)e))
                continue;
            const int vertical = e <= EAST;
            const size_t n = (size_t)(vertical ? part->grid.ny : part->grid.nx) * size;
            const size_t offset = (size_t)(vertical ? part->window.j0 : part->window.i0);
            char *w = of_whole + (p * rim + sim_rim_at(part->whole, (enum edge)e) + offset) * size;
            char *o = of_part + (p * own + sim_rim_at(part, (enum edge)e)) * size;
            memcpy(to_whole ? w : o, to_whole ? o : w, n);
        }
}

/* The bytes of a whole array that the part has. */
static size_t bytes_of(const struct sim *part, const struct array *a)
{
    return a->joined == JOIN_RIM ? a->bytes / sim_rim_length(part->whole) * sim_rim_length(part)
                                 : a->bytes;
}

/* The bytes of a part's array; the caller frees them. */
static enum err download(struct sim *part, const struct array *a, void **own)
{
    struct part_call c = call_for(CALL_DOWNLOAD, a);
    c.out_bytes = bytes_of(part, a);
    *own = c.out = malloc(c.out_bytes);
    if (!c.out)
        FAIL(MEMORY, "no memory for '%s'", a->name);
    return parts_call(part->whole, part->member, &c);
}

static enum err upload(struct sim *part, const struct array *a, const void *from)
{
    struct part_call c = call_for(CALL_UPLOAD, a);
    c.in = from;
    c.in_bytes = from ? bytes_of(part, a) : 0;
    return parts_call(part->whole, part->member, &c);
}

/* The part's bytes of an array, from the device; or (`from`) the part's share of the whole's, to
 * the device. */
static enum err exchange_rim(struct sim *part, const struct array *a, char *of_whole, int to_whole)
{
    void *own;
    enum err e = download(part, a, &own);
    if (!e)
        copy_rim(part, a, of_whole, own, to_whole);
    if (!e && !to_whole)
        e = upload(part, a, own);
    free(own);
    return e;
}

/* Adds a part's counters to those of the whole. */
static enum err add_counters(struct sim *part, const struct array *a, counter *sum)
{
    void *own;
    const enum err e = download(part, a, &own);
    for (size_t k = 0; k < a->bytes / sizeof *sum && !e; k++)
        sum[k] += ((const counter *)own)[k];
    free(own);
    return e;
}

/* Takes the part's bit pattern of a non-negative number, if it is larger. */
static enum err take_larger(struct sim *part, const struct array *a, void *most)
{
    void *own;
    const enum err e = download(part, a, &own);
    if (!e && reals_get(own, a->bytes, 0) > reals_get(most, a->bytes, 0))
        memcpy(most, own, a->bytes);
    free(own);
    return e;
}

enum err parts_keep(struct sim *whole, const struct array *a, void *to)
{
    struct sim *const *const sim = whole->parts->sim;
    if (a->joined == JOIN_SAME)
        return sim[0]->backend->download(sim[0]->device, to,
                                         sim_find_array(sim[0], a->name)->memory, a->bytes);
    memset(to, 0, a->bytes);
    for (int k = 0; k < whole->parts->count && a->joined == JOIN_LARGEST; k++)
        TRY(take_larger(sim[k], a, to));
    for (int k = 0; k < whole->parts->count && a->joined != JOIN_LARGEST; k++)
        TRY(a->joined == JOIN_SUM ? add_counters(sim[k], a, to) : exchange_rim(sim[k], a, to, 1));
    return ERR_OK;
}

/* The first part takes over all sums. */
enum err parts_take(struct sim *whole, const struct array *a, const void *from)
{
    for (int k = 0; k < whole->parts->count; k++) {
        struct sim *const s = whole->parts->sim[k];
        if (a->joined == JOIN_RIM)
            TRY(exchange_rim(s, a, (void *)(size_t)from, 0));
        else
            TRY(upload(s, a, a->joined == JOIN_SUM && k > 0 ? NULL : from));
    }
    return ERR_OK;
}
