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

/* On the device, in the layout of fields; as kernels/maxima.h describes them. */
struct maxima {
    void *storage[MAXIMA];
    unsigned long *looked; /* by block of the kernel */
    int behind; /* passes enqueued since one that made a state to look at, if none was rejected */
    /* Hardly a step is rejected: the kernel is launched behind such passes only. After a rejected one it comes
     * too early, and then the passes up to the next launch do nothing. */
    int calm;
    unsigned long steps, redone; /* when that was judged */
};

/* What --maxima takes of the device's memory, bytes. */
size_t maxima_bytes(const struct sim *s);

/* For sim_create: chooses the kernel's block; allocates, where the run has --maxima. */
void maxima_choose_block(struct sim *s);
enum err maxima_create(struct sim *s);
void maxima_destroy(struct sim *s);

/* Enqueue a look at the state where one is due: when the clock has been set and passes begin, behind a pass,
 * and when passes end for now. */
enum err maxima_begin(struct sim *s);
enum err maxima_pass(struct sim *s);
enum err maxima_end(struct sim *s);

/* From one such pass to the next, if none is rejected; 1: any pass may be one. At most GRAPH_PASSES. */
int maxima_period(const struct sim *s);

/* To be called when the host has seen the clock: judges how calm it is, and makes s->now the clock as it is
 * without maxima, which halt it for a while. */
void maxima_see(struct sim *s);

/* Copies one of them to `to`: ny rows of nx reals of the run's precision. Waits for the device. */
enum err maxima_download(struct sim *s, enum maximum which, void *to);

#endif
