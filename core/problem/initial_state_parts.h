/* Shared by the files that sample the initial state; where its fields store a cell. */
#ifndef SHOAL_INITIAL_STATE_PARTS_H
#define SHOAL_INITIAL_STATE_PARTS_H

#include <float.h>
#include <math.h>
#include <omp.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"

/* A number rounded to the run's precision. */
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

/* fmax, which compilers call, of what is a number. */
static inline double initial_larger(double x, double y)
{
    return x < y ? y : x;
}

/* The level at rest above a bed at this level, and what a dry cell has there for eta. */
static inline double initial_rest_above(const struct initial *in, double centre)
{
    return initial_larger(centre, in->still);
}

static inline double initial_floor_at(const struct initial *in, double centre)
{
    return initial_rounded(in, centre - initial_rest_above(in, centre));
}

/* Threads share out the rows of a window only if it is so large that this takes less time than
 * calling them; threads that sample windows side by side are busy already. */
static inline int initial_is_shared(const struct initial *cut)
{
    enum { LEAST = 1 << 16 };
    return (size_t)cut->nx * (size_t)cut->ny >= LEAST && !omp_in_parallel();
}

/* Can the run's precision hold sums of four such numbers? */
static inline int initial_holds(const struct initial *in, double x)
{
    return isfinite(initial_rounded(in, 4 * x));
}

/* The system has water over a bed. */
static inline int initial_over_bed(const struct initial *in)
{
    return !in->setup.system || in->setup.system->over_bed;
}

/* Fails for a number that is not finite, or too large. */
enum err initial_not_finite(const struct initial *in, const char *what, int i, int j, double value);

/* The nearest multiple of a non-zero quantum. Halves round up, whatever the sign, so that levels
 * that differ by a multiple round alike. */
static inline double initial_multiple(double x, double quantum)
{
    return floor(x / quantum + 0.5) * quantum;
}

enum { INITIAL_SIDE = 128 }; /* of a block, cells: its window fits into a core's cache */

/* core/problem/settled.c: the settled water of row j of a block, and of the cell east of it; what
 * lies outside the domain is missing, and `n` does not count it. */
struct settled_row {
    int j, n;
    double rest[INITIAL_SIDE + 1], eta[INITIAL_SIDE + 1], depth[INITIAL_SIDE + 1]; /* m */
};
void settled_row(const struct initial *block, int j, struct settled_row *row);

/* core/problem/initial_blocks.c: scans all cells, block by block, in any order and in several
 * threads. The result must not depend on the order. */
struct findings {
    long bad; /* the number of the first invalid cell; none: */
    double still, deepest, above, highest, most, steepest, steepest_fed;
    double *rise; /* between the cells on both sides of a shore; to be freed where there are any */
    size_t rises, room;
    int failed; /* for lack of memory */
};
enum { NO_CELL = -1 };

/* Scans a block that holds the fields that initial_look was asked for (`what`), and adds its
 * results: numbers are maxima, `still` is the minimum. */
typedef void look(const struct initial *block, struct findings *found);
enum err initial_look(const struct initial *in, unsigned what, look *seek, struct findings *found);

/* Records cell (i, j) of a block as invalid. */
void initial_note_bad(const struct initial *block, struct findings *found, int i, int j);

void initial_add_rise(struct findings *found, double rise);

/* Records whether a block may contain water: others have no flow and no shore, so INITIAL_STATE
 * scans skip them. */
enum err initial_take_notes(struct initial *in);
void initial_note_dry(const struct initial *block, int dry);

/* Records what all cells of a block have at the start; null: they differ. It need not be computed
 * again: the water of cell (i, j) of a window. */
void initial_note_alike(const struct initial *block, const struct flow *all);
struct flow initial_water(const struct initial *in, int i, int j);

/* The sum over all cells of number k that is added to an unknown's rate of change, in a fixed
 * order; NAN without memory. */
double initial_sum_of_force(const struct initial *in, int k);

/* core/problem/initial_cut.c: what cell (i, j) of the domain has of that. */
double initial_force(const struct initial *in, int k, int i, int j);

/* The source says that no cell of the window of the domain has water. */
static inline int initial_said_dry(const struct initial *in, const struct window *w)
{
    const struct source *src = &in->setup.source;
    return src->is_dry && src->is_dry(src->context, w);
}

/* The window's cells that are cells of the domain, ghosts included, as a window of the window. */
struct window initial_within(const struct initial *in);

/* The depth, m, above which water on such a bed counts as water: rounding alone leaves less. */
double initial_thinnest(const struct initial *in);

/* What rounding can leave above a bed at this level, m above the datum. */
double initial_rounding(const struct initial *in, double centre);

/* core/problem/initial_fed.c: which cells rain and sources wet, and how fast at most; which of a
 * window. */
void initial_feed(struct initial *in);
void initial_mark_fed(struct initial *cut);

/* core/problem/bed_levels.c: the range of the bed's levels; fails where one is not finite. */
enum err ground_measure(struct initial *in);

/* Chooses datum and quantum for the relief, and for water of such a depth on it, m. */
enum err ground_lay(struct initial *in, double depth);

/* The quantum for water of such a depth on this relief. */
double ground_quantum(const struct initial *in, double depth);

/* A corner of the domain, or outside: initial_corner of the whole. */
double ground_corner(const struct initial *in, int i, int j);

/* core/problem/initial_unknowns.c: all unknowns of a system without a bed, which gets level ground at 0: looks at them; fills the
 * fields of a window. */
enum err initial_measure_unknowns(struct initial *in);
void initial_cut_unknowns(struct initial *cut);
void initial_cut_given(struct initial *cut);

/* The settled water's tracer, and its scale; nothing if the system carries none. In dry cells c is
 * 0. */
enum err initial_measure_tracer(struct initial *in, const struct findings *settled);
void initial_look_at_tracer(const struct initial *block, struct findings *found);
void initial_cut_tracer(struct initial *cut);

#endif
