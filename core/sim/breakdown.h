/* Where and how a solution broke down. */
#ifndef SHOAL_BREAKDOWN_H
#define SHOAL_BREAKDOWN_H

#include <stdio.h>

#include "core/sim/sim.h"

/* Sets ERR_BROKEN with a message that names step, time and cell: the middle one of those that are not
 * finite, or else the one with the fastest wave. The state is looked at as it is now. */
enum err breakdown_error(struct sim *s);

/* Prints level, depth, discharges and bed of that cell and the eight around it; nothing where they
 * cannot be had. */
void breakdown_print(struct sim *s, FILE *f);

/* The cell whose waves limit the time step, as the user laid it out: its depth, that of the water which is so
 * fast, there or at a face, and the celerity of that; and of all cells the largest depth; m, m/s. */
struct fastest {
    int i, j;
    double x, y, depth, face, speed, celerity, deepest;
};

/* By cells' averages, or also by what `faces` of a continuous bed see of them. Waits for the steps under way,
 * and changes nothing. */
enum err breakdown_fastest(struct sim *s, int faces, struct fastest *f);

#endif
