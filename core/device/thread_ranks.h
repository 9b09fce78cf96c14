/* Threads of one process that stand for several processes: a transport for checks, without MPI,
 * that several processes compute what one does. */
#ifndef SHOAL_THREAD_RANKS_H
#define SHOAL_THREAD_RANKS_H

#include "core/device/transport.h"

struct post_office;

/* For so many, whose parcels are on their way for `delay` seconds, as over a slow network; null where there is no memory.
 * It outlives all of them. */
struct post_office *post_office_create(int ranks, double delay);
void post_office_destroy(struct post_office *o); /* accepts null */

/* The argument of each one for the transport's `open`. */
struct post_address {
    struct post_office *office;
    int rank;
};

extern const struct transport thread_transport;

#endif
