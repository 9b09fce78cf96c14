/* Smooth flow in a periodic channel over a bed, to many digits: Fourier's pseudo-spectral
 * derivatives on a dense grid and the classical Runge-Kutta method. Valid as long as no wave
 * breaks. */
#ifndef SHOAL_SPECTRAL_H
#define SHOAL_SPECTRAL_H

#include <stddef.h>

#include "core/registry/case.h"
#include "core/base/err.h"

struct spectral {
    int points, steps; /* points: even */
    double length;     /* of the channel, from x = 0, m */
    double gravity, t_end;
    double (*bed)(double x, double y);
    struct flow (*initial)(double x, double y);
};

/* Doubles in the table: level and velocity at t_end at every point. */
#define SPECTRAL_DOUBLES(points) (2 * (size_t)(points))

/* For struct reference; `context` is a struct spectral. */
enum err spectral_compute(const void *context, double *table);

/* The flow at t_end, whatever t, at any x: the trigonometric polynomial through all points. */
struct flow spectral_flow(const void *of, const double *table, double x, double y, double t);

#endif
