/* The contract of every reconstruction, and of declared properties. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/contracts/contract.h"
#include "verification/contracts/runs.h"
#include "verification/contracts/search.h"
#include "verification/run/random.h"

/* An input: the levels of three cells, the bed at the faces of the middle one, discharges. */
enum { W0, W1, W2, LOW, HIGH, N0, N1, N2, NUMBERS };

static const double usual[NUMBERS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                      (double)NAN, 0,           0,           0};

/* No cell's level lies below its bed; a dry one has no discharge. */
static int tidy(enum precision p, double *x)
{
    for (int k = 0; k < NUMBERS; k++) {
        x[k] = rounded_to(p, x[k]);
        if (!isfinite(x[k]) || fabs(x[k]) > 1e6)
            return 0;
    }
    const double bed[3] = {x[LOW], rounded_to(p, 0.5 * (x[LOW] + x[HIGH])), x[HIGH]};
    for (int k = 0; k < 3; k++) {
        x[W0 + k] = fmax(x[W0 + k], bed[k]);
        if (!(x[W0 + k] > bed[k]))
            x[N0 + k] = 0;
    }
    return 1;
}

enum { FEW = 5, RANDOM = 20000, MOST = FEW * FEW * FEW * FEW + RANDOM };

static int fill_inputs(enum precision p, double (*x)[INPUTS])
{
    static const double plain[FEW] = {1, 2, 0, 0.5, 4};
    struct sample s = {20240302};
    int n = 0;
    for (int k = 0; k < FEW * FEW * FEW * FEW; k++) {
        const double y[] = {
            plain[k % 5], plain[k / 5 % 5], plain[k / 25 % 5], 0, plain[k / 125], 1, 1, 1};
        memcpy(x[n], y, sizeof y);
        n += tidy(p, x[n]);
    }
    for (int k = 0; k < RANDOM; k++) {
        const double size = pow(10, sample_between(&s, -3, 2));
        for (int m = 0; m < NUMBERS; m++)
            x[n][m] = size * sample_between(&s, -1, 1);
        n += tidy(p, x[n]);
    }
    return n;
}

static struct plain_halves halves_of(const struct subject *s, const double *x)
{
    const struct plain_row row = {.w = {x[W0], x[W1], x[W2]},
                                  .n = {x[N0], x[N1], x[N2]},
                                  .t = {x[N1], x[N2], x[N0]},
                                  .b_low = x[LOW],
                                  .b_high = x[HIGH],
                                  .theta = rounded_to(s->precision, 1.3),
                                  .kappa = rounded_to(s->precision, 0.01)};
    struct plain_halves h;
    s->lib->rows(&row, &h, 1);
    return h;
}

static int is_finite(const struct plain_halves *h)
{
    int ok = 1;
    for (int k = 0; k < 2; k++)
        ok &= isfinite(h->h[k]) && isfinite(h->un[k]) && isfinite(h->ut[k]) && isfinite(h->bed[k]);
    return ok;
}

static void show_row(const struct subject *s, const double *x, char example[SENTENCE])
{
    const enum precision p = s->precision;
    const struct plain_halves h = halves_of(s, x);
    snprintf(
        example, SENTENCE,
        "levels %s, %s, %s over a bed from %s to %s: %s m of water in the cell, and its faces see "
        "%s and %s m",
        exact_text(p, x[W0]), exact_text(p, x[W1]), exact_text(p, x[W2]), exact_text(p, x[LOW]),
        exact_text(p, x[HIGH]), short_text(h.depth), short_text(h.h[0]), short_text(h.h[1]));
}

static int not_finite(const struct subject *s, const double *x)
{
    const struct plain_halves h = halves_of(s, x);
    return !is_finite(&h);
}

/* The kernels treat a negative depth as 0, which leaves the other face's excess. */
static double excess(const struct subject *s, const struct plain_halves *h, const double *x)
{
    const double scale = fabs(x[W1]) + fabs(x[LOW]) + fabs(x[HIGH]);
    const double off = 0.5 * (h->h[0] + h->h[1]) - h->depth;
    return fabs(off) > 8 * precision_epsilon(s->precision) * scale ? off : 0;
}

static int goes_below(const struct plain_halves *h, double off)
{
    return off > 0 && !(fmin(h->h[0], h->h[1]) > 0);
}

