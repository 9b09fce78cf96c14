/* The numbers of the initial state, found by scanning all of it; the default desingularisation
 * depth. */
#include "core/problem/initial_state.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/plane.h"
#include "core/problem/downhill.h"
#include "core/problem/initial_state_parts.h"
#include "core/problem/shoreline.h"

double initial_corner(const struct initial *in, int i, int j)
{
    return in->bed ? initial_get(in, in->bed, i, j)
                   : ground_corner(in, in->window.i0 + i, in->window.j0 + j);
}

double initial_bed(const struct initial *in, int i, int j)
{
    return in->datum + initial_corner(in, i, j);
}

double initial_bed_centre(const struct initial *in, int i, int j)
{
    return in->datum + initial_centre(in, i, j);
}

/* In the run's precision. The order of the sum is that of no direction: mirrored and transposed beds give
 * the same bits. */
static double corners_mean_of(const struct initial *in, int i, int j)
{
    const double b00 = initial_corner(in, i, j), b10 = initial_corner(in, i + 1, j);
    const double b01 = initial_corner(in, i, j + 1), b11 = initial_corner(in, i + 1, j + 1);
    if (in->precision == F64)
        return 0.25 * ((b00 + b11) + (b10 + b01));
    const float a = (float)b00 + (float)b11, b = (float)b10 + (float)b01;
    return (double)(0.25f * (a + b));
}

double initial_centre(const struct initial *in, int i, int j)
{
    return in->centre ? initial_get(in, in->centre, i, j) : corners_mean_of(in, i, j);
}

double initial_rest(const struct initial *in, int i, int j)
{
    return initial_rest_above(in, initial_centre(in, i, j));
}

double initial_floor(const struct initial *in, int i, int j)
{
    return initial_floor_at(in, initial_centre(in, i, j));
}

double initial_depth(const struct initial *in, int i, int j)
{
    return initial_rounded(in, initial_eta(in, i, j) - initial_floor(in, i, j));
}

/* A file's numbers may be too large for the run's precision. */
enum err initial_not_finite(const struct initial *in, const char *what, int i, int j, double value)
{
    if (!isfinite(value))
        FAIL(INPUT, "the %s (%d, %d) is not a finite number", what, i, j);
    FAIL(INPUT, "the %s (%d, %d) is %g, and %s: correct it, or convert its unit%s", what, i, j,
         value,
         in->precision == F64 ? "sums of such numbers are too large for double precision"
                              : "single precision cannot hold sums of such numbers",
         in->precision == F64 ? "" : ", or choose --precision f64");
}

/* The larger by magnitude; one that is not finite wins. */
static double largest(struct flow f)
{
    const double x = initial_larger(fabs(f.w), initial_larger(fabs(f.u), fabs(f.v)));
    return isfinite(f.w + f.u + f.v) ? x : f.w + f.u + f.v;
}

static struct flow water_at(const struct initial *in, int i, int j)
{
    const struct source *src = &in->setup.source;
    return src->water(src->context, in->window.i0 + i, in->window.j0 + j);
}

static int is_wall(const struct initial *in, int i, int j)
{
    const struct source *src = &in->setup.source;
    return src->wall && src->wall(src->context, in->window.i0 + i, in->window.j0 + j);
}

/* The ground alone, of a block that is said to be dry. */
static void look_at_ground(const struct initial *block, struct findings *found)
{
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++)
            if (!is_wall(block, i, j))
                found->still = fmin(found->still, initial_get(block, block->centre, i, j));
}

/* Of a block without samples: level and dry. */
static void look_at_level(const struct initial *block, struct findings *found)
{
    found->still = found->highest = initial_centre(block, 0, 0);
    initial_note_dry(block, 1);
}

/* The surface (dry land's too, but not that of walls for missing terrain), depths, and the highest
 * ground, ghosts included. Water above a bed counts if it is more than rounding leaves there:
 * beside walls, which exceed the range that the quantum is chosen for, that is more than elsewhere. */
