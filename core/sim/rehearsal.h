/* A run in several processes that are threads of this one: checks ask for it (--ranks). Private to this room. */
#ifndef SHOAL_REHEARSAL_H
#define SHOAL_REHEARSAL_H

#include "core/sim/sim.h"

struct rehearsal;

/* Starts the other processes, each with a sim of its own, and joins them; `setup` becomes that of the first one. */
enum err rehearsal_begin(struct rehearsal **out, struct setup *setup);

/* Ends them when they have been dismissed, or with the error with which the first one has ended. Accepts a null
 * *out, and sets it to null. */
void rehearsal_end(struct rehearsal **out, enum err e);

#endif
