/* What the files share that sample the initial state, and where its fields have a cell. */
#ifndef SHOAL_INITIAL_STATE_PARTS_H
#define SHOAL_INITIAL_STATE_PARTS_H

#include <float.h>
#include <math.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"

/* A number as the run's precision has it. */
static inline double initial_rounded(const struct initial *in, double x)
{
    return in->precision == F64 ? x : (double)(float)x;
}

/* Binary digits of the run's precision. */
static inline int initial_digits(const struct initial *in)
{
    return in->precision == F64 ? DBL_MANT_DIG : FLT_MANT_DIG;
}

/* The least power of two above x; 1 for 0. */
static inline double initial_power_above(double x)
{
    int e;
    frexp(x, &e);
    return ldexp(1, e);
}

static inline size_t initial_offset(const struct initial *in, int i, int j)
{
    return (size_t)((j + GHOSTS) * in->pitch + MARGIN + i);
}

static inline double initial_get(const struct initial *in, const void *field, int i, int j)
{
    return reals_get(field, precision_size(in->precision), initial_offset(in, i, j));
}

static inline void initial_put(const struct initial *in, void *field, int i, int j, double x)
{
    reals_put(field, precision_size(in->precision), initial_offset(in, i, j), x);
}

/* Whether the run's precision holds sums of four such numbers. */
static inline int initial_holds(const struct initial *in, double x)
{
    return isfinite(initial_rounded(in, 4 * x));
}

/* A field whose numbers are NaN: nobody may read what nobody wrote. */
enum err initial_allocate(const struct initial *in, void **field);

/* The sum over all cells; NAN without memory. */
double initial_sum(const struct initial *in, const void *field);

/* Fails for a number that is not finite, or too large. */
enum err initial_not_finite(const struct initial *in, const char *what, int i, int j, double value);

/* The nearest multiple of a quantum that is not 0. Halves go up, whatever their sign: the same for levels
 * that differ by a multiple. */
static inline double initial_multiple(double x, double quantum)
{
    return floor(x / quantum + 0.5) * quantum;
}

/* core/problem/initial_fed.c: notes in in->fed which cells rain and sources may wet, and how fast at most. */
enum err initial_feed(struct initial *in, const struct setup *setup);

/* core/problem/bed_levels.c: the range of the bed's levels; fails where one is not finite. */
enum err ground_measure(struct initial *in, const struct setup *setup);

/* Chooses datum and quantum for the relief, and for water of such a depth on it, m; samples the bed
 * accordingly, ghosts included. */
enum err ground_lay(struct initial *in, const struct setup *setup, double depth);

/* The quantum for water of such a depth on this relief. */
double ground_quantum(const struct initial *in, double depth);

/* core/problem/initial_unknowns.c: all unknowns of a system without a bed, which gets level ground at 0. */
enum err initial_sample_unknowns(struct initial *in, const struct setup *setup);

/* What the settled water carries, and its scale; nothing where the system carries none. In dry cells c is 0. */
enum err initial_sample_tracer(struct initial *in, const struct setup *setup);

#endif
