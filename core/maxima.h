/* The largest values of a run, cell by cell, kept on the device; see kernels/maxima.h. */
#ifndef SHOAL_MAXIMA_H
#define SHOAL_MAXIMA_H

#include "core/sim.h"

enum maximum {
    MAXIMUM_H,        /* m */
    MAXIMUM_SPEED,    /* m/s */
    MAXIMUM_FLUX,     /* m3/s2 */
    MAXIMUM_ARRIVAL,  /* s; NAN where water never came */
    MAXIMUM_DURATION, /* s */
    MAXIMA
};

/* On the device, in the layout of fields; as kernels/maxima.h describes them. */
struct maxima {
    void *storage[MAXIMA];
};

/* What --maxima takes of the device's memory, bytes. */
size_t maxima_bytes(const struct sim *s);

/* For sim_create: chooses the kernel's block; allocates, where the run has --maxima. */
void maxima_choose_block(struct sim *s);
enum err maxima_create(struct sim *s);
void maxima_destroy(struct sim *s);

/* Enqueues a look at the state; `first`: before any step. */
enum err maxima_sample(struct sim *s, int first);

/* Copies one of them to `to`: ny rows of nx reals of the run's precision. Waits for the device. */
enum err maxima_download(struct sim *s, enum maximum which, void *to);

#endif
