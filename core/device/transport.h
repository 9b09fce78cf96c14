/* A transport carries bytes between the processes that compute one domain. It knows nothing of
 * grids, parts, devices or time limits: see ranks.h for those. */
#ifndef SHOAL_TRANSPORT_H
#define SHOAL_TRANSPORT_H

#include <stddef.h>

/* Bytes on their way to or from another process. Those of one pair of processes and one tag arrive
 * in the order of sending. */
struct parcel {
    int peer; /* the other process's number; ANYONE: any sender, set on arrival */
    int tag;  /* 0 .. MOST_TAG */
    int comes;
    void *bytes; /* must stay valid until the transfer has ended */
    size_t size; /* at most the transport's `most`, or a few words; the same at both ends */
};

enum { ANYONE = -1, MOST_TAG = 32767 };

/* The processes that a launcher has started, counted from 0, and those on this host. */
struct crew {
    int rank, ranks;
    int place,
        neighbours; /* this process's number on its host, and the number of processes there */
};

/* Changes with the table: a module built for another version is refused. */
enum { TRANSPORT_VERSION = 1 };

/* One thread makes all calls. */
struct transport {
    int version;
    size_t most;                  /* largest size of a parcel in bytes; callers split larger ones */
    const char *name;             /* "mpi" */
    const char *(*library)(void); /* its implementation and version */
    /* Joins the crew. Returns 0, or sets `why`. `given`: data of the transport's owner. */
    int (*open)(void **link, void *given, struct crew *c, char *why, size_t n);
    /* Starts to carry a parcel, and returns its number; -1 on failure. */
    int (*begin)(void *link, const struct parcel *p);
    /* 1: it has ended, and its number is free; 0: not yet; -1: it failed. */
    int (*ended)(void *link, int number);
    /* Cancels an incoming parcel that has not arrived. */
    void (*forget)(void *link, int number);
    /* Leaves the crew. `together`: all others leave now, too. */
    void (*close)(void *link, int together);
};

/* A module exports `const struct transport` of this name. */
#define TRANSPORT_SYMBOL "shoal_transport"

#endif
