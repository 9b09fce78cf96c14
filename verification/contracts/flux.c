/* The contract of every flux, and of declared properties. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/contracts/contract.h"
#include "verification/contracts/flux_rows.h"
#include "verification/contracts/flux_sides.h"
#include "verification/contracts/runs.h"
#include "verification/contracts/search.h"
#include "verification/run/random.h"

static const double usual[FLUX_NUMBERS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                           (double)NAN, (double)NAN, 9.81};
static const double gravities[] = {9.81, 1};

/* A dry side has no velocity: the kernels divide by a desingularised depth. */
static int tidy(enum precision p, double *x)
{
    for (int k = HL; k <= VR; k++) {
        x[k] = rounded_to(p, x[k]);
        if (!isfinite(x[k]))
            return 0;
    }
    for (int k = HL; k <= HR; k += HR) {
        if (x[k] < 0)
            return 0;
        if (!(x[k] > 0))
            x[k + 1] = x[k + 2] = 0;
    }
    return !(fabs(x[GRAVITY] - 9.81) > 0) || !(fabs(x[GRAVITY] - 1) > 0);
}

enum { SIDES = 54, RANDOM = 6000, MOST = 2 * (SIDES * SIDES + RANDOM) };

static double any_size(struct sample *s, double lo, double hi)
{
    return pow(10, sample_between(s, lo, hi));
}

static void random_side(struct sample *s, double *x)
{
    const double fast = sample_between(s, 0, 1) < 0.5 ? 1 : 20;
    x[0] = sample_between(s, 0, 1) < 0.2 ? 0 : any_size(s, -7, 2);
    x[1] = sample_between(s, -fast, fast);
    x[2] = sample_between(s, -fast, fast);
}

/* Equal depths in pairs, so that water at rest, equal states and each wet-dry front occur; then
 * arbitrary states. */
static int fill_inputs(enum precision p, double (*x)[INPUTS])
{
    static const double h[9] = {1, 2, 0, 0.5, 10, 1e-3, 1e-7, 1000, 1e-30};
    static const double u[6] = {0, 1, -1, 4, -4, 40};
    int n = 0;
    for (size_t m = 0; m < sizeof gravities / sizeof *gravities; m++) {
        struct sample s = {20240301};
        for (int k = 0; k < SIDES * SIDES; k++) {
            const int i = k % SIDES, j = k / SIDES;
            const double y[] = {h[i % 9], u[i / 9], 0.5, h[j % 9], u[j / 9], -1, gravities[m]};
            memcpy(x[n], y, sizeof y);
            n += tidy(p, x[n]);
        }
        for (int k = 0; k < RANDOM; k++) {
            random_side(&s, x[n] + HL);
            random_side(&s, x[n] + HR);
            if (k % 6 == 0)
                flux_make_equal(x[n]);
            x[n][GRAVITY] = gravities[m];
            n += tidy(p, x[n]);
        }
    }
    return n;
}

static const struct inputs inputs = {FLUX_NUMBERS, MOST, usual, fill_inputs, tidy, flux_show};

static int not_finite(const struct subject *s, const double *x)
{
    return !flux_is_finite(flux_at(s, x));
}

static const char *why_not_finite(const struct subject *s, const double *x)
{
    const double h = fmax(x[HL], x[HR]), low = fmin(x[HL], x[HR]);
    (void)s;
    if (!(h > 0))
        return " beside a dry side: probably a division by the width of a fan of waves, which is 0 "
               "between two dry sides: take 0 there";
    if (!(low > 0))
        return " beside a dry side: probably a division by the depth of the dry side: test for a "
               "depth of 0, or avoid the quotient";
    if (low < 1e-6)
        return ": probably a power of a small depth that underflows to 0 before it divides";
    return ": probably a division by zero, or the root of a negative number";
}

/* Both sides at rest: the deeper one pushes. */
static int flows_uphill(const struct subject *s, const double *x)
{
    const double g = flux_gravity(s, x);
    const struct plain_side l = {x[HL], 0, 0, 0}, r = {x[HR], 0, 0, 0};
    const struct plain_flux f = flux_between(s, l, r, g);
    const double slack =
        8 * precision_epsilon(s->precision) * fmax(x[HL], x[HR]) * sqrt(g * fmax(x[HL], x[HR]));
    return flux_is_finite(f) && ((x[HL] > x[HR] && f.h < -slack) || (x[HL] < x[HR] && f.h > slack));
}

static void show_at_rest(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    memcpy(y, x, sizeof y);
    y[UL] = y[VL] = y[UR] = y[VR] = 0;
    flux_show(s, y, example);
}

static void mirrored(const double *x, double *y)
{
    const double z[] = {x[HR], 0 - x[UR], x[VR], x[HL], 0 - x[UL], x[VL], x[GRAVITY]};
    memcpy(y, z, sizeof z);
}

static int not_mirrored(const struct subject *s, const double *x)
{
    double y[INPUTS];
    mirrored(x, y);
    const struct plain_flux f = flux_at(s, x), m = flux_at(s, y);
    return flux_is_finite(f) && flux_is_finite(m) &&
           (fabs(m.h + f.h) > 0 || fabs(m.n - f.after) > 0 || fabs(m.t + f.t) > 0);
}

