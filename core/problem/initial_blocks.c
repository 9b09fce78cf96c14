/* Scans all cells of the initial state, block by block, and sums over them. */
#include <stdlib.h>

#include "core/base/plane.h"
#include "core/problem/initial_state_parts.h"
#include "core/problem/scan.h"

enum { SIDE = INITIAL_SIDE };

static int blocks_along(int n)
{
    return (n + SIDE - 1) / SIDE;
}

static struct findings nothing(void)
{
    return (struct findings){
        .bad = NO_CELL, .still = (double)INFINITY, .highest = -(double)INFINITY};
}

void initial_note_bad(const struct initial *block, struct findings *found, int i, int j)
{
    const long cell = (long)(block->window.j0 + j) * block->setup.grid.nx + block->window.i0 + i;
    found->bad = found->bad == NO_CELL || cell < found->bad ? cell : found->bad;
}

void initial_add_rise(struct findings *found, double rise)
{
    if (found->rises == found->room) {
        const size_t room = found->room ? 2 * found->room : 256;
        double *more = realloc(found->rise, room * sizeof *more);
        found->failed |= !more;
        if (!more)
            return;
        found->rise = more;
        found->room = room;
    }
    found->rise[found->rises++] = rise;
}

static void add_findings(struct findings *all, const struct findings *own)
{
    if (own->bad != NO_CELL && (all->bad == NO_CELL || own->bad < all->bad))
        all->bad = own->bad;
    all->still = fmin(all->still, own->still);
    all->deepest = fmax(all->deepest, own->deepest);
    all->above = fmax(all->above, own->above);
    all->highest = fmax(all->highest, own->highest);
    all->most = fmax(all->most, own->most);
    all->steepest = fmax(all->steepest, own->steepest);
    all->steepest_fed = fmax(all->steepest_fed, own->steepest_fed);
    all->failed |= own->failed;
    for (size_t k = 0; k < own->rises; k++)
        initial_add_rise(all, own->rise[k]);
}

enum err initial_take_notes(struct initial *in)
{
    const size_t n = (size_t)blocks_along(in->nx) * (size_t)blocks_along(in->ny);
    in->idle = calloc(n, 1);
    in->alike = malloc(n * sizeof *in->alike);
    if (!in->idle || !in->alike)
        FAIL(MEMORY, "no memory to scan the initial state of %d x %d cells", in->nx, in->ny);
    for (size_t k = 0; k < n; k++)
        in->alike[k].w = (double)NAN;
    return ERR_OK;
}

/* Of cell (i, j) of the domain. */
static size_t block_of(const struct initial *in, int i, int j)
{
    return (size_t)(j / SIDE) * (size_t)blocks_along(in->setup.grid.nx) + (size_t)(i / SIDE);
}

void initial_note_dry(const struct initial *block, int dry)
{
    block->idle[block_of(block, block->window.i0, block->window.j0)] = (unsigned char)dry;
}

void initial_note_alike(const struct initial *block, const struct flow *all)
{
    if (all)
        block->alike[block_of(block, block->window.i0, block->window.j0)] = *all;
}

struct flow initial_water(const struct initial *in, int i, int j)
{
    const struct source *src = &in->setup.source;
    const int x = in->window.i0 + i, y = in->window.j0 + j;
    const struct flow *all = &in->alike[block_of(in, x, y)];
    return isnan(all->w) ? src->water(src->context, x, y) : *all;
}

int initial_is_dry(const struct initial *in, const struct window *w)
{
    const int across = blocks_along(in->setup.grid.nx);
    int dry = in->idle != NULL;
    for (int j = w->j0 / SIDE; dry && j <= (w->j0 + w->ny - 1) / SIDE; j++)
        for (int i = w->i0 / SIDE; i <= (w->i0 + w->nx - 1) / SIDE; i++)
            dry = dry && in->idle[j * across + i];
    return dry;
}

/* Nothing flows in a block, nor between it and those east and north of it. */
static int is_idle(const struct initial *in, const struct window *w)
{
    const struct window around = {w->i0, w->j0, w->nx + (w->i0 + w->nx < in->nx),
                                  w->ny + (w->j0 + w->ny < in->ny)};
    return !in->is_fed && !in->setup.source.force && initial_is_dry(in, &around);
}

static void look_at_block(const struct initial *in, int block, unsigned what, look *seek,
                          struct findings *found)
{
    const int across = blocks_along(in->nx), i = block % across * SIDE, j = block / across * SIDE;
    const struct window w = {i, j, in->nx - i < SIDE ? in->nx - i : SIDE,
                             in->ny - j < SIDE ? in->ny - j : SIDE};
    struct initial *cut = NULL;
    if ((what & INITIAL_STATE) && is_idle(in, &w))
        return;
    if (what == INITIAL_BED && in->setup.source.flat && initial_said_dry(in, &w))
        what = 0; /* one corner tells all */
    found->failed = initial_cut(&cut, in, &w, what) != ERR_OK;
    if (!found->failed)
        seek(cut, found);
    initial_destroy(cut);
}

enum err initial_look(const struct initial *in, unsigned what, look *seek, struct findings *found)
{
    const int n = blocks_along(in->nx) * blocks_along(in->ny);
    struct scan scan = scan_begin("water", in->nx, in->ny, n);
    *found = nothing();
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++) {
        struct findings own = nothing();
        look_at_block(in, k, what, seek, &own);
#pragma omp critical
        add_findings(found, &own);
        free(own.rise);
        scan_step(&scan);
    }
    if (!found->failed)
        return ERR_OK;
    free(found->rise);
    FAIL(MEMORY, "no memory to scan the initial state of %d x %d cells", in->nx, in->ny);
}

/* Kahan summation: adds the rounding error back with the next number. */
struct sum {
    double sum, lost;
};

static void add_to(struct sum *s, double x)
{
    const double y = x - s->lost, t = s->sum + y;
    s->lost = (t - s->sum) - y;
    s->sum = t;
}

static double sum_of_row(const struct initial *in, int k, int j)
{
    struct sum s = {0};
    for (int i = 0; i < in->nx; i++)
        add_to(&s, initial_rounded(in, initial_force(in, k, i, j)));
    planes_touched((size_t)in->nx);
    return s.sum;
}

double initial_sum_of_force(const struct initial *in, int k)
{
    struct sum s = {0}; /* rows in order, so that the sum has one value */
    double *row = calloc((size_t)in->ny, sizeof *row);
    if (!row)
        return (double)NAN;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++)
        row[j] = sum_of_row(in, k, j);
    for (int j = 0; j < in->ny; j++)
        add_to(&s, row[j]);
    free(row);
    return s.sum;
}
