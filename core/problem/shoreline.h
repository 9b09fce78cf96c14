/* The shoreline that a run begins with. */
#ifndef SHOAL_SHORELINE_H
#define SHOAL_SHORELINE_H

#include "core/problem/initial_state.h"

/* The median rise of the bed per cell along it, once the initial state is settled: over all faces between a wet and a dry cell, walls apart.
 * Zero where there is no such face or no slope; -1 without memory. */
double shoreline_rise(const struct initial *in, const struct source *source);

#endif
