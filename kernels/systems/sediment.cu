/* Two sediments in a basin, sand with the share s and mud with 1 - s:
 *
 *     h_t         = div(a grad h) + div(b grad h),   a = alpha s / Cs,  b = beta (1 - s) / Cm
 *     A s_t + s h_t = div(a grad h)
 *
 * BASIN_H and BASIN_S are eqs. (3) and (4) of Su et al. 2013: forward Euler, means of a and b at faces; then s
 * from the new h, the right side as a lap h + grad a . grad h, where the differences of a are those to the cell
 * uphill. There s h_t uses the old s: the new s would gain as much sand, and 1 / (A + dh) has a pole where a
 * step erodes a layer. BASIN_CONS takes both fluxes from the old state, a and b from the cell uphill of each
 * face, and
 *
 *     h += dt div(Fs + Fm),   s += dt/A ((1 - s) div Fs - s div Fm)
 *
 * which conserves the sum of A ds + s dh and keeps s = 0 and s = 1 to the bit. Ghost cells beyond edges mirror
 * those inside, so that nothing crosses a face there; `in` holds what edges bring. Sums are grouped by
 * direction: a mirror and an exchange of x and y give the same bits. */
/* With a fixed step a pass makes two steps, from one state to another and back (schemes/sediment.c; not with
 * PAIRS=0). LIMITS makes BASIN_H, BASIN_ONE and BASIN_CONS also find how long the step might have been; BOOKS
 * makes BASIN_S, BASIN_ONE and BASIN_CONS book it. */
#ifndef LIMITS
#define LIMITS (PART == BASIN_LIMIT)
#endif
#ifndef BOOKS
#define BOOKS (PART == BASIN_TAKE)
#endif

/* Threads that must fit on a multiprocessor at once: 80 or 64 registers for each. Smaller blocks count as
 * blocks of 256 threads. */
#define WANTED (LIMITS && BOOKS ? 768 : 1024)
#ifndef MIN_BLOCKS
#define MIN_BLOCKS                                                              \
    (BLOCK_THREADS <= 256 ? WANTED / 256 : BLOCK_THREADS <= WANTED ? WANTED / BLOCK_THREADS : 1)
#endif

#include "args.h"
#include "counters.h"
#include "edges.h"
#include "any_boundary.h"
#include "systems/sediment.h"

#define MOST_EXCESS REAL(0.1) /* excess of s at which a run breaks down: BROKEN_BOUNDS of system.h */

/* The rungs of the article's ladder are switches in this text. For HALO_THREADS=1 (its halo threads) and
 * POINTS=4 (several points a thread) basin.c chooses kernels with other numbers of threads, and for
 * ONE_KERNEL=1 BASIN_ONE, both kernels in one. No switch changes a bit of the result. */
#ifndef READS
#define READS 1 /* on a GPU: 0 no first-level cache; 1 the read-only path; 2 plain loads */
#endif
#ifndef PRODUCTS
#define PRODUCTS 0 /* 1: keep alpha s and beta (1 - s) of the block and its rim in tiles */
#endif

#if PART == BASIN_ONE /* has a tile of its own */
#undef PRODUCTS
#define PRODUCTS 0
#endif

#if !defined(__CUDACC__) || READS == 2
#define LOAD(p) (p)
#elif READS == 1
#define LOAD(p) __ldg(&(p))
#else
#define LOAD(p) __ldcg(&(p))
#endif

#define SAND(k) (LOAD(a.alpha[k]) * LOAD(a.s[k]) * a.p.PER_SAND)
#define MUD(k)  (LOAD(a.beta[k]) * (REAL(1) - LOAD(a.s[k])) * a.p.PER_MUD)

TILES
{
#if PRODUCTS && (PART == BASIN_H || PART == BASIN_S)
    real sand[BH + 2][BW + 2]; /* from cell (-1,-1) */
#endif
#if PRODUCTS && PART == BASIN_H
    real mud[BH + 2][BW + 2];
#endif
#if PART == BASIN_ONE
    real fresh[BH + 2][BW + 2]; /* the new h, likewise */
#endif
#if BOOKS
    counter whole, part;
#endif
    char none;
};

/* Values at the cell (i + di, j + dj) in the kernel's own loop; k is the offset of cell (i, j). */
#if PRODUCTS
#define SAND_AT(k, di, dj) t->sand[j + 1 + (dj)][i + 1 + (di)]
#define MUD_AT(k, di, dj)  t->mud[j + 1 + (dj)][i + 1 + (di)]
#else
#define SAND_AT(k, di, dj) SAND((k) + (dj)*a.pitch + (di))
#define MUD_AT(k, di, dj)  MUD((k) + (dj)*a.pitch + (di))
#endif
#define BOTH_AT(k, di, dj) (SAND_AT(k, di, dj) + MUD_AT(k, di, dj))
#if PART == BASIN_ONE
#define NEW_HEIGHT(k, di, dj) t->fresh[j + 1 + (dj)][i + 1 + (di)]
#else
#define NEW_HEIGHT(k, di, dj) LOAD(a.to_h[(k) + (dj)*a.pitch + (di)])
#endif

