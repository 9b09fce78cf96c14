/* Shared by the cases of MacDonald's channels: their flows, and most of their tables. A case
 * defines its CHANNEL before including this. */
#ifndef SHOAL_MACDONALD_CASE_H
#define SHOAL_MACDONALD_CASE_H

#include "verification/references/jump.h"
#include "verification/references/macdonald.h"

static inline double bed(double x, double y)
{
    (void)y;
    return macdonald_bed(&CHANNEL, x);
}

static inline struct flow exact(double x, double y, double t)
{
    const double h = macdonald_depth(&CHANNEL, x);
    (void)t;
    return (struct flow){.w = bed(x, y) + h, .u = CHANNEL.q / h};
}

/* For `initial`: a layer at rest, as deep as 2 m2/s are when they are critical. */
static inline struct flow critical_layer(double x, double y)
{
    return (struct flow){.w = bed(x, y) + 0.7415};
}

/* Around the jump at the channel's seam. */
static inline double seam_offset(const struct snapshot *s)
{
    const double seam = CHANNEL.seam;
    return jump_offset(s, seam, (CHANNEL.depth[0](seam) + CHANNEL.depth[1](seam)) / 2);
}

static inline double seam_spared(const struct snapshot *s)
{
    return jump_spared(s, CHANNEL.seam);
}

static const struct norm norm_offset = {JUMP_OFFSET_NORM, seam_offset};
static const struct norm norm_spared = {JUMP_SPARED_NORM, seam_spared};

#define MEASURED "at most 1.8 times an independent KP07's error"
#define ALONE    "twice what rk2 reaches; no other code tells"

/* Members of every case's table. kappa lies well under the least depth, 0.4 m and more: it is without effect. */
#define IN_CHANNEL                                                                               \
    .nx = 100, .ny = 1, .gravity = 9.81, .kappa = 0.001, .bed = bed, .exact = exact, .tends = 1, \
    .verify = &verify
#define LONG_CHANNEL                                                            \
    IN_CHANNEL, .lx = 1000, .ly = 20, .t_end = 2000, .initial = critical_layer, \
                .cite = "MacDonald et al. 1997; Delestre et al. 2013 (SWASHES), section 3.2.1"

/* And of the checks of a long channel. */
#define LONG_CHANNEL_RUNS                                                                     \
    .checks = checks, .ladder = {50, 100, 200, 400}, .quick = 2, .usual = 4, .snapshots = 40, \
    .steady = 1e-8

#endif
