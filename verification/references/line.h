/* The shallow-water equations on a flat bed in one dimension, along a line or along a radius, on a
 * fine grid: the reference for flows without a known formula. Independent of Shoal's kernels: MUSCL
 * with the limiter of van Leer (1977) on depth and velocity, the flux of Harten, Lax and van Leer
 * (1983) with the speeds of Einfeldt and of dry states (Toro 2001), and the three-stage Runge-Kutta
 * method of Shu and Osher (1988), in double precision. */
#ifndef SHOAL_LINE_H
#define SHOAL_LINE_H

#include <stddef.h>

#include "core/registry/case.h"
#include "core/base/err.h"

/* A dam break: water at rest of depth `behind` up to `dam`, of depth `before` from there on. */
struct line {
    int radial;              /* x is the distance from an axis; else a wall stands at x = 0 */
    double length;           /* from 0; beyond it nothing has moved by t_end, m */
    int cells;               /* on the length */
    double dam;              /* m */
    double behind, before;   /* m */
    double gravity, manning; /* m/s2, s/m^(1/3) */
    double t_end;            /* s */
    int times;               /* records at equal intervals, the last at t_end; one more at 0 */
};

struct line_state {
    double h, u; /* m, m/s */
};

/* Doubles in the table that line_compute fills: cells, and times of struct line. */
#define LINE_DOUBLES(cells, times) (2 * (size_t)(cells) * ((size_t)(times) + 1))

/* For struct reference; `of` is a struct line. Computes; fails where memory is short. */
enum err line_compute(const void *of, double *table);

/* Depth and velocity at x >= 0 at the record nearest to time t, by linear interpolation. */
struct line_state line_at(const struct line *l, const double *table, double x, double t);

/* For struct reference: the same at a point of the plane, where the distance from the origin counts, or x
 * itself. The bed lies at 0. */
struct flow line_flow(const void *of, const double *table, double x, double y, double t);

/* The water before the dam breaks. */
struct flow line_start(const struct line *l, double x, double y);

#endif
