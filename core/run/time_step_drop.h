/* Reports a time step that falls tenfold in a run: where, and a remedy. */
#ifndef SHOAL_TIME_STEP_DROP_H
#define SHOAL_TIME_STEP_DROP_H

#include <stddef.h>

#include "core/sim/sim.h"

struct slowdown {
    double most; /* s, the waves' limit at the last report; 0: unknown */
};

/* Call it now and then while the run steps: if the waves' limit is below a tenth of the largest
 * step so far and of the deepest water's own limit, logs that, and where. Changes no bit of the
 * run; skips what cannot be read. */
void slowdown_look(struct slowdown *d, struct sim *s);

#endif
