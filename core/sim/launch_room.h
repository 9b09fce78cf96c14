/* How many tiles the launches of a full domain have blocks for, where its steps compute few: those and some more. For
 * more tiles the clock halts, and more room is chosen. Launches of a sparse domain have blocks for what is stored. */
#ifndef SHOAL_SIM_LAUNCH_ROOM_H
#define SHOAL_SIM_LAUNCH_ROOM_H

#include "core/sim/sim.h"

/* Between steps: chooses s->launch_room for the tiles that the next step computes. */
enum err launch_room_choose(struct sim *s);

/* The slots that launches have blocks for, where they compute the tiles of a list. */
int tiles_launched(const struct sim *s);

/* Whether the clock may halt for tiles: because launches have no blocks for them, or because absent ones are needed. */
int launch_room_halts(const struct sim *s);

#endif
