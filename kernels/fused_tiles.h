/* The part of the fused substep for tiles: it stores the flow through the domain's edges at a tile's
 * positions there, and copies the results along a tile's rim to the ghost cells of its neighbours: the ends
 * of a row when the row is finished, the first and the last rows after all others. fused.cu includes it where
 * TILED is defined. */
#ifndef SHOAL_FUSED_TILES_H
#define SHOAL_FUSED_TILES_H

#include "march_moves.h"

/* What saves registers where a thread has four columns, whose values would not fit otherwise: with a map of tiles
 * no cell is forced (any might change), and gains are counted as soon as they are known. With fewer columns the
 * assembler does better without. */
#define MAY_BE_FORCED (WIDTH < 128 || !KEEPS_MAP)
#define COUNTS_EARLY  (WIDTH >= 128)

/* Where a tile ends at the domain's edge: stores the flow through the west faces of row r - 2, and through
 * its northern ones. */
#define KEEP_TILE_RIMS(rims, western, northern)                                                 \
    do {                                                                                        \
        const struct tile_place here = m->tiling->place[m->tile];                               \
        const int row = r - HALO, from = m->y - here.slot * m->tiling->rows;                    \
        real *const *const rim = m->tiling->rims;                                               \
        if ((here.edges & 1 << WEST) && m->x == 0 && row >= 0)                                  \
            FOR_INNER(HALO, 1) keep(&rim[WEST][here.j0 + from + row], western, SUBSTEP);        \
        if ((here.edges & 1 << EAST) && m->x + m->w == here.nx && row >= 0)                     \
            FOR_INNER(HALO + m->w, 1) keep(&rim[EAST][here.j0 + from + row], western, SUBSTEP); \
        if ((here.edges & 1 << SOUTH) && from == 0 && row == -1)                                \
            FOR_INNER(HALO, m->w)                                                               \
        keep(&rim[SOUTH][here.i0 + m->x + COLUMN - HALO], northern, SUBSTEP);                   \
        if ((here.edges & 1 << NORTH) && from + m->h == here.ny && row == m->h - 1)             \
            FOR_INNER(HALO, m->w)                                                               \
        keep(&rim[NORTH][here.i0 + m->x + COLUMN - HALO], northern, SUBSTEP);                   \
    } while (0)

FN void keep_tile_rims(const struct warp warp, struct march *m, int r)
{
    if (m->tiling->rim[WEST])
        KEEP_TILE_RIMS(rim, HERE(m->fw), HERE(m->gw));
#ifdef WITH_TRACER
    if (m->tiling->carried[WEST])
        KEEP_TILE_RIMS(carried, HERE(m->fw) * HERE(m->west_flow),
                       HERE(m->gw) * HERE(m->north_flow));
#endif /* WITH_TRACER */
}

/* Offset from a cell to its copy among the ghost cells of a neighbour; 0: there is none. */
FN long way_to(const struct tiling *t, int slot, int direction, long pitch)
{
    const struct tile_neighbour n = t->neighbour[slot * TILE_SIDES + direction];
    return n.slot < 0 || n.around ? 0 : n.di + ((long)(n.slot - slot) * t->rows + n.dj) * pitch;
}

FN void find_neighbours(struct march *m, const struct warp warp, const struct fused_args *a,
                        const struct tiling *t, const struct tile_place here)
{
    const int pushes = t->neighbour != 0;
    const struct strip s = {m->x, m->w, here.nx};
    m->tiling = t;
    m->tile = here.slot;
    m->moved = 0;
    m->tile_nx = here.nx;
    find_ends(&m->ends, warp, s, pushes ? way_to(t, here.slot, 3, a->pitch) : 0,
              pushes ? way_to(t, here.slot, 5, a->pitch) : 0);
}

#ifdef WITH_TRACER
#define COPY_DYE(place, value) a->carried.to[place] = (value)
#else
#define COPY_DYE(place, value) ((void)0)
#endif

/* The ends of the row at offset k. */
FN void push_ends(const struct warp warp, struct march *m, const struct fused_args *a, long k)
{
    COPY_ENDS(a->to.eta + k, m->new_eta, m->ends);
    COPY_ENDS(a->to.hu + k, m->new_hu, m->ends);
    COPY_ENDS(a->to.hv + k, m->new_hv, m->ends);
#ifdef WITH_TRACER
    COPY_ENDS(a->carried.to + k, m->new_dye, m->ends);
#endif /* WITH_TRACER */
}

/* Each thread reads back only what it stored itself. */
#define COPY_STORED(way)                                    \
    do {                                                    \
        const long here = k + COLUMN, there = here + (way); \
        a->to.eta[there] = a->to.eta[here];                 \
        a->to.hu[there] = a->to.hu[here];                   \
        a->to.hv[there] = a->to.hv[here];                   \
        COPY_DYE(there, a->carried.to[here]);               \
    } while (0)

/* Copies the row at offset k to the neighbours in the row of tiles in the south (0) or north (2). */
FN void push_row(const struct warp warp, struct march *m, const struct fused_args *a, long k,
                 int up)
{
    const long middle = way_to(m->tiling, m->tile, 3 * up + 1, a->pitch);
    const long west = way_to(m->tiling, m->tile, 3 * up, a->pitch);
    const long east = way_to(m->tiling, m->tile, 3 * up + 2, a->pitch);
    const int nx =
        m->tiling->place[m->tile].nx - m->x; /* of the tile, from the block's first cell on */
    const int west_n = HALO - m->x < m->w ? HALO - m->x : m->w;
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
FN void push_rows(const struct warp warp, struct march *m, const struct fused_args *a)
{
    if (!m->tiling->neighbour)
        return;
    const int from = m->y - m->tile * m->tiling->rows, ny = m->tiling->place[m->tile].ny;
    const int last = ny - HALO - from > 0 ? ny - HALO - from : 0;
    const long first = at(a->pitch, m->x - HALO, m->y);
    for (int row = 0; row < m->h && row < HALO - from; row++)
        push_row(warp, m, a, first + row * a->pitch, 0);
    for (int row = last; row < m->h; row++)
        push_row(warp, m, a, first + row * a->pitch, 2);
}

/* The new value of a column: in its row, or in memory where rows pass nothing on. */
#ifdef PASSING_IN_MEMORY
#define NEW_OF(row, memory) (memory)[k + COLUMN]
#else
#define NEW_OF(row, memory) HERE(row)
#endif

FN int moves_at_row(const struct march *m, int row)
{
    const int j = m->y - m->tile * m->tiling->rows + row;
    const int ny = m->tiling->place[m->tile].ny;
    return MOVES_AT_ROW(j, ny);
}

/* c changed in the column, or a flow through the cell's faces may change it. */
#ifdef WITH_TRACER
#define DYE_MOVES(m, a, k)                                     \
    ((HERE((m)->fw) != REAL(0)) | (HERE((m)->gw) != REAL(0)) | \
     (bits_of(NEW_OF((m)->new_dye, (a)->carried.to)) != bits_of(HERE(ROW(m, dye, 0)))))
#else
#define DYE_MOVES(m, a, k) 0
#endif

#endif
