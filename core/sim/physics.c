/* Numbers for a run's kernels, from its setup and its initial state. */
#include <math.h>

#include "core/problem/initial_state.h"
#include "core/registry/registry.h"
#include "core/sim/sim_parts.h"

/* Counter units per metre: a power of two such that four times the whole volume still fits. Dry land,
 * which edges or rain may flood, counts as if a metre deep; anything else as a nanometre at least, which
 * keeps the power within an f32. */
static double counter_units(const struct initial *in)
{
    double deep = in->depth_max > 0 ? fmax(in->depth_max, 1e-9) : 1;
    double most = 4.0 * in->nx * in->ny * deep;
    return ldexp(1, 62 - ilogb(most) - 1);
}

/* The same for the sum of depths: ten bits more are left free, because water may rise, and
 * fractions of a unit are counted, too. */
static double volume_units(const struct initial *in)
{
    return ldexp(1, 50 - ilogb((double)in->nx * in->ny * fmax(in->depth_max, 1)));
}

/* Depth below which velocities are desingularised. Cells with beds of their own divide by their
 * mean depth, not by those at faces, which vanish first: a hundredth of kappa suffices there, and
 * does not slow films more than their friction does. */
static double dividing_depth(const struct sim *s)
{
    const struct plugin *r = find_plugin(reconstructions, s->config->reconstruction);
    const double kappa = s->initial->kappa;
    return r && r->properties & CELL_BEDS ? fmax(0.01 * kappa, initial_least_kappa(s->initial))
                                          : kappa;
}

/* Numbers of other systems reuse water's places: struct given_number. */
static void set_constants(struct sim *s, const struct setup *setup)
{
    double *const place[CONSTANTS] = {&s->physics.g, &s->physics.theta, &s->physics.kappa4};
    for (int k = 0; k < CONSTANTS && k < s->system->constants; k++)
        *place[k] = 1 / setup->constant[k];
    s->physics.shallow = s->initial->given_most * fmax(s->physics.g, s->physics.theta);
}

double sim_inverse_layer(const struct sim *s)
{
    const struct system *system = s->system;
    const double of[CONSTANTS] = {s->physics.g, s->physics.theta, s->physics.kappa4};
    double inverse = 0;
    for (int k = 0; k < system->conserveds; k++)
        inverse = system->conserved[k].booked ? of[system->conserved[k].booked - 1] : inverse;
    return inverse;
}

double sim_booked_units(const struct sim *s)
{
    const double booked = sim_inverse_layer(s), inverse = booked > 0 ? booked : 1;
    return s->volume_units * inverse * ldexp(1, -(int)fmax(0, ceil(log2(inverse))));
}

void sim_set_physics(struct sim *s, const struct setup *setup)
{
    const struct initial *in = s->initial;
    const double depth = dividing_depth(s);
    s->physics = (struct physics){
        .inv_dx = 1 / s->grid.dx,
        .inv_dy = 1 / s->grid.dy,
        .g = setup->gravity,
        .theta = s->config->theta,
        .kappa4 = depth * depth * depth * depth,
        .dry = in->dry,
        .film = in->film,
        .shallow = fmax(in->film, depth),
        .still = in->still,
        .friction = s->rough ? 0 : setup->gravity * setup->manning * setup->manning,
        .drag = setup->drag,
        .units = counter_units(in),
        .weight = 1,
    };
    if (!s->system->over_bed)
        set_constants(s, setup);
    s->volume_units = volume_units(in);
}
