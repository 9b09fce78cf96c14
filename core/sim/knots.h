/* Series in the form that kernels take. */
#ifndef SHOAL_SIM_KNOTS_H
#define SHOAL_SIM_KNOTS_H

#include "core/problem/time_series.h"
#include "core/sim/sim.h"

/* Writes all rows of a series, with values times `scale`. */
void knots_of_series(const struct timeseries *s, double scale, struct knot *to);

#endif
