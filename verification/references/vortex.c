/* Vortices in balance with the pressure: dh/dr = v^2 / (g r). */
#include "verification/references/vortex.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The integral of r (1 + cos r)^2. */
static double integral(double r)
{
    return 2 * cos(r) + 2 * r * sin(r) + cos(2 * r) / 8 + r / 4 * sin(2 * r) + 0.75 * r * r;
}

struct flow vortex_compact(const struct vortex *v, double x, double y)
{
    double r = v->wave * sqrt(x * x + y * y), speed = v->turn / v->wave;
    if (r >= pi)
        return (struct flow){.w = v->depth};
    double h = v->depth + speed * speed / v->gravity * (integral(r) - integral(pi));
    double turn = v->turn * (1 + cos(r));
    return (struct flow){h, -turn * y, turn * x};
}

struct flow vortex_gaussian(const struct vortex *v, double x, double y)
{
    double turn = v->turn * exp(0.5 * (1 - (x * x + y * y)));
    return (struct flow){v->depth - turn * turn / (2 * v->gravity), -turn * y, turn * x};
}

double vortex_wrapped(double x, double period)
{
    return x - period * floor(x / period + 0.5);
}
