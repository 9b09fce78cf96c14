/* A dam breaks and the wave floods a closed channel with three conical humps: Kawahara and Umetsu
 * 1986, with the dimensions of Liang and Borthwick 2009. Water overtops the lower two humps, runs up
 * the high one, swings to and fro and comes to rest with the tops of all three dry. y is measured from
 * the channel's middle. */
#include <math.h>

#include "verification/run/verify.h"

static const double dam = 16, behind = 1.875; /* m */

static double hump(double x, double y, double height, double steepness)
{
    return height - steepness * sqrt(x * x + y * y);
}

static double bed(double x, double y)
{
    double low = fmax(hump(x - 30, y - 9, 1, 0.125), hump(x - 30, y + 9, 1, 0.125));
    return fmax(0, fmax(low, hump(x - 47.5, y, 3, 0.3)));
}

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){.w = x < dam ? behind : 0};
}

/* The larger one; a NaN counts as larger than all. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

static double asymmetry(const struct snapshot *s)
{
    int nx = s->grid.nx, ny = s->grid.ny;
    double most = 0;
    for (int k = 0; k < nx * ny; k++) {
        int m = (ny - 1 - k / nx) * nx + k % nx;
        most = larger(most, fabs(s->h[k] - s->h[m]));
        most = larger(most, fabs(s->hu[k] - s->hu[m]));
        most = larger(most, fabs(s->hv[k] + s->hv[m]));
    }
    return most;
}

/* The level of the lake that all the water makes in the end, found by halving. */
static double final_level(const struct snapshot *s)
{
    int cells = s->grid.nx * s->grid.ny;
    double volume = 0, low = 0, high = behind;
    for (int k = 0; k < cells; k++)
        volume += s->h[k];
    for (int n = 0; n < 60; n++) {
        double level = 0.5 * (low + high), holds = 0;
        for (int k = 0; k < cells; k++)
            holds += fmax(0, level - s->bed[k]);
        low = holds < volume ? level : low;
        high = holds < volume ? high : level;
    }
    return low;
}

/* On the level floor; along the shores the scheme has its own flow. */
static double unevenness(const struct snapshot *s)
{
    double most = 0, level = final_level(s);
    for (int k = 0; k < s->grid.nx * s->grid.ny; k++)
        if (s->bed[k] <= 0)
            most = larger(most, fabs(s->w[k] - level));
    return most;
}

static double unrest(const struct snapshot *s)
{
    double most = 0;
    for (int k = 0; k < s->grid.nx * s->grid.ny; k++)
        if (s->bed[k] <= 0 && s->h[k] > s->dry)
            most = larger(most, sqrt(s->hu[k] * s->hu[k] + s->hv[k] * s->hv[k]) / s->h[k]);
    return most;
}

static const double above = 0.1; /* m; nearer to the lake the scheme lets water climb */

static double film(const struct snapshot *s)
{
    double most = 0, level = final_level(s);
    for (int k = 0; k < s->grid.nx * s->grid.ny; k++)
        if (s->bed[k] > level + above)
            most = larger(most, s->h[k]);
    return most;
}

static const struct norm norm_asymmetry = {
    "asymmetry", "largest difference between the two halves, m or m2/s", asymmetry};
static const struct norm norm_unevenness = {
    "unevenness", "largest distance of the level from the lake that the water makes in the end, m",
    unevenness};
static const struct norm norm_unrest = {"unrest", "largest speed where that lake is deep, m/s",
                                        unrest};
static const struct norm norm_film = {
    "film", "largest depth on the humps, 0.1 m and more above that lake, m", film};

static const char mirror[] = "the formulas are symmetric to the bit";
/* In the lake of 0.42 m, Manning friction alone slows any flow to below 1 / (0.0101 / m t). */
static const char calm[] =
    "friction alone leaves 0.33 m/s after 300 s, and 2 cm at that; 1.5 times";
static const char dry[] = "what is left on the humps is a film: a hundredth of the lake's depth";

static const struct check checks[] = {
    {&norm_asymmetry, .at = LARGEST, .n = 50, .most = 0, .fast = 30, .why = mirror},
    {&norm_asymmetry, .at = LARGEST, .n = 75, .most = 0, .fast = 30, .why = mirror},
    {&norm_unevenness, .n = 75, .most = 0.03, .why = calm},
    {&norm_unrest, .n = 75, .most = 0.5, .why = calm},
    {&norm_film, .n = 75, .most = 5e-3, .why = dry},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {50, 75, 150},
    .quick = 1,
    .usual = 2,
    .snapshots = 10,
    .scatter = 1,
};

const struct flow_case case_three_humps = {
    .name = "three-humps",
    .title = "dam break over three humps in a closed channel",
    .cite = "Kawahara and Umetsu 1986; Liang and Borthwick 2009",
    .nx = 150,
    .ny = 60,
    .lx = 75,
    .ly = 30,
    .y0 = -15,
    .t_end = 300,
    .gravity = 9.81,
    .manning = 0.018,
    .kappa = 0.015, /* a tenth of the steep hump's rise in a cell */
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .initial = initial,
    .wet = {.west = 0, .east = 16, .south = -15, .north = 15}, /* up to the dam */
    .jumps = 1,
    .verify = &verify,
};
