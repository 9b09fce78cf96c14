/* Series as kernels take them. */
#ifndef SHOAL_SIM_KNOTS_H
#define SHOAL_SIM_KNOTS_H

#include "core/problem/time_series.h"
#include "core/sim/sim.h"

/* Writes the rows of a series, as many as it has, its values times `scale`. */
void knots_of_series(const struct timeseries *s, double scale, struct knot *to);

#endif
