/* The volume of the water, exactly, and that of what it carries. */
#include <math.h>

#include "core/sim/balance.h"
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

/* The sum of the kernel's arguments, in units of `scale`. */
static enum err add_up(struct sim *s, struct volume_args *a, double scale, double *result)
{
    counter total[VOLUME_COUNTERS];
    a->sum = s->counters + COUNTERS;
    a->p.units = scale;
    TRY(s->backend->fill(s->device, a->sum, 0, sizeof total));
    TRY(sim_launch(s, &observing(s, &observer_volume)->kernel, a, sizeof *a));
    TRY(s->backend->download(s->device, total, a->sum, sizeof total));
    const double units = (double)(long)total[WHOLE] + (double)(long)total[PARTS] / VOLUME_PARTS;
    *result = total[LEFT_OUT] ? (double)NAN : units / scale * s->grid.dx * s->grid.dy;
    return ERR_OK;
}

/* With the still level below all ground what is stored is the depth itself. */
enum err sim_sum_depths(struct sim *s, const struct array *depths, double *volume)
{
    struct volume_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .eta = array_first(s, depths, PLAIN),
        .centre = s->ground.centre,
        .p = s->physics,
    };
    a.p.still = -1e30;
    return add_up(s, &a, s->volume_units, volume);
}

enum err sim_total(struct sim *s, int conserved, double *result)
{
    const int times = s->system->conserved[conserved].times;
    struct volume_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .eta = array_first(s, s->state[0][0], PLAIN),
        .centre = s->ground.centre,
        .times = times ? array_first(s, s->state[0][times], PLAIN) : NULL,
        .p = s->physics,
    };
    return add_up(s, &a, s->volume_units * (times ? s->tracer.scale : 1), result);
}
