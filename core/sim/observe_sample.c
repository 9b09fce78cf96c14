/* Samples of the state for a picture, taken on the device. */
#include <math.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/observer.h"
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

enum err sim_sample(struct sim *s, int nx, int ny, void *room, float *level, float *bed)
{
    const int across = s->turned ? ny : nx, up = s->turned ? nx : ny;
    const size_t n = (size_t)nx * (size_t)ny, plane = n * s->real_size;
    struct observing *o = observing(s, &observer_sample);
    if (!o || n > SAMPLES)
        FAIL(USAGE, "%d x %d samples of a run that has room for %d", nx, ny, o ? SAMPLES : 0);
    const struct sample_args a = {
        .span = {across, up},
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .pitch = s->pitch[PLAIN],
        .bed_pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .eta = o->state,
        .mid = (void *)((char *)o->state + plane),
        .p = s->physics,
    };
    TRY(sim_launch(s, &o->kernel, &a, sizeof a));
    TRY(s->backend->download(s->device, room, o->state, 2 * plane)); /* one plane, then the other */
    for (size_t k = 0; k < n; k++) {
        const size_t i = k % (size_t)nx, j = k / (size_t)nx;
        const size_t at = s->turned ? i * (size_t)ny + j : k;
        const double centre = reals_get(room, s->real_size, n + at);
        level[k] = (float)(fmax(centre, s->initial->still) + reals_get(room, s->real_size, at));
        bed[k] = (float)centre;
    }
    return ERR_OK;
}
