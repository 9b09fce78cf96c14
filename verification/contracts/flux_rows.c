/* Three cells, whose middle one must keep a positive depth; and the exact dam break. */
#include "verification/contracts/flux_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verification/contracts/search.h"
#include "verification/run/random.h"

/* An input: depth and velocity of three cells, and gravity. */
enum { GRAVITY = 6, NUMBERS };

static const double usual[NUMBERS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                      (double)NAN, (double)NAN, 9.81};

static int tidy(enum precision p, double *x)
{
    for (int k = 0; k < GRAVITY; k += 2) {
        x[k] = rounded_to(p, x[k]);
        x[k + 1] = x[k] > 0 ? rounded_to(p, x[k + 1]) : 0;
        if (!(x[k] >= 0) || !isfinite(x[k]) || !isfinite(x[k + 1]))
            return 0;
    }
    return !(fabs(x[GRAVITY] - 9.81) > 0) || !(fabs(x[GRAVITY] - 1) > 0);
}

enum { PLAIN = 9, RANDOM = 24000, MOST = PLAIN * PLAIN * PLAIN + RANDOM };

static void random_cell(struct sample *s, double *x)
{
    const double fast = sample_between(s, 0, 1) < 0.5 ? 1 : 20;
    x[0] = sample_between(s, 0, 1) < 0.2 ? 0 : pow(10, sample_between(s, -7, 2));
    x[1] = sample_between(s, -fast, fast);
}

static int fill_inputs(enum precision p, double (*x)[INPUTS])
{
    static const double plain[PLAIN][2] = {{1, 0}, {2, 0},  {0, 0},   {1, 1},   {1, -1},
                                           {1, 4}, {1, -4}, {0.1, 1}, {0.1, -1}};
    struct sample s = {20240301};
    int n = 0;
    for (int k = 0; k < PLAIN * PLAIN * PLAIN; k++) {
        memcpy(x[n], plain[k % PLAIN], sizeof *plain);
        memcpy(x[n] + 2, plain[k / PLAIN % PLAIN], sizeof *plain);
        memcpy(x[n] + 4, plain[k / PLAIN / PLAIN], sizeof *plain);
        x[n][GRAVITY] = 9.81;
        n += tidy(p, x[n]);
    }
    for (int k = 0; k < RANDOM; k++) {
        for (int c = 0; c < 3; c++)
            random_cell(&s, x[n] + 2L * c);
        x[n][GRAVITY] = k % 2 ? 9.81 : 1;
        n += tidy(p, x[n]);
    }
    return n;
}

/* Depth of the middle cell after a forward Euler step at Courant number one half, plus the roundings in
 * its terms: those of all three cells, because their parts of a flux may cancel. */
static double depth_after(const struct subject *s, const double *x)
{
    const double g = rounded_to(s->precision, x[GRAVITY]);
    struct plain_side c[3];
    struct plain_flux f[2];
    double fastest = 0, transport = 0;
    for (int k = 0; k < 3; k++) {
        c[k] = (struct plain_side){x[2L * k], x[2L * k + 1], 0, 0};
        const double speed = fabs(c[k].un) + sqrt(g * c[k].h);
        fastest = fmax(fastest, speed);
        transport += speed * c[k].h;
    }
    s->lib->flux(c, c + 1, g, f, 2);
    const double dt = fastest > 0 ? 0.5 / fastest : 0;
    return c[1].h + dt * (f[0].h - f[1].h) +
           8 * precision_epsilon(s->precision) * (c[1].h + dt * transport);
}

static int empties(const struct subject *s, const double *x)
{
    const double h = depth_after(s, x);
    return isfinite(h) && h < 0;
}

static void show_cells(const struct subject *s, const double *x, char example[SENTENCE])
{
    const enum precision p = s->precision;
    snprintf(example, SENTENCE,
             "cells (h %s, u %s), (h %s, u %s), (h %s, u %s)%s: the middle one's depth becomes %s",
             exact_text(p, x[0]), exact_text(p, x[1]), exact_text(p, x[2]), exact_text(p, x[3]),
             exact_text(p, x[4]), exact_text(p, x[5]), fabs(x[GRAVITY] - 1) > 0 ? "" : ", g 1",
             short_text(depth_after(s, x)));
}

