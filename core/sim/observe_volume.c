/* The volume of the water, exactly, and that of what it carries. */
#include <math.h>

#include "core/sim/balance.h"
#include "core/sim/observer.h"
#include "core/sim/parts.h"
#include "core/sim/sparse.h"
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
static enum err add_up(struct sim *s, struct volume_args a, double scale,
                       counter total[VOLUME_COUNTERS])
{
    counter own[VOLUME_COUNTERS];
    a.span = (struct span){s->grid.nx, s->grid.ny};
    a.pitch = s->pitch[PLAIN];
    a.centre = s->ground.centre;
    a.sum = s->counters + COUNTERS;
    a.p.units = scale;
    TRY(s->backend->fill(s->device, a.sum, 0, sizeof own));
    TRY(sim_launch(s, &observing(s, &observer_volume)->kernel, &a, sizeof a));
    TRY(s->backend->download(s->device, own, a.sum, sizeof own));
    for (int k = 0; k < VOLUME_COUNTERS; k++)
        total[k] += own[k];
    return ERR_OK;
}

/* Part k of a sim; itself where it has none. */
static struct sim *part(struct sim *s, int k)
{
    return s->parts ? s->parts->sim[k] : s;
}

static double volume_of(const struct sim *s, const counter total[VOLUME_COUNTERS], double scale)
{
    const double units = (double)(long)total[WHOLE] + (double)(long)total[PARTS] / VOLUME_PARTS;
    return total[LEFT_OUT] ? (double)NAN : units / scale * s->grid.dx * s->grid.dy;
}

/* In units of this many per metre. */
static double scale_of(const struct sim *s, int conserved)
{
    return s->volume_units * (s->system->conserved[conserved].times ? s->tracer.scale : 1);
}

enum err volume_count(struct sim *p, int conserved, counter total[VOLUME_COUNTERS])
{
    const int times = p->system->conserved[conserved].times;
    struct volume_args a = {.eta = array_first(p, p->state[0][0], PLAIN), .p = p->physics};
    a.times = times ? array_first(p, p->state[0][times], PLAIN) : NULL;
    return add_up(p, a, scale_of(p, conserved), total);
}

enum err sim_total(struct sim *s, int conserved, double *result)
{
    const double scale = scale_of(s, conserved);
    counter total[VOLUME_COUNTERS] = {0};
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++)
        TRY(volume_count(part(s, k), conserved, total));
    sparse_count(s, conserved, total);
    *result = volume_of(s, total, scale);
    return ERR_OK;
}

/* With the still level below all ground what is stored is the depth itself. */
enum err sim_sum_depths(struct sim *s, const char *name, double *volume)
{
    counter total[VOLUME_COUNTERS] = {0};
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++) {
        struct sim *p = part(s, k);
        struct volume_args a = {.eta = array_first(p, sim_find_array(p, name), PLAIN),
                                .p = p->physics};
        a.p.still = -1e30;
        TRY(add_up(p, a, s->volume_units, total));
    }
    *volume = volume_of(s, total, s->volume_units);
    return ERR_OK;
}
