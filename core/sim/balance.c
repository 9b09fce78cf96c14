/* The balance of a run, from what its observers found. */
#include "core/sim/balance.h"

#include <math.h>
#include <string.h>

#include "core/problem/initial_state.h"

enum err sim_balance(struct sim *s, struct balance *b)
{
    counter counts[COUNTERS];
    const double area = s->grid.dx * s->grid.dy;
    memset(b, 0, sizeof *b);
    TRY(sim_volume(s, &b->volume));
    TRY(inflow_add(s, b));
    /* Every step adds the same to every cell; what clipping undoes of it is counted below. */
    b->forced = s->force_sum * s->now.t * area;
    b->inflow += b->forced;
    TRY(s->backend->download(s->device, counts, s->counters, sizeof counts));
    b->clipped_in = (double)counts[CLIPPED_IN] / s->physics.units * area;
    return ERR_OK;
}

double sim_came_in(const struct balance *b)
{
    return b->in + fmax(b->forced, 0);
}

double sim_went_out(const struct balance *b)
{
    return b->out + fmax(-b->forced, 0);
}

double sim_share(const struct sim *s, const struct balance *b, double volume)
{
    /* Where all is dry the volume at the start is what rounding leaves. */
    const double began = s->initial->depth_max > 0 ? fmax(s->volume0, 0) : 0;
    const double all = began + sim_came_in(b);
    return all > 0 ? volume / all : 0;
}

double sim_mass_error(const struct sim *s, const struct balance *b)
{
    return sim_share(s, b, b->volume - s->volume0 - b->inflow);
}
