/* The state at gauges during a simulation: recorded on the device in a ring of rows, which the host
 * empties before it can overflow, and at the end. */
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
    int n, ring; /* number of gauges; rows that fit */
    double every;
    void *cell, *row, *time, *noted; /* on the device, see kernels/gauges.h */
    unsigned long taken;             /* rows */
    long passes;                     /* enqueued since the ring was last emptied: at most this many
                                      * rows */
    /* Called before the ring can overflow: must take its rows. */
    enum err (*full)(void *context);
    void *context;
};

/* Null if the run has none. */
struct gauges *gauges_of(struct sim *s);

/* Capacity of a ring in rows; and bytes of a row's values. */
int gauges_ring(const struct sim *s, int gauges);
size_t gauges_row_bytes(const struct sim *s, int gauges);

/* Removes all rows from the ring; `to` has room for a full ring. Waits for the device. */
enum err gauges_take(struct sim *s, struct gauge_rows *to);

#endif
