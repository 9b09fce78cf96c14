/* Samples of the state for a picture, taken on the device. */
#include <math.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/observer.h"
#include "core/sim/parts.h"
#include "core/sim/parts.h"
#include "kernels/sample.h"

extern const struct observer observer_sample;

static int wanted(const struct sim *s)
{
    return s->config->live;
}

/* The samples, on the device. */
static enum err create(struct sim *s, struct observing *o)
{
    return sim_memory(s, &(struct array){"samples", .bytes = 2 * (size_t)SAMPLES * s->real_size},
                      &o->state);
}

const struct observer observer_sample = {
    .name = "sample",
    .kernel = "sample",
    .wanted = wanted,
    .create = create,
};

/* Of a sim in one piece, or of a part those that lie in it: across x up of them, as the fields lie. One plane, then the
 * other. */
static enum err take_samples(struct sim *s, int across, int up, void *room)
{
    const struct grid_info *const domain = s->whole ? &s->whole->grid : &s->grid;
    const size_t plane = (size_t)across * (size_t)up * s->real_size;
    struct observing *o = observing(s, &observer_sample);
    const struct sample_args a = {
        .span = {across, up},
        .nx = domain->nx,
        .ny = domain->ny,
        .i0 = s->window.i0,
        .j0 = s->window.j0,
        .own_nx = s->grid.nx,
        .own_ny = s->grid.ny,
        .pitch = s->pitch[PLAIN],
        .bed_pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .eta = o->state,
        .mid = (void *)((char *)o->state + plane),
        .p = s->physics,
    };
    TRY(sim_launch(s, &o->kernel, &a, sizeof a));
    return s->backend->download(s->device, room, o->state, 2 * plane);
}

/* The cell that the middle of sample k of n lies in, where there are `cells`: as kernels/sample.cu. */
static int cell_of(int k, int n, int cells)
{
    return (int)((2L * k + 1) * cells / (2L * n));
}

/* What one of the parts has, or a sim in one piece. */
static enum err put_samples(struct sim *s, struct sim *from, int nx, int ny, void *room,
                            float *level, float *bed)
{
    const int across = s->turned ? ny : nx, up = s->turned ? nx : ny;
    const size_t n = (size_t)nx * (size_t)ny;
    TRY(take_samples(from, across, up, room));
    for (size_t at = 0; at < n; at++) {
        const int i = (int)(at % (size_t)across), j = (int)(at / (size_t)across);
        const struct window cell = {cell_of(i, across, s->grid.nx), cell_of(j, up, s->grid.ny), 1,
                                    1};
        const size_t k = s->turned ? (size_t)i * (size_t)nx + (size_t)j : at;
        const double centre = reals_get(room, s->real_size, n + at);
        if (s->parts && window_overlap(&cell, &from->window).nx == 0)
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
        FAIL(USAGE, "%d x %d samples of a run that has room for %d", nx, ny, kept ? SAMPLES : 0);
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++)
        TRY(put_samples(s, s->parts ? s->parts->sim[k] : s, nx, ny, room, level, bed));
    return ERR_OK;
}
