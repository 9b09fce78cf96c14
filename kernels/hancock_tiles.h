/* The part of hancock.cu for tiles: what goes to neighbouring ones, and where something may change. hancock.cu includes
 * it where TILED is defined. */
#ifndef SHOAL_HANCOCK_TILES_H
#define SHOAL_HANCOCK_TILES_H

#include "march_moves.h"

/* The rates, too: the next step reads them in ghost cells. */
#define PUSHED(P)         \
    P(a->to.eta, new_eta) \
    P(a->to.hu, new_hu)   \
    P(a->to.hv, new_hv)   \
    P(a->new_rates, taken)
#define PUSH_ARGS struct hancock_args
#define TILE_X(m) (m)->tile_x
#define TILE_Y(m) ((m)->y - (m)->tiling->place[(m)->tile].j0)
#include "march_push.h"

FN int moves_at_row(const struct march *m, int row)
{
    const int j = TILE_Y(m) + row, ny = m->tiling->place[m->tile].ny;
    return MOVES_AT_ROW(j, ny);
}

/* Whether a cell may change its state or its rates, which `was` points at, in a next step, of any length. A stream may
 * even if it is steady: its ends become thinner by a share that depends on dt. */
FN int moves_on(struct state from, struct state to, struct state rate, real taken, const real *was,
                real floor, const struct physics p)
{
    real gained = REAL(0);
    const struct state after = DRIES_LATER ? dried(to, floor, p, &gained) : to;
    const int flows =
        moves(from, after, rate, floor, p.dry) | (from.hu != REAL(0)) | (from.hv != REAL(0));
    if (WHOLE_ROWS && flows)
        return 1; /* mostly, and without a load */
    return flows | (bits_of(taken) != bits_of(*was));
}
#endif
