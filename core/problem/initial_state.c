/* Sampling the initial state; the desingularisation depth where nobody chose it. */
#include "core/problem/initial_state.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state_parts.h"
#include "core/problem/shoreline.h"

enum { WATER = 3 }; /* unknowns of the water itself */

long initial_pitch(int nx)
{
    return ((long)MARGIN + nx + GHOSTS + 1 + MARGIN - 1) / MARGIN * MARGIN;
}

long initial_rows(int ny)
{
    return (long)ny + 2L * GHOSTS + 1;
}

double initial_bed(const struct initial *in, int i, int j)
{
    return in->datum + initial_get(in, in->bed, i, j);
}

double initial_bed_centre(const struct initial *in, int i, int j)
{
    return in->datum + initial_centre(in, i, j);
}

/* In the run's precision. The order of the sum is that of no direction: mirrored and transposed beds give
 * the same bits. */
double initial_centre(const struct initial *in, int i, int j)
{
    const double b00 = initial_get(in, in->bed, i, j), b10 = initial_get(in, in->bed, i + 1, j);
    const double b01 = initial_get(in, in->bed, i, j + 1);
    const double b11 = initial_get(in, in->bed, i + 1, j + 1);
    if (in->precision == F64)
        return 0.25 * ((b00 + b11) + (b10 + b01));
    const float a = (float)b00 + (float)b11, b = (float)b10 + (float)b01;
    return (double)(0.25f * (a + b));
}

double initial_rest(const struct initial *in, int i, int j)
{
    return fmax(initial_centre(in, i, j), in->still);
}

double initial_floor(const struct initial *in, int i, int j)
{
    const double centre = initial_centre(in, i, j);
    return initial_rounded(in, centre - fmax(centre, in->still));
}

double initial_depth(const struct initial *in, int i, int j)
{
    return initial_rounded(in, initial_get(in, in->field[0], i, j) - initial_floor(in, i, j));
}

enum err initial_allocate(const struct initial *in, void **field)
{
    *field = aligned_alloc(128, (in->field_bytes + 127) / 128 * 128);
    if (!*field)
        FAIL(MEMORY,
             "each field of the initial state of %d x %d cells needs %zu bytes of main memory",
             in->nx, in->ny, in->field_bytes);
    memset(*field, 0xff, in->field_bytes);
    return ERR_OK;
}

static enum err allocate(struct initial *in, int forced)
{
    TRY(initial_allocate(in, &in->bed));
    TRY(initial_allocate(in, &in->centre));
    for (int k = 0; k < WATER; k++)
        TRY(initial_allocate(in, &in->field[k]));
    for (int k = 0; k < WATER && forced; k++)
        TRY(initial_allocate(in, &in->force[k]));
    return ERR_OK;
}

/* Numbers of a file may be too large for those of the run. */
enum err initial_not_finite(const struct initial *in, const char *what, int i, int j, double value)
{
    if (!isfinite(value))
        FAIL(INPUT, "the %s (%d, %d) is not a finite number", what, i, j);
    FAIL(INPUT, "the %s (%d, %d) is %g, and %s: correct it, or convert its unit%s", what, i, j,
         value,
         in->precision == F64 ? "sums of such numbers are too large for double precision"
                              : "single precision holds no sums of such numbers",
         in->precision == F64 ? "" : ", or choose --precision f64");
}

/* By magnitude; one that is not finite, if there is one. */
static double largest(struct flow f)
{
    const double x = fmax(fabs(f.w), fmax(fabs(f.u), fabs(f.v)));
    return isfinite(f.w + f.u + f.v) ? x : f.w + f.u + f.v;
}

/* Levels go into `level`, ny rows of nx, m; velocities or discharges into the fields. */
static enum err sample_water(struct initial *in, const struct setup *setup, double *level)
{
    const struct source *src = &setup->source;
    int nx = in->nx, ny = in->ny, bad = 0, bad_i = 0, bad_j = 0;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            struct flow f = src->water(src->context, i, j);
            level[(size_t)j * (size_t)nx + (size_t)i] = f.w;
            initial_put(in, in->field[1], i, j, f.u);
            initial_put(in, in->field[2], i, j, f.v);
            if (!initial_holds(in, largest(f))) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        return initial_not_finite(in, "initial state of cell", bad_i, bad_j,
                                  largest(src->water(src->context, bad_i, bad_j)));
    return ERR_OK;
}

/* The lowest of the surface, dry land's included; walls for missing terrain apart. */
static void find_still(struct initial *in, const struct source *src, const double *level)
{
    double still = (double)INFINITY;
#pragma omp parallel for schedule(static) reduction(min : still)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double w = level[(size_t)j * (size_t)in->nx + (size_t)i] - in->datum;
            if (!src->wall || !src->wall(src->context, i, j))
                still = fmin(still, fmax(w, initial_get(in, in->centre, i, j)));
        }
    }
    if (isinf(still))
        still = 0;
    if (in->quantum > 0)
        still = initial_multiple(still, in->quantum / 4);
    in->still = initial_rounded(in, still);
}

