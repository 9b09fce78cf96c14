/* A time step that falls tenfold in a run: where, and what helps. */
#ifndef SHOAL_TIME_STEP_DROP_H
#define SHOAL_TIME_STEP_DROP_H

#include <stddef.h>

#include "core/sim/sim.h"

struct slowdown {
    double most; /* s, that waves allowed since the last time it was told; 0: not known */
};

/* To be called now and then while the run steps: logs that waves allow less than a tenth of the largest step so
 * far and of what the deepest water allows by itself, and where they do. Changes no bit of the run; what cannot
 * be looked at is not told. */
void slowdown_look(struct slowdown *d, struct sim *s);

#endif
