/* The balance of a run, from its observers' sums. */
#include "core/sim/balance.h"

#include <math.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/rain.h"
#include "core/sim/soil.h"
#include "core/sim/springs.h"
#include "kernels/volume.h"

enum err sim_balance_of(struct sim *s, int conserved, struct balance *b)
{
    const int times = s->system->conserved[conserved].times;
    const double area = s->grid.dx * s->grid.dy;
    const double units = s->physics.units * (times ? s->tracer.scale : 1);
    const struct array *const counters = sim_find_array(s, times ? TRACER_CLIPPED : SIM_COUNTERS);
    counter all[COUNTERS + VOLUME_COUNTERS];
    memset(b, 0, sizeof *b);
    TRY(sim_total(s, conserved, &b->volume));
    TRY(inflow_add(s, conserved, b));
    /* Every step adds the same clean water to every cell; what clipping takes back is counted
     * below. */
    b->forced = times ? 0 : s->force_sum[conserved] * s->now.t * area;
    b->rain = times || !s->system->over_bed ? 0 : sim_rain_volume(s);
    if (!times && s->system->over_bed) {
        TRY(sim_soil_volume(s, &b->infiltrated));
        TRY(sim_springs_volume(s, NULL, -1, &b->gave, &b->took));
    }
    if (times) {
        TRY(sim_soil_amount(s, &b->infiltrated));
        TRY(sim_springs_amount(s, &b->gave, &b->took));
    }
    if (s->system->conserved[conserved].booked) {
        b->inflow += b->forced;
        return ERR_OK;
    }
    b->inflow += b->forced + b->rain - b->infiltrated + b->gave - b->took;
    TRY(sim_keep(s, counters, all));
    b->clipped_in = (double)all[times ? 0 : CLIPPED_IN] / units * area;
    return ERR_OK;
}

enum err sim_excess(struct sim *s, double *excess)
{
    unsigned char most[sizeof(double)];
    *excess = 0;
    if (!sim_find_array(s, SIM_EXCESS))
        return ERR_OK;
    TRY(sim_keep(s, sim_find_array(s, SIM_EXCESS), most));
    *excess = reals_get(most, s->real_size, 0);
    return ERR_OK;
}

enum err sim_balance(struct sim *s, struct balance *b)
{
    return sim_balance_of(s, 0, b);
}

double sim_came_in(const struct balance *b)
{
    return b->in + b->rain + b->gave + fmax(b->forced, 0);
}

double sim_went_out(const struct balance *b)
{
    return b->out + b->infiltrated + b->took + fmax(-b->forced, 0);
}

/* What there was at the start. Of water, if all is dry, the volume is only rounding noise. Heights may count from
 * anywhere, so that their sum says nothing: there it is the content of the layer that moves. */
static double began_with(const struct sim *s)
{
    const double inverse = sim_inverse_layer(s), sum = s->total0[0];
    if (s->system->over_bed)
        return s->initial->depth_max > 0 ? fmax(sum, 0) : 0;
    return inverse > 0 ? sim_cells(s) * s->grid.dx * s->grid.dy / inverse : fabs(sum);
}

double sim_share(const struct sim *s, const struct balance *b, double volume)
{
    const double all = began_with(s) + sim_came_in(b);
    return all > 0 ? volume / all : 0;
}

double sim_mass_error(const struct sim *s, const struct balance *b)
{
    return sim_share(s, b, b->volume - s->total0[0] - b->inflow);
}
