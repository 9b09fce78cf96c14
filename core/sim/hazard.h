/* The largest flood hazard of a run, cell by cell, kept on the device; see kernels/hazard.h. */
#ifndef SHOAL_HAZARD_H
#define SHOAL_HAZARD_H

#include "core/sim/sim.h"

/* Does the run record it? */
int hazard_kept(struct sim *s);

/* Copies a window of it to `to`, as sim_read does (NULL: all), m2/s; 0: never wet. Waits for the device. */
enum err hazard_download(struct sim *s, const struct window *w, void *to);

#endif
