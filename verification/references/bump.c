/* Steady flow over a bump by Bernoulli's cubic; a jump by the balance of momentum.
 *
 * Over a bed at z a steady flow of q keeps its head z + h + q^2 / (2 g h^2). The least head above
 * the bed that carries q is 3/2 hc, at the critical depth hc = (q^2 / g)^(1/3). */
#include "verification/references/bump.h"

#include <math.h>

const double bump_length = 25, bump_crest = 10, bump_height = 0.2;
const double bump_gravity = 9.81;
static const double curvature = 0.05; /* 1/m */

static double square(double x)
{
    return x * x;
}

static double below_crest(double x)
{
    return fmin(bump_height, curvature * square(x - bump_crest));
}

double bump_bed(double x, double y)
{
    (void)y;
    return bump_height - below_crest(x);
}

static double critical(double q)
{
    return cbrt(q * q / bump_gravity);
}

/* The depths at which the head above the bed is e = 3/2 hc + excess are the roots of
 * h^3 - e h^2 + hc^3 / 2 = 0. With h = e/3 (1 + 2 cos phi) and r = 3/2 hc / e it becomes
 * cos 3 phi = 1 - 2 r^3, that is, sin(3/2 phi)^2 = r^3. The angle is taken from its tangent, and
 * 1 - r from the excess: near the crest, where two roots meet, all digits but a few would cancel
 * otherwise. */
static double depth(double hc, double excess, int supercritical)
{
    const double third_turn = 2.09439510239319549231; /* 2 pi / 3 */
    double e = 1.5 * hc + excess, r = 1.5 * hc / e;
    double sine2 = r * r * r, cosine2 = excess / e * (1 + r + r * r);
    double phi = 2.0 / 3 * atan2(sqrt(sine2), sqrt(cosine2));
    return e / 3 * (1 + 2 * cos(supercritical ? third_turn - phi : phi));
}

/* Head above the floor less what a critical flow over the crest has. */
static double excess_over_crest(double q, double h_out)
{
    return h_out + square(q / h_out) / (2 * bump_gravity) - bump_height - 1.5 * critical(q);
}

double bump_subcritical(double x, double q, double h_out)
{
    return depth(critical(q), excess_over_crest(q, h_out) + below_crest(x), 0);
}

double bump_transcritical(double x, double q)
{
    return depth(critical(q), below_crest(x), x > bump_crest);
}

/* Across a jump q^2 / h + g h^2 / 2 stays. Along either flow it changes by g h for each metre that
 * the bed falls, because the head stays: so Newton's steps know their slope. */
struct bump_jump bump_jump(double q, double h_out)
{
    enum { STEPS = 50 };
    const double g = bump_gravity, hc = critical(q), lost = excess_over_crest(q, h_out);
    double fall = bump_height / 2, before = 0, after = 0, last = HUGE_VAL;
    for (int k = 0; k < STEPS; k++) {
        before = depth(hc, fall, 1);
        after = depth(hc, fall + lost, 0);
        /* (q^2 / before + g before^2 / 2 - the same after) / (after - before) */
        double thrust = square(q) / (before * after) - g * (after + before) / 2;
        double step = thrust / g;
        if (!(fabs(step) < last))
            break;
        last = fabs(step);
        fall += step;
    }
    return (struct bump_jump){bump_crest + sqrt(fall / curvature), before, after};
}

double bump_with_jump(double x, double q, double h_out)
{
    if (x <= bump_crest || x < bump_jump(q, h_out).x)
        return bump_transcritical(x, q);
    return bump_subcritical(x, q, h_out);
}
