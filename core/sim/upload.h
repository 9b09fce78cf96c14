/* Uploads the initial state. Private to this room. */
#ifndef SHOAL_SIM_UPLOAD_H
#define SHOAL_SIM_UPLOAD_H

#include "core/problem/initial_state.h"
#include "core/sim/sim.h"

/* Fills the arrays of a sim that has its initial state, and sets the clock to the start. */
enum err sim_upload(struct sim *s);

/* An array's initial content, in a window that has been cut with INITIAL_FIELDS; null: none. */
const void *upload_field(const struct sim *s, const struct array *a, const struct initial *cut);

/* Adds a constant array of cells, filled from the number of each cell (i, j) of the domain; ghosts
 * get 0. Returns the address of cell (0,0). */
typedef double number_of_cell(const void *context, int i, int j);
enum err sim_given_cells(struct sim *s, const char *name, number_of_cell *number,
                         const void *context, real **first);

#endif