static int all_below_still(const struct initial *in)
{
    int below = 1;
#pragma omp parallel for schedule(static) reduction(&& : below)
    for (int j = -GHOSTS; j < in->ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < in->nx + GHOSTS; i++)
            below = below && initial_get(in, in->centre, i, j) <= in->still;
    return below;
}

/* What rounding can leave above a bed at this level, m above the datum. Of cells beside walls for missing terrain,
 * which stand out of the range that the quantum is chosen for, it is more than of all others. */
static double rounding_film(const struct initial *in, double centre)
{
    return 4 * (in->precision == F64 ? DBL_EPSILON : (double)FLT_EPSILON) * fabs(centre);
}

/* The largest depth over all cells, m; `above`: over ground above the still level. */
static double deepest(const struct initial *in, const double *level, int above)
{
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double w = level[(size_t)j * (size_t)in->nx + (size_t)i] - in->datum;
            const double centre = initial_get(in, in->centre, i, j);
            if ((!above || centre > in->still) && w - centre >= rounding_film(in, centre))
                most = fmax(most, w - centre);
        }
    }
    return most;
}

/* Water that stands deep on high ground is rounded as coarsely as the relief: so may the bed be, then. */
static enum err lay_ground(struct initial *in, const struct setup *setup, const double *level)
{
    find_still(in, &setup->source, level);
    const double depth = deepest(in, level, 1);
    if (ground_quantum(in, depth) > in->quantum) {
        TRY(ground_lay(in, setup, depth));
        find_still(in, &setup->source, level);
    }
    in->submerged = all_below_still(in);
    return ERR_OK;
}

double initial_sum(const struct initial *in, const void *field)
{
    double sum = 0, lost = 0; /* Kahan: rows in order, so that the sum has one value */
    double *row = calloc((size_t)in->ny, sizeof *row);
    if (!row)
        return (double)NAN;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        double s = 0, c = 0;
        for (int i = 0; i < in->nx; i++) {
            double y = initial_get(in, field, i, j) - c, t = s + y;
            c = (t - s) - y;
            s = t;
        }
        row[j] = s;
    }
    for (int j = 0; j < in->ny; j++) {
        double y = row[j] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    free(row);
    return sum;
}

static enum err sample_force(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    int bad = 0, bad_i = 0, bad_j = 0;
    double most = 0;
    if (!src->force)
        return ERR_OK;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            struct forcing f = src->force(src->context, i, j);
            initial_put(in, in->force[0], i, j, f.w);
            most = fmax(most, initial_get(in, in->force[0], i, j));
            initial_put(in, in->force[1], i, j, f.hu);
            initial_put(in, in->force[2], i, j, f.hv);
            if (!isfinite(f.w) || !isfinite(f.hu) || !isfinite(f.hv)) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        FAIL(INPUT, "the forcing of cell (%d, %d) is not finite", bad_i, bad_j);
    in->force_sum[0] = initial_sum(in, in->force[0]);
    in->force_most = most;
    if (!isfinite(in->force_sum[0]))
        FAIL(MEMORY, "no memory to add up the forcing");
    return ERR_OK;
}

/* Becomes what kernels need of it, as core/sim/physics.c does with a common n. */
static enum err sample_manning(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    int bad = 0, bad_i = 0, bad_j = 0;
    if (!src->manning)
        return ERR_OK;
    TRY(initial_allocate(in, &in->roughness));
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double n = src->manning(src->context, i, j);
            initial_put(in, in->roughness, i, j, setup->gravity * n * n);
            if (!(n >= 0 && n <= DBL_MAX)) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        FAIL(INPUT, "Manning's n of cell (%d, %d) is not a number from 0 on", bad_i, bad_j);
    return ERR_OK;
}

/* Depths at faces are sums of numbers no larger than relief and depth, each rounded by half a unit of it. */
static double film(const struct initial *in)
{
    const double most = fmax(in->highest - in->lowest, in->depth_max);
    return in->dry + ldexp(initial_power_above(most), -initial_digits(in));
}

/* A film that the rounding of the bed's levels can make, here or in the source's doubles, is no water: it
 * would spread over dry land. */
static double thinnest(const struct initial *in)
{
    const double highest = fmax(fabs(in->lowest), fabs(in->highest));
    return fmax(in->dry, fmax(2 * in->quantum, 4 * DBL_EPSILON * highest));
}

static double dry_depth(double deepest)
{
    return 1e-6 * (deepest > 0 ? fmin(deepest, 1) : 1);
}

