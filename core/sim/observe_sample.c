/* Samples of the state for pictures, taken on the device. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/observer.h"
#include "core/sim/orders.h"
#include "core/sim/parts.h"
#include "core/sim/sparse.h"
#include "core/sim/tiling.h"
#include "kernels/sample.h"

extern const struct observer observer_sample;

static int wanted(const struct sim *s)
{
    return s->config->live;
}

/* On the device: the cells of the samples, then two numbers of each. */
static enum err create(struct sim *s, struct observing *o)
{
    const size_t bytes = SAMPLES * (sizeof(long) + 2 * s->real_size);
    return sim_memory(s, &(struct array){"samples", .bytes = bytes}, &o->state);
}

const struct observer observer_sample = {
    .name = "sample",
    .kernel = "sample",
    .wanted = wanted,
    .create = create,
};

/* The cell that holds the middle of sample k of n, among `cells`. */
static int cell_of(int k, int n, int cells)
{
    return (int)((2L * k + 1) * cells / (2L * n));
}

/* Of `across` x `up` samples of the domain, in the fields' orientation: this sim's cell for sample
 * (i, j); 0: it lies elsewhere. */
static int find_cell(const struct sim *s, int across, int up, size_t at, int *x, int *y)
{
    const struct grid_info *const domain = s->whole ? &s->whole->grid : &s->grid;
    *x = cell_of((int)(at % (size_t)across), across, domain->nx) - s->window.i0;
    *y = cell_of((int)(at / (size_t)across), up, domain->ny) - s->window.j0;
    return *x >= 0 && *x < s->grid.nx && *y >= 0 && *y < s->grid.ny;
}

/* One plane, then the other. */
static enum err take_samples(struct sim *s, const long *cell, size_t n, void *room)
{
    struct observing *o = observing(s, &observer_sample);
    char *const planes = (char *)o->state + SAMPLES * sizeof *cell;
    struct sample_args a = {
        .span = {(int)n, 1},
        .cell = o->state,
        .level = array_first(s, s->state[0][0], PLAIN),
        .centre = s->ground.centre,
        .eta = (void *)planes,
        .mid = (void *)(planes + n * s->real_size),
        .p = s->physics,
    };
    TRY(s->backend->upload(s->device, o->state, cell, n * sizeof *cell));
    TRY(sim_launch(s, &o->kernel, &a, sizeof a));
    return s->backend->download(s->device, room, planes, 2 * n * s->real_size);
}

enum err call_samples(struct sim *s, const struct part_call *c)
{
    const size_t n = (size_t)c->nx * (size_t)c->ny;
    int x, y;
    long *cell = malloc(n * sizeof *cell);
    if (!cell)
        FAIL(MEMORY, "no memory for %zu samples", n);
    for (size_t at = 0; at < n; at++)
        cell[at] = find_cell(s, c->nx, c->ny, at, &x, &y) ? tiling_offset(s, x, y) : -1;
    const enum err e = take_samples(s, cell, n, c->out);
    for (size_t at = 0; at < n && !e; at++)
        if (cell[at] < 0 && s->forest && find_cell(s, c->nx, c->ny, at, &x, &y)) {
            reals_put(c->out, s->real_size, at, sparse_eta(s, x, y));
            reals_put(c->out, s->real_size, n + at, initial_centre(s->initial, x, y));
        }
    free(cell);
    return e;
}

/* The samples of one part, or of an undivided sim. */
static enum err put_samples(struct sim *s, int part, int nx, int ny, void *room, float *level,
                            float *bed)
{
    const struct sim *from = s->parts ? s->parts->sim[part] : s;
    const int across = s->turned ? ny : nx, up = s->turned ? nx : ny;
    const size_t n = (size_t)nx * (size_t)ny;
    const struct part_call c = {.kind = CALL_SAMPLES,
                                .nx = across,
                                .ny = up,
                                .out = room,
                                .out_bytes = 2 * n * s->real_size};
    int x, y;
    TRY(s->parts ? parts_call(s, part, &c) : call_samples(s, &c));
    for (size_t at = 0; at < n; at++) {
        const size_t i = at % (size_t)across, j = at / (size_t)across;
        const size_t k = s->turned ? i * (size_t)nx + j : at;
        const double centre = reals_get(room, s->real_size, n + at);
        if (!find_cell(from, across, up, at, &x, &y))
            continue;
        level[k] = (float)(fmax(centre, s->initial->still) + reals_get(room, s->real_size, at));
        bed[k] = (float)centre;
    }
    return ERR_OK;
}

enum err sim_sample(struct sim *s, int nx, int ny, void *room, float *level, float *bed)
{
    const size_t n = (size_t)nx * (size_t)ny;
    const int kept = observing(s, &observer_sample) != NULL;
    if (!kept || n > SAMPLES)
        FAIL(USAGE, "%d x %d samples, but the run has room for %d", nx, ny, kept ? SAMPLES : 0);
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++)
        TRY(put_samples(s, k, nx, ny, room, level, bed));
    return ERR_OK;
}
