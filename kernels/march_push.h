/* What fused.cu and hancock.cu store in tiles besides their own cells: copies of the results along a tile's rim
 * in the ghost cells of its neighbours, of the ends of a row when the row is finished, of the first and the
 * last rows after all others. They are those of the state that the march writes. A march has `tiling`, `tile`
 * (its slot) and `ends`. Define before it: PUSH_ARGS, the type of the arguments; PUSHED(P), P(field, row of new
 * values) for each field; TILE_X(m) and TILE_Y(m), the block's first cell in its tile. */
#ifndef SHOAL_MARCH_PUSH_H
#define SHOAL_MARCH_PUSH_H

#include "tile_ways.h"

/* Where the ends of rows go. */
FN void find_pushed_ends(struct march *m, const struct warp warp, const PUSH_ARGS *a)
{
    const struct tiling *const t = m->tiling;
    const int pushes = t->neighbour != 0;
    const struct strip s = {TILE_X(m), m->w, m->tile_nx};
    find_ends(&m->ends, warp, s, pushes ? way_to(t, m->tile, 3, a->pitch) : 0,
              pushes ? way_to(t, m->tile, 5, a->pitch) : 0);
}

#define COPY_ENDS_OF(field, row)   COPY_ENDS((field) + k, m->row, m->ends);
#define COPY_STORED_OF(field, row) (field)[there] = (field)[here];

/* The ends of the row at offset k. */
FN void push_ends(const struct warp warp, struct march *m, const PUSH_ARGS *a, long k)
{
    PUSHED(COPY_ENDS_OF)
}

/* Each thread reads back only what it stored itself. */
#define COPY_STORED(way)                                    \
    do {                                                    \
        const long here = k + COLUMN, there = here + (way); \
        PUSHED(COPY_STORED_OF)                              \
    } while (0)

/* Copies the row at offset k to the neighbours in the row of tiles in the south (0) or north (2). */
FN void push_row(const struct warp warp, struct march *m, const PUSH_ARGS *a, long k, int up)
{
    const long middle = way_to(m->tiling, m->tile, 3 * up + 1, a->pitch);
    const long west = way_to(m->tiling, m->tile, 3 * up, a->pitch);
    const long east = way_to(m->tiling, m->tile, 3 * up + 2, a->pitch);
    const int nx =
        m->tiling->place[m->tile].nx - TILE_X(m); /* of the tile, from the block's first cell on */
    const int west_n = HALO - TILE_X(m) < m->w ? HALO - TILE_X(m) : m->w;
    const int first = nx > HALO ? nx : HALO;
    if (middle)
        FOR_INNER(HALO, m->w)
        {
            COPY_STORED(middle);
        }
    if (west)
        FOR_INNER(HALO, west_n)
        {
            COPY_STORED(west);
        }
    if (east)
        FOR_INNER(first, HALO + m->w - first)
        {
            COPY_STORED(east);
        }
}

/* The block's rows that are among the first and the last of its tile. */
FN void push_rows(const struct warp warp, struct march *m, const PUSH_ARGS *a)
{
    if (!m->tiling->neighbour)
        return;
    const int from = TILE_Y(m), ny = m->tiling->place[m->tile].ny;
    const int last = ny - HALO - from > 0 ? ny - HALO - from : 0;
    const long first = at(a->pitch, TILE_X(m) - HALO, m->tile * m->tiling->rows + from);
    for (int row = 0; row < m->h && row < HALO - from; row++)
        push_row(warp, m, a, first + row * a->pitch, 0);
    for (int row = last; row < m->h; row++)
        push_row(warp, m, a, first + row * a->pitch, 2);
}

#endif