static void look_at_water(const struct initial *block, struct findings *found)
{
    const int said = initial_said_dry(block, &block->window);
    struct flow first = {.w = (double)NAN};
    int dry = 1, alike = 1;
    if (!block->centre) {
        look_at_level(block, found);
        return;
    }
    if (said)
        look_at_ground(block, found);
    else
        first = water_at(block, 0, 0);
    for (int j = 0; j < (said ? 0 : block->ny); j++)
        for (int i = 0; i < block->nx; i++) {
            const struct flow f = water_at(block, i, j);
            const double w = f.w - block->datum, centre = initial_get(block, block->centre, i, j);
            if (!initial_holds(block, largest(f)))
                initial_note_bad(block, found, i, j);
            alike = alike && memcmp(&f, &first, sizeof f) == 0;
            dry = dry && w <= centre;
            if (w - centre >= initial_rounding(block, centre))
                found->deepest = initial_larger(found->deepest, w - centre);
            if (initial_larger(w, centre) < found->still && !is_wall(block, i, j))
                found->still = initial_larger(w, centre);
        }
    for (int j = -GHOSTS; j < block->ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < block->nx + GHOSTS; i++)
            found->highest =
                initial_larger(found->highest, initial_get(block, block->centre, i, j));
    initial_note_dry(block, dry);
    initial_note_alike(block, alike ? &first : NULL);
}

/* The largest depth over ground above the still level. */
static void look_above_still(const struct initial *block, struct findings *found)
{
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++) {
            const double w = initial_water(block, i, j).w - block->datum;
            const double centre = initial_get(block, block->centre, i, j);
            if (centre > block->still && w - centre >= initial_rounding(block, centre))
                found->above = fmax(found->above, w - centre);
        }
}

/* The lowest of the surface. */
static void choose_still(struct initial *in, double lowest)
{
    double still = isinf(lowest) ? 0 : lowest;
    if (in->quantum > 0)
        still = initial_multiple(still, in->quantum / 4);
    in->still = initial_rounded(in, still);
}

static enum err survey_water(struct initial *in, struct findings *found)
{
    TRY(initial_look(in, INITIAL_BED, look_at_water, found));
    if (found->bad != NO_CELL) {
        const int i = (int)(found->bad % in->nx), j = (int)(found->bad / in->nx);
        return initial_not_finite(in, "initial state of cell", i, j, largest(water_at(in, i, j)));
    }
    choose_still(in, found->still);
    return ERR_OK;
}

/* Deep water on high ground is rounded as coarsely as the relief, so the bed may be, too. Tries the
 * deepest water first: mostly its position makes no difference. */
static enum err lay_ground(struct initial *in, struct findings *found)
{
    struct findings high;
    TRY(ground_lay(in, 0));
    TRY(survey_water(in, found));
    if (ground_quantum(in, found->deepest) > in->quantum) {
        TRY(initial_look(in, INITIAL_BED, look_above_still, &high));
        if (ground_quantum(in, high.above) > in->quantum) {
            TRY(ground_lay(in, high.above));
            TRY(survey_water(in, found));
        }
    }
    in->submerged = found->highest <= in->still;
    return ERR_OK;
}

static void look_at_force(const struct initial *block, struct findings *found)
{
    const struct source *src = &block->setup.source;
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++) {
            const struct forcing f =
                src->force(src->context, block->window.i0 + i, block->window.j0 + j);
            found->most = fmax(found->most, initial_rounded(block, f.w));
            for (int k = 0; k < UNKNOWNS; k++)
                if (!isfinite(f.of[k]))
                    initial_note_bad(block, found, i, j);
        }
}

static enum err measure_force(struct initial *in)
{
    struct findings found;
    if (!in->setup.source.force)
        return ERR_OK;
    TRY(initial_look(in, 0, look_at_force, &found));
    if (found.bad != NO_CELL)
        FAIL(INPUT, "the forcing of cell (%ld, %ld) is not finite", found.bad % in->nx,
             found.bad / in->nx);
    in->force_sum[0] = initial_sum_of_force(in, 0);
    in->force_most = found.most;
    if (!isfinite(in->force_sum[0]))
        FAIL(MEMORY, "no memory to add up the forcing");
    return ERR_OK;
}

static void look_at_manning(const struct initial *block, struct findings *found)
{
    const struct source *src = &block->setup.source;
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++) {
            const double n = src->manning(src->context, block->window.i0 + i, block->window.j0 + j);
            if (!(n >= 0 && n <= DBL_MAX))
                initial_note_bad(block, found, i, j);
        }
}

