/* Water that swings in a parabolic basin without breaking: exact solutions with moving shores. */
#ifndef SHOAL_BASIN_H
#define SHOAL_BASIN_H

#include "core/registry/case.h"

/* A round basin: bed depth ((x^2 + y^2) / l^2 - 1). */
struct basin {
    double depth, l, a, gravity; /* m, m, m, m/s2 */
};

double basin_bed(const struct basin *b, double x, double y);

/* A plane surface that circles: Thacker 1981. The wet disc keeps the radius l; its centre runs round
 * a circle of radius a with the period 2 pi l / sqrt(2 gravity depth). */
struct flow basin_planar(const struct basin *b, double x, double y, double t);

/* A paraboloid that rises and falls: Thacker 1981, with the constants of Delestre et al. 2013, section
 * 4.2.1 (there a and r0; here l and a). The wet disc has the radius sqrt(a l) at time 0; the period
 * is 2 pi l / sqrt(8 gravity depth). */
struct flow basin_round(const struct basin *b, double x, double y, double t);

/* A parabolic channel along x, bed depth x^2 / l^2, in which a plane surface swings with the speed
 * `speed` and dies out by friction at the rate `drag`: Sampson, Easton and Singh 2006. */
struct channel {
    double depth, l, speed, drag, gravity; /* m, m, m/s, 1/s, m/s2 */
};

double channel_bed(const struct channel *c, double x);
struct flow channel_flow(const struct channel *c, double x, double t);

#endif
