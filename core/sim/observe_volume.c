/* The volume of the water, exactly, and that of what it carries. */
#include <math.h>

#include "core/sim/observer.h"
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

enum err sim_total(struct sim *s, int conserved, double *result)
{
    const int times = s->system->conserved[conserved].times;
    const double scale = s->volume_units * (times ? s->tracer.scale : 1);
    counter *const sum = s->counters + COUNTERS;
    counter total[VOLUME_COUNTERS];
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
    TRY(s->backend->fill(s->device, sum, 0, sizeof total));
    TRY(sim_launch(s, &observing(s, &observer_volume)->kernel, &a, sizeof a));
    TRY(s->backend->download(s->device, total, sum, sizeof total));
    const double units = (double)(long)total[WHOLE] + (double)(long)total[PARTS] / VOLUME_PARTS;
    *result = total[LEFT_OUT] ? (double)NAN : units / scale * s->grid.dx * s->grid.dy;
    return ERR_OK;
}
