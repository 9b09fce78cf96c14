/* How long a launch takes whose blocks are warps, by how they fill a device. */
#ifndef SHOAL_DB_ROUNDS_H
#define SHOAL_DB_ROUNDS_H

#include "kernels/kernel.h"

/* What such blocks find: places for so many at once, on so many schedulers. */
struct room {
    double places, schedulers;
};

/* The time of a launch over nx x ny cells, in that of a launch with a block in every place. */
double rounds_of(struct block b, int nx, int ny, struct room room);

#endif
