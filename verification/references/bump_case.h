/* Shared by the cases of a flow over the bump: the flow, and most of their tables. Before including
 * this a case defines the inflow, INFLOW (m2/s), the level at the outlet, OUTLET (m), and the final
 * depth, DEPTH_AT(x) (m). */
#ifndef SHOAL_BUMP_CASE_H
#define SHOAL_BUMP_CASE_H

#include "verification/references/bump.h"
#include "verification/run/verify.h"

/* A pool at rest at the outlet's level. */
static inline struct flow initial(double x, double y)
{
    (void)x;
    (void)y;
    return (struct flow){.w = OUTLET};
}

static inline struct flow exact(double x, double y, double t)
{
    const double h = DEPTH_AT(x);
    (void)t;
    return (struct flow){.w = bump_bed(x, y) + h, .u = INFLOW / h};
}

#define MEASURED "at most twice an independent KP07's error"
#define SECOND   "second order in space, less 0.1"
#define KINK     "O(dx): the largest error sits in the cells where the bump begins"

/* Members of every case's table. kappa lies well under the least depth, 0.08 m and more: it is without effect. */
#define FLOW_OVER_BUMP                                                                      \
    .nx = 100, .ny = 1, .lx = 25, .ly = 0.5, .t_end = 400, .gravity = 9.81, .kappa = 0.001, \
    .boundary = {DISCHARGE, DEPTH, WALL, WALL},                                             \
    .edge = {[WEST] = {.hu = INFLOW}, [EAST] = {.h = OUTLET}}, .bed = bump_bed,             \
    .initial = initial, .exact = exact, .tends = 1, .verify = &verify

/* And of its checks, except the sizes. */
#define BUMP_RUNS .checks = checks, .quick = 2, .usual = 3, .snapshots = 40, .steady = 1e-7

#endif
