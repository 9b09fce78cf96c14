/* A plane water surface that circles in a parabolic basin: Thacker 1981; paper III, eq. 11 and 12,
 * with its upper signs and with g, which it takes as 1, restored. The wet disc has the radius L and
 * its centre runs round a circle of radius A, so the domain reaches beyond A + L = 3750 m. One period
 * is 2 pi / omega = 11107.2 s. */
#include <math.h>

#include "core/case.h"

static const double d0 = 1, l = 2500, a = 1250, g = 1; /* D0, L and A of the source in m; m/s2 */

static double bed(double x, double y)
{
    return d0 * ((x * x + y * y) / (l * l) - 1);
}

static struct flow exact(double x, double y, double t)
{
    double omega = sqrt(2 * g * d0) / l;
    double c = cos(omega * t), s = sin(omega * t);
    double w = 2 * a * d0 / (l * l) * (x * c + y * s - a / 2);
    if (w <= bed(x, y))
        return (struct flow){.w = w};
    return (struct flow){.w = w, .u = -a * omega * s, .v = a * omega * c};
}

static struct flow initial(double x, double y)
{
    return exact(x, y, 0);
}

const struct flow_case case_parabola = {
    .name = "parabola",
    .title = "plane surface circling in a parabolic basin (Thacker)",
    .cite = "Thacker 1981; Brodtkorb, Saetra and Altinakar 2012, section 4",
    .nx = 100,
    .ny = 100,
    .lx = 8000,
    .ly = 8000,
    .x0 = -4000,
    .y0 = -4000,
    .t_end = 11107.207345395915,
    .gravity = 1,
    .kappa = 0.01,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .initial = initial,
    .exact = exact,
};
