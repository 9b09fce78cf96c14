/* Threads of one process that stand for several processes: a transport for checks, without MPI,
 * that several processes compute the same as one. */
#ifndef SHOAL_THREAD_RANKS_H
#define SHOAL_THREAD_RANKS_H

#include "core/device/transport.h"

struct post_office;

/* For this many processes, whose parcels take `delay` seconds, as over a slow network; null: no
 * memory. Must outlive all of them. */
struct post_office *post_office_create(int ranks, double delay);
void post_office_destroy(struct post_office *o); /* accepts null */

/* The argument of the transport's `open`, for each process. */
struct post_address {
    struct post_office *office;
    int rank;
};

extern const struct transport thread_transport;

#endif
