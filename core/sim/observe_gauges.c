/* Gauges on the device: memory, launches, and the ring that the host empties. */
#include "core/sim/gauges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim/observer.h"
#include "core/sim/orders.h"
#include "core/sim/tiling.h"
#include "kernels/gauges.h"

_Static_assert((int)GAUGE_UNKNOWNS == (int)UNKNOWNS,
               "kernels/gauges.h must have room for every unknown");

extern const struct observer observer_gauges;

/* As many rows as a batch of steps can make, unless they take too much memory. */
int gauges_ring(const struct sim *s, int gauges)
{
    enum { MOST = 4096, LEAST = 64 };
    const double rows = 64.0 * 1024 * 1024 / (double)gauges_row_bytes(s, gauges);
    return rows > MOST ? MOST : rows < LEAST ? LEAST : (int)rows;
}

size_t gauges_row_bytes(const struct sim *s, int gauges)
{
    return (size_t)s->system->unknowns * (size_t)gauges * s->real_size;
}

static size_t blocks(const struct observing *o, int gauges)
{
    const int w = o->kernel.recipe.block.w;
    return ((size_t)gauges + (size_t)w - 1) / (size_t)w;
}

/* The kernel's block is not known yet: one state per gauge is more than enough. */
static size_t bytes(const struct sim *s)
{
    const size_t n = (size_t)s->gauge_list->count, ring = (size_t)gauges_ring(s, (int)n);
    return n * (sizeof(long) + sizeof(struct gauges_noted)) +
           ring * (gauges_row_bytes(s, (int)n) + sizeof(double));
}

static enum err upload_cells(struct sim *s, const struct gauge_list *list, void *to)
{
    const size_t size = (size_t)list->count * sizeof(long);
    long *cell = malloc(size);
    if (!cell)
        FAIL(MEMORY, "no memory for %d gauges", list->count);
    for (int k = 0; k < list->count; k++) {
        const struct gauge *g = &list->gauge[k];
        cell[k] = s->turned ? tiling_offset(s, g->j, g->i) : tiling_offset(s, g->i, g->j);
    }
    const enum err e = s->backend->upload(s->device, to, cell, size);
    free(cell);
    return e;
}

static int wanted(const struct sim *s)
{
    return s->gauge_list != NULL;
}

static enum err create(struct sim *s, struct observing *o)
{
    const struct gauge_list *list = s->gauge_list;
    struct gauges *g = o->state = calloc(1, sizeof *g);
    if (!g)
        FAIL(MEMORY, "no memory for gauges");
    g->n = list->count;
    /* Parts fill their rings together. */
    g->ring = gauges_ring(s, s->whole ? s->whole->gauge_list->count : g->n);
    g->every = s->gauge_every;
    if (s->parts)
        return ERR_OK;
    const size_t ring = (size_t)g->ring;
    TRY(sim_room(s, "gauge_cells", (size_t)g->n * sizeof(long), &g->cell));
    TRY(sim_room(s, "gauge_rows", ring * gauges_row_bytes(s, g->n), &g->row));
    TRY(sim_room(s, "gauge_times", ring * sizeof(double), &g->time));
    TRY(sim_room(s, "gauge_notes", blocks(o, g->n) * sizeof(struct gauges_noted), &g->noted));
    return upload_cells(s, list, g->cell);
}

static void destroy(struct observing *o)
{
    free(o->state);
}

static enum err look(struct sim *s, struct observing *o, enum occasion when)
{
    const struct gauges *g = o->state;
    struct gauges_args a = {
        .span = {g->n, 1},
        .unknowns = s->system->unknowns,
        .cell = g->cell,
        .row = g->row,
        .time = g->time,
        .noted = g->noted,
        .ring = g->ring,
        .when = (int)when,
        .every = g->every,
        .clock = s->clock,
        .p = s->physics,
    };
    for (int k = 0; k < a.unknowns; k++)
        a.unknown[k] = array_first(s, sim_unknown(s, k), PLAIN);
    return sim_launch(s, &o->kernel, &a, sizeof a);
}

/* One row is kept free for the initial state. */
static enum err make_room(struct sim *s, struct observing *o, long *passes)
{
    struct gauges *g = o->state;
    (void)s;
    *passes = *passes < g->ring - 1 ? *passes : g->ring - 1;
    if (g->passes + *passes > g->ring - 1) {
        if (!g->full)
            FAIL(MACHINE, "nobody empties the gauges' ring");
        TRY(g->full(g->context));
    }
    g->passes += *passes;
    return ERR_OK;
}

