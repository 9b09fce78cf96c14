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
/* A pass makes two steps, from one state to another and back (schemes/sediment.c; not with PAIRS=0): BOOKS makes
 * BASIN_S, BASIN_ONE and BASIN_CONS book a step. With a fixed step LIMITS makes BASIN_H, BASIN_ONE and BASIN_CONS
 * also find whether it is too long. */
#ifndef LIMITS
#define LIMITS (PART == BASIN_LIMIT)
#endif
#ifndef BOOKS
#define BOOKS (PART == BASIN_TAKE)
#endif

/* On a GPU a thread computes this many cells of a column. */
#ifndef STRIP
#define STRIP 1
#endif
#if STRIP > 1
#define BLOCK_THREADS (BW * ((BH + STRIP - 1) / STRIP))
#endif

/* Threads that must fit on a multiprocessor at once, so that each has 64 to 128 registers. Blocks of few threads
 * count as blocks of 64. */
#if PRECISION == 32
#define WANTED_ONE   2048
#define WANTED_FIXED (BOOKS ? 768 : 1024)
#else
#define WANTED_ONE   (LIMITS ? 1280 : 1536)
#define WANTED_FIXED (BOOKS ? 640 : 768)
#endif
/* Where a tile lies takes registers. */
#ifdef TILED
#undef WANTED_ONE
#define WANTED_ONE 1280
#endif /* TILED */
#ifdef FAST
#define WANTED_CONS 768
#else
#define WANTED_CONS 640
#endif
#define WANTED                                           \
    (PART == BASIN_ONE     ? WANTED_ONE                  \
     : PART == BASIN_LIMIT ? 640                         \
     : LIMITS              ? WANTED_FIXED                \
     : PART == BASIN_CONS  ? (BOOKS ? 640 : WANTED_CONS) \
     : BOOKS               ? 768                         \
                           : 1024)
#define WARPS ((BLOCK_THREADS + 31) / 32)
#ifndef MIN_BLOCKS
#define WANTED_BLOCKS (WANTED / (BLOCK_THREADS <= 64 ? 64 : 32 * WARPS))
#define MIN_BLOCKS    (WANTED_BLOCKS > SM_BLOCKS ? SM_BLOCKS : WANTED_BLOCKS > 1 ? WANTED_BLOCKS : 1)
#endif

#include "args.h"
#include "counters.h"
#include "edges.h"
#include "any_boundary.h"
#include "systems/sediment.h"

/* Excess of s at which a run breaks down: BROKEN_BOUNDS of system.h. */
#define MOST_EXCESS REAL(0.1)

/* The rungs of the article's ladder are switches in this text. For HALO_THREADS=1 (its halo threads) and
 * POINTS=1 (one point a thread, not 4) basin.c chooses kernels with other numbers of threads, and for
 * ONE_KERNEL=1 BASIN_ONE, both kernels in one. No switch changes a bit of the result. */
#ifndef READS
#define READS 1 /* on a GPU: 0 no first-level cache; 1 the read-only path; 2 plain loads */
#endif
#ifndef PRODUCTS
#define PRODUCTS 0 /* 1: keep alpha s and beta (1 - s) of the block and its rim in tiles */
#endif

#if PART != BASIN_H && PART != BASIN_S /* BASIN_ONE has a tile of its own */
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
#if PRODUCTS
    real sand[BH + 2][BW + 2]; /* from cell (-1,-1) */
#endif
#if PRODUCTS && PART == BASIN_H
    real mud[BH + 2][BW + 2];
#endif
#if PART == BASIN_ONE && !defined(__CUDACC__)
    real fresh[BH + 2][BW + 2]; /* the new h, likewise */
#endif
#if (LIMITS || BOOKS) && defined(__CUDACC__)
    struct {
        counter gained;
        bits fastest;
    } of_warp[WARPS];
#elif BOOKS
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
#define BOTH_AT(k, di, dj)    (SAND_AT(k, di, dj) + MUD_AT(k, di, dj))
#define OLD_HEIGHT(k, di, dj) LOAD(a.h[(k) + (dj)*a.pitch + (di)])
#if PART == BASIN_ONE
#define NEW_HEIGHT(k, di, dj) t->fresh[j + 1 + (dj)][i + 1 + (di)]
#else
#define NEW_HEIGHT(k, di, dj) LOAD(a.to_h[(k) + (dj)*a.pitch + (di)])
#endif

#include "systems/sediment_strips.h"
#include "systems/sediment_books.h"
#include "systems/sediment_limits.h"
#include "systems/sediment_block.h"