static void measure_depth(struct initial *in, const double *level)
{
    in->depth_max = deepest(in, level, 0);
    in->dry = dry_depth(in->depth_max);
    if (in->depth_max < thinnest(in)) { /* what rounding leaves above a dry bed is no water */
        in->depth_max = 0;
        in->dry = dry_depth(0);
    }
    in->film = film(in);
}

/* The level of a cell, m above the datum. Lakes that stand higher than others are at rest to the last bit
 * where their levels are multiples of what the bed's are; the others keep all their bits. */
static double rounded_level(const struct initial *in, double w)
{
    const double unit = in->quantum / 4;
    return unit > 0 && fabs(w - in->still) > 4096 * unit ? initial_multiple(w, unit) : w;
}

/* Levels become eta, velocities discharges; dry cells get the floor's eta exactly. */
static void settle(struct initial *in, const double *level, int discharges)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double given = level[(size_t)j * (size_t)in->nx + (size_t)i] - in->datum;
            const double w = rounded_level(in, given);
            const double centre = initial_centre(in, i, j);
            const int wet = w - centre >= fmax(thinnest(in), rounding_film(in, centre));
            initial_put(in, in->field[0], i, j,
                        wet ? w - initial_rest(in, i, j) : initial_floor(in, i, j));
            const double h = initial_depth(in, i, j);
            for (int k = 1; k < WATER; k++)
                if (!wet || !discharges)
                    initial_put(in, in->field[k], i, j,
                                wet ? h * initial_get(in, in->field[k], i, j) : 0);
        }
    }
}

double initial_least_kappa(const struct initial *in)
{
    return in->precision == F64 ? 1e-70 : 1e-9;
}

static enum err choose_kappa(struct initial *in, const struct setup *setup)
{
    in->kappa = setup->kappa;
    in->kappa_rule = "given";
    if (isnan(setup->kappa)) {
        double rise = shoreline_rise(in, &setup->source);
        if (rise < 0)
            FAIL(MEMORY, "no memory to measure the shoreline");
        in->kappa = rise > 0 ? 0.1 * rise : 1e-3 * in->depth_max;
        in->kappa_rule = rise > 0 ? "0.1 x median rise of the bed per cell along the shore"
                                  : "1e-3 x largest initial depth";
    }
    const double least = initial_least_kappa(in);
    if (!(in->kappa >= least)) {
        in->kappa = in->depth_max > 0 ? least : 1e-3;
        in->kappa_rule = in->depth_max > 0 ? "the least there is" : "1 mm: there is no water yet";
    }
    return ERR_OK;
}

static enum err sample(struct initial *in, const struct setup *setup, double *level)
{
    if (setup->system && !setup->system->over_bed)
        return initial_sample_unknowns(in, setup);
    TRY(allocate(in, setup->source.force != NULL));
    TRY(ground_measure(in, setup));
    TRY(ground_lay(in, setup, 0));
    TRY(sample_water(in, setup, level));
    TRY(lay_ground(in, setup, level));
    TRY(sample_force(in, setup));
    TRY(sample_manning(in, setup));
    TRY(initial_feed(in, setup));
    measure_depth(in, level);
    settle(in, level, setup->source.discharges);
    TRY(initial_sample_tracer(in, setup));
    return choose_kappa(in, setup);
}

enum err initial_create(struct initial **out, const struct setup *setup, enum precision p)
{
    struct initial *in = calloc(1, sizeof *in);
    if (!in)
        FAIL(MEMORY, "no memory for the initial state");
    in->precision = p;
    in->nx = setup->grid.nx;
    in->ny = setup->grid.ny;
    in->pitch = initial_pitch(in->nx);
    in->field_bytes = (size_t)(in->pitch * initial_rows(in->ny)) * precision_size(p);
    double *level = malloc((size_t)in->nx * (size_t)in->ny * sizeof *level);
    const enum err e = level ? sample(in, setup, level)
                             : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                       "no memory for the levels of %d x %d cells", in->nx, in->ny);
    free(level);
    if (e)
        initial_destroy(in);
    else
        *out = in;
    return e;
}

void initial_drop_state(struct initial *in)
{
    for (int k = 0; k < UNKNOWNS; k++) {
        free(in->field[k]);
        free(in->force[k]);
    }
    memset(in->field, 0, sizeof in->field);
    memset(in->force, 0, sizeof in->force);
    for (int k = 0; k < GIVEN_FIELDS; k++)
        free(in->given[k]);
    memset(in->given, 0, sizeof in->given);
    free(in->roughness);
    free(in->centre);
    free(in->fed);
    in->roughness = in->centre = NULL;
    in->fed = NULL;
}

void initial_drop(struct initial *in)
{
    initial_drop_state(in);
    free(in->bed);
    in->bed = NULL;
}

void initial_destroy(struct initial *in)
{
    if (!in)
        return;
    initial_drop(in);
    free(in);
}
