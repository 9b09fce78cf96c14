/* Gauges on the device: their memory, the launches, and the ring that the host empties. */
#include "core/sim/gauges.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/gauges.h"

/* As many rows as a batch of steps can make, unless they take too much memory. */
int gauges_ring(const struct sim *s, int gauges)
{
    enum { MOST = 4096, LEAST = 64 };
    const double rows = 64.0 * 1024 * 1024 / (double)gauges_row_bytes(s, gauges);
    return rows > MOST ? MOST : rows < LEAST ? LEAST : (int)rows;
}

size_t gauges_row_bytes(const struct sim *s, int gauges)
{
    return 3 * (size_t)gauges * s->real_size;
}

static size_t blocks(const struct sim *s, int gauges)
{
    const int w = s->gauges_kernel.recipe.block.w;
    return ((size_t)gauges + (size_t)w - 1) / (size_t)w;
}

/* The kernel's block is not known yet: a state of its own for each gauge is more than enough. */
size_t gauges_bytes(const struct sim *s)
{
    if (!s->gauge_list)
        return 0;
    const size_t n = (size_t)s->gauge_list->count, ring = (size_t)gauges_ring(s, (int)n);
    return n * (sizeof(long) + sizeof(struct gauges_noted)) +
           ring * (gauges_row_bytes(s, (int)n) + sizeof(double));
}

static enum err upload_cells(struct sim *s, const struct gauge_list *list)
{
    const size_t bytes = (size_t)list->count * sizeof(long);
    long *cell = malloc(bytes);
    if (!cell)
        FAIL(MEMORY, "no memory for %d gauges", list->count);
    for (int k = 0; k < list->count; k++) {
        const struct gauge *g = &list->gauge[k];
        cell[k] = s->turned ? at(s->pitch[PLAIN], g->j, g->i) : at(s->pitch[PLAIN], g->i, g->j);
    }
    const enum err e = s->backend->upload(s->device, s->gauges->cell, cell, bytes);
    free(cell);
    return e;
}

enum err gauges_create(struct sim *s)
{
    const struct gauge_list *list = s->gauge_list;
    if (!list)
        return ERR_OK;
    struct gauges *g = s->gauges = calloc(1, sizeof *g);
    if (!g)
        FAIL(MEMORY, "no memory for gauges");
    g->n = list->count;
    g->ring = gauges_ring(s, g->n);
    g->every = s->gauge_every;
    const size_t ring = (size_t)g->ring, noted = blocks(s, g->n) * sizeof(struct gauges_noted);
    TRY(s->backend->alloc(s->device, (size_t)g->n * sizeof(long), &g->cell));
    TRY(s->backend->alloc(s->device, ring * gauges_row_bytes(s, g->n), &g->row));
    TRY(s->backend->alloc(s->device, ring * sizeof(double), &g->time));
    TRY(s->backend->alloc(s->device, noted, &g->noted));
    TRY(s->backend->fill(s->device, g->noted, 0, noted));
    return upload_cells(s, list);
}

void gauges_destroy(struct sim *s)
{
    if (!s->gauges)
        return;
    s->backend->release(s->device, s->gauges->cell);
    s->backend->release(s->device, s->gauges->row);
    s->backend->release(s->device, s->gauges->time);
    s->backend->release(s->device, s->gauges->noted);
    free(s->gauges);
    s->gauges = NULL;
}

enum err gauges_sample(struct sim *s, int first)
{
    const struct gauges *g = s->gauges;
    if (!g)
        return ERR_OK;
    struct gauges_args a = {
        .span = {g->n, 1},
        .q = s->q[0][PLAIN],
        .cell = g->cell,
        .row = g->row,
        .time = g->time,
        .noted = g->noted,
        .ring = g->ring,
        .first = first,
        .limit = sim_step_limit(s),
        .every = g->every,
        .clock = s->clock,
        .p = s->physics,
    };
    if (s->turned) {
        a.q.hu = s->q[0][PLAIN].hv;
        a.q.hv = s->q[0][PLAIN].hu;
    }
    return sim_launch(s, &s->gauges_kernel, &a, sizeof a);
}

enum err gauges_make_room(struct sim *s, long wanted, long *passes)
{
    struct gauges *g = s->gauges;
    *passes = wanted;
    if (!g)
        return ERR_OK;
    /* One row is kept free for the initial state. */
    *passes = wanted < g->ring - 1 ? wanted : g->ring - 1;
    if (g->passes + *passes > g->ring - 1) {
        if (!g->full)
            FAIL(MACHINE, "the gauges' rows are not taken");
        TRY(g->full(g->context));
    }
    g->passes += *passes;
    return ERR_OK;
}

/* Rows from..to-1 of the ring, which do not cross its end. */
static enum err download(struct sim *s, int from, int to, struct gauge_rows *rows)
{
    const struct gauges *g = s->gauges;
    const size_t bytes = gauges_row_bytes(s, g->n), n = (size_t)(to - from);
    if (n == 0)
        return ERR_OK;
    TRY(s->backend->download(s->device, rows->t + rows->count, (const double *)g->time + from,
                             n * sizeof(double)));
    TRY(s->backend->download(s->device, (char *)rows->values + rows->count * bytes,
                             (const char *)g->row + (size_t)from * bytes, n * bytes));
    rows->count += n;
    return ERR_OK;
}

enum err gauges_take(struct sim *s, struct gauge_rows *to)
{
    struct gauges *g = s->gauges;
    struct gauges_noted noted;
    const unsigned long ring = (unsigned long)g->ring;
    to->count = 0;
    TRY(s->backend->download(s->device, &noted, g->noted, sizeof noted));
    if (noted.rows - g->taken > ring)
        FAIL(MACHINE, "%lu rows of gauges were written over before they were taken",
             noted.rows - g->taken - ring);
    const int from = (int)(g->taken % ring), n = (int)(noted.rows - g->taken);
    const int before_end = n < g->ring - from ? n : g->ring - from;
    TRY(download(s, from, from + before_end, to));
    TRY(download(s, 0, n - before_end, to));
    g->taken = noted.rows;
    g->passes = 0;
    return ERR_OK;
}
