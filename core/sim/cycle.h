/* The thesis's cycle (4.4.2): of every 100 steps some are timed, with early exit and without,
 * and the faster way makes the others. */
#ifndef SHOAL_SIM_CYCLE_H
#define SHOAL_SIM_CYCLE_H

#include "core/sim/sim.h"

/* What a pass of the cycle is for. */
enum phase {
    BEFORE_CYCLES =
        -1, /* a run begins with some plain steps, so that short runs compile no more than they need */
    REFRESH, /* with early exit: makes the map of active blocks */
    TIME_EXIT,
    SETTLE, /* without, if that is another scheme, whose last step is long ago; not timed */
    TIME_PLAIN,
    REST /* whichever is faster */
};

struct cycle {
    int settles;     /* it has the phase SETTLE */
    int steps;       /* made by a pass without early exit, 1 or 2; a pass with it makes 1 */
    const char *who; /* whose early exit, for the log; null: the scheme's own */
    /* Private: */
    enum phase now;
    long step, before; /* begun so far; in this cycle */
    int faster;        /* early exit was faster */
    int told;          /* what the log said last */
};

/* Whether the domain has so many cells that timing pays. */
int cycle_pays(const struct sim *s);

/* Before a pass: *use says whether to make it with early exit. */
enum err cycle_begin(struct sim *s, struct cycle *c, int *use);
enum err cycle_end(struct sim *s, struct cycle *c);

#endif
