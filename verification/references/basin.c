/* Thacker's and Sampson's flows in parabolic basins. */
#include "verification/references/basin.h"

#include <math.h>

double basin_bed(const struct basin *b, double x, double y)
{
    return b->depth * ((x * x + y * y) / (b->l * b->l) - 1);
}

/* The surface's direction at a phase: all points of a field share it, so each thread keeps the last. */
struct direction {
    double phase, c, s;
};

static struct direction direction_at(double phase)
{
    static _Thread_local struct direction last = {0, 1, 0};
    if (!(last.phase - phase == 0))
        last = (struct direction){phase, cos(phase), sin(phase)};
    return last;
}

struct flow basin_planar(const struct basin *b, double x, double y, double t)
{
    const double d0 = b->depth, l = b->l, a = b->a;
    double omega = sqrt(2 * b->gravity * d0) / l;
    const struct direction d = direction_at(omega * t);
    const double c = d.c, s = d.s;
    double w = 2 * a * d0 / (l * l) * (x * c + y * s - a / 2);
    if (w <= basin_bed(b, x, y))
        return (struct flow){.w = w};
    return (struct flow){.w = w, .u = -a * omega * s, .v = a * omega * c};
}

/* With q = sqrt(1 - e^2) / (1 - e cos(omega t)) the depth is depth (q - q^2 r^2 / l^2). */
struct flow basin_round(const struct basin *b, double x, double y, double t)
{
    double omega = sqrt(8 * b->gravity * b->depth) / b->l;
    double l2 = b->l * b->l, a2 = b->a * b->a, e = (l2 - a2) / (l2 + a2);
    double slow = 1 - e * cos(omega * t), q = sqrt(1 - e * e) / slow, r2 = x * x + y * y;
    double h = b->depth * (q - q * q * (r2 / l2));
    struct flow f = {.w = h + basin_bed(b, x, y)};
    /* The body of water widens while it falls. */
    double rate = h > 0 ? omega * e * sin(omega * t) / (2 * slow) : 0;
    f.u = rate * x;
    f.v = rate * y;
    return f;
}

double channel_bed(const struct channel *c, double x)
{
    return c->depth * (x * x) / (c->l * c->l);
}

/* All water has one velocity u = speed exp(-drag t / 2) sin(s t). The momentum equation then gives
 * the surface's slope b = -(u' + drag u) / gravity. Continuity moves the parabola of water, of half
 * width l and depth `depth`, without changing its shape: its middle is at b l^2 / (2 depth), and the
 * surface is depth + b x - (b l)^2 / (4 depth). */
struct flow channel_flow(const struct channel *c, double x, double t)
{
    double p2 = 8 * c->gravity * c->depth / (c->l * c->l);
    double s = sqrt(p2 - c->drag * c->drag) / 2, fade = c->speed * exp(-c->drag * t / 2);
    double slope = -fade / c->gravity * (s * cos(s * t) + c->drag / 2 * sin(s * t));
    double reach = slope * c->l;
    struct flow f = {.w = c->depth + slope * x - reach * reach / (4 * c->depth)};
    if (f.w > channel_bed(c, x))
        f.u = fade * sin(s * t);
    return f;
}