#include "systems/sediment_books.h"
#include "systems/sediment_limits.h"

/* Values in a cell and in the four around it. */
struct cross {
    real here, west, east, south, north;
};
#define CROSS(name, of, k)       \
    struct cross name;           \
    name.here = of(k, 0, 0);     \
    name.west = of(k, -1, 0);    \
    name.east = of(k, 1, 0);     \
    name.south = of(k, 0, -1);   \
    name.north = of(k, 0, 1)

#if PART == BASIN_H || PART == BASIN_ONE

FN real at_face(real a, real b)
{
    return REAL(0.5) * (a + b);
}

/* Eq. (3), with a + b in the cell and around it. */
FN real next_height(const struct sediment_args *args, long k, const struct cross d)
{
    const struct sediment_args a = *args;
    const long w = k - 1, e = k + 1, s = k - a.pitch, n = k + a.pitch;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy), h = LOAD(a.h[k]);
    const real in_x = at_face(d.here, d.east) * (LOAD(a.h[e]) - h) -
                      at_face(d.here, d.west) * (h - LOAD(a.h[w]));
    const real in_y = at_face(d.here, d.north) * (LOAD(a.h[n]) - h) -
                      at_face(d.here, d.south) * (h - LOAD(a.h[s]));
    return h + step_length(a.clock) *
                   ((in_x * x + in_y * y) + (a.supplied ? LOAD(a.in[k]) : REAL(0)));
}

#endif

#if PART == BASIN_S || PART == BASIN_ONE

/* Along one axis, times the square of the cell size: a lap h + grad a . grad h, with the difference of a to the
 * cell uphill. */
FN real spread(real a, real a_low, real a_high, real h, real low, real high)
{
    const real rise = high - low, difference = rise > REAL(0) ? a_high - a : a - a_low;
    return a * ((high - h) - (h - low)) + REAL(0.5) * difference * rise;
}

/* Eq. (4), with a and the new h. */
FN real next_share(const struct sediment_args *args, long k, const struct cross d,
                   const struct cross h)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy), share = LOAD(a.s[k]);
    const real in_x = spread(d.here, d.west, d.east, h.here, h.west, h.east);
    const real in_y = spread(d.here, d.south, d.north, h.here, h.south, h.north);
    const real sand = (in_x * x + in_y * y) + (a.supplied ? LOAD(a.in_sand[k]) : REAL(0));
    return share + a.p.PER_LAYER *
                       (step_length(a.clock) * sand - share * (h.here - LOAD(a.h[k])));
}

#endif

#if PART == BASIN_H

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_LIMITS;
#if PRODUCTS
    FOR_TILE(i, j, 2, 2) {
        const long k = at(a.pitch, X0 + i - 1, Y0 + j - 1);
        t->sand[j][i] = SAND(k);
        t->mud[j][i] = MUD(k);
    }
    SYNC;
#endif
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        CROSS(both, BOTH_AT, k);
        LIMIT(i, k);
        a.to_h[k] = next_height(&a, k, both);
    }
    END_LIMITS;
}

#elif PART == BASIN_S

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_BOOKS;
#if PRODUCTS
    FOR_TILE(i, j, 2, 2) {
        t->sand[j][i] = SAND(at(a.pitch, X0 + i - 1, Y0 + j - 1));
    }
    SYNC;
#endif
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        CROSS(sand, SAND_AT, k);
        CROSS(fresh, NEW_HEIGHT, k);
        const real next = next_share(&a, k, sand, fresh);
        BOOK(i, LOAD(a.h[k]), LOAD(a.s[k]), fresh.here, next);
        a.to_s[k] = next;
    }
    END_BOOKS;
}

#elif PART == BASIN_ONE

/* Where position i lies on an axis of n cells, at most 1 beyond them: 0 inside, -1 before the first cell, 1
 * after the last. */
FN int side_of(int i, int n)
{
    return i < 0 ? -1 : i < n ? 0 : 1;
}

/* The new h of a cell, or of the ghost cell beside an edge, as any_boundary.cu would set it once all cells have
 * theirs. */
FN real height_at(const struct sediment_args *args, int i, int j)
{
    const struct sediment_args a = *args;
    const int x = side_of(i, a.span.nx), y = side_of(j, a.span.ny);
    const long k = at(a.pitch, i - x * (a.around_x ? a.span.nx : 1),
                      j - y * (a.around_y ? a.span.ny : 1));
    CROSS(both, BOTH_AT, k);
    real h = next_height(&a, k, both);
    if (a.rise && a.around_x && x)
        h += (real)x * a.rise[0];
    if (a.rise && a.around_y && y)
        h += (real)y * a.rise[ANY_UNKNOWNS];
    return h;
}

