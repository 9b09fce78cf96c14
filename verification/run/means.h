/* Means over cells of a reference given at points. */
#ifndef SHOAL_MEANS_H
#define SHOAL_MEANS_H

#include "core/mesh/grid.h"
#include "verification/run/verify.h"

/* Means over every cell of depth and discharges, of the case's exact solution or its reference, at
 * time t. Where the integrand is smooth by a Gauss rule; where a shore or a jump crosses a cell, by
 * fine sampling. Each array has nx ny doubles. The case must have one of the two. */
void reference_means(const struct flow_case *c, const struct grid_info *g, double t, double *h,
                     double *hu, double *hv);

#endif
