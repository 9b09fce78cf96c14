/* The CPU's backend with graphs, as lists of launches: to test steps by graphs without a GPU. */
#ifndef SHOAL_TEST_RECORDER_H
#define SHOAL_TEST_RECORDER_H

#include "core/sim/sim.h"

/* From now on simulations on the CPU's backend record and replay. Anything but a launch, a fill
 * or a copy within a recording fails the test. */
void recorder_attach(struct sim *s);

/* Numbers of recordings begun and of graphs replayed; whether one is being recorded. */
extern int recorder_recordings, recorder_replays;
extern int recorder_launches; /* launches and fills in the last recording */
int recorder_records(void);

/* Makes recordings fail, with ERR_MACHINE and "made up": after this many launches, or at their
 * end. */
enum { RECORDER_NEVER = -1, RECORDER_AT_END = -2 };
extern int recorder_fail_after;

#endif
