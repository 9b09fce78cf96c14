/* What looks at a running simulation. Each is one file, observe_NAME.c, with one table in it,
 * `const struct observer observer_NAME`; make collects them, and nothing else names them but who asks for what
 * they found. They never drive the clock: which states one looks at follows from the clock alone
 * (kernels/sampling.h), however steps are launched. */
#ifndef SHOAL_OBSERVER_H
#define SHOAL_OBSERVER_H

#include "core/sim/sim.h"
#include "kernels/sampling.h"

struct observer {
    const char *name;   /* the file's */
    const char *kernel; /* that it launches */
    int (*wanted)(const struct sim *s);
    size_t (*bytes)(const struct sim *s); /* optional: device memory in proportion to the cells */
    void (*choose_block)(const struct sim *s,
                         struct sim_kernel *k);             /* optional: a better default */
    enum err (*create)(struct sim *s, struct observing *o); /* optional: `state`, memory */
    /* Optional: enqueues a look. */
    enum err (*look)(struct sim *s, struct observing *o, enum occasion when);
    /* Optional: it looks only behind steps whose number is a multiple of this. */
    unsigned long (*every)(const struct sim *s);
    /* Optional: makes room for what up to so many passes leave, and lowers their number if it must. */
    enum err (*make_room)(struct sim *s, struct observing *o, long *passes);
    int joins; /* of a sim in parts `create` makes a `state` that takes what the parts have left */
    void (*destroy)(struct observing *o); /* optional: frees `state`; device memory is the sim's */
};

extern const struct observer *const observers[]; /* make writes it; ends in NULL */

/* Notes which of them the run wants. Call when the sim knows its problem. */
enum err observers_choose(struct sim *s);

size_t observers_bytes(const struct sim *s);
enum err observers_create(struct sim *s);
enum err observers_create_whole(struct sim *s); /* of a sim in parts, which have theirs */
void observers_destroy(struct sim *s);

/* Passes begin with the clock that the sim has; one has been made; they have ended for now. */
enum err observers_begin(struct sim *s);
enum err observers_pass(struct sim *s);
enum err observers_end(struct sim *s);

/* Whether one of them must make room for what passes leave. */
int observers_need_room(const struct sim *s);

/* How many of so many passes there is room for now. */
enum err observers_make_room(struct sim *s, long wanted, long *passes);

/* After each such number of passes some observer that need not look behind all of them is launched; the others
 * are behind each pass. At most GRAPH_PASSES; 1 where a pass may give its step up. */
int observers_period(const struct sim *s);

/* What a sim has of one; null where the run does not want it. */
struct observing *observing(struct sim *s, const struct observer *o);

#endif