static const struct inputs inputs = {NUMBERS, MOST, usual, fill_inputs, tidy, show_cells};

/* Exact depth at x/t after a dam break of 10 m onto 1 m (Stoker 1957), x/t in units of sqrt(g) m/s.
 * The depth, the velocity and the shock's speed solve his equations to round-off. */
static double stoker(double speed)
{
    const double hm = 3.961748167994429, um = 2.343727181371486, shock = 3.135059546053444;
    const double cl = sqrt(10), cm = sqrt(hm), c = (2 * cl - speed) / 3;
    return speed < -cl ? 10 : speed < um - cm ? c * c : speed < shock ? hm : 1;
}

enum { COARSE = 50, FINE = 400 };

/* Relative L1 error in depth of the first-order scheme on 100 m, when the shock is 39 m away. */
static double dam_break_error(flux_call *flux, enum precision p, double g, int n)
{
    static _Thread_local struct plain_side cell[FINE + 2];
    static _Thread_local struct plain_flux face[FINE + 1];
    const double dx = 100.0 / n, fastest = 6 * sqrt(g), dt = 0.4 * dx / fastest;
    double t = 0, error = 0, total = 0;
    for (int k = 0; k < n + 2; k++)
        cell[k] = (struct plain_side){k <= n / 2 ? 10 : 1, 0, 0, 0};
    while (t * sqrt(g) < 12.5) {
        flux(cell, cell + 1, g, face, n + 1);
        for (int k = 1; k <= n; k++) {
            const double h = cell[k].h - dt / dx * (face[k].h - face[k - 1].h);
            const double q = cell[k].h * cell[k].un - dt / dx * (face[k].n - face[k - 1].n);
            cell[k].h = rounded_to(p, h);
            cell[k].un = cell[k].h > 0 ? rounded_to(p, q / h) : 0;
        }
        t += dt;
    }
    for (int k = 1; k <= n; k++) {
        const double exact = stoker((k - 0.5 - 0.5 * n) * dx / t / sqrt(g));
        error += fabs(cell[k].h - exact);
        total += exact;
    }
    return error / total;
}

/* An eighth of the cell size must at least third the error: beside shocks a first-order scheme falls
 * short of its order. A flux that is consistent but violates entropy keeps a finite error. */
static enum err ask_dam_break(const struct plugin *flux, struct remarks *r)
{
    static const char check[] = "dam break";
    for (int k = 0; k < 2 * PRECISIONS; k++) {
        const enum precision p = (enum precision)(k / 2);
        const double g = rounded_to(p, k % 2 ? 1 : 9.81);
        struct plugin_library lib;
        char example[SENTENCE];
        TRY(plugin_load(&lib, FLUX_PLUGIN, flux->name, p));
        const double coarse = dam_break_error(lib.flux, p, g, COARSE);
        const double fine = dam_break_error(lib.flux, p, g, FINE);
        plugin_unload(&lib);
        if (coarse < 0.1 && fine < coarse / 3)
            continue;
        snprintf(example, sizeof example,
                 "10 m onto 1 m, %s, g %g: the L1 error in depth is %s on %d cells and %s on %d",
                 precision_names[p], k % 2 ? 1 : 9.81, short_text(coarse), COARSE, short_text(fine),
                 FINE);
        remark(
            r, FAILS, check, example,
            "%s does not converge to the exact dam break: probably a wave speed has a wrong sign "
            "or is too small, or a Roe flux lacks its entropy fix",
            flux->name);
        return ERR_OK;
    }
    remark(r, HOLDS, check, "", "converges to the exact dam break of 10 m onto 1 m (Stoker 1957)");
    return ERR_OK;
}

enum err ask_rows(const struct plugin *flux, struct remarks *r)
{
    static const struct question keeps_depths = {
        "positive", POSITIVE, empties, "no depth becomes negative in a step at Courant number 1/2",
        .wrong =
            "declares POSITIVE and makes a depth negative in one step at Courant number 1/2: "
            "probably "
            "its wave speeds are smaller than the fastest wave, or differ on the two sides of what "
            "they damp"};
    TRY(search(flux, FLUX_PLUGIN, &inputs, &keeps_depths, 1, r));
    return remarks_failed(r) ? ERR_OK : ask_dam_break(flux, r);
}
