/* Worker processes that do the jobs of a plan. */
#ifndef SHOAL_POOL_H
#define SHOAL_POOL_H

#include <stddef.h>

#include "verification/plan.h"

enum { MOST_WORKERS = 64 };

/* Memory that processes forked from now on share, zeroed. Freed with pool_unshare; NULL is fine. */
void *pool_share(size_t bytes);
void pool_unshare(void *p, size_t bytes);

/* Does every job of the plan in `workers` processes (at most MOST_WORKERS), costly ones first.
 * Results arrive in outcome[0..], which must be shared memory. `done` is called in this process for
 * every job as it ends, and with -1 several times a second. Data files go to `folder`. A worker that
 * dies, or takes so long that it would never end, fails its job only. Fails with ERR_STOPPED after a
 * signal. */
enum err pool_run(const struct plan *p, struct outcome *outcome, int workers, const char *folder,
                  void (*done)(void *context, int job), void *context);

/* Runs ask(context) in a child, so that what it opens (a GPU's driver) is not open here when workers
 * are forked. Returns its result, or -1 if the child died. `context` must be shared memory to bring
 * more home than that. */
int pool_ask(int (*ask)(void *context), void *context);

#endif
