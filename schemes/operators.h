/* The operators from which schemes are built. Each enqueues one kernel and returns at once. */
#ifndef SHOAL_OPERATORS_H
#define SHOAL_OPERATORS_H

#include <stddef.h>

#include "core/registry/scheme.h"
#include "core/sim/balance.h" /* settle_balance */
#include "core/sim/sim.h"

/* States that a scheme may keep: the solution, and others during a step. */
enum { Q, Q1, Q2, Q3 };

/* A rate of change R from a state, with the case's source terms. `kernel` is an index into the
 * scheme's list; one of substep 0 also reduces wave speeds per block. */
struct rate {
    int kernel, state;
    enum view view; /* TURNED: the state is stored with x and y exchanged, and so is R */
    int into;       /* which R, where the scheme has two */
    int later;      /* an earlier flux kernel of this step crossed the same edges */
    int early_exit; /* the kernel skips quiet blocks */
};
enum err rate_of_change(struct sim *s, const struct rate *r);

/* dt from the wave speeds last reduced by kernels first..last; advances the clock, or halts it at a
 * pause or at the end: then every kernel does nothing until the host restarts it. CHECK_X and
 * CHECK_Y instead reject the current step if its dt was too long. */
struct choice {
    enum task task;
    int first, last;
    enum view view;
    int steps; /* equal ones that a pass makes */
    int early_exit;
};
enum err choose_time_step(struct sim *s, const struct choice *c);

/* One substep of time integration, by kernel `integrate`. Friction acts in the plain view only,
 * once per pair of sweeps, and so does a case's forcing. */
struct substep {
    int integrate;
    int from, base, to; /* states; base is read by averaging kernels only */
    enum view view;
    int transpose;     /* `to` gets the other view */
    double clip_share; /* share of the volume clipped here that remains after the step */
    int early_exit;
    int in_first; /* if a pass makes two steps: it belongs to the first */
};
enum err advance(struct sim *s, const struct substep *how);

/* Boundary conditions: ghost cells of a state at the clock's time, which is the start of the step
 * until dt is chosen, then its end. The second one is for a state `back` time steps earlier. */
struct when {
    double back;
    int in_first; /* if a pass makes two steps: the state is one of the first */
};
enum err fill_ghosts(struct sim *s, int state, enum view v);
enum err fill_ghosts_at(struct sim *s, int state, enum view v, const struct when *w);

/* Those of the solution in a run whose kernels fill them, where the host may have changed it: scheme.begin. */
enum err fill_ghosts_anew(struct sim *s);

/* The first step of a split scheme: an unsplit Euler step, which gives the first estimate of dt in
 * y (thesis 3.1.2). `flux` is a kernel of both directions with wave speeds. */
enum err unsplit_first_step(struct sim *s, int flux, int integrate);

/* Exchanges the first two states, for a scheme that has written Q1 from Q and continues from it: later
 * launches of this pass, and the next pass, call it Q. */
void change_places(struct sim *s);

/* Exchanges the contents of two arrays, for other arrays of a scheme. */
void change_arrays(struct array *a, struct array *b);

/* For operators in other files: the start of an edge's part of the rim, null without open edges;
 * and of a kernel's wave speeds. */
real *rim_of(const struct sim *s, enum edge e);
bits *speeds_of(const struct sim *s, int kernel);

/* The stride of the dither of the next update in this pass: kernels/num/update.h. */
unsigned next_stride(struct sim *s);

#endif
