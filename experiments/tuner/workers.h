/* The processes of a tuning: some compile, one owns the device. A kernel that hangs, crashes or breaks
 * the GPU's context takes a process with it, never the tuning. */
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
    double patience; /* with a trial on the device, s; more with what takes longer */
};

struct workers;

/* Forks them. The caller must not have opened a GPU's driver. */
enum err workers_start(struct workers **out, const struct workers_setup *setup);

/* Ends them at once. Accepts NULL. */
void workers_stop(struct workers *w);

/* Has a trial compiled some time. */
enum err workers_compile(struct workers *w, int trial);
int workers_compiling(const struct workers *w); /* how many are asked for and not done */

enum order_kind { ORDER_STAGE, ORDER_ADMIT, ORDER_TIME, ORDER_DROP };

/* What the device is to do next; one order at a time. */
struct order {
    enum order_kind what;
    int stage;       /* for ORDER_STAGE; replaces the one before */
    int repeats;     /* for ORDER_TIME */
    unsigned random; /* for ORDER_TIME */
    int count, trial[MOST_ORDERED];
};
enum err workers_order(struct workers *w, const struct order *o);
int workers_busy(const struct workers *w); /* an order is under way */

/* What stands on the stage that was set up last: see stage_describe. */
const char *workers_stage(const struct workers *w);

struct event {
    enum {
        EVENT_NONE,
        EVENT_COMPILED, /* or failed to, see the trial */
        EVENT_DONE,     /* the order under way */
        /* The device's process is a new one: it has no stage and no trial is loaded. `trial` is the one
         * that was its last, or -1; it bears no mark of that yet. `message` says what happened. */
        EVENT_LOST,
    } what;
    int trial;
    int patience; /* EVENT_LOST: it took too long */
    char message[512];
};

/* Waits for the next event, at most so long, s. Fails where a machine is at fault, not a trial: no disk
 * space, no memory, no compiler. */
enum err workers_wait(struct workers *w, double at_most, struct event *e);

#endif
