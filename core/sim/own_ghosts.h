/* Runs whose kernels fill the ghost cells of the states that they write (kernels/own_ghosts.h). */
#ifndef SHOAL_SIM_OWN_GHOSTS_H
#define SHOAL_SIM_OWN_GHOSTS_H

#include "core/sim/sim.h"

struct own_ghosts;

/* The switches of --define with which a user requests it, or refuses it: OWN_GHOSTS=1, OWN_GHOSTS=0; and the same for
 * the clock, which without ghost cells nothing can move on. */
#define OWN_GHOSTS_SWITCH "OWN_GHOSTS"
#define OWN_CLOCK_SWITCH  "OWN_CLOCK"
int own_ghosts_switch(const char *name);

/* Decides; call when the run is known, before its kernels are loaded. Then memory, in a scheme's setup. */
enum err own_ghosts_choose(struct sim *s);
enum err own_clock_create(struct sim *s);

/* What such a kernel gets. */
struct own_ghosts own_ghosts_of(const struct sim *s);

/* Passes begin: fills the ghost cells of the solution, which the host may have changed. */
enum err own_ghosts_begin(struct sim *s);

#endif
