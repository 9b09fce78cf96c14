/* A supercritical stream meets a wall that turns into it by 8.95 degrees: an oblique hydraulic jump
 * stands at an angle. The set-up of Rouse, Bhoota and Hsu 1951, turned so that the wall lies along the
 * grid: the stream flows towards it. Behind the jump the flow is uniform and known: Ippen 1951. */
#include <math.h>

#include "verification/run/verify.h"

/* In front of the jump and behind it, from mass and momentum across the jump; the angle between the
 * jump and the wall is 30.0241532 - 8.95 degrees. */
static const double depth = 1, along = 8.46565578775457, towards = -1.3332561956569056;
static const double behind = 1.499709177681197, speed_behind = 7.951885916852679;
static const double slope = 0.3853496969115921, froude_behind = 2.073156618276677;
static const double degree = 3.14159265358979323846 / 180;

static struct flow initial(double x, double y)
{
    (void)x;
    (void)y;
    return (struct flow){depth, along, towards};
}

static struct flow exact(double x, double y, double t)
{
    (void)t;
    return y < slope * x ? (struct flow){.w = behind, .u = speed_behind} : initial(x, y);
}

/* Where the jump is straight and the corner and the outlet are far. */
static const double from = 20, to = 35; /* m */

/* The mean over the cells behind the jump, well away from it. */
static double plateau(const struct snapshot *s, double (*of)(const struct snapshot *s, int k))
{
    const struct grid_info *g = &s->grid;
    double sum = 0;
    int cells = 0;
    for (int k = 0; k < g->nx * g->ny; k++) {
        double x = grid_x(g, k % g->nx), y = grid_y(g, k / g->nx);
        if (x < from || x > to || y > 0.6 * slope * x)
            continue;
        sum += of(s, k);
        cells++;
    }
    return sum / cells;
}

static double depth_of(const struct snapshot *s, int k)
{
    return s->h[k];
}

static double froude_of(const struct snapshot *s, int k)
{
    double q = sqrt(s->hu[k] * s->hu[k] + s->hv[k] * s->hv[k]);
    return q / (s->h[k] * sqrt(s->flow_case->gravity * s->h[k]));
}

static double plateau_depth(const struct snapshot *s)
{
    return fabs(plateau(s, depth_of) / behind - 1);
}

static double plateau_froude(const struct snapshot *s)
{
    return fabs(plateau(s, froude_of) / froude_behind - 1);
}

/* Height above the wall at which depth passes the mean of both sides, in column i. */
static double jump_in_column(const struct snapshot *s, int i)
{
    const struct grid_info *g = &s->grid;
    const double *h = s->h + i, half = 0.5 * (depth + behind);
    int j = 0;
    while (j < g->ny - 2 && h[(size_t)(j + 1) * (size_t)g->nx] > half)
        j++;
    double low = h[(size_t)j * (size_t)g->nx], high = h[(size_t)(j + 1) * (size_t)g->nx];
    return grid_y(g, j) + g->dy * (low - half) / (low - high);
}

/* The line of least squares through the jump. */
static double angle(const struct snapshot *s)
{
    const struct grid_info *g = &s->grid;
    double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0;
    for (int i = 0; i < g->nx; i++) {
        double x = grid_x(g, i), y = jump_in_column(s, i);
        if (x < from || x > to)
            continue;
        n++;
        x1 += x;
        y1 += y;
        xx += x * x;
        xy += x * y;
    }
    double found = (n * xy - x1 * y1) / (n * xx - x1 * x1);
    return fabs(atan(found) - atan(slope)) / degree;
}

static const struct norm norm_depth = {
    "plateau h", "relative error of the mean depth behind the jump", plateau_depth};
static const struct norm norm_froude = {
    "plateau Froude", "relative error of the mean Froude number behind the jump", plateau_froude};
static const struct norm norm_angle = {"jump angle",
                                       "error of the angle between jump and wall, degrees", angle};

static const char measured[] = "1.5 times what an independent f64 code reached with this scheme";
static const char theory[] = "oblique jump relations; an independent code: 0.0001, 0.08 degrees";

static const struct check checks[] = {
    {&norm_depth, .n = 80, .most = 1e-4, .theory = 1, .why = theory},
    {&norm_froude, .n = 80, .most = 3e-4, .theory = 1, .why = theory},
    {&norm_angle, .n = 80, .most = 0.02, .theory = 1, .why = theory},
    {&norm_l1_h, .n = 80, .most = 5e-3, .why = measured},
    {&norm_depth, .n = 160, .most = 5e-5, .theory = 1, .why = theory},
    {&norm_froude, .n = 160, .most = 1e-4, .theory = 1, .why = theory},
    {&norm_angle, .n = 160, .most = 0.01, .theory = 1, .why = theory},
    {&norm_l1_h, .n = 160, .most = 2.6e-3, .why = measured},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {40, 80, 160},
    .quick = 2,
    .usual = 3,
    .scatter = 1,
};

const struct flow_case case_oblique_jump = {
    .name = "oblique-jump",
    .title = "oblique hydraulic jump at a wall that turns into a stream",
    .cite = "Ippen 1951; Rouse, Bhoota and Hsu 1951",
    .nx = 80,
    .ny = 60,
    .lx = 40,
    .ly = 30,
    .t_end = 15,
    .gravity = 9.81,
    .boundary = {STATE, OPEN, WALL, STATE},
    .edge = {[WEST] = {.h = 1, .hu = 8.46565578775457, .hv = -1.3332561956569056},
             [NORTH] = {.h = 1, .hu = 8.46565578775457, .hv = -1.3332561956569056}},
    .bed = flat_bed,
    .initial = initial,
    .exact = exact,
    .tends = 1,
    .verify = &verify,
};