static enum err check_manning(const struct initial *in)
{
    struct findings found;
    if (!in->setup.source.manning)
        return ERR_OK;
    TRY(initial_look(in, 0, look_at_manning, &found));
    if (found.bad != NO_CELL)
        FAIL(INPUT, "Manning's n of cell (%ld, %ld): expected a number from 0 on",
             found.bad % in->nx, found.bad / in->nx);
    return ERR_OK;
}

/* Depths at faces are sums of numbers no larger than relief and depth, each rounded by half a unit of it. */
static double film(const struct initial *in)
{
    const double most = fmax(in->highest - in->lowest, in->depth_max);
    return in->dry + ldexp(initial_power_above(most), -initial_digits(in));
}

static double dry_depth(double deepest)
{
    return 1e-6 * (deepest > 0 ? fmin(deepest, 1) : 1);
}

/* A film thin enough to come from rounding the bed's levels, here or in the source's doubles, is
 * not water: it would spread over dry land. */
static void measure_depth(struct initial *in, double deepest)
{
    in->depth_max = deepest;
    in->dry = dry_depth(in->depth_max);
    if (in->depth_max < initial_thinnest(in)) {
        in->depth_max = 0;
        in->dry = dry_depth(0);
    }
    in->film = film(in);
}

double initial_least_kappa(const struct initial *in)
{
    return in->precision == F64 ? 2e-68 : 4e-8;
}

static void choose_kappa(struct initial *in, struct findings *settled)
{
    in->kappa = in->setup.kappa;
    in->kappa_rule = "given";
    if (isnan(in->kappa)) {
        const double rise = shoreline_median(settled);
        in->kappa = rise > 0 ? 0.1 * rise : 1e-3 * in->depth_max;
        in->kappa_rule = rise > 0 ? "0.1 x median rise of the bed per cell along the shore"
                                  : "1e-3 x largest initial depth";
    }
    const double least = initial_least_kappa(in);
    if (!(in->kappa >= least)) {
        in->kappa = in->depth_max > 0 ? least : 1e-3;
        in->kappa_rule =
            in->depth_max > 0 ? "the smallest possible" : "1 mm: there is no water yet";
    }
}

/* What follows from the final position of the water. */
static void look_at_settled(const struct initial *block, struct findings *found)
{
    struct settled_row rows[2];
    settled_row(block, 0, &rows[0]);
    for (int j = 0; j < block->ny; j++) {
        const struct settled_row *here = &rows[j % 2], *north = NULL;
        if (block->window.j0 + j + 1 < block->setup.grid.ny) {
            settled_row(block, j + 1, &rows[(j + 1) % 2]);
            north = &rows[(j + 1) % 2];
        }
        downhill_look(block, here, north, found);
        if (isnan(block->setup.kappa))
            shoreline_look(block, here, north, found);
    }
    initial_look_at_tracer(block, found);
}

static enum err measure_settled(struct initial *in)
{
    struct findings settled;
    const unsigned what = INITIAL_STATE | INITIAL_FORCE | (in->is_fed ? INITIAL_FED : 0);
    TRY(initial_look(in, what, look_at_settled, &settled));
    in->steepest = settled.steepest;
    in->steepest_fed = settled.steepest_fed;
    const enum err e = initial_measure_tracer(in, &settled);
    if (!e)
        choose_kappa(in, &settled);
    free(settled.rise);
    return e;
}

static enum err measure(struct initial *in)
{
    struct findings water;
    if (!initial_over_bed(in))
        return initial_measure_unknowns(in);
    TRY(initial_take_notes(in));
    TRY(ground_measure(in));
    TRY(lay_ground(in, &water));
    TRY(measure_force(in));
    TRY(check_manning(in));
    initial_feed(in);
    measure_depth(in, water.deepest);
    return measure_settled(in);
}

enum err initial_create(struct initial **out, const struct setup *setup, enum precision p)
{
    struct initial *in = calloc(1, sizeof *in);
    if (!in)
        FAIL(MEMORY, "no memory for the initial state");
    in->precision = p;
    in->setup = *setup;
    in->nx = setup->grid.nx;
    in->ny = setup->grid.ny;
    in->window = (struct window){0, 0, in->nx, in->ny};
    in->pitch = initial_pitch(in->nx);
    in->field_bytes = (size_t)(in->pitch * initial_rows(in->ny)) * precision_size(p);
    planes_begin();
    const enum err e = measure(in);
    planes_rest();
    if (e)
        initial_destroy(in);
    else
        *out = in;
    return e;
}
