/* Rain on a simulation: each step's share. */
#ifndef SHOAL_SIM_RAIN_H
#define SHOAL_SIM_RAIN_H

#include "core/sim/sim.h"

/* Uploads the setup's rain, if any, in the sim's orientation. */
enum err sim_rain_create(struct sim *s, const struct setup *setup);
void sim_rain_destroy(struct sim *s);

/* Sums the rain on a whole domain, for the balance; the sim has its initial state. */
enum err sim_rain_book(struct sim *s, const struct setup *setup);

/* Enqueues the rain of the step just made. */
enum err sim_rain_fall(struct sim *s);

/* Rain since the start, m3. */
double sim_rain_volume(const struct sim *s);

#endif