static int negative(const struct subject *s, const double *x)
{
    const struct plain_halves h = halves_of(s, x);
    return is_finite(&h) && (goes_below(&h, excess(s, &h, x)) || h.h[0] < 0 || h.h[1] < 0);
}

static int off_mean(const struct subject *s, const double *x)
{
    const struct plain_halves h = halves_of(s, x);
    const double off = excess(s, &h, x);
    return is_finite(&h) && fabs(off) > 0 && !goes_below(&h, off);
}

static void mirrored(const double *x, double *y)
{
    const double z[] = {x[W2], x[W1], x[W0], x[HIGH], x[LOW], -x[N2], -x[N1], -x[N0]};
    memcpy(y, z, sizeof z);
}

static int not_mirrored(const struct subject *s, const double *x)
{
    double y[INPUTS];
    mirrored(x, y);
    const struct plain_halves h = halves_of(s, x), m = halves_of(s, y);
    return is_finite(&h) && is_finite(&m) &&
           (fabs(h.h[0] - m.h[1]) > 0 || fabs(h.h[1] - m.h[0]) > 0 || fabs(h.un[0] + m.un[1]) > 0 ||
            fabs(h.un[1] + m.un[0]) > 0);
}

static void show_mirrored(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    mirrored(x, y);
    const struct plain_halves h = halves_of(s, x), m = halves_of(s, y);
    char a[32], b[32];
    const int k = fabs(h.h[0] - m.h[1]) > 0 ? 0 : 1;
    differing_texts(h.h[k], m.h[!k], a, b);
    show_row(s, x, example);
    const size_t used = strlen(example);
    snprintf(example + used, SENTENCE - used, "; mirrored, %s becomes %s", a, b);
}

static int depends_on_order(const struct subject *s, const double *x)
{
    const struct plain_halves h = halves_of(s, x);
    return is_finite(&h) && fabs(h.bed[0] - h.bed[1]) > 0;
}

static void show_order(const struct subject *s, const double *x, char example[SENTENCE])
{
    const struct plain_halves h = halves_of(s, x);
    show_row(s, x, example);
    const size_t used = strlen(example);
    snprintf(example + used, SENTENCE - used, "; the bed between them lies at %s or %s",
             short_text(h.bed[0]), short_text(h.bed[1]));
}

static const struct inputs inputs = {NUMBERS, MOST, usual, fill_inputs, tidy, show_row};

static const struct question questions[] = {
    {"finite", 0, not_finite, "what the faces see is finite",
     .wrong = "is not finite: probably a division by a depth or a rise of the bed that is zero"},
    {"positive", POSITIVE, negative, "no face sees a depth below zero",
     .wrong =
         "declares POSITIVE and cuts the bed: the depth at a face would be negative and becomes 0, "
         "so that the faces see more water than the cell holds; the half slope must stay "
         "between -high "
         "and low"},
    {"mean", 0, off_mean, "the faces see as much water as there is",
     .wrong = "does not keep the mean: the mean of the depths at the two faces must be the cell's; "
              "what it removes on one side it must add on the other",
     .premise = "positive"},
    {"symmetric", SYMMETRIC, not_mirrored, "a mirrored cell sees mirrored depths, to the bit",
     .wrong = "is not symmetric though it declares it: a mirrored cell must see mirrored depths; "
              "probably "
              "the two faces are not treated alike",
     .show = show_mirrored},
    {"either order", SYMMETRIC, depends_on_order,
     "the two sides of a face may change places, to the bit",
     .wrong = "is not symmetric though it declares it: the bed's level at a face must be the same "
              "when its "
              "two sides change places",
     .show = show_order},
};

enum err contract_reconstruction(const struct plugin *reconstruction, struct remarks *r)
{
    const int before = remarks_failed(r);
    remark_cited(reconstruction->title, reconstruction->cite, "PROPERTIES", r);
    TRY(search(reconstruction, RECONSTRUCTION_PLUGIN, &inputs, questions,
               (int)(sizeof questions / sizeof *questions), r));
    if (remark_fails(r, "compiles"))
        return ERR_OK;
    return runs_of_plugin(reconstruction, RECONSTRUCTION_PLUGIN, remarks_failed(r) > before, r);
}
