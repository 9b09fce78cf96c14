/* MacDonald's channels: depths by formulas, beds by integrating the momentum equation.
 *
 * A steady flow of q over a bed z loses its head h + z + q^2 / (2 g h^2) to friction at the rate
 * S = n^2 q^2 / h^(10/3). So z follows from the depth, and only S takes a quadrature. */
#include "verification/references/macdonald.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const double macdonald_gravity = 9.81;

/* The critical depth of 2 m2/s, by which SWASHES scales all depths, m. */
static double scale(void)
{
    return cbrt(4 / macdonald_gravity);
}

static double sub(double x)
{
    double s = x / 1000 - 0.5;
    return scale() * (1 + 0.5 * exp(-16 * s * s));
}

static double super(double x)
{
    double s = x / 1000 - 0.5;
    return scale() * (1 - 0.2 * exp(-36 * s * s));
}

static double before_critical(double x)
{
    return scale() * (1 - tanh(3 * (x / 1000 - 0.5)) / 3);
}

static double after_critical(double x)
{
    return scale() * (1 - tanh(6 * (x / 1000 - 0.5)) / 6);
}

static double before_jump(double x)
{
    double s = x / 100;
    return scale() * (4.0 / 3 - s) - 0.9 * s * (s - 2.0 / 3);
}

static double after_jump(double x)
{
    static const double a1 = 0.674202, a2 = 21.7112, a3 = 14.492, a4 = 1.4305;
    double s = x / 100 - 2.0 / 3;
    return scale() * ((((a1 * s + a1) * s - a2) * s + a3) * s + a4);
}

static double before_long_jump(double x)
{
    return scale() * (0.9 - exp(-x / 250) / 6);
}

static double after_long_jump(double x)
{
    static const double a1 = -0.348427, a2 = 0.552264, a3 = -0.55558;
    double e = exp(-20 * (x / 1000 - 0.5));
    return scale() * (1 + ((a3 * e + a2) * e + a1) * e + 0.8 * exp(x / 1000 - 1));
}

const struct macdonald macdonald_sub = {1000, 2, 0.033, 1000, {sub, sub}};
const struct macdonald macdonald_super = {1000, 2.5, 0.04, 1000, {super, super}};
const struct macdonald macdonald_transcritical = {
    1000, 2, 0.0218, 500, {before_critical, after_critical}};
const struct macdonald macdonald_jump = {100, 2, 0.0328, 200.0 / 3, {before_jump, after_jump}};
const struct macdonald macdonald_jump_long = {
    1000, 2, 0.0218, 500, {before_long_jump, after_long_jump}};

double macdonald_depth(const struct macdonald *c, double x)
{
    return c->depth[x >= c->seam](x);
}

/* Depth and velocity head, m. */
static double head(const struct macdonald *c, double h)
{
    double u = c->q / h;
    return h + u * u / (2 * macdonald_gravity);
}

/* Fall of the bed from a to b under one of the two depths. Gauss's rule of 16 points (Abramowitz
 * and Stegun 1964, table 25.4) on panels short enough for the 16 m in which the flow behind the
 * long channel's jump settles. */
static double fall(const struct macdonald *c, int part, double a, double b)
{
    enum { PAIRS = 8, PANELS = 8 };
    static const double node[PAIRS] = {
        0.09501250983763744, 0.28160355077925892, 0.45801677765722737, 0.61787624440264377,
        0.75540440835500300, 0.86563120238783176, 0.94457502307323260, 0.98940093499164994};
    static const double weight[PAIRS] = {
        0.18945061045506850, 0.18260341504492358, 0.16915651939500254, 0.14959598881657674,
        0.12462897125553388, 0.09515851168249279, 0.06225352393864789, 0.02715245941175410};
    const double nq = c->manning * c->q, half = (b - a) / (2 * PANELS);
    double sum = 0;
    for (int p = 0; p < PANELS; p++) {
        double middle = a + half * (2 * p + 1);
        for (int k = 0; k < 2 * PAIRS; k++) {
            double off = half * node[k / 2], h = c->depth[part](middle + (k % 2 ? off : -off));
            sum += weight[k / 2] * nq * nq / (h * h * h * cbrt(h));
        }
    }
    return sum * half + head(c, c->depth[part](b)) - head(c, c->depth[part](a));
}

static double bed_at(const struct macdonald *c, double x)
{
    if (x >= c->seam)
        return fall(c, 1, x, c->length);
    return fall(c, 0, x, c->seam) + (c->seam < c->length ? fall(c, 1, c->seam, c->length) : 0);
}

struct known {
    const struct macdonald *c;
    double x, bed;
};

/* All rows of a grid need the same x: each thread caches its integrals, in a slot that x's bits
 * give. */
double macdonald_bed(const struct macdonald *c, double x)
{
    enum { DIGITS = 10 };
    static _Thread_local struct known all[1 << DIGITS];
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    struct known *const known =
        &all[bits * 0x9e3779b97f4a7c15 >> (64 - DIGITS)]; /* 2^64 / golden ratio */
    if (known->c != c || memcmp(&known->x, &x, sizeof x) != 0) {
        known->c = c;
        known->x = x;
        known->bed = bed_at(c, x);
    }
    return known->bed;
}
