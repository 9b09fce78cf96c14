/* Rain on a simulation: what each step gets of it. */
#ifndef SHOAL_SIM_RAIN_H
#define SHOAL_SIM_RAIN_H

#include "core/sim/sim.h"

/* Puts the rain of the setup, turned as the sim is, on the device, where there is some. */
enum err sim_rain_create(struct sim *s, const struct setup *setup);
void sim_rain_destroy(struct sim *s);

/* Adds up what falls on a whole domain, for the balance; the sim has its initial state. */
enum err sim_rain_book(struct sim *s, const struct setup *setup);

/* Enqueues the rain of the step that a pass has made. */
enum err sim_rain_fall(struct sim *s);

/* What has fallen since the start, m3. */
double sim_rain_volume(const struct sim *s);

#endif
