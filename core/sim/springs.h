/* Point sources and sinks of a simulation. */
#ifndef SHOAL_SIM_SPRINGS_H
#define SHOAL_SIM_SPRINGS_H

#include "core/problem/springs.h"
#include "core/sim/sim.h"

/* Puts the springs of the setup, turned as the sim is, on the device, where there are some. */
enum err sim_springs_create(struct sim *s, const struct setup *setup);
void sim_springs_destroy(struct sim *s);

/* Enqueues what they bring and take in the step that a pass has made. */
enum err sim_springs_run(struct sim *s);

/* What they have given and taken since the start, m3: number k of the setup's list; or all (-1), whatever the list. Waits
 * for the device. */
enum err sim_springs_volume(struct sim *s, const struct spring_list *of, int k, double *gave,
                            double *took);

/* The same of a tracer, of all of them. */
enum err sim_springs_amount(struct sim *s, double *gave, double *took);

#endif
