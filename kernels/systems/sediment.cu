/* Two sediments in a basin, sand with the share s and mud with 1 - s:
 *
 *     h_t         = div(a grad h) + div(b grad h),   a = alpha s / Cs,  b = beta (1 - s) / Cm
 *     A s_t + s h_t = div(a grad h)
 *
 * BASIN_H and BASIN_S are eqs. (3) and (4) of Su et al. 2013: forward Euler, means of a and b at faces; then s from the new
 * h, the right side as a lap h + grad a . grad h, where the differences of a are those to the cell uphill. There s h_t has
 * the old s: the new one gains as much sand, and 1 / (A + dh) has a pole where a layer is eroded in a step. BASIN_CONS takes
 * both fluxes from the old state, a and b from the cell uphill of each face, and
 *
 *     h += dt div(Fs + Fm),   s += dt/A ((1 - s) div Fs - s div Fm)
 *
 * which conserves the sum of A ds + s dh and keeps s = 0 and s = 1 to the bit. Ghost cells beyond edges mirror those inside,
 * so that nothing crosses a face there; what edges bring is `in`. Sums are grouped by direction: a mirror and an exchange of
 * x and y give the same bits. */
/* With a fixed step two steps make a pass, from one state to another and back (schemes/sediment.c; not with PAIRS=0):
 * LIMITS says that BASIN_H, BASIN_ONE and BASIN_CONS find on the way how long the step might have been, BOOKS that BASIN_S,
 * BASIN_ONE and BASIN_CONS book it. */
#ifndef LIMITS
#define LIMITS (PART == BASIN_LIMIT)
#endif
#ifndef BOOKS
#define BOOKS (PART == BASIN_TAKE)
#endif

/* So many threads must fit on a multiprocessor at once: 80 or 64 registers for each. Of blocks up to 256 threads as many as
 * of such blocks. */
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

#define MOST_EXCESS REAL(0.1) /* of s, before a run breaks down: BROKEN_BOUNDS of system.h */

/* The rungs of the article's ladder are switches of this text; basin.c takes its halo threads, HALO_THREADS=1, and several
 * points a thread, POINTS=4, for kernels with other numbers of threads; and BASIN_ONE, both kernels in one, ONE_KERNEL=1. No
 * switch changes a bit. */
#ifndef READS
#define READS 1 /* on a GPU: 0 no first-level cache; 1 the read-only path; 2 either */
#endif
#ifndef PRODUCTS
#define PRODUCTS 0 /* 1: alpha s and beta (1 - s) of the block and its rim lie in tiles */
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

/* Of the cell beside (i, j), k from the first one, in the kernel's own loop. */
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

#if BOOKS

/* Of the threads of a warp, for its first one; elsewhere each thread has its own. */
FN int warp_sum(counter *n, int thread)
{
#ifdef __CUDACC__
    const int warps = (BLOCK_THREADS + 31) / 32, lane = thread % 32;
    const int lanes = thread / 32 == warps - 1 ? BLOCK_THREADS - 32 * (warps - 1) : 32;
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (int d = 16; d > 0; d /= 2) {
        const counter other = __shfl_down_sync(mask, *n, d);
        *n += lane + d < lanes ? other : 0;
    }
    return lane == 0;
#else
    (void)n;
    (void)thread;
    return 1;
#endif
}

