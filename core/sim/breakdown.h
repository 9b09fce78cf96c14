/* Where and how a solution broke down. */
#ifndef SHOAL_BREAKDOWN_H
#define SHOAL_BREAKDOWN_H

#include <stdio.h>

#include "core/sim/sim.h"

/* Sets ERR_BROKEN with a message that names step, time and cell: the middle one of those that are
 * not finite, or else the one with the fastest wave. Inspects the present state. */
enum err breakdown_error(struct sim *s);

/* Prints level, depth, discharges and bed of that cell and the eight around it; nothing if they
 * cannot be read. */
void breakdown_print(struct sim *s, FILE *f);

/* The cell whose waves limit the time step, in the user's orientation: its depth, that of the water
 * which is so fast, there or at a face, and its celerity; and the largest depth of all cells; m,
 * m/s. */
struct fastest {
    int i, j;
    double x, y, depth, face, speed, celerity, deepest;
};

/* Judges by cell averages, or also by `faces` of a continuous bed. Waits for pending steps, and
 * changes nothing. */
enum err breakdown_fastest(struct sim *s, int faces, struct fastest *f);

#endif
