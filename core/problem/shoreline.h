/* The initial shoreline. */
#ifndef SHOAL_SHORELINE_H
#define SHOAL_SHORELINE_H

#include "core/problem/initial_state.h"

/* Adds the bed's rises between cells of a row of a block, which holds INITIAL_STATE, and those east
 * and north of them (null: there are none): over all faces between a wet and a dry cell, except
 * walls. */
struct findings;
struct settled_row;
void shoreline_look(const struct initial *block, const struct settled_row *here,
                    const struct settled_row *north, struct findings *found);

/* The median of all. Zero if there is no such face or no slope. */
double shoreline_median(struct findings *found);

#endif
