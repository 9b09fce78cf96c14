/* Dam breaks on level, frictionless ground: Stoker 1957 for a wet bed downstream, Ritter 1892 for a
 * dry one (SWASHES: Delestre et al. 2013, sections 4.1.1 and 4.1.2). */
#ifndef SHOAL_DAM_BREAK_H
#define SHOAL_DAM_BREAK_H

#include "core/registry/case.h"

/* Between the wave that runs up the reservoir and the shock that runs down the channel. */
struct dam_break {
    double h, u;  /* depth m, velocity m/s */
    double shock; /* its speed, m/s */
};

/* Water of depth `left` held at rest above water of depth `right`, left > right > 0, m; g in m/s2.
 *  */
struct dam_break dam_break(double g, double left, double right);

/* The flow at x, m from the dam, at time t >= 0 after it broke, s. */
struct flow dam_break_wet(double g, double left, double right, double x, double t);

/* The same with dry ground downstream. */
struct flow dam_break_dry(double g, double left, double x, double t);

#endif