static int is_off_by_rounding(struct plain_flux f, struct plain_flux m)
{
    const double scale = fabs(f.h) + fabs(f.n) + fabs(f.t);
    return fabs(m.h + f.h) + fabs(m.n - f.after) + fabs(m.t + f.t) < 1e-5 * scale;
}

static const char *why_not_mirrored(const struct subject *s, const double *x)
{
    double y[INPUTS];
    mirrored(x, y);
    return is_off_by_rounding(flux_at(s, x), flux_at(s, y))
               ? "only the rounding differs here: group the sums so that no side comes first"
               : "probably a stray sign in a velocity or a wave speed of one side";
}

static void show_mirrored(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    mirrored(x, y);
    const struct plain_flux f = flux_at(s, x), m = flux_at(s, y);
    if (is_off_by_rounding(f, m))
        snprintf(example, SENTENCE, "%s and its mirror image differ by %s, %s, %s",
                 flux_sides_text(s, x), short_text(m.h + f.h), short_text(m.n - f.after),
                 short_text(m.t + f.t));
    else
        flux_show_both(s, x, y, example);
}

static int flows_between_dry(const struct subject *s, const double *x)
{
    const struct plain_flux f = flux_at(s, x);
    return !(x[HL] > 0) && !(x[HR] > 0) && flux_is_finite(f) &&
           (fabs(f.h) > 0 || fabs(f.n) > 0 || fabs(f.t) > 0);
}

static int drains_dry(const struct subject *s, const double *x)
{
    const double there = fabs(x[HL] * x[UL]) + fabs(x[HR] * x[UR]), f = flux_at(s, x).h;
    const double slack = 8 * precision_epsilon(s->precision) * there;
    return (!(x[HL] > 0) && f > slack) || (!(x[HR] > 0) && f < -slack);
}

static const struct question questions[] = {
    {"finite", 0, not_finite, "the flux is finite, also beside a dry side",
     .wrong = "is not finite", .why = why_not_finite},
    {"dry", 0, flows_between_dry, "nothing flows between dry sides",
     .wrong = "leaks through a face that is dry on both sides: without water all fluxes must be 0; "
              "probably "
              "a least depth or a constant is added"},
    {"consistent", 0, flux_inconsistent, "equal sides give the flux of their state",
     .wrong = "is inconsistent: two equal sides must give the flux of their state; ",
     .why = flux_why_inconsistent, .show = flux_show_inconsistent},
    {"downhill", 0, flows_uphill, "water at rest flows from the deeper side",
     .wrong = "lets water at rest flow from the shallow side to the deep one: probably a stray "
              "sign in a "
              "wave speed (u - c to the left, u + c to the right), or in the difference of the two "
              "sides",
     .show = show_at_rest},
    {"symmetric", SYMMETRIC, not_mirrored, "mirrored sides mirror the flux, to the bit",
     .wrong = "is not symmetric though it declares it: mirrored sides must mirror the flux; ",
     .why = why_not_mirrored, .show = show_mirrored},
    {"takes nothing from dry ground", POSITIVE, drains_dry, "no water leaves a dry side",
     .wrong = "declares POSITIVE and takes water out of a dry side: probably its wave speeds "
              "ignore the front on dry ground, at u - 2c or u + 2c"},
    {"tangential momentum", 0, flux_loses_tangential,
     "tangential momentum is carried with the water",
     .wrong = "does not carry the tangential momentum with the water: where both sides have the "
              "same v its "
              "flux must be v times the mass flux",
     .show = flux_show_tangential},
    {"no unit", 0, flux_has_unit, "the same flow in other units has the same flux",
     .wrong = "depends on units: depths 4 times and velocities 2 times as large must give 8 times "
              "the mass "
              "flux and 16 times the momentum flux; probably it adds a constant",
     .show = flux_show_units},
    {"no datum", 0, flux_feels_datum, "the level of a flat bed does not matter",
     .wrong = "depends on the bed's level where the bed is flat: only the difference of the two "
              "bed levels "
              "may count",
     .show = flux_show_datum},
};

/* For a flux that handles steps of the bed. */
static const struct question rest = {"rest over a step",
                                     BED_STEP,
                                     flux_stirs_at_step,
                                     "water at rest over a step in the bed stays at rest",
                                     .wrong = "declares BED_STEP and moves water at rest over a "
                                              "step in the bed: there the mass flux must be 0, and "
                                              "each side must have its own pressure g h^2/2",
                                     .show = flux_show_step};

enum err contract_flux(const struct plugin *flux, struct remarks *r)
{
    const int before = remarks_failed(r);
    remark_cited(flux->title, flux->cite, "PROPERTIES", r);
    TRY(search(flux, FLUX_PLUGIN, &inputs, questions, (int)(sizeof questions / sizeof *questions),
               r));
    if (remark_fails(r, "compiles"))
        return ERR_OK;
    if (flux->properties & BED_STEP)
        TRY(search(flux, STEP_FLUX_PLUGIN, &inputs, &rest, 1, r));
    TRY(ask_rows(flux, r));
    return runs_of_plugin(flux, FLUX_PLUGIN, remarks_failed(r) > before, r);
}
