/* Dam break through a channel with a 45 degree bend to the left: the CADAM experiment of Soares
 * Frazao, Sillen and Zech 1998 as set up in paper III, section 4, figure 9b.
 *
 * From the sources: a reservoir of 2.39 m x 2.44 m, a level channel 0.495 m wide whose bed lies 0.33 m
 * above the reservoir's, 0.01 m of water in it, the reservoir's level 0.25 m above it; the ground
 * outside at 2 m; walls in the south and west, open edges in the north and east.
 *
 * Chosen here, because the sources do not say it or say "about": the reservoir fills the domain's
 * south-west corner; the channel begins 0.445 m from its south wall; the centre line turns after 4.25 m
 * and leaves the domain through its north edge, 4.11 m further on; no friction; the run ends at
 * 20 s; kappa is a tenth of the water's depth in the channel, at any resolution, because the rule
 * would take it from the height of the banks. The ground's level counts at cell corners, so every
 * bank is one cell wide. */
#include "core/registry/case.h"

static const double reservoir_x = 2.39, reservoir_y = 2.44; /* extent, m */
static const double middle = 0.6925, half = 0.2475;         /* centre line, half width */
static const double turn = 6.64;                            /* x where the centre line turns */
static const double step = 0.33, ground = 2;                /* levels above the reservoir's bed */

static int in_channel(double x, double y)
{
    const double root2 = 1.41421356237309504880, tan_eighth = root2 - 1;
    double across = y - middle, along = x - turn;
    /* The reaches meet on the line that halves the angle between their banks. */
    if (along <= -across * tan_eighth)
        return across >= -half && across <= half;
    double off = (across - along) / root2;
    return off >= -half && off <= half;
}

static double bed(double x, double y)
{
    if (x <= reservoir_x && y <= reservoir_y)
        return 0;
    return in_channel(x, y) ? step : ground;
}

/* Outside, too, the level is the channel's, far below the ground: a cell on a bank has a mean bed
 * below its centre's, and a level of 2 m there would be a metre of water. */
static struct flow initial(double x, double y)
{
    int reservoir = x <= reservoir_x && y <= reservoir_y;
    return (struct flow){.w = step + (reservoir ? 0.25 : 0.01)};
}

const struct flow_case case_bend = {
    .name = "bend",
    .title = "dam break through a channel with a 45 degree bend",
    .cite = "Soares Frazao, Sillen and Zech 1998; Brodtkorb, Saetra and Altinakar 2012, section 4",
    .nx = 400,
    .ny = 144,
    .lx = 10,
    .ly = 3.6,
    .t_end = 20,
    .gravity = 9.81,
    .kappa = 0.001,
    .boundary = {WALL, OPEN, WALL, OPEN},
    .bed = bed,
    .initial = initial,
};
