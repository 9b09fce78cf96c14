/* Vortices that a uniform flow carries through a periodic square: exact smooth solutions. */
#ifndef SHOAL_VORTEX_H
#define SHOAL_VORTEX_H

#include "core/registry/case.h"

/* The vortex of compact support of Ricchiuto and Bollermann 2009, section 5.1, at (x,y) from its
 * centre: velocities without those of the flow that carries it; its angular velocity is
 * turn (1 + cos(wave r)). */
struct vortex {
    double depth, turn, wave, gravity; /* m outside, 1/s, 1/m, m/s2 */
};

struct flow vortex_compact(const struct vortex *v, double x, double y);

/* The same for a vortex with the angular velocity turn exp((1 - r^2) / 2), r in metres: that of
 * ryujin's verification. `wave` does not count. */
struct flow vortex_gaussian(const struct vortex *v, double x, double y);

/* x, shifted by a multiple of the period to the half open interval of this length around 0. */
double vortex_wrapped(double x, double period);

#endif
