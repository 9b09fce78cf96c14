/* Dam breaks by their similarity solutions: every state is a function of x / t. */
#include "verification/references/dam_break.h"

#include <math.h>

/* The state between must be what the rarefaction leaves, u = 2 (cl - c), and what the shock leaves,
 * u = (h - hr) sqrt(g/2 (1/h + 1/hr)) (Stoker 1957; Toro 2001, chapter 5). The difference of the
 * two is concave in h, so Newton's steps from below rise to its zero until rounding stops them. */
struct dam_break dam_break(double g, double left, double right)
{
    double h = right, a = 0;
    for (double last = 0; h > last;) {
        last = h;
        a = sqrt(0.5 * g * (1 / h + 1 / right));
        double gap = 2 * (sqrt(g * left) - sqrt(g * h)) - (h - right) * a;
        double slope = -sqrt(g / h) - a + (h - right) * g / (4 * h * h * a);
        h -= gap / slope;
    }
    double u = 2 * (sqrt(g * left) - sqrt(g * h));
    return (struct dam_break){h, u, h * u / (h - right)};
}

/* In the rarefaction u - c = x / t and u + 2 c = 2 cl. */
static struct flow fan(double g, double cl, double speed)
{
    double c = (2 * cl - speed) / 3;
    return (struct flow){.w = c * c / g, .u = 2 * (cl + speed) / 3};
}

struct flow dam_break_wet(double g, double left, double right, double x, double t)
{
    const struct dam_break between = dam_break(g, left, right);
    const double cl = sqrt(g * left), c = sqrt(g * between.h);
    if (x < 0 ? x <= -cl * t : x >= between.shock * t)
        return (struct flow){.w = x < 0 ? left : right};
    if (x <= (between.u - c) * t)
        return fan(g, cl, x / t);
    return (struct flow){.w = between.h, .u = between.u};
}

struct flow dam_break_dry(double g, double left, double x, double t)
{
    const double cl = sqrt(g * left);
    if (x < 0 ? x <= -cl * t : x >= 2 * cl * t)
        return (struct flow){.w = x < 0 ? left : 0};
    return fan(g, cl, x / t);
}
