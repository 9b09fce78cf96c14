/* A heat map of one kernel's blocks, for a terminal. */
#ifndef SHOAL_TERMINAL_HEATMAP_H
#define SHOAL_TERMINAL_HEATMAP_H

#include <stdio.h>

#include "core/db/tuning_db.h"

/* Prints it, at most 80 columns wide: widths across, heights down, a character for how much slower
 * than the winner a block is, a letter for why it failed; marks the winner, its ties and the block
 * `usual`. A legend follows. `colour`: uses the escapes of 256 colours. The group has a row. */
void heatmap_print(FILE *f, const struct db_group *g, struct block usual, int colour);

#endif
