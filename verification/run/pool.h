/* Worker processes that do the jobs of a plan. */
#ifndef SHOAL_POOL_H
#define SHOAL_POOL_H

#include "verification/run/plan.h"

enum { MOST_WORKERS = 64 };

/* Does every job of the plan in `workers` processes (at most MOST_WORKERS), costly ones first.
 * Results arrive in outcome[0..], which must be shared memory. `done` is called in this process for
 * every job as it ends, and with -1 several times a second. Data files go to `folder`. A worker that
 * dies, or takes so long that it would never end, fails its job only. Fails with ERR_STOPPED after a
 * signal. */
enum err pool_run(const struct plan *p, struct job_outcome *outcome, int workers,
                  const char *folder, void (*done)(void *context, int job), void *context);

#endif
