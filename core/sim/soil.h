/* Infiltration from a simulation's water. */
#ifndef SHOAL_SIM_SOIL_H
#define SHOAL_SIM_SOIL_H

#include "core/sim/sim.h"

/* Uploads the setup's soil, if any, in the sim's orientation. */
enum err sim_soil_create(struct sim *s, const struct setup *setup);
void sim_soil_destroy(struct sim *s);

/* Enqueues the infiltration of the step just made. */
enum err sim_soil_drink(struct sim *s);

/* Infiltrated volume since the start, m3. Waits for the device. */
enum err sim_soil_volume(struct sim *s, double *volume);

/* The same for the tracer carried along. */
enum err sim_soil_amount(struct sim *s, double *amount);

#endif
