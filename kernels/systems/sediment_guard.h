/* LIMIT of kernels that make steps of a fixed length: they need not know how long a step may be, only whether the
 * fixed one is too long. A bound that costs little tells of most threads that it is not; the others take the limit
 * of each of their cells, and keep one that the fixed step exceeds. Part of sediment_limits.h. */
#ifndef SHOAL_SEDIMENT_GUARD_H
#define SHOAL_SEDIMENT_GUARD_H

/* Above all limits of cells around which a + b is at most `both`, and the floor's slopes, over the cell sizes, add
 * up to `slopes`; for shares from 0 to 1. */
FN real bound_of(const struct sediment_args *args, real both, real slopes)
{
    const struct sediment_args a = *args;
    const real x = both * square(a.p.inv_dx), y = both * square(a.p.inv_dy);
    return max2((x + x) + (y + y), CARRIES_MOST * slopes); /* rounded as in evens_out() */
}

FN int is_supplied(const struct sediment_args *args, long k)
{
    const struct sediment_args a = *args;
    return a.supplied && (LOAD(a.in[k]) != REAL(0) || LOAD(a.in_sand[k]) != REAL(0));
}

FN real if_above(real limit, real allowed)
{
    return limit <= allowed ? REAL(0) : limit;
}

#if defined(__CUDACC__) || defined(EMULATE)

/* The first 32 bits of the largest of a thread's values: their order is that of the values if no sign is set, and
 * a value with a sign, or none at all, is above all others. One instruction compares them. */
struct tops {
    unsigned both, rise_x, rise_y, share;
};

FN unsigned first_bits(real x)
{
    return (unsigned)(bits_of(x) >> (PRECISION - 32));
}

/* The largest number that begins so. */
FN real at_most(unsigned first)
{
    return real_of(((bits)first << (PRECISION - 32)) | (((bits)1 << (PRECISION - 32)) - 1));
}

