/* What the ground takes from a simulation's water. */
#ifndef SHOAL_SIM_SOIL_H
#define SHOAL_SIM_SOIL_H

#include "core/sim/sim.h"

/* Puts the soil of the setup, turned as the sim is, on the device, where there is some. */
enum err sim_soil_create(struct sim *s, const struct setup *setup);
void sim_soil_destroy(struct sim *s);

/* Enqueues what seeps away in the step that a pass has made. */
enum err sim_soil_drink(struct sim *s);

/* What has seeped away since the start, m3. Waits for the device. */
enum err sim_soil_volume(struct sim *s, double *volume);

/* The same of the tracer that went along. */
enum err sim_soil_amount(struct sim *s, double *amount);

#endif