/* BASIN_H for the block and its rim, then BASIN_S: it computes its neighbours' new h again instead of reading
 * it. */
KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_BOOKS;
    BEGIN_LIMITS;
    FOR_TILE(i, j, 2, 2) {
        const long k = at(a.pitch, X0 + i - 1, Y0 + j - 1);
        CROSS(both, BOTH_AT, k);
        t->fresh[j][i] = next_height(&a, k, both);
    }
    if (X0 == 0 || Y0 == 0 || X0 + BW >= a.span.nx || Y0 + BH >= a.span.ny) {
        SYNC; /* beyond edges that used two layers of ghost cells, of which only one is valid */
        FOR_SPAN(m, 2 * (BW + BH + 4)) {
            const int row = m < 2 * (BW + 2), n = row ? m : m - 2 * (BW + 2);
            const int i = row ? n / 2 : (n % 2) * (CELLS_X + 1);
            const int j = row ? (n % 2) * (CELLS_Y + 1) : n / 2;
            const int u = X0 + i - 1, v = Y0 + j - 1, inside = i <= CELLS_X + 1 && j <= CELLS_Y + 1;
            if (inside && (side_of(u, a.span.nx) || side_of(v, a.span.ny)))
                t->fresh[j][i] = height_at(&a, u, v);
        }
    }
    SYNC;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        CROSS(sand, SAND_AT, k);
        CROSS(fresh, NEW_HEIGHT, k);
        const real next = next_share(&a, k, sand, fresh);
        LIMIT(i, k);
        BOOK(i, LOAD(a.h[k]), LOAD(a.s[k]), fresh.here, next);
        a.to_h[k] = fresh.here;
        a.to_s[k] = next;
    }
    END_LIMITS;
    END_BOOKS;
}

#elif PART == BASIN_CONS

/* Inflow across a face, times the cell's size, from or to a cell that is higher by `rise`. */
FN real through(real here, real there, real rise)
{
    return (rise > REAL(0) ? there : here) * rise;
}

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_BOOKS;
    BEGIN_LIMITS;
    const real dt = step_length(a.clock), x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j), w = k - 1, e = k + 1;
        const long s = k - a.pitch, n = k + a.pitch;
        const real here = LOAD(a.h[k]), share = LOAD(a.s[k]), own_sand = SAND(k), own_mud = MUD(k);
        const real up_w = LOAD(a.h[w]) - here, up_e = LOAD(a.h[e]) - here;
        const real up_s = LOAD(a.h[s]) - here, up_n = LOAD(a.h[n]) - here;
        const real in = a.supplied ? LOAD(a.in[k]) : REAL(0),
                   in_sand = a.supplied ? LOAD(a.in_sand[k]) : REAL(0);
        const real sand =
            ((through(own_sand, SAND(w), up_w) + through(own_sand, SAND(e), up_e)) * x +
             (through(own_sand, SAND(s), up_s) + through(own_sand, SAND(n), up_n)) * y) +
            in_sand;
        const real mud = ((through(own_mud, MUD(w), up_w) + through(own_mud, MUD(e), up_e)) * x +
                          (through(own_mud, MUD(s), up_s) + through(own_mud, MUD(n), up_n)) * y) +
                         (in - in_sand);
        const real h = here + dt * (sand + mud);
        const real next = share + dt * a.p.PER_LAYER * ((REAL(1) - share) * sand - share * mud);
        LIMIT(i, k);
        BOOK(i, here, share, h, next);
        a.to_h[k] = h;
        a.to_s[k] = next;
    }
    END_LIMITS;
    END_BOOKS;
}

#elif PART == BASIN_LIMIT

KERNEL(sediment, struct sediment_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    MAX_LANES(fastest);
    FOR_TILE(i, j, 0, 0) {
        TAKE_MAX(fastest, i, limit_at(&a, at(a.pitch, X0 + i, Y0 + j)));
    }
    BLOCK_MAX(a.block_speed[BLOCK_ID], fastest);
}

#elif PART == BASIN_TAKE

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_BOOKS;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        const real h = a.to_h[k], s = a.to_s[k];
        BOOK(i, a.h[k], a.s[k], h, s);
        a.own_h[k] = h;
        a.own_s[k] = s;
    }
    END_BOOKS;
}

#elif PART == BASIN_HOME

/* A run that halts between the two steps of a pass leaves its solution in the other arrays: copies it home. */
KERNEL(sediment, struct sediment_args)
{
    (void)t;
    if (!*a.away)
        return;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        a.own_h[k] = a.to_h[k];
        a.own_s[k] = a.to_s[k];
    }
}

#endif
