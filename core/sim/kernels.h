/* Parts of core/sim/sim.c: the kernels of a simulation. */
#ifndef SHOAL_SIM_KERNELS_H
#define SHOAL_SIM_KERNELS_H

#include "core/sim/sim.h"

/* Makes the recipes, compiles what the cache lacks (in parallel), loads: the scheme's kernels, the
 * auxiliary ones that the run needs, those of its observers. s->rough and s->physics decide which
 * friction is compiled in. */
enum err sim_kernels_load(struct sim *s);
void sim_kernels_unload(struct sim *s);

/* Of a second scheme that has taken the first one's place: recipes; and, if it has a clock of its own, that is loaded, too. Its
 * kernels are loaded on demand. */
enum err sim_kernels_of_second(struct sim *s, int clocks);
void sim_kernels_unload_second(struct sim *s, int clocks);

/* All that have a recipe, the scheme's first; tells how many they are. */
int sim_kernels_all(struct sim *s, struct sim_kernel *all[SIM_KERNELS]);

/* The name of an auxiliary kernel; null if the run needs none. */
const char *sim_auxiliary_name(const struct sim *s, enum auxiliary k);

/* Number of blocks over so many cells along an axis. */
static inline int block_count(int cells, int size)
{
    return (cells + size - 1) / size;
}

#endif
