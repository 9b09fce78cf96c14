/* Point sources and sinks of a simulation. */
#ifndef SHOAL_SIM_SPRINGS_H
#define SHOAL_SIM_SPRINGS_H

#include "core/sim/sim.h"

/* Puts the springs of the setup, which is not turned, on the device, where there are some. */
enum err sim_springs_create(struct sim *s, const struct setup *setup);
void sim_springs_destroy(struct sim *s);

/* Enqueues what they bring and take in the step that a pass has made. */
enum err sim_springs_run(struct sim *s);

/* What they have given and taken since the start, m3; of spring k alone, or of all for -1. Waits for the device. */
enum err sim_springs_volume(struct sim *s, int k, double *gave, double *took);

#endif
