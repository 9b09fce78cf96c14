/* A run in several processes, emulated by threads of this one, for checks (--ranks). Private to
 * this room. */
#ifndef SHOAL_REHEARSAL_H
#define SHOAL_REHEARSAL_H

#include "core/sim/sim.h"

struct rehearsal;

/* Starts the other processes, each with a sim of its own, and joins them; `setup` becomes the first
 * one's. */
enum err rehearsal_begin(struct rehearsal **out, struct setup *setup);

/* Ends them after their dismissal, or with the first one's error. Accepts a null *out, and sets it
 * to null. */
void rehearsal_end(struct rehearsal **out, enum err e);

#endif
