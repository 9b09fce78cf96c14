/* The exact volume of the water, and of what it carries. */
#include <math.h>
#include <stdio.h>

#include "core/sim/balance.h"
#include "core/sim/observer.h"
#include "core/sim/orders.h"
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

/* The quantity to sum, in units of `scale` per metre. */
struct volume_call {
    int depths; /* an array's name, if it stores the depth itself; else of the state, */
    char name[32];
    int times; /* times this unknown; 0: the water alone */
    double scale;
};

/* If the still level is below all ground, the stored value counts as the depth itself. */
static struct volume_args args_of(struct sim *s, const struct volume_call *v)
{
    struct volume_args a = {.span = {s->grid.nx, s->grid.ny},
                            .pitch = s->pitch[PLAIN],
                            .centre = s->ground.centre,
                            .sum = s->counters + COUNTERS,
                            .p = s->physics};
    a.eta = array_first(s, v->depths ? sim_find_array(s, v->name) : s->state[0][0], PLAIN);
    a.times = v->times ? array_first(s, s->state[0][v->times], PLAIN) : NULL;
    a.p.still = v->depths ? -1e30 : a.p.still;
    a.p.units = v->scale;
    return a;
}

/* Of an undivided sim. */
enum err call_volume(struct sim *s, const struct part_call *c)
{
    struct volume_args a = args_of(s, c->in);
    TRY(s->backend->fill(s->device, a.sum, 0, c->out_bytes));
    TRY(sim_launch(s, &observing(s, &observer_volume)->kernel, &a, sizeof a));
    return s->backend->download(s->device, c->out, a.sum, c->out_bytes);
}

double sim_amount_units(const struct sim *s)
{
    return s->volume_units * s->tracer.scale;
}

double sim_volume_of(const struct sim *s, const counter total[VOLUME_COUNTERS], double scale)
{
    const double units = (double)(long)total[WHOLE] + (double)(long)total[PARTS] / VOLUME_PARTS;
    return total[LEFT_OUT] ? (double)NAN : units / scale * s->grid.dx * s->grid.dy;
}

void sim_volume_carry(counter sum[VOLUME_COUNTERS])
{
    const long carried = (long)floor((double)(long)sum[PARTS] / VOLUME_PARTS);
    sum[WHOLE] += (counter)carried;
    sum[PARTS] -= (counter)carried * (counter)VOLUME_PARTS;
}

/* The sums that steps have booked. */
static enum err booked_total(struct sim *s, double *result)
{
    counter sum[VOLUME_COUNTERS];
    TRY(sim_keep(s, sim_find_array(s, SIM_BOOKED), sum));
    sim_volume_carry(sum);
    *result = sim_volume_of(s, sum, sim_booked_units(s));
    return ERR_OK;
}

static enum err count_up(struct sim *s, const struct volume_call *v, counter total[VOLUME_COUNTERS])
{
    counter own[VOLUME_COUNTERS] = {0};
    const struct part_call c = {
        .kind = CALL_VOLUME, .in = v, .in_bytes = sizeof *v, .out = own, .out_bytes = sizeof own};
    for (int k = 0; k < (s->parts ? s->parts->count : 1); k++) {
        TRY(s->parts ? parts_call(s, k, &c) : call_volume(s, &c));
        for (int n = 0; n < VOLUME_COUNTERS; n++)
            total[n] += own[n];
    }
    return ERR_OK;
}

static struct volume_call call_of(const struct sim *s, int conserved)
{
    const int times = s->system->conserved[conserved].times;
    return (struct volume_call){.times = times,
                                .scale = times ? sim_amount_units(s) : s->volume_units};
}

enum err volume_count(struct sim *s, int conserved, counter total[VOLUME_COUNTERS])
{
    const struct volume_call v = call_of(s, conserved);
    return count_up(s, &v, total);
}

enum err sim_total(struct sim *s, int conserved, double *result)
{
    counter total[VOLUME_COUNTERS] = {0};
    if (s->system->conserved[conserved].booked)
        return booked_total(s, result);
    TRY(volume_count(s, conserved, total));
    sparse_count(s, conserved, total);
    *result = sim_volume_of(s, total, call_of(s, conserved).scale);
    return ERR_OK;
}

enum err sim_sum_depths(struct sim *s, const char *name, double *volume)
{
    struct volume_call v = {.depths = 1, .scale = s->volume_units};
    counter total[VOLUME_COUNTERS] = {0};
    snprintf(v.name, sizeof v.name, "%s", name);
    TRY(count_up(s, &v, total));
    *volume = sim_volume_of(s, total, v.scale);
    return ERR_OK;
}
