/* A transport carries bytes between the processes that compute one domain. It knows nothing of grids, parts or devices,
 * and has no opinion on what to do when somebody does not answer: see ranks.h for that. */
#ifndef SHOAL_TRANSPORT_H
#define SHOAL_TRANSPORT_H

#include <stddef.h>

/* Bytes on their way to or from another process. Those of one pair of processes and one tag arrive in the order
 * in which they were sent. */
struct parcel {
    int peer; /* the other one's number; ANYONE: whoever sends, where it comes */
    int tag;  /* 0 .. MOST_TAG */
    int comes;
    void *bytes; /* stay where they are until it has ended */
    size_t size; /* at most the transport's `most`, but of short words; the same at both ends */
};

enum { ANYONE = -1, MOST_TAG = 32767 };

/* The processes that a launcher has started, counted from 0, and those on this host. */
struct crew {
    int rank, ranks;
    int place, neighbours; /* this one's number on its host, and how many are there */
};

/* Changes with the table: a module built for another one is refused. */
enum { TRANSPORT_VERSION = 1 };

/* All are called by one thread. */
struct transport {
    int version;
    size_t most;                  /* bytes of a parcel; larger ones are cut */
    const char *name;             /* "mpi" */
    const char *(*library)(void); /* which one, and its version */
    /* Joins the crew. 0, or `why` says what failed. `given`: whatever the transport's owner knows. */
    int (*open)(void **link, void *given, struct crew *c, char *why, size_t n);
    /* Begins to carry a parcel, and gives it a number; -1 where that fails. */
    int (*begin)(void *link, const struct parcel *p);
    /* 1: it has ended, and its number is free; 0: not yet; -1: it failed. */
    int (*ended)(void *link, int number);
    /* Forgets a parcel that comes and has not arrived. */
    void (*forget)(void *link, int number);
    /* Leaves the crew. `together`: all others do so, too, now. */
    void (*close)(void *link, int together);
};

/* What a module has: `const struct transport` of this name. */
#define TRANSPORT_SYMBOL "shoal_transport"

#endif
