/* The state at gauges while a simulation runs: noted on the device in a ring of rows, taken from there
 * when the ring might become full, and at the end. */
#ifndef SHOAL_GAUGES_H
#define SHOAL_GAUGES_H

#include "core/mesh/gauge_list.h"
#include "core/sim/sim.h"

/* Rows of a ring: each has the time, and the unknowns of all gauges, n values each, in the run's
 * precision. */
struct gauge_rows {
    size_t count;
    double *t;
    void *values;
};

struct gauges {
    int n, ring; /* gauges; rows there is room for */
    double every;
    void *cell, *row, *time, *noted; /* on the device, see kernels/gauges.h */
    unsigned long taken;             /* rows */
    long passes;                     /* enqueued since: so many rows there may be at most */
    /* Called when the ring might become full: must take its rows. */
    enum err (*full)(void *context);
    void *context;
};

/* Null where the run has none. */
struct gauges *gauges_of(struct sim *s);

/* Rows that a ring has room for; and one row's values, bytes. */
int gauges_ring(const struct sim *s, int gauges);
size_t gauges_row_bytes(const struct sim *s, int gauges);

/* Takes all rows out of the ring; `to` has room for as many as it holds. Waits for the device. */
enum err gauges_take(struct sim *s, struct gauge_rows *to);

#endif
