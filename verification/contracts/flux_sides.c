/* The sides of a face, and texts about them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/contracts/flux_sides.h"
#include "verification/run/random.h"

struct plain_side flux_left(const double *x)
{
    return (struct plain_side){x[HL], x[UL], x[VL], 0};
}

void flux_make_equal(double *x)
{
    for (int k = 0; k < HR; k++)
        x[HR + k] = x[k];
}

struct plain_side flux_right(const double *x)
{
    return (struct plain_side){x[HR], x[UR], x[VR], 0};
}

double flux_gravity(const struct subject *s, const double *x)
{
    return rounded_to(s->precision, x[GRAVITY]);
}

struct plain_flux flux_between(const struct subject *s, struct plain_side l, struct plain_side r,
                               double g)
{
    struct plain_flux f;
    s->lib->flux(&l, &r, g, &f, 1);
    return f;
}

struct plain_flux flux_at(const struct subject *s, const double *x)
{
    return flux_between(s, flux_left(x), flux_right(x), flux_gravity(s, x));
}

/* "(h 1, u 2, v 0 | h 0, u 0, v 0)" */
const char *flux_sides_text(const struct subject *s, const double *x)
{
    static _Thread_local char text[2][200];
    static _Thread_local int at;
    char *to = text[at = !at], gravity[32] = "";
    if (fabs(x[GRAVITY] - 9.81) > 0)
        snprintf(gravity, sizeof gravity, " | g %s", exact_text(F64, x[GRAVITY]));
    const enum precision p = s->precision;
    snprintf(to, sizeof text[0], "%s(h %s, u %s, v %s | h %s, u %s, v %s%s)", s->name,
             exact_text(p, x[HL]), exact_text(p, x[UL]), exact_text(p, x[VL]), exact_text(p, x[HR]),
             exact_text(p, x[UR]), exact_text(p, x[VR]), gravity);
    return to;
}

const char *flux_text(struct plain_flux f)
{
    static _Thread_local char text[2][128];
    static _Thread_local int at;
    char *to = text[at = !at];
    snprintf(to, sizeof text[0], "(%s, %s, %s)", short_text(f.h), short_text(f.n), short_text(f.t));
    return to;
}

void flux_show(const struct subject *s, const double *x, char example[SENTENCE])
{
    snprintf(example, SENTENCE, "%s = %s", flux_sides_text(s, x), flux_text(flux_at(s, x)));
}

void flux_show_both(const struct subject *s, const double *x, const double *y,
                    char example[SENTENCE])
{
    snprintf(example, SENTENCE, "%s = %s but %s = %s", flux_sides_text(s, x),
             flux_text(flux_at(s, x)), flux_sides_text(s, y), flux_text(flux_at(s, y)));
}

int flux_is_finite(struct plain_flux f)
{
    return isfinite(f.h) && isfinite(f.n) && isfinite(f.t) && isfinite(f.after);
}

/* A handful of roundings of the largest term; none where the terms are zero. */
int flux_far_apart(const struct subject *s, double x, double y, double scale)
{
    return !(fabs(x - y) <= 8 * precision_epsilon(s->precision) * scale);
}
