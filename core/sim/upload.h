/* The initial state on its way to the device. Private to this room. */
#ifndef SHOAL_SIM_UPLOAD_H
#define SHOAL_SIM_UPLOAD_H

#include "core/problem/initial_state.h"
#include "core/sim/sim.h"

/* Fills the arrays of a sim that has its initial state, and puts the clock where it begins. */
enum err sim_upload(struct sim *s);

/* What an array of the sim begins with, in a window that has been cut with INITIAL_FIELDS; null: with nothing of it. */
const void *upload_field(const struct sim *s, const struct array *a, const struct initial *cut);

/* Fills an array of cells of a sim without tiles; ghosts get 0. The number of cell (i, j) of the domain. */
typedef double number_of_cell(const void *context, int i, int j);
enum err sim_upload_cells(struct sim *s, const struct array *a, number_of_cell *number,
                          const void *context);

#endif
