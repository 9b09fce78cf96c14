/* The processes of a tuning: some compile, one owns the device. A kernel that hangs, crashes or
 * corrupts the GPU's context ends one process, never the tuning. */
#ifndef SHOAL_WORKERS_H
#define SHOAL_WORKERS_H

#include "core/device/backend.h"
#include "experiments/tuner/stage.h"
#include "experiments/tuner/trial.h"

enum { MOST_COMPILERS = 64, MOST_ORDERED = 256 };

struct workers_setup {
    struct trial *trial; /* shared memory; jobs name trials by their index */
    const struct stage_setup *stage;
    enum backend_kind backend;
    struct device_options device;
    const char *target; /* of the compiler: struct device_info */
    int compilers;
    double patience; /* time limit for a trial on the device, s; more for longer operations */
};

struct workers;

/* Forks them. The caller must not have opened a GPU's driver. */
enum err workers_start(struct workers **out, const struct workers_setup *setup);

/* Ends them at once. Accepts NULL. */
void workers_stop(struct workers *w);

/* Queues a trial for compilation. */
enum err workers_compile(struct workers *w, int trial);
int workers_compiling(const struct workers *w); /* how many are queued and not done */

enum order_kind { ORDER_STAGE, ORDER_ADMIT, ORDER_TIME, ORDER_DROP };

/* Gives the device its next order; one at a time. */
struct order {
    enum order_kind what;
    int stage;       /* for ORDER_STAGE; replaces the one before */
    int repeats;     /* for ORDER_TIME */
    unsigned random; /* for ORDER_TIME */
    int count, trial[MOST_ORDERED];
};
enum err workers_order(struct workers *w, const struct order *o);
int workers_busy(const struct workers *w); /* an order is running */

/* Describes the latest stage: see stage_describe. */
const char *workers_stage(const struct workers *w);

struct event {
    enum {
        EVENT_NONE,
        EVENT_COMPILED, /* or failed to, see the trial */
        EVENT_DONE,     /* the current order */
        /* There is a new device process, without a stage and loaded trials. `trial` is the last one
         * of the old process, or -1; it is not yet marked. `message` says what happened. */
        EVENT_LOST,
    } what;
    int trial;
    int patience; /* EVENT_LOST: it took too long */
    char message[512];
};

/* Waits for the next event, at most so long, s. Fails if the machine is at fault, not a trial: no
 * disk space, no memory, no compiler. */
enum err workers_wait(struct workers *w, double at_most, struct event *e);

#endif
