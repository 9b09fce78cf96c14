/* A river brings sand and mud into a deep basin, in the middle of its western edge, and builds a delta: sand stays near the
 * mouth, mud goes far. */
#include <math.h>

#include "verification/run/verify.h"

static const double size = 200, mouth = 24; /* m */

static double value(double x, double y, int k)
{
    (void)y;
    return k == 0 ? -10 - 10 * x / size : 0.3;
}

static double given(double x, double y, int k)
{
    (void)x;
    (void)y;
    return k == 0 ? 0.02 : 0.08;
}

/* By how much the two halves differ at most. */
static double asymmetry(const struct snapshot *s)
{
    double most = 0;
    for (int j = 0; j < s->grid.ny / 2; j++)
        for (int i = 0; i < s->grid.nx; i++) {
            const size_t low = (size_t)j * (size_t)s->grid.nx + (size_t)i;
            const size_t high = (size_t)(s->grid.ny - 1 - j) * (size_t)s->grid.nx + (size_t)i;
            const double h = fabs(s->h[low] - s->h[high]), q = fabs(s->hu[low] - s->hu[high]);
            most = isnan(h + q) ? (double)NAN : fmax(most, fmax(h, q));
        }
    return most;
}

/* Mean height of the floor, and mean share of sand, within 40 m of the edge and 20 m of the middle. */
static double near_mouth(const struct snapshot *s, const double *of)
{
    double sum = 0;
    int n = 0;
    for (int j = 0; j < s->grid.ny; j++)
        for (int i = 0; i < s->grid.nx; i++)
            if (grid_x(&s->grid, i) < 40 && fabs(grid_y(&s->grid, j)) < 20) {
                sum += of[(size_t)j * (size_t)s->grid.nx + (size_t)i];
                n++;
            }
    return sum / n;
}

/* The results of 400 x 400 cells in f64 at the claimed Courant number. */
static const double fine_height = -7.546139, fine_share = 0.7747969;

static double off_height(const struct snapshot *s)
{
    return fabs(near_mouth(s, s->h) - fine_height);
}

static double off_share(const struct snapshot *s)
{
    return fabs(near_mouth(s, s->hu) - fine_share);
}

static const struct norm norm_asymmetry = {"asymmetry", "how much the two halves differ, at most",
                                           asymmetry};
static const struct norm norm_off_height = {
    "mouth h off by", "mean height before the mouth, less that on 400 cells, m", off_height};
static const struct norm norm_off_share = {
    "mouth s off by", "mean share of sand before the mouth, less that on 400 cells", off_share};

static const char mirror[] = "the basin is its own mirror image, to the bit";
static const char converges[] = "1.5 times what basin_cons reached: it falls with the cells";

static const struct check checks[] = {
    {&norm_asymmetry, .at = LARGEST, .n = 50, .most = 0, .theory = 1, .why = mirror},
    {&norm_asymmetry, .at = LARGEST, .n = 100, .most = 0, .theory = 1, .why = mirror},
    {&norm_off_height, .n = 50, .most = 4.7e-2, .why = converges, .scheme = "basin_cons"},
    {&norm_off_height, .n = 100, .most = 1.8e-2, .why = converges, .scheme = "basin_cons"},
    {&norm_off_height, .n = 200, .most = 6.5e-3, .why = converges, .scheme = "basin_cons"},
    {&norm_off_share, .n = 50, .most = 1.8e-3, .why = converges, .scheme = "basin_cons"},
    {&norm_off_share, .n = 100, .most = 7.5e-4, .why = converges, .scheme = "basin_cons"},
    {&norm_off_share, .n = 200, .most = 3e-4, .why = converges, .scheme = "basin_cons"},
    {0},
};

static const struct verification verify = {.checks = checks,
                                           .ladder = {50, 100, 200},
                                           .quick = 1,
                                           .usual = 3,
                                           .snapshots = 4,
                                           .bounded = 1};

const struct flow_case case_delta = {
    .name = "delta",
    .title = "a river builds a delta of sand and mud in a deep basin",
    .cite = "chosen here",
    .system = "sediment",
    .nx = 100,
    .ny = 100,
    .lx = size,
    .ly = size,
    .y0 = -size / 2,
    .t_end = 2e4,
    .boundary = {SUPPLY, WALL, WALL, WALL},
    .edge = {[WEST] = {.in = {0.02, 0.03}}},
    .reach = {[WEST] = {-mouth / 2, mouth / 2}},
    .value = value,
    .given = given,
    .constant = {0.6, 0.4, 0.5},
    .verify = &verify,
};
