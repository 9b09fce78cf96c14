/* The volume of the water, exactly, and that of what it carries. */
#include <math.h>

#include "core/sim/observer.h"
#include "core/sim/parts.h"
#include "kernels/volume.h"

extern const struct observer observer_volume;

static int wanted(const struct sim *s)
{
    (void)s;
    return 1;
}

const struct observer observer_volume = {
    .name = "volume",
    .kernel = "volume",
    .wanted = wanted,
};

/* Of a sim in one piece, in units of `scale` per metre: adds to the total. */
static enum err add_up(struct sim *s, int conserved, double scale, counter total[VOLUME_COUNTERS])
{
    const int times = s->system->conserved[conserved].times;
    counter *const sum = s->counters + COUNTERS;
    counter own[VOLUME_COUNTERS];
    struct volume_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .eta = array_first(s, s->state[0][0], PLAIN),
        .centre = s->ground.centre,
        .times = times ? array_first(s, s->state[0][times], PLAIN) : NULL,
        .sum = sum,
        .p = s->physics,
    };
    a.p.units = scale;
    TRY(s->backend->fill(s->device, sum, 0, sizeof own));
    TRY(sim_launch(s, &observing(s, &observer_volume)->kernel, &a, sizeof a));
    TRY(s->backend->download(s->device, own, sum, sizeof own));
    for (int k = 0; k < VOLUME_COUNTERS; k++)
        total[k] += own[k];
    return ERR_OK;
}

enum err sim_total(struct sim *s, int conserved, double *result)
{
    const int times = s->system->conserved[conserved].times;
    const double scale = s->volume_units * (times ? s->tracer.scale : 1);
    counter total[VOLUME_COUNTERS] = {0};
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++)
        TRY(add_up(s->parts ? s->parts->sim[k] : s, conserved, scale, total));
    const double units = (double)(long)total[WHOLE] + (double)(long)total[PARTS] / VOLUME_PARTS;
    *result = total[LEFT_OUT] ? (double)NAN : units / scale * s->grid.dx * s->grid.dy;
    return ERR_OK;
}