const struct observer observer_gauges = {
    .name = "gauges",
    .kernel = "gauges",
    .wanted = wanted,
    .bytes = bytes,
    .create = create,
    .look = look,
    .make_room = make_room,
    .joins = 1,
    .destroy = destroy,
};

struct gauges *gauges_of(struct sim *s)
{
    struct observing *o = observing(s, &observer_gauges);
    return o ? o->state : NULL;
}

/* Rows from..to-1 of the ring, which do not cross its end. */
static enum err download(struct sim *s, const struct gauges *g, int from, int to,
                         struct gauge_rows *rows)
{
    const size_t row = gauges_row_bytes(s, g->n), n = (size_t)(to - from);
    if (n == 0)
        return ERR_OK;
    TRY(s->backend->download(s->device, rows->t + rows->count, (const double *)g->time + from,
                             n * sizeof(double)));
    TRY(s->backend->download(s->device, (char *)rows->values + rows->count * row,
                             (const char *)g->row + (size_t)from * row, n * row));
    rows->count += n;
    return ERR_OK;
}

/* Merges a part's values into everyone's rows. */
static void join_rows(const struct sim *part, const struct gauge_rows *own, struct gauge_rows *to)
{
    const struct sim *whole = part->whole;
    const size_t n = (size_t)part->gauge_list->count, all = (size_t)whole->gauge_list->count;
    const int unknowns = whole->system->unknowns;
    to->count = own->count;
    memcpy(to->t, own->t, own->count * sizeof *to->t);
    for (size_t row = 0; row < own->count; row++)
        for (int u = 0; u < unknowns; u++) {
            const int there = whole->turned ? whole->system->unknown[u].exchanged : u;
            const size_t from = (row * (size_t)unknowns + (size_t)there) * n;
            const size_t first = (row * (size_t)unknowns + (size_t)u) * all;
            for (size_t k = 0; k < n; k++)
                memcpy((char *)to->values +
                           (first + (size_t)part->gauge_number[k]) * part->real_size,
                       (const char *)own->values + (from + k) * part->real_size, part->real_size);
        }
}

/* In one block: the number of rows, their times, their values; each sized for a full ring. */
static struct gauge_rows rows_in(void *memory, int ring)
{
    double *const t = (void *)((size_t *)memory + 1);
    return (struct gauge_rows){.t = t, .values = t + ring};
}

enum err call_gauges(struct sim *part, const struct part_call *c)
{
    const struct gauges *g = gauges_of(part);
    if (!g)
        FAIL(USAGE, "part %d has no gauges", part->member);
    struct gauge_rows rows = rows_in(c->out, g->ring);
    TRY(gauges_take(part, &rows));
    *(size_t *)c->out = rows.count;
    return ERR_OK;
}

static enum err take_from_part(struct sim *part, int ring, struct gauge_rows *to)
{
    if (!part->gauge_list)
        return ERR_OK;
    const size_t row = gauges_row_bytes(part, part->gauge_list->count) + sizeof(double);
    struct part_call c = {.kind = CALL_GAUGES, .out_bytes = sizeof(size_t) + (size_t)ring * row};
    c.out = malloc(c.out_bytes);
    if (!c.out)
        FAIL(MEMORY, "no memory for the rows of %d gauges", part->gauge_list->count);
    const enum err e = parts_call(part->whole, part->member, &c);
    struct gauge_rows own = rows_in(c.out, ring);
    own.count = e ? 0 : *(const size_t *)c.out;
    if (!e)
        join_rows(part, &own, to);
    free(c.out);
    return e;
}

static enum err take_from_parts(struct sim *whole, struct gauges *g, struct gauge_rows *to)
{
    for (int k = 0; k < whole->parts->count; k++)
        TRY(take_from_part(whole->parts->sim[k], g->ring, to));
    g->passes = 0;
    return ERR_OK;
}

enum err gauges_take(struct sim *s, struct gauge_rows *to)
{
    struct gauges *g = gauges_of(s);
    struct gauges_noted noted;
    to->count = 0;
    if (!g)
        return ERR_OK;
    if (s->parts)
        return take_from_parts(s, g, to);
    const unsigned long ring = (unsigned long)g->ring;
    TRY(s->backend->download(s->device, &noted, g->noted, sizeof noted));
    if (noted.rows - g->taken > ring)
        FAIL(MACHINE, "%lu rows of gauges were overwritten before they were read",
             noted.rows - g->taken - ring);
    const int from = (int)(g->taken % ring), n = (int)(noted.rows - g->taken);
    const int before_end = n < g->ring - from ? n : g->ring - from;
    TRY(download(s, g, from, from + before_end, to));
    TRY(download(s, g, 0, n - before_end, to));
    g->taken = noted.rows;
    g->passes = 0;
    return ERR_OK;
}
