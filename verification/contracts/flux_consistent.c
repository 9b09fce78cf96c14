/* Two equal sides give the flux of their state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/contracts/flux_sides.h"
#include "verification/run/random.h"

/* Below it rounding is no longer relative: the smallest normal number over epsilon. */
static double underflow(enum precision p)
{
    return (p == F64 ? 0x1p-1022 : 0x1p-126) / precision_epsilon(p);
}

static struct plain_flux of_equal(const struct subject *s, const double *x)
{
    return flux_between(s, flux_left(x), flux_left(x), flux_gravity(s, x));
}

static struct plain_flux physical(const struct subject *s, const double *x)
{
    const double mass = x[HL] * x[UL];
    const double n = mass * x[UL] + 0.5 * flux_gravity(s, x) * x[HL] * x[HL];
    return (struct plain_flux){mass, n, mass * x[VL], n};
}

static int off_in_mass(const struct subject *s, const double *x)
{
    const double mass = physical(s, x).h;
    return flux_far_apart(s, of_equal(s, x).h, mass, fabs(mass));
}

static int off_in_momentum(const struct subject *s, const double *x)
{
    const double n = physical(s, x).n, tiny = x[HL] > 0 ? underflow(s->precision) : 0;
    return flux_far_apart(s, of_equal(s, x).n, n, n + tiny) ||
           flux_far_apart(s, of_equal(s, x).after, n, n + tiny);
}

static int off_in_tangential(const struct subject *s, const double *x)
{
    const double t = physical(s, x).t;
    return flux_far_apart(s, of_equal(s, x).t, t, fabs(t));
}

int flux_inconsistent(const struct subject *s, const double *x)
{
    return x[HL] > 0 && flux_is_finite(of_equal(s, x)) &&
           (off_in_mass(s, x) || off_in_momentum(s, x) || off_in_tangential(s, x));
}

static int near(double x, double y)
{
    return fabs(x - y) <= 1e-4 * fabs(y);
}

#define MOMENTUM "the momentum flux must be h u^2 + g h^2/2: probably "

static const char *why_momentum(double is, double advected, double pressure)
{
    if (near(is, advected - pressure) || near(is, pressure - advected) ||
        near(is, -pressure - advected))
        return MOMENTUM "a stray sign in the momentum flux";
    if (near(is, advected) && advected > 0)
        return MOMENTUM "the pressure is missing";
    if (near(is, pressure))
        return MOMENTUM "h u^2 is missing";
    if (near(is, advected + 2 * pressure))
        return MOMENTUM "the half of g h^2/2 is missing";
    return MOMENTUM
        "a wrong factor or sign in h u^2 + g h^2/2, or weights of the two sides that do "
        "not add up to 1";
}

const char *flux_why_inconsistent(const struct subject *s, const double *x)
{
    const struct plain_flux is = of_equal(s, x), must = physical(s, x);
    const double pressure = 0.5 * flux_gravity(s, x) * x[HL] * x[HL];
    if (off_in_mass(s, x))
        return "the mass flux must be h u: probably a stray sign, or weights of the two sides that "
               "do not add up to 1";
    if (off_in_momentum(s, x))
        return why_momentum(is.n, must.n - pressure, pressure);
    return fabs(is.t) > 0 ? "the tangential momentum flux must be h u v: probably a wrong sign or "
                            "velocity in it"
                          : "the tangential momentum is not transported: its flux must be h u v";
}

void flux_show_inconsistent(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    memcpy(y, x, sizeof y);
    flux_make_equal(y);
    snprintf(example, SENTENCE, "%s = %s, not %s", flux_sides_text(s, y), flux_text(of_equal(s, x)),
             flux_text(physical(s, x)));
}
