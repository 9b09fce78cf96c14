/* Seeds: blocks that the tuning database has as good for a kernel elsewhere. */
#ifndef SHOAL_SEEDS_H
#define SHOAL_SEEDS_H

#include "core/db/tuning_db.h"

/* What they are for. */
struct seeds_query {
    const struct kernel *kernel;
    enum backend_kind backend;
    const char *device;     /* its folder in the database */
    const char *capability; /* compute capability; NULL where there is none */
    enum precision precision;
    int nx, ny;
    const char *except; /* a file to ignore, relative to the database; or NULL */
};

/* The winners of all tables of the kernel and the backend, then their runners-up: tables of the
 * same device first, then of the same compute capability, then the rest; among these the same
 * precision first and the nearest number of cells. No block twice. None is no error. */
enum { MOST_SEEDS = 8 };
enum err seeds_find(const char *folder, const struct seeds_query *q, struct block seed[MOST_SEEDS],
                    int *count);

#endif