FN unsigned higher(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

FN unsigned steeper(unsigned top, real low, real high)
{
    return higher(top, first_bits(high - low) & 0x7fffffffu);
}

FN void look_at(struct tops *top, const struct cross d, const struct cross h, real s)
{
    top->both = higher(higher(higher(top->both, first_bits(d.here)),
                              higher(first_bits(d.west), first_bits(d.east))),
                       higher(first_bits(d.south), first_bits(d.north)));
    top->rise_x = steeper(steeper(top->rise_x, h.here, h.east), h.west, h.here);
    top->rise_y = steeper(steeper(top->rise_y, h.here, h.north), h.south, h.here);
    top->share = higher(top->share, first_bits(s));
}

/* The same where a warp's lanes are neighbours, and each looks at a row after the other: its own values, and what lies
 * between it and the next lane and row. */
FN void look_at_own(struct tops *top, const struct cross d, const struct cross h, real s)
{
    top->both = higher(top->both, higher(first_bits(d.here), first_bits(d.north)));
    top->rise_x = steeper(top->rise_x, h.here, h.east);
    top->rise_y = steeper(top->rise_y, h.here, h.north);
    top->share = higher(top->share, first_bits(s));
}

FN int all_allow(const struct sediment_args *args, const struct tops top, real allowed)
{
    const struct sediment_args a = *args;
    const real slopes = REAL(2) * (at_most(top.rise_x) * square(a.p.inv_dx) +
                                   at_most(top.rise_y) * square(a.p.inv_dy));
    return top.share <= first_bits(REAL(1)) && top.both < first_bits(REAL(1e30)) &&
           bound_of(args, at_most(top.both), slopes) <= allowed;
}

#ifdef __CUDACC__

FN unsigned highest_of_warp(unsigned n)
{
    for (int d = 16; d > 0; d /= 2)
        n = higher(n, __shfl_xor_sync(0xffffffffu, n, d));
    return n;
}

/* Then all lanes know what those that matter have seen. */
FN struct tops of_warp(const struct tops own, int matters)
{
    struct tops top;
    top.both = highest_of_warp(matters ? own.both : 0);
    top.rise_x = highest_of_warp(matters ? own.rise_x : 0);
    top.rise_y = highest_of_warp(matters ? own.rise_y : 0);
    top.share = highest_of_warp(matters ? own.share : 0);
    return top;
}

#define LIMIT_OWN(d, h, s) look_at_own(&top, d, h, s)
#define END_OWN(matters)   top = of_warp(top, matters)

#endif

#define BEGIN_LIMITS       \
    struct tops top = {0}; \
    real fastest = 0
#define FASTEST                 fastest
#define LIMIT(lane, k, d, h, s) look_at(&top, d, h, s)
#define LIMIT_CLOSER                                                                      \
    do {                                                                                  \
        const real allowed = a.p.ALLOWED;                                                 \
        const int all = !all_allow(&a, top, allowed);                                     \
        if (all || a.supplied)                                                            \
            CELLS_AGAIN (i, j) {                                                          \
                if (all || is_supplied(&a, CELL(i, j)))                                   \
                    fastest = max2(fastest, if_above(limit_in(&a, CELL(i, j)), allowed)); \
            }                                                                             \
    } while (0)
#define END_LIMITS                       \
    LIMIT_CLOSER;                        \
    const bits limit = bits_of(fastest); \
    BLOCK_MAX(a.block_speed[BLOCK_ID], limit)

#else

/* Rows are vector code, so bounds are those of each column: of a + b in its cells, and of the slopes to the next
 * column and row, each taken as twice as steep as the steeper one. */
FN real bound_own(const struct sediment_args *args, real both, real rise_x, real rise_y)
{
    const struct sediment_args a = *args;
    const real slope = max2(abs1(rise_x) * square(a.p.inv_dx), abs1(rise_y) * square(a.p.inv_dy));
    return bound_of(args, both, REAL(4) * slope);
}

FN real bound_if_held(const struct sediment_args *args, const struct cross d, const struct cross h,
                      real s)
{
    const real bound = bound_own(args, d.here, h.east - h.here, h.north - h.here);
    return s >= REAL(0) && s <= REAL(1) ? bound : REAL(1e30);
}

/* And what lies beside the block of w x h cells from offset k on. */
FN void bound_rim(const struct sediment_args *args, long k, int w, int h, bits *bounds)
{
    const struct sediment_args a = *args;
    const long top = k + h * a.pitch;
    INDEPENDENT for (int i = 0; i < w; i++)
    {
        const long below = k - a.pitch + i;
        TAKE_MAX(bounds, i,
                 bound_own(args, SAND(below) + MUD(below), REAL(0),
                           LOAD(a.h[k + i]) - LOAD(a.h[below])));
        TAKE_MAX(bounds, i, bound_own(args, SAND(top + i) + MUD(top + i), REAL(0), REAL(0)));
    }
    for (int j = 0; j < h; j++) {
        const long here = k + j * a.pitch, west = here - 1, east = here + w;
        TAKE_MAX(
            bounds, 0,
            bound_own(args, SAND(west) + MUD(west), LOAD(a.h[here]) - LOAD(a.h[west]), REAL(0)));
        TAKE_MAX(bounds, w - 1, bound_own(args, SAND(east) + MUD(east), REAL(0), REAL(0)));
    }
}

/* What bounds the limits of the group of columns from `first` on, those beside it included. */
FN bits bound_group(const struct sediment_args *args, const bits *bounds, long k, int first, int w,
                    int h)
{
    const struct sediment_args a = *args;
    const int from = first > 0 ? first - 1 : 0, last = first + GROUP < w ? first + GROUP : w - 1;
    for (int j = 0; a.supplied && j < h; j++)
        for (int i = first; i < w && i < first + GROUP; i++)
            if (is_supplied(args, k + j * a.pitch + i))
                return bits_of(REAL(1e30));
    return most_of(bounds + from, last - from + 1);
}

FN bits limit_group(const struct sediment_args *args, long k, int n, int h)
{
    const struct sediment_args a = *args;
    bits of_column[GROUP] = {0};
    for (int j = 0; j < h; j++)
        INDEPENDENT for (int i = 0; i < n; i++)
            TAKE_MAX(of_column, i, limit_in(&a, k + j * a.pitch + i));
    return most_of(of_column, n);
}

/* Of a block of w x h cells from offset k on: the largest limit that the step exceeds, or 0. */
FN bits look_closer(const struct sediment_args *a, long k, int w, int h, bits *bounds)
{
    const bits allowed = bits_of(a->p.ALLOWED);
    bits fastest = allowed;
    bound_rim(a, k, w, h, bounds);
    for (int first = 0; first < w; first += GROUP)
        if (bound_group(a, bounds, k, first, w, h) > fastest) /* also a NaN's */
            fastest = max_bits(fastest,
                               limit_group(a, k + first, w - first < GROUP ? w - first : GROUP, h));
    return fastest > allowed ? fastest : 0;
}

#define BEGIN_LIMITS            MAX_LANES(bounds)
#define LIMIT(lane, k, d, h, s) TAKE_MAX(bounds, lane, bound_if_held(&a, d, h, s))
#define END_LIMITS \
    a.block_speed[BLOCK_ID] = look_closer(&a, at(a.pitch, X0, Y0), CELLS_X, CELLS_Y, bounds)

#endif

#endif
