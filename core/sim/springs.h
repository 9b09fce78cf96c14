/* Point sources and sinks of a simulation. */
#ifndef SHOAL_SIM_SPRINGS_H
#define SHOAL_SIM_SPRINGS_H

#include "core/problem/springs.h"
#include "core/sim/sim.h"

/* Uploads the setup's springs, if any, in the sim's orientation. */
enum err sim_springs_create(struct sim *s, const struct setup *setup);
void sim_springs_destroy(struct sim *s);

/* Enqueues their inflow and outflow in the step just made. */
enum err sim_springs_run(struct sim *s);

/* Volumes given and taken since the start, m3: of number k of the setup's list; or of all (-1).
 * Waits for the device. */
enum err sim_springs_volume(struct sim *s, const struct spring_list *of, int k, double *gave,
                            double *took);

/* The same for a tracer, of all of them. */
enum err sim_springs_amount(struct sim *s, double *gave, double *took);

#endif
