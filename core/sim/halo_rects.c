/* The rectangles of ghost cells that a part sends and receives, in kernels' form: what one of them reads and writes in
 * each view and tile, and what it has to know of the ground beyond a periodic edge. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/halo_rects.h"
#include "core/sim/parts.h"
#include "core/sim/tiling.h"

void *halo_number(const struct sim *s, void *buffer, size_t k)
{
    return (char *)buffer + k * s->real_size;
}

void *halo_word(const struct sim *s, void *words, size_t k)
{
    return (word *)words + k * s->real_size / sizeof(float);
}

/* The part of a rectangle, from its cell (i, j) on, that lies in one tile. */
static struct window piece_at(const struct sim *s, const struct window *w, int i, int j)
{
    struct window piece = {i, j, w->i0 + w->nx - i, w->j0 + w->ny - j};
    if (!s->tiles.columns)
        return piece;
    const struct window tile = tiles_window(&s->tiles, tiles_of_cell(&s->tiles, i, j));
    const int x = tile.i0 + tile.nx, y = tile.j0 + tile.ny; /* the last tiles end in ghost cells */
    if (x < s->grid.nx && x < i + piece.nx)
        piece.nx = x - i;
    if (y < s->grid.ny && y < j + piece.ny)
        piece.ny = y - j;
    return piece;
}

/* Keeps of n cells those that the receiver, where they begin at `there`, has beside its own. */
static void keep_inside(int *first, int *n, int there, int own)
{
    const int skipped = there < 0 ? -there : 0;
    const int end = there + *n < own ? there + *n : own;
    *first += skipped;
    *n = end > there + skipped ? end - there - skipped : 0;
}

/* Schemes that are stars read only what lies beside the receiver's own cells. Cells beyond these, which it computes
 * once more, and tiles have corners to fill. */
struct window halo_wanted(const struct sim *s, int to, const struct plan_copy *c, int sent)
{
    const struct sim *receiver = s->whole->parts->sim[to];
    struct window w = sent ? c->from : c->to;
    if (!s->scheme->star || s->apron || s->tiles.columns)
        return w;
    if (c->to.j0 + c->to.ny <= 0 || c->to.j0 >= receiver->grid.ny)
        keep_inside(&w.i0, &w.nx, c->to.i0, receiver->grid.nx);
    else
        keep_inside(&w.j0, &w.ny, c->to.j0, receiver->grid.ny);
    return w;
}

/* The part of a rectangle w from its cell (i, j) on. */
static void describe_piece(const struct sim *s, const struct window *w, int i, int j, enum view v,
                           struct halo_rect *to)
{
    const size_t place = (size_t)((j - w->j0) * w->nx + i - w->i0);
    to->n = w->nx * w->ny;
    to->row = w->nx;
    to->i0 = i;
    to->j0 = j;
    to->along_x = v == TURNED ? s->pitch[v] : 1;
    to->along_y = v == TURNED ? 1 : s->pitch[v];
    to->first = v == TURNED ? i * s->pitch[v] + j : tiling_offset(s, i, j);
    if (to->buffer)
        to->buffer = halo_number(s, to->buffer, place);
    for (int turn = 0; !to->buffer && turn < 2; turn++)
        to->words[turn] = halo_word(s, to->words[turn], place);
    to->rise = to->rise ? halo_number(s, (void *)(size_t)to->rise, place) : NULL;
    to->floor = to->floor ? halo_number(s, (void *)(size_t)to->floor, place) : NULL;
}

int halo_lay(const struct sim *s, const struct window *w, const struct window *wanted, enum view v,
             const struct halo_rect *whole, struct halo_rect *to)
{
    struct window piece = {0};
    int n = 0, before = whole->before;
    if (wanted->nx == 0)
        return 0;
    for (int j = wanted->j0; j < wanted->j0 + wanted->ny; j += piece.ny)
        for (int i = wanted->i0; i < wanted->i0 + wanted->nx; i += piece.nx, n++) {
            piece = piece_at(s, wanted, i, j);
            to[n] = *whole;
            to[n].before = before;
            to[n].nx = piece.nx;
            to[n].ny = piece.ny;
            describe_piece(s, w, i, j, v, &to[n]);
            before += piece.nx * piece.ny;
        }
    return n;
}

/* Across a periodic edge: the difference in the level at rest between a ghost cell and the cell
 * that it copies, and a dry cell's level, in the run's precision. Beds may differ by rounding
 * there. */
static void put_levels(const struct sim *s, const struct plan_copy *c, void *rise, void *floor)
{
    const struct sim *from = s->whole->parts->sim[c->part];
    const struct initial *in = s->whole->initial;
    size_t k = 0;
    for (int j = 0; j < c->to.ny; j++)
        for (int i = 0; i < c->to.nx; i++, k++) {
            const int x = s->window.i0 + c->to.i0 + i, y = s->window.j0 + c->to.j0 + j;
            const int u = from->window.i0 + c->from.i0 + i, v = from->window.j0 + c->from.j0 + j;
            reals_put(rise, s->real_size, k, initial_rest(in, u, v) - initial_rest(in, x, y));
            reals_put(floor, s->real_size, k, initial_floor(in, x, y));
        }
}

enum err halo_levels(struct sim *s, const struct plan_copy *c, int number, struct halo_rect *to)
{
    const size_t bytes = (size_t)plan_copy_cells(c) * s->real_size;
    char name[32];
    void *device;
    char *both = malloc(2 * bytes);
    if (!both)
        FAIL(MEMORY, "no memory for periodic edges");
    snprintf(name, sizeof name, "halo_levels_%d", number);
    put_levels(s, c, both, both + bytes);
    const enum err e = sim_constant(s, name, both, 2 * bytes, &device);
    free(both);
    TRY(e);
    to->rise = device;
    to->floor = halo_number(s, device, (size_t)plan_copy_cells(c));
    return ERR_OK;
}

void halo_way_round(const struct sim *s, const struct plan_copy *c, struct halo_rect *to)
{
    const struct grid_info *g = &s->whole->grid;
    const int x = s->window.i0 + c->to.i0, y = s->window.j0 + c->to.j0;
    to->around_x = (x >= g->nx) - (x + c->to.nx <= 0);
    to->around_y = (y >= g->ny) - (y + c->to.ny <= 0);
}
