/* Runs whose kernels fill the ghost cells of the states that they write (kernels/own_ghosts.h). */
#ifndef SHOAL_SIM_OWN_GHOSTS_H
#define SHOAL_SIM_OWN_GHOSTS_H

#include "core/sim/sim.h"

struct own_ghosts;

/* The switch of --define with which a user requests it, or refuses it: OWN_GHOSTS=1, OWN_GHOSTS=0. */
#define OWN_GHOSTS_SWITCH "OWN_GHOSTS"

/* Decides; call when the run is known, before its kernels are loaded. */
enum err own_ghosts_choose(struct sim *s);

/* What such a kernel gets. */
struct own_ghosts own_ghosts_of(const struct sim *s);

/* Passes begin: fills the ghost cells of the solution, which the host may have changed. */
enum err own_ghosts_begin(struct sim *s);

#endif
