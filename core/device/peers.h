/* The processes of a crew as this host's system sees them. */
#ifndef SHOAL_PEERS_H
#define SHOAL_PEERS_H

#include "core/device/transport.h"

/* Identifies a process to the system. */
struct peer {
    unsigned long host; /* unknown for processes of other hosts */
    long pid;
};

struct peer peer_self(void);

/* The first one of this host that is gone; -1: none. `all` by rank; null: nothing is known of them. */
int peers_gone(const struct peer *all, const struct crew *c);

/* Whether this one is on this host and stopped by a signal. */
int peers_stopped(const struct peer *all, const struct crew *c, int rank);

#endif
