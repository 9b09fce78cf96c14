/* What the files share that create a simulation. Private to them. */
#ifndef SHOAL_SIM_PARTS_H
#define SHOAL_SIM_PARTS_H

#include "core/sim/sim.h"

/* Exchanges x and y of a problem, whose original source and new segments the sim keeps. */
enum err sim_turn(struct sim *s, struct setup *t);

/* `physics` and `volume_units` of a sim that has its initial state. */
void sim_set_physics(struct sim *s, const struct setup *setup);

#endif
