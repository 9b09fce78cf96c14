/* Where and how a solution broke down. */
#ifndef SHOAL_BREAKDOWN_H
#define SHOAL_BREAKDOWN_H

#include <stdio.h>

#include "core/sim.h"

/* Sets ERR_BROKEN with a message that names step, time and cell: the middle one of those that are not
 * finite, or else the one with the fastest wave. The state is looked at as it is now. */
enum err breakdown_error(struct sim *s);

/* Prints level, depth, discharges and bed of that cell and the eight around it; nothing where they
 * cannot be had. */
void breakdown_print(struct sim *s, FILE *f);

#endif
