/* The bed of a run: the datum of its levels, their rounding, and its continuation outside the
 * domain. Datum and rounding are chosen so that f32 resolves the relief at any altitude, that sums
 * of four corners are exact, and that moving the terrain up or down by a multiple of the quantum
 * does not change a bit. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/base/plane.h"
#include "core/problem/initial_state_parts.h"
#include "core/problem/scan.h"

/* The corner belongs to a cell that stands for missing terrain: its height means nothing. */
static int is_of_wall(const struct initial *in, const struct source *s, int i, int j)
{
    for (int k = 0; s->wall && k < 4; k++) {
        const int x = i - k % 2, y = j - k / 2;
        if (x >= 0 && y >= 0 && x < in->nx && y < in->ny && s->wall(s->context, x, y))
            return 1;
    }
    return 0;
}

/* What a corner adds to the sum that tells beds apart: it may be taken in any order. The user's x and
 * y count, also where a run exchanges them. */
static inline unsigned long long digest_of(const struct initial *in, int i, int j, double level)
{
    const double kept = level + 0.0; /* -0 is 0 */
    const unsigned long long at =
        in->setup.exchanged ? (unsigned long long)i * ((unsigned)in->ny + 1) + (unsigned)j
                            : (unsigned long long)j * ((unsigned)in->nx + 1) + (unsigned)i;
    unsigned long long x;
    memcpy(&x, &kept, sizeof x);
    x += at * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL; /* splitmix64 */
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* The range of all corners except those of walls, or of all corners if every one belongs to a wall. */
static enum err find_range(struct initial *in, int with_walls)
{
    const struct source *src = &in->setup.source;
    double low = (double)INFINITY, high = -(double)INFINITY;
    const long none = LONG_MAX;
    long bad = none;
    unsigned long long digest = 0, exact = 0;
    struct scan scan = scan_begin("the bed's levels", in->nx, in->ny, in->ny + 1L);
#pragma omp parallel for schedule(static) reduction(min : low, bad) reduction(max : high) \
    reduction(+ : digest, exact)
    for (int j = 0; j <= in->ny; j++) {
        for (int i = 0; i <= in->nx; i++) {
            const double b = src->bed(src->context, i, j);
            const long corner = (long)j * (in->nx + 1) + i;
            digest += digest_of(in, i, j, initial_rounded(in, b));
            exact += digest_of(in, i, j, b);
            if (!initial_holds(in, b))
                bad = corner < bad ? corner : bad;
            if (with_walls || !is_of_wall(in, src, i, j)) {
                low = fmin(low, b);
                high = fmax(high, b);
            }
        }
        planes_touched((size_t)in->nx);
        scan_step(&scan);
    }
    if (bad != none) {
        const int i = (int)(bad % (in->nx + 1)), j = (int)(bad / (in->nx + 1));
        return initial_not_finite(in, "bed at corner", i, j, src->bed(src->context, i, j));
    }
    in->bed_digest = digest;
    in->bed_source = exact;
    in->lowest = low;
    in->highest = high;
    return ERR_OK;
}

/* The same of a bed that is said to have one level. */
static enum err find_level(struct initial *in)
{
    const struct source *src = &in->setup.source;
    const double b = src->bed(src->context, 0, 0), rounded = initial_rounded(in, b);
    unsigned long long digest = 0, exact = 0;
    if (!initial_holds(in, b))
        return initial_not_finite(in, "bed at corner", 0, 0, b);
    struct scan scan = scan_begin("the bed's levels", in->nx, in->ny, in->ny + 1L);
#pragma omp parallel for schedule(static) reduction(+ : digest, exact)
    for (int j = 0; j <= in->ny; j++) {
        for (int i = 0; i <= in->nx; i++)
            digest += digest_of(in, i, j, rounded);
        for (int i = 0; i <= in->nx && rounded != b; i++)
            exact += digest_of(in, i, j, b);
        scan_step(&scan);
    }
    in->bed_digest = digest;
    in->bed_source = rounded != b ? exact : digest;
    in->lowest = in->highest = b;
    return ERR_OK;
}

enum err ground_measure(struct initial *in)
{
    if (in->setup.source.flat)
        return find_level(in);
    TRY(find_range(in, 0));
    return in->lowest <= in->highest ? ERR_OK : find_range(in, 1);
}

/* The least power of two >= x > 0. */
static double power_of_two(double x)
{
    const double above = initial_power_above(x);
    return x > above / 2 ? above : x;
}

double ground_quantum(const struct initial *in, double depth)
{
    const double relief = 0.5 * (in->highest - in->lowest);
    if (!(relief > 0))
        return 0;
    return ldexp(power_of_two(fmax(relief, depth)), 2 - initial_digits(in));
}

/* Rounding must not push the ends of the range beyond what the quantum allows for. */
static void choose_datum(struct initial *in, double depth)
{
    const double middle = 0.5 * (in->lowest + in->highest);
    in->quantum = ground_quantum(in, depth);
    in->datum = in->quantum > 0 ? initial_multiple(middle, in->quantum) : in->lowest;
    if (in->quantum > 0 &&
        initial_multiple(fmax(in->highest - in->datum, in->datum - in->lowest), in->quantum) >
            ldexp(in->quantum, initial_digits(in) - 2)) {
        in->quantum *= 2;
        in->datum = initial_multiple(middle, in->quantum);
    }
}

/* The corner within 0..n that the outer corner i copies. */
static int inside(int i, int n, int periodic)
{
    while (i < 0 || i > n) {
        if (periodic)
            i += i < 0 ? n : -n;
        else
            i = i < 0 ? -i : 2 * n - i;
    }
    return i;
}

/* Do all cells beside corner k of an edge impose something? */
static int imposes_around(const struct setup *s, enum edge e, int k, int n)
{
    return (k <= 0 || edges_kind(s, e, (k < n ? k : n) - 1) > PERIODIC) &&
           (k >= n || edges_kind(s, e, k > 0 ? k : 0) > PERIODIC);
}

/* A corner inside. */
static double corner(const struct initial *in, int i, int j)
{
    const struct source *src = &in->setup.source;
    const double b = src->bed(src->context, i, j) - in->datum;
    return initial_rounded(in, in->quantum > 0 ? initial_multiple(b, in->quantum) : b);
}

/* The bed at an outer corner: mirrored at walls and open edges, wrapped in a periodic domain. Where
 * an edge imposes something, it is the edge's own bed, so that the depth above it equals that above
 * the edge, however rough the bed is. (edges.cu continues the water level.) */
static double bed_outside(const struct initial *in, int i, int j)
{
    const struct setup *s = &in->setup;
    const int nx = s->grid.nx, ny = s->grid.ny;
    const int x = inside(i, nx, s->boundary[WEST] == PERIODIC);
    const int y = inside(j, ny, s->boundary[SOUTH] == PERIODIC);
    if ((i < 0 || i > nx) && imposes_around(s, i < 0 ? WEST : EAST, j, ny))
        return corner(in, i < 0 ? 0 : nx, y);
    if ((j < 0 || j > ny) && imposes_around(s, j < 0 ? SOUTH : NORTH, i, nx))
        return corner(in, x, j < 0 ? 0 : ny);
    return corner(in, x, y);
}

double ground_corner(const struct initial *in, int i, int j)
{
    const struct grid_info *g = &in->setup.grid;
    if (!initial_over_bed(in))
        return 0;
    return i < 0 || j < 0 || i > g->nx || j > g->ny ? bed_outside(in, i, j) : corner(in, i, j);
}

/* A periodic domain's bed must be the same on both edges. */
static enum err check_periodic(const struct initial *in)
{
    const enum boundary *boundary = in->setup.boundary;
    const double scale = in->highest - in->lowest;
    double gap = 0;
    for (int j = 0; j <= in->ny && boundary[WEST] == PERIODIC; j++)
        gap = fmax(gap, fabs(corner(in, 0, j) - corner(in, in->nx, j)));
    for (int i = 0; i <= in->nx && boundary[SOUTH] == PERIODIC; i++)
        gap = fmax(gap, fabs(corner(in, i, 0) - corner(in, i, in->ny)));
    if (gap > 1e-6 * scale)
        FAIL(INPUT, "periodic edges need the same bed on both sides, but it differs by %g m", gap);
    return ERR_OK;
}

enum err ground_lay(struct initial *in, double depth)
{
    choose_datum(in, depth);
    return check_periodic(in);
}
