/* The part of the fused substep for tiles: it stores the flow through the domain's edges at a tile's
 * positions there. fused.cu includes it where TILED is defined. */
#ifndef SHOAL_FUSED_TILES_H
#define SHOAL_FUSED_TILES_H

#include "march_moves.h"

#define PUSHED_STATE(P) P(a->to.eta, new_eta) P(a->to.hu, new_hu) P(a->to.hv, new_hv)
#ifdef WITH_TRACER
#define PUSHED(P) PUSHED_STATE(P) P(a->carried.to, new_dye)
#else
#define PUSHED(P) PUSHED_STATE(P)
#endif
#define PUSH_ARGS struct fused_args
#define TILE_X(m) (m)->x
#define TILE_Y(m) ((m)->y - (m)->tile * (m)->tiling->rows)
#include "march_push.h"

/* What saves registers where a thread has four columns, whose values would not fit otherwise: with a map of tiles
 * no cell is forced (any might change), and gains that wait for no vote are counted as soon as they are known. With
 * fewer columns the assembler does better without. */
#define MAY_BE_FORCED (WIDTH < 128 || !KEEPS_MAP)
#define COUNTS_EARLY  (!DRIES_LATER && WIDTH >= 128)

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
    KEEP_TILE_RIMS(rim, HERE(m->fw), HERE(m->gw));
#ifdef WITH_TRACER
    if (m->tiling->carried[WEST])
        KEEP_TILE_RIMS(carried, HERE(m->fw) * HERE(m->west_flow),
                       HERE(m->gw) * HERE(m->north_flow));
#endif /* WITH_TRACER */
}

FN void find_neighbours(struct march *m, const struct warp warp, const struct fused_args *a,
                        const struct tiling *t, const struct tile_place here)
{
    m->tiling = t;
    m->tile = here.slot;
    m->tile_nx = here.nx;
    BEGIN_MOVES(m, m->x, m->tile_nx);
    find_pushed_ends(m, warp, a);
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
