/* The operators that schemes are written with. Each enqueues one kernel and returns at once. */
#ifndef SHOAL_OPERATORS_H
#define SHOAL_OPERATORS_H

#include <stddef.h>

#include "core/scheme.h"
#include "core/sim.h"

/* States a scheme may keep: the solution, and stages of a step. */
enum { Q, Q1 };

/* One substep of time integration, by kernel `integrate` (an index into the scheme's list). */
struct substep {
    int integrate;
    int from, base, to;            /* states; base is read by averaging kernels only */
    double flux_share, clip_share; /* shares of this substep's fluxes and of its clipped volume in
                                      the full step, for the volume balance */
};

/* R <- R(state), by flux kernel `kernel`; substep 0 also reduces wave speeds per block. */
enum err rate_of_change(struct sim *s, int kernel, int state);

/* dt from the wave speeds last reduced; advances the clock, or halts it at a pause or at the end:
 * then every kernel does nothing until the host has set it going again. */
enum err choose_time_step(struct sim *s);

enum err advance(struct sim *s, const struct substep *how);

/* Boundary conditions: ghost cells of a state. */
enum err fill_ghosts(struct sim *s, int state);

#endif
