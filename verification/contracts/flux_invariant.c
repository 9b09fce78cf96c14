/* Tangential momentum, units, the bed's level: invariances of a flux. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/contracts/flux_sides.h"
#include "verification/run/random.h"

/* If both sides have the same tangential velocity, so has the flux. */
int flux_loses_tangential(const struct subject *s, const double *x)
{
    struct plain_side l = flux_left(x), r = flux_right(x);
    if (!(l.h > 0) || !(r.h > 0))
        return 0;
    r.ut = l.ut;
    const struct plain_flux f = flux_between(s, l, r, flux_gravity(s, x));
    const double speed = fabs(l.un) + fabs(r.un) + sqrt(flux_gravity(s, x) * (l.h + r.h));
    return flux_is_finite(f) &&
           flux_far_apart(s, f.t, f.h * l.ut, 8 * (l.h + r.h) * speed * fabs(l.ut));
}

void flux_show_tangential(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    memcpy(y, x, sizeof y);
    y[VR] = y[VL];
    const struct plain_flux f = flux_at(s, y);
    snprintf(example, SENTENCE, "%s = %s, and %s x %s is %s", flux_sides_text(s, y), flux_text(f),
             short_text(y[VL]), short_text(f.h), short_text(y[VL] * f.h));
}

/* Depths 4 times as large with velocities twice as large: the same flow in other units. */
static void in_other_units(const double *x, double *y)
{
    const double z[] = {4 * x[HL], 2 * x[UL], 2 * x[VL], 4 * x[HR],
                        2 * x[UR], 2 * x[VR], x[GRAVITY]};
    memcpy(y, z, sizeof z);
}

int flux_has_unit(const struct subject *s, const double *x)
{
    double y[INPUTS];
    const double low = fmin(x[HL], x[HR]), h = fmax(x[HL], x[HR]);
    in_other_units(x, y);
    const struct plain_flux f = flux_at(s, x), m = flux_at(s, y);
    const double g = flux_gravity(s, x), c = fabs(x[UL]) + fabs(x[UR]) + sqrt(g * h),
                 off = 1e3 * precision_epsilon(s->precision);
    return (low > 1e-5 || !(low > 0)) && h > 1e-5 && flux_is_finite(f) && flux_is_finite(m) &&
           (!(fabs(m.h - 8 * f.h) <= 8 * off * h * c) ||
            !(fabs(m.n - 16 * f.n) <= 16 * off * h * (c * c + 1)));
}

void flux_show_units(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    in_other_units(x, y);
    flux_show_both(s, x, y, example);
}

/* The level of a flat bed does not matter. */
int flux_feels_datum(const struct subject *s, const double *x)
{
    struct plain_side l = flux_left(x), r = flux_right(x);
    const double g = flux_gravity(s, x), h = fmax(l.h, r.h);
    const struct plain_flux f = flux_between(s, l, r, g);
    l.b = r.b = 2;
    const struct plain_flux m = flux_between(s, l, r, g);
    const double c = fabs(x[UL]) + fabs(x[UR]) + sqrt(g * (h + 2));
    const double off = 1e2 * precision_epsilon(s->precision) * (h + 2);
    return flux_is_finite(f) && flux_is_finite(m) &&
           (!(fabs(m.h - f.h) <= off * c) || !(fabs(m.n - f.n) <= off * c * c));
}

void flux_show_datum(const struct subject *s, const double *x, char example[SENTENCE])
{
    struct plain_side l = flux_left(x), r = flux_right(x);
    l.b = r.b = 2;
    snprintf(example, SENTENCE, "%s = %s, and over a bed at 2 m %s", flux_sides_text(s, x),
             flux_text(flux_at(s, x)), flux_text(flux_between(s, l, r, flux_gravity(s, x))));
}

/* One level on both sides of a step, and no velocity. */
int flux_stirs_at_step(const struct subject *s, const double *x)
{
    const double g = flux_gravity(s, x), level = fmax(x[HL], x[HR]);
    const struct plain_side l = {x[HL], 0, 0, level - x[HL]}, r = {x[HR], 0, 0, level - x[HR]};
    const struct plain_flux f = flux_between(s, l, r, g);
    const double eps = 64 * precision_epsilon(s->precision), p = 0.5 * g * level * level;
    return fmin(x[HL], x[HR]) > 1e-9 && (!(fabs(f.h) <= eps * level * sqrt(g * level)) ||
                                         !(fabs(f.n - 0.5 * g * x[HL] * x[HL]) <= eps * p) ||
                                         !(fabs(f.after - 0.5 * g * x[HR] * x[HR]) <= eps * p));
}

void flux_show_step(const struct subject *s, const double *x, char example[SENTENCE])
{
    const double g = flux_gravity(s, x), level = fmax(x[HL], x[HR]);
    const struct plain_side l = {x[HL], 0, 0, level - x[HL]}, r = {x[HR], 0, 0, level - x[HR]};
    const struct plain_flux f = flux_between(s, l, r, g);
    snprintf(example, SENTENCE,
             "depths %s and %s with one level: mass flux %s, momentum %s and %s, not %s and %s",
             exact_text(s->precision, x[HL]), exact_text(s->precision, x[HR]), short_text(f.h),
             short_text(f.n), short_text(f.after), short_text(0.5 * g * x[HL] * x[HL]),
             short_text(0.5 * g * x[HR] * x[HR]));
}
