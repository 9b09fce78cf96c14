/* Samples of the state for a picture, taken on the device. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/observer.h"
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

/* The cell that the middle of sample k of n lies in, where there are `cells`. */
static int cell_of(int k, int n, int cells)
{
    return (int)((2L * k + 1) * cells / (2L * n));
}

/* Of across x up samples of the domain, as the fields lie: where this sim has their cells, -1 where it has not. */
static void list_cells(const struct sim *s, int across, int up, long *cell)
{
    const struct grid_info *const domain = s->whole ? &s->whole->grid : &s->grid;
    for (int j = 0; j < up; j++)
        for (int i = 0; i < across; i++, cell++) {
            const int x = cell_of(i, across, domain->nx) - s->window.i0;
            const int y = cell_of(j, up, domain->ny) - s->window.j0;
            const int here = x >= 0 && x < s->grid.nx && y >= 0 && y < s->grid.ny;
            *cell = here ? tiling_offset(s, x, y) : -1;
        }
}

/* One plane, then the other. */
static enum err take_samples(struct sim *s, const long *cell, size_t n, void *room)
{
    struct observing *o = observing(s, &observer_sample);
    char *const planes = (char *)o->state + SAMPLES * sizeof *cell;
    const struct sample_args a = {
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

struct sample {
    double eta, centre;
};

static struct sample sample_at(const struct sim *s, const void *room, size_t at, size_t n)
{
    return (struct sample){reals_get(room, s->real_size, at),
                           reals_get(room, s->real_size, n + at)};
}

static struct sample absent_sample(const struct sim *s, int i, int j)
{
    return (struct sample){sparse_eta(s, i, j), initial_centre(s->initial, i, j)};
}

/* What one of the parts has, or a sim in one piece. */
static enum err put_samples(struct sim *s, struct sim *from, int nx, int ny, void *room,
                            float *level, float *bed)
{
    const int across = s->turned ? ny : nx, up = s->turned ? nx : ny;
    const size_t n = (size_t)nx * (size_t)ny;
    long *cell = malloc(n * sizeof *cell);
    if (!cell)
        FAIL(MEMORY, "no memory for %zu samples", n);
    list_cells(from, across, up, cell);
    const enum err e = take_samples(from, cell, n, room);
    for (size_t at = 0; at < n && !e; at++) {
        const int i = (int)(at % (size_t)across), j = (int)(at / (size_t)across);
        const size_t k = s->turned ? (size_t)i * (size_t)nx + (size_t)j : at;
        if (cell[at] < 0 && !from->forest) /* it is another part's */
            continue;
        const struct sample x = cell[at] < 0 ? absent_sample(from, cell_of(i, across, s->grid.nx),
                                                             cell_of(j, up, s->grid.ny))
                                             : sample_at(s, room, at, n);
        level[k] = (float)(fmax(x.centre, s->initial->still) + x.eta);
        bed[k] = (float)x.centre;
    }
    free(cell);
    return e;
}

enum err sim_sample(struct sim *s, int nx, int ny, void *room, float *level, float *bed)
{
    const size_t n = (size_t)nx * (size_t)ny;
    const int kept = observing(s, &observer_sample) != NULL;
    if (!kept || n > SAMPLES)
        FAIL(USAGE, "%d x %d samples of a run that has room for %d", nx, ny, kept ? SAMPLES : 0);
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++)
        TRY(put_samples(s, s->parts ? s->parts->sim[k] : s, nx, ny, room, level, bed));
    return ERR_OK;
}