#if PART == BASIN_H || PART == BASIN_ONE

FN real at_face(real a, real b)
{
    return REAL(0.5) * (a + b);
}

/* Eq. (3), with a + b and h in the cell and around it. */
FN real next_height(const struct sediment_args *args, long k, real dt, const struct cross d,
                    const struct cross h)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    const real in_x =
        at_face(d.here, d.east) * (h.east - h.here) - at_face(d.here, d.west) * (h.here - h.west);
    const real in_y = at_face(d.here, d.north) * (h.north - h.here) -
                      at_face(d.here, d.south) * (h.here - h.south);
    return h.here + dt * ((in_x * x + in_y * y) + (a.supplied ? LOAD(a.in[k]) : REAL(0)));
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

/* Eq. (4), with a and the new h, from the old h and share of sand. */
FN real next_share(const struct sediment_args *args, long k, real dt, const struct cross d,
                   const struct cross h, real old, real share)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    const real in_x = spread(d.here, d.west, d.east, h.here, h.west, h.east);
    const real in_y = spread(d.here, d.south, d.north, h.here, h.south, h.north);
    const real sand = (in_x * x + in_y * y) + (a.supplied ? LOAD(a.in_sand[k]) : REAL(0));
    return share + a.p.PER_LAYER * (dt * sand - share * (h.here - old));
}

#endif

#if PART == BASIN_H

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    const real dt = step_length(a.clock);
#if PRODUCTS
    FOR_TILE (i, j, 2, 2) {
        const long k = at(a.pitch, X0 + i - 1, Y0 + j - 1);
        t->sand[j][i] = SAND(k);
        t->mud[j][i] = MUD(k);
    }
    SYNC;
#endif
    CARRY(both);
    CARRY(old);
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
        CROSS(both, BOTH_AT, k);
        CROSS(old, OLD_HEIGHT, k);
        LIMIT(i, k, both, old, LOAD(a.s[k]));
        a.to_h[k] = next_height(&a, k, dt, both, old);
    }
    END_STEP;
}

#elif PART == BASIN_S

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    const real dt = step_length(a.clock);
#if PRODUCTS
    FOR_TILE (i, j, 2, 2) {
        t->sand[j][i] = SAND(at(a.pitch, X0 + i - 1, Y0 + j - 1));
    }
    SYNC;
#endif
    CARRY(sand);
    CARRY(fresh);
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
        CROSS(sand, SAND_AT, k);
        CROSS(fresh, NEW_HEIGHT, k);
        const real next = next_share(&a, k, dt, sand, fresh, LOAD(a.h[k]), LOAD(a.s[k]));
        BOOK(i, LOAD(a.h[k]), LOAD(a.s[k]), fresh.here, next);
        a.to_s[k] = next;
    }
    END_STEP;
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
FN real height_at(const struct sediment_args *args, real dt, int i, int j)
{
    const struct sediment_args a = *args;
    const int x = side_of(i, a.span.nx), y = side_of(j, a.span.ny);
    const long k =
        at(a.pitch, i - x * (a.around_x ? a.span.nx : 1), j - y * (a.around_y ? a.span.ny : 1));
    struct cross both, old;
    ALL_OF(both, BOTH_AT, k);
    ALL_OF(old, OLD_HEIGHT, k);
    real h = next_height(&a, k, dt, both, old);
    if (a.rise && a.around_x && x)
        h += (real)x * a.rise[0];
    if (a.rise && a.around_y && y)
        h += (real)y * a.rise[ANY_UNKNOWNS];
    return h;
}

#ifdef __CUDACC__
#include "systems/sediment_march.h"
#else

/* BASIN_H for the block and its rim, then BASIN_S: it computes its neighbours' new h again instead of reading
 * it. */
KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    const real dt = step_length(a.clock);
    FOR_TILE (i, j, 2, 2) {
        const long k = at(a.pitch, X0 + i - 1, Y0 + j - 1);
        struct cross both, old;
        ALL_OF(both, BOTH_AT, k);
        ALL_OF(old, OLD_HEIGHT, k);
        t->fresh[j][i] = next_height(&a, k, dt, both, old);
    }
    if (X0 == 0 || Y0 == 0 || X0 + BW >= a.span.nx || Y0 + BH >= a.span.ny) {
        SYNC; /* beyond edges that used two layers of ghost cells, of which only one is valid */
        FOR_SPAN (m, 2 * (BW + BH + 4)) {
            const int row = m < 2 * (BW + 2), n = row ? m : m - 2 * (BW + 2);
            const int i = row ? n / 2 : (n % 2) * (CELLS_X + 1);
            const int j = row ? (n % 2) * (CELLS_Y + 1) : n / 2;
            const int u = X0 + i - 1, v = Y0 + j - 1, inside = i <= CELLS_X + 1 && j <= CELLS_Y + 1;
            if (inside && (side_of(u, a.span.nx) || side_of(v, a.span.ny)))
                t->fresh[j][i] = height_at(&a, dt, u, v);
        }
    }
    SYNC;
