/* The initial clock of a run: how long its steps may be. */
#include <math.h>

#include "core/base/log.h"
#include "core/problem/downhill.h"
#include "core/problem/initial_state.h"
#include "core/registry/registry.h"
#include "core/sim/sim_parts.h"

double sim_courant(const struct sim *s)
{
    return config_courant(s->config, s->scheme);
}

/* The longest step in which C dx / dt covers sqrt(g P dt), the celerity of the depth that a rate P
 * puts on dry land. */
static double longest_forced(const struct sim *s)
{
    const double rate = s->initial->force_most + s->initial->fed_most;
    const double reach = sim_courant(s) * fmin(s->grid.dx, s->grid.dy);
    return rate > 0 ? cube_root(reach * reach / (s->physics.g * rate)) : 1e300;
}

/* If rain or a source may wet a dry slope at any time, no step is longer than water at rest there
 * needs to fall as far as a wave may run. */
void sim_start_clock(struct sim *s)
{
    const struct config *c = s->config;
    const struct initial *in = s->initial;
    const double g = s->physics.g, courant = sim_courant(s);
    const double at_rest = s->system->over_bed ? downhill_longest(in->steepest, g, courant) : 1e300;
    const double fed = in->is_fed ? downhill_longest(in->steepest_fed, g, courant) : 1e300;
    const double forced = longest_forced(s);
    s->now = (struct clock){
        .t_end = s->t_end,
        .t_pause = (double)INFINITY,
        /* A fixed step is compared with the scheme's claim if there is no published Courant number. */
        .courant = !s->system->over_bed && !isnan(c->dt) ? s->scheme->cfl : courant,
        .fixed_dt = isnan(c->dt) ? 0 : c->dt,
        .dt_factor = c->dt_factor,
        .dt_cap = 1e300,
        .dt_forced = fmin(forced, fed),
        .dt_at_rest = at_rest,
        .dt_most = 1e300,
        .dt_min = (double)INFINITY,
        .step_limit = sim_step_limit(s),
        .map_age = ~0ul >> 1, /* there is none yet */
    };
    const int drains = c->positivity == BY_DRAINING;
    const double own = drains ? s->scheme->drained_cfl : s->scheme->cfl,
                 claim = courant_with(c->flux, own);
    if (courant > claim && isnan(c->dt))
        log_warning("Courant number %g is above the %g that scheme %s claims to be stable at%s%s%s",
                    courant, claim, s->scheme->name, drains ? " with --positivity draining" : "",
                    claim < own ? " with --flux " : "", claim < own ? c->flux : "");
}