FN void raise(bits *most, bits x)
{
    if (x <= *most)
        return;
#ifdef __CUDACC__
#if PRECISION == 64
    atomicMax((unsigned long long *)most, (unsigned long long)x);
#else
    atomicMax(most, x);
#endif
#else
    for (bits old = __atomic_load_n(most, __ATOMIC_RELAXED); x > old;)
        if (__atomic_compare_exchange_n(most, &old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
#endif
}

/* In a kernel's body: what a step has changed of the sand, in a block's tile and from there in all; and by how much s has
 * left its bounds. What no counter holds, and processors convert each in its way, has broken the run (limit_at). */
#define BEGIN_BOOKS              \
    counter whole = 0, part = 0; \
    MAX_LANES(beyond);           \
    ONCE t->whole = t->part = 0; \
    SYNC
#define BOOK(lane, old_h, old_s, h, s)                                                 \
    do {                                                                               \
        const real gained =                                                            \
            (((s) - (old_s)) + (old_s) * ((h) - (old_h)) * a.p.PER_LAYER) * a.p.units; \
        whole += (counter)(long)gained;                                                \
        part += (counter)parts(gained);                                                \
        TAKE_MAX(beyond, lane, positive(max2((s)-REAL(1), -(s))));                     \
    } while (0)
#if defined(__CUDACC__) || defined(EMULATE)
#define OWN_THREAD THREAD
#else
#define OWN_THREAD 0
#endif
#define END_BOOKS                                  \
    const int adds = warp_sum(&whole, OWN_THREAD); \
    (void)warp_sum(&part, OWN_THREAD);             \
    if (adds) {                                    \
        add(&t->whole, whole);                     \
        add(&t->part, part);                       \
    }                                              \
    bits most = 0;                                 \
    BLOCK_MAX(most, beyond);                       \
    SYNC;                                          \
    ONCE                                           \
    {                                              \
        add(&a.booked[WHOLE], t->whole);           \
        add(&a.booked[PARTS], t->part);            \
        raise(a.excess, most);                     \
        if (BLOCK_ID == 0)                         \
            *a.away = a.goes_away;                 \
    }

#else
#define BEGIN_BOOKS (void)t
#define BOOK(lane, old_h, old_s, h, s)
#define END_BOOKS
#endif

#if LIMITS

/* What is to be known of the faces of a cell, per s: how fast heights even out; what comes in of each sediment, per metre
 * of the layer; and how steeply the floor falls from it. */
struct around {
    real evens, sand, mud, falls;
};

FN struct around look(real sand, real mud, real own, real rise)
{
    struct around n;
    n.evens = max2(sand + mud, own);
    n.sand = rise > REAL(0) ? sand * rise : REAL(0);
    n.mud = rise > REAL(0) ? mud * rise : REAL(0);
    n.falls = rise < REAL(0) ? -rise : REAL(0);
    return n;
}

FN struct around both(const struct around a, const struct around b, real x, real y)
{
    struct around n;
    n.evens = a.evens * x + b.evens * y;
    n.sand = a.sand * x + b.sand * y;
    n.mud = a.mud * x + b.mud * y;
    n.falls = a.falls * x + b.falls * y;
    return n;
}

/* Heights stay between their neighbours' for dt <= 1 / evens. With a the sand that comes in and D the fall, the new share is
 * s (1 - dt/A (b_in + (1-s) alpha D / Cs)) + dt/A (...) >= 0, and the same of 1 - s: so s stays in 0 to 1 for
 * dt <= A / max(a_in + s beta D / Cm, b_in + (1 - s) alpha D / Cs). What leaves through edges takes its share of both; a sink
 * of one that a case puts somewhere is held against what there is of it. */
FN real limit_at(const struct sediment_args *args, long k)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    const long w = k - 1, e = k + 1;
    const long below = k - a.pitch, above = k + a.pitch;
    const real h = LOAD(a.h[k]), s = LOAD(a.s[k]), m = REAL(1) - s, own = SAND(k) + MUD(k);
    const struct around n =
        both(both(look(SAND(w), MUD(w), own, LOAD(a.h[w]) - h),
                  look(SAND(e), MUD(e), own, LOAD(a.h[e]) - h), x, x),
             both(look(SAND(below), MUD(below), own, LOAD(a.h[below]) - h),
                  look(SAND(above), MUD(above), own, LOAD(a.h[above]) - h), y, y),
             REAL(1), REAL(1));
    const real sand = a.supplied ? LOAD(a.in_sand[k]) : REAL(0),
               mud = a.supplied ? LOAD(a.in[k]) - LOAD(a.in_sand[k]) : REAL(0);
    const real no_sand = sand < REAL(0) ? -sand * m / s : REAL(0);
    const real no_mud = mud < REAL(0) ? -mud * s / m : REAL(0);
    const real of_mud =
        n.sand + positive(sand) + s * LOAD(a.beta[k]) * a.p.PER_MUD * n.falls + no_mud;
    const real of_sand =
        n.mud + positive(mud) + m * LOAD(a.alpha[k]) * a.p.PER_SAND * n.falls + no_sand;
    const real speed = max2(n.evens, max2(of_sand, of_mud) * a.p.PER_LAYER);
    const int whole = s <= REAL(1) + MOST_EXCESS && s >= -MOST_EXCESS && abs1(h) <= REAL(1e30);
    return whole ? speed : REAL(4e30);
}

#define BEGIN_LIMITS   MAX_LANES(fastest)
#define LIMIT(lane, k) TAKE_MAX(fastest, lane, limit_at(&a, k))
#define END_LIMITS     BLOCK_MAX(a.block_speed[BLOCK_ID], fastest)
#else
#define BEGIN_LIMITS (void)t
#define LIMIT(lane, k)
#define END_LIMITS
#endif

/* Of a cell and those around it. */
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

/* Eq. (3), with a + b of the cell and of those around it. */
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

/* Along one axis, times the square of the cell: a lap h + grad a . grad h, with the difference of a to the cell uphill. */
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

/* Of a position on the axis, 1 beyond the end of n cells at most: 0 inside, -1 before the first cell, 1 behind the last. */
FN int side_of(int i, int n)
{
    return i < 0 ? -1 : i < n ? 0 : 1;
}

/* The new h of a cell, or of the ghost cell beside an edge: what any_boundary.cu would make it once all cells have theirs. */
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

/* BASIN_H for the block and its rim, then BASIN_S: what neighbours compute, too, need not be read. */
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
        SYNC; /* beyond edges that was of two layers of ghost cells, of which only one means something */
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

/* What comes in across a face, times the cell's size, from or to a cell that is higher by `rise`. */
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

/* A run that halts between the two steps of a pass has left its solution away from home. */
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
