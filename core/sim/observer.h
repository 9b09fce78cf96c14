/* Observers of a running simulation. Each is one file, observe_NAME.c, with one table in it, `const
 * struct observer observer_NAME`; make collects them, and only users of their results name them.
 * They never drive the clock: the clock alone determines which states an observer samples
 * (kernels/sampling.h), however steps are launched. */
#ifndef SHOAL_OBSERVER_H
#define SHOAL_OBSERVER_H

#include "core/sim/sim.h"
#include "kernels/sampling.h"

struct observer {
    const char *name;   /* the same as the file's */
    const char *kernel; /* that it launches */
    int (*wanted)(const struct sim *s);
    size_t (*bytes)(const struct sim *s); /* optional: device memory in proportion to the cells */
    void (*choose_block)(const struct sim *s,
                         struct sim_kernel *k);             /* optional: a better default */
    enum err (*create)(struct sim *s, struct observing *o); /* optional: `state`, memory */
    /* Optional: enqueues a sample. */
    enum err (*look)(struct sim *s, struct observing *o, enum occasion when);
    /* Optional: it samples only after steps whose number is a multiple of this. */
    unsigned long (*every)(const struct sim *s);
    /* Optional: makes room for the results of so many passes, and lowers the number if it must. */
    enum err (*make_room)(struct sim *s, struct observing *o, long *passes);
    int joins; /* for a sim in parts `create` makes a `state` that collects the parts' results */
    void (*destroy)(struct observing *o); /* optional: frees `state`; device memory is the sim's */
};

extern const struct observer *const observers[]; /* make writes it; ends in NULL */

/* Records which of them the run needs. Call when the sim knows its problem. */
enum err observers_choose(struct sim *s);

size_t observers_bytes(const struct sim *s);
enum err observers_create(struct sim *s);
enum err observers_create_whole(struct sim *s); /* of a sim in parts, whose parts have their own */
void observers_destroy(struct sim *s);

/* Passes begin with the sim's present clock; one pass has been made; passes have ended for now. */
enum err observers_begin(struct sim *s);
enum err observers_pass(struct sim *s);
enum err observers_end(struct sim *s);

/* Does one of them look at passes? */
int observers_look(const struct sim *s);

/* Does one of them need room for the results of passes? */
int observers_need_room(const struct sim *s);

/* How many of so many passes fit now. */
enum err observers_make_room(struct sim *s, long wanted, long *passes);

/* After this many passes some observer that does not sample after every pass is launched; the
 * others follow each pass. At most GRAPH_PASSES; 1 if a pass may be rejected. */
int observers_period(const struct sim *s);

/* A sim's state of one; null if the run does not use it. */
struct observing *observing(struct sim *s, const struct observer *o);

#endif
