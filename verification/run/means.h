/* Means over cells of a reference given at points. */
#ifndef SHOAL_MEANS_H
#define SHOAL_MEANS_H

#include "core/mesh/grid.h"
#include "verification/run/verify.h"

/* Cell means of depth and discharges of the case's exact solution or reference at time t: by a
 * Gauss rule if the integrand is smooth, by fine sampling if a shore or a jump crosses the cell.
 * Each array has nx ny doubles. The case must have one of the two. */
void reference_means(const struct flow_case *c, const struct grid_info *g, double t, double *h,
                     double *hu, double *hv);

#endif
