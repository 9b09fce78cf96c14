/* Parts of core/sim/sim.c: the kernels of a simulation. */
#ifndef SHOAL_SIM_KERNELS_H
#define SHOAL_SIM_KERNELS_H

#include "core/sim/sim.h"

/* Makes the recipes, compiles what the cache lacks (in parallel), loads. s->open_edges decides whether
 * the balance there is needed; s->forced, whether forcing is; s->rough and s->physics, which friction is
 * compiled in. */
enum err sim_kernels_load(struct sim *s);
void sim_kernels_unload(struct sim *s);

#endif
