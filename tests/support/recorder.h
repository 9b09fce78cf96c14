/* The CPU's backend with graphs, as lists of launches: what steps by graphs can be tried without a GPU. */
#ifndef SHOAL_TEST_RECORDER_H
#define SHOAL_TEST_RECORDER_H

#include "core/sim/sim.h"

/* From now on a simulation of the CPU's backend records and replays. Anything but a launch, a fill or a
 * copy between the two ends of a recording fails the test. */
void recorder_attach(struct sim *s);

/* How many recordings were begun, how many graphs replayed; and whether one is being recorded. */
extern int recorder_recordings, recorder_replays;
extern int recorder_launches; /* launches and fills in the last recording */
int recorder_records(void);

/* Lets recordings fail, with ERR_MACHINE and "made up": after so many launches, or when they end. */
enum { RECORDER_NEVER = -1, RECORDER_AT_END = -2 };
extern int recorder_fail_after;

#endif