#if LIMITS
    CARRY(both);
    CARRY(old);
#endif
    CARRY(sand);
    CARRY(fresh);
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
#if LIMITS
        CROSS(both, BOTH_AT, k);
        CROSS(old, OLD_HEIGHT, k);
#endif
        CROSS(sand, SAND_AT, k);
        CROSS(fresh, NEW_HEIGHT, k);
        const real next = next_share(&a, k, dt, sand, fresh, LOAD(a.h[k]), LOAD(a.s[k]));
        LIMIT(i, k, both, old, LOAD(a.s[k]));
        BOOK(i, LOAD(a.h[k]), LOAD(a.s[k]), fresh.here, next);
        a.to_h[k] = fresh.here;
        a.to_s[k] = next;
    }
    END_STEP;
}

#endif

#elif PART == BASIN_CONS

/* Inflow across a face, times the cell's size, from or to a cell that is higher by `rise`. */
FN real through(real here, real there, real rise)
{
    return (rise > REAL(0) ? there : here) * rise;
}

/* Of a sediment, with its a or b, and h, in the cell and around it. */
FN real net_inflow(const struct cross d, const struct cross h, real x, real y)
{
    return (through(d.here, d.west, h.west - h.here) + through(d.here, d.east, h.east - h.here)) *
               x +
           (through(d.here, d.south, h.south - h.here) +
            through(d.here, d.north, h.north - h.here)) *
               y;
}

#if LIMITS
FN struct cross sum_of(const struct cross a, const struct cross b)
{
    struct cross c;
    c.here = a.here + b.here;
    c.west = a.west + b.west;
    c.east = a.east + b.east;
    c.south = a.south + b.south;
    c.north = a.north + b.north;
    return c;
}
#endif

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    const real dt = step_length(a.clock), x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    CARRY(of_sand);
    CARRY(of_mud);
    CARRY(old);
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
        CROSS(of_sand, SAND_AT, k);
        CROSS(of_mud, MUD_AT, k);
        CROSS(old, OLD_HEIGHT, k);
        const real share = LOAD(a.s[k]);
        const real in = a.supplied ? LOAD(a.in[k]) : REAL(0),
                   in_sand = a.supplied ? LOAD(a.in_sand[k]) : REAL(0);
        const real sand = net_inflow(of_sand, old, x, y) + in_sand;
        const real mud = net_inflow(of_mud, old, x, y) + (in - in_sand);
        const real h = old.here + dt * (sand + mud);
        const real next = share + dt * a.p.PER_LAYER * ((REAL(1) - share) * sand - share * mud);
        LIMIT(i, k, sum_of(of_sand, of_mud), old, share);
        BOOK(i, old.here, share, h, next);
        a.to_h[k] = h;
        a.to_s[k] = next;
    }
    END_STEP;
}

#elif PART == BASIN_LIMIT

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    CARRY(both);
    CARRY(old);
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
        CROSS(both, BOTH_AT, k);
        CROSS(old, OLD_HEIGHT, k);
        LIMIT(i, k, both, old, LOAD(a.s[k]));
    }
    END_STEP;
}

#elif PART == BASIN_TAKE

KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
        BOOK(i, a.h[k], a.s[k], a.to_h[k], a.to_s[k]);
    }
    END_STEP;
    FOR_STRIPS (i, j) {
        const long k = CELL(i, j);
        a.own_h[k] = a.to_h[k];
        a.own_s[k] = a.to_s[k];
    }
}

#elif PART == BASIN_HOME

/* A run that halts between the two steps of a pass leaves its solution in the other arrays: copies it home. */
KERNEL(sediment, struct sediment_args)
{
    (void)t;
    if (!*a.away)
        return;
    CELLS_AGAIN (i, j) {
        const long k = CELL(i, j);
        a.own_h[k] = a.to_h[k];
        a.own_s[k] = a.to_s[k];
    }
}

#endif
