/* The CPU's backend as several GPUs are: what a part enqueues waits in a stream of its own, and is done as late as the signals
 * that parts await allow. So a run in parts whose devices should wait for each other, and do not, comes to other bits. */
#ifndef SHOAL_TEST_STREAMS_H
#define SHOAL_TEST_STREAMS_H

#include "core/sim/sim.h"

/* From now on all parts of a simulation have such streams, with graphs; until it is destroyed, and streams_end called. */
void streams_attach(struct sim *whole);
void streams_end(void);

/* How often somebody has waited for a stream, graphs were recorded, and replayed. */
extern int streams_waits, streams_recordings, streams_replays;

/* Which signals are not waited for; which are given before what was enqueued last: -1: none. */
extern int streams_deaf_to, streams_early;

#endif
