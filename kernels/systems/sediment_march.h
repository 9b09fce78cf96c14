/* BASIN_ONE on a GPU: a warp marches up through columns of a block, a row of cells at a time, and its lanes pass
 * what their neighbours need. Two lanes at each side compute what those inside read. Part of sediment.cu. */
#ifndef SHOAL_SEDIMENT_MARCH_H
#define SHOAL_SEDIMENT_MARCH_H

enum { ASIDE_LANES = 2, INNER_LANES = 32 - 2 * ASIDE_LANES };

/* A lane's cell in a row. */
struct cell {
    real h, s, sand, both; /* at the start of the step; a, and a + b */
    real fresh;            /* the new h */
};

/* What memory holds of it. */
struct read {
    real h, s, alpha, beta;
};

FN struct read read_at(const struct sediment_args *args, long k)
{
    const struct sediment_args a = *args;
    struct read r;
    r.h = LOAD(a.h[k]);
    r.s = LOAD(a.s[k]);
    r.alpha = LOAD(a.alpha[k]);
    r.beta = LOAD(a.beta[k]);
    return r;
}

FN struct cell cell_of(const struct sediment_args *a, const struct read r)
{
    struct cell c;
    c.h = r.h;
    c.s = r.s;
    c.sand = r.alpha * r.s * a->p.PER_SAND;
    c.both = c.sand + r.beta * (REAL(1) - r.s) * a->p.PER_MUD;
    c.fresh = REAL(0);
    return c;
}

/* Of a lane's value, with those of the lanes beside it. */
FN struct cross across(real south, real here, real north)
{
    struct cross c;
    c.here = here;
    c.south = south;
    c.north = north;
    c.west = __shfl_up_sync(0xffffffffu, here, 1);
    c.east = __shfl_down_sync(0xffffffffu, here, 1);
    return c;
}

/* Columns of the block, from lane ASIDE_LANES on. */
struct columns {
    int x, y;   /* of the lane's cell in the block's first row */
    int rows;   /* of the block, inside the domain */
    int inside; /* the lane's column is one of the block */
    int near;   /* or beside one */
    long k;     /* offset of that cell */
};

FN struct columns columns_of(const struct sediment_args *a, int x0, int y0, int count, int rows,
                             int lane)
{
    const int column = lane - ASIDE_LANES;
    struct columns c;
    c.x = x0 + column < a->span.nx + GHOSTS ? x0 + column : a->span.nx + GHOSTS - 1;
    c.y = y0;
    c.rows = rows;
    c.inside = column >= 0 && column < count && column < INNER_LANES;
    c.near = column >= -1 && column <= count && column <= INNER_LANES;
    c.k = at(a->pitch, c.x, c.y);
    return c;
}

/* Beyond the domain's edges, one cell at most. */
FN int is_beyond(const struct sediment_args *a, int x, int y)
{
    const int aside = side_of(x, a->span.nx), above = side_of(y, a->span.ny);
    return (aside || above) && x >= -1 && x <= a->span.nx;
}

/* Row `row` gives the new h of its cells, and then the row below, whose neighbours all have theirs, its new s. */
KERNEL(sediment, struct sediment_args)
{
    if (a.clock->halt)
        return;
    BEGIN_STEP;
    const real dt = step_length(a.clock);
    for (int first = 0; first < CELLS_X; first += INNER_LANES) {
        const struct columns c = columns_of(&a, X0 + first, Y0, CELLS_X - first, CELLS_Y, THREAD);
        struct cell low = cell_of(&a, read_at(&a, c.k - 2 * a.pitch)), lower = low;
        struct cell here = cell_of(&a, read_at(&a, c.k - a.pitch));
        struct read next = read_at(&a, c.k);
        UNROLL(1)
        for (int row = -1; row <= c.rows; row++) {
            const long k = c.k + row * a.pitch, own = k - a.pitch;
            const struct cell above = cell_of(&a, next);
            if (row < c.rows)
                next = read_at(&a, k + 2 * a.pitch);
            const struct cross both = across(low.both, here.both, above.both);
            const struct cross old = across(low.h, here.h, above.h);
            here.fresh = next_height(&a, k, dt, both, old);
            if (is_beyond(&a, c.x, c.y + row))
                here.fresh = height_at(&a, dt, c.x, c.y + row);
            if (row < c.rows) {
                LIMIT_OWN(both, old, here.s);
            }
            const struct cross sand = across(lower.sand, low.sand, here.sand);
            const struct cross fresh = across(lower.fresh, low.fresh, here.fresh);
            if (c.inside && row > 0) {
                const real share = next_share(&a, own, dt, sand, fresh, low.h, low.s);
                BOOK(0, low.h, low.s, low.fresh, share);
                a.to_h[own] = low.fresh;
                a.to_s[own] = share;
            }
            lower = low;
            low = here;
            here = above;
        }
        END_OWN(c.near);
    }
    END_STEP;
}

#endif
