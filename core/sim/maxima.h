/* The largest values of a run, cell by cell, kept on the device; see kernels/maxima.h. */
#ifndef SHOAL_MAXIMA_H
#define SHOAL_MAXIMA_H

#include "core/sim/sim.h"

enum maximum {
    MAXIMUM_H,        /* m */
    MAXIMUM_SPEED,    /* m/s */
    MAXIMUM_FLUX,     /* m3/s2 */
    MAXIMUM_ARRIVAL,  /* s; NAN where water never came */
    MAXIMUM_DURATION, /* s */
    MAXIMA
};

/* Does the run record them? */
int maxima_kept(struct sim *s);

/* Copies a window of one of them to `to`, as sim_read does (NULL: all). Waits for the device. */
enum err maxima_download(struct sim *s, enum maximum which, const struct window *w, void *to);

#endif
