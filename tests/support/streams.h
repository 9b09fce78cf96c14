/* The CPU's backend behaving like several GPUs: what a part enqueues waits in a stream of its
 * own, and runs as late as the signals that parts await allow. So if a run in parts lacks a wait
 * between devices, its bits differ. */
#ifndef SHOAL_TEST_STREAMS_H
#define SHOAL_TEST_STREAMS_H

#include "core/sim/sim.h"

/* From now on all parts of a simulation have such streams, with graphs; until it is destroyed
 * and streams_end called. */
void streams_attach(struct sim *whole);
void streams_end(void);

/* How often streams were waited for, and graphs recorded and replayed. */
extern int streams_waits, streams_recordings, streams_replays;

/* A signal that is not waited for; one that is given before the work enqueued last; -1: none. */
extern int streams_deaf_to, streams_early;

#endif
