/* The ghost cells of the state and of the rates that a step writes, filled by its blocks, and the state's corners.
 * hancock.cu includes it where FILLS_GHOSTS is defined. */
#ifndef SHOAL_HANCOCK_GHOSTS_H
#define SHOAL_HANCOCK_GHOSTS_H

#include "ghosts.h"
#include "linked_clock.h"
#include "num/rates.h"

FN real more_ghost(real rates, const struct source s, const struct place p)
{
    return s.turn ? reversed_rates(rates, p.vertical) : rates;
}

#define PREPARE(all, x, y)                                            \
    BESIDE_LINKED_CLOCK(all, x, y, begin_pass, (all)->args.place - 1) \
    expect_linked((all)->args.linked)
#define PREPARED(all) (all)->args
#define FILL_ARGS     struct hancock_args
#define MORE_OF(a)    (a)->new_rates
#include "fill_own.h"

/* The corner between two edges, from the cell that its ghost cell outside the western or eastern one copies, if that is
 * a cell of the block: corners.cu copies that ghost cell. */
FN void fill_own_corner(const struct filling *f, int east, int north, const int *kind)
{
    const struct place y = fill_place(f, north ? NORTH : SOUTH, east ? f->nx - 1 : 0);
    const int kind_x = kind[east ? EAST : WEST], kind_y = kind[y.edge];
    const int far = kind_y == PERIODIC ? !north : north;
    const struct place x = fill_place(f, east ? EAST : WEST, far ? f->ny - 1 : 0);
    const struct source s = source_of(x, kind_x, 1);
    const long out = at(f->pitch, east ? f->nx : -1, north ? f->ny : -1);
    if (x.s < f->y || x.s >= f->y + f->h || !has_source(f, x, s.outwards))
        return;
    const real from = f->centre[s.from], beside = f->centre[s.to];
    const struct ghost g = copied_state(state_at(f->q, s.from), x, s.turn, from, beside, f->still);
    put_state(f->q, out, copied_state(g, y, kind_y == WALL, beside, f->centre[out], f->still));
}

FN void fill_own_corners(const struct warp warp, const struct filling *f, const int *kind)
{
    (void)warp;
    for (int k = FILLER; k < 4; k += FILLERS)
        fill_own_corner(f, k & 1, k >> 1, kind);
}

#endif
