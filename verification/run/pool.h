/* Worker processes that run the jobs of a plan. */
#ifndef SHOAL_POOL_H
#define SHOAL_POOL_H

#include "verification/run/plan.h"

enum { MOST_WORKERS = 64 };

/* Runs every job of the plan in `workers` processes (at most MOST_WORKERS), expensive ones first.
 * Results arrive in outcome[0..], which must be shared memory. `done` is called in this process for
 * every job as it ends, and with -1 several times a second. Data files go to `folder`. A worker
 * that dies or hangs fails only its own job. Fails with ERR_STOPPED after a signal. */
enum err pool_run(const struct plan *p, struct job_outcome *outcome, int workers,
                  const char *folder, void (*done)(void *context, int job), void *context);

#endif
