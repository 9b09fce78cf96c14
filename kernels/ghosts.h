/* Places on the domain's rim, and the two ghost cells outside each where they copy cells of the domain: a wall
 * mirrors the cells inside and reverses the normal discharge, an open edge repeats the last cell, a periodic
 * one copies the cells at the opposite edge (paper III, "boundary conditions"). TRANSPOSED: the state is stored
 * transposed, the bed is not. */
#ifndef SHOAL_GHOSTS_H
#define SHOAL_GHOSTS_H

#include "args.h"
#include "edges.h"
#include "num/carried_over.h"
#include "num/depth.h"

#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

/* Whether the cell of position k of the rim lies in a tile that is not stored. */
FN int is_absent(const long *where, int k)
{
    return where && where[k] < 0;
}

/* A position on the rim. */
struct place {
    int edge, s;       /* enum edge; the position along it */
    int vertical, low; /* west or east; west or south */
    int n;             /* cells from this edge to the opposite one */
    long out, last;    /* offsets: one cell outwards; of the edge's own cell */
    long bed_out, bed; /* the same in the bed */
};

/* Position k, counted through the west, the east, the south and the north. `where`: the offset of each
 * position's cell, where cells lie in tiles; else null. */
FN struct place place_on_rim(int k, int nx, int ny, long pitch, long bed_pitch, const long *where)
{
    struct place p;
    int s = k, e = WEST;
    for (int sides = ny; e < NORTH && s >= sides; sides = e < SOUTH ? ny : nx) {
        s -= sides;
        e++;
    }
    p.edge = e;
    p.s = s;
    p.vertical = e <= EAST;
    p.low = e == WEST || e == SOUTH;
    p.n = p.vertical ? nx : ny;
    const long step = p.vertical ? 1 : pitch, along = p.vertical ? pitch : 1;
    p.out = p.low ? -step : step;
    p.last = where ? where[k] : s * along + (p.low ? 0 : (p.n - 1) * step);
    const int i = p.vertical ? (p.low ? 0 : p.n - 1) : s, j = p.vertical ? s : p.low ? 0 : p.n - 1;
    const long bed_step = p.vertical != TRANSPOSED ? 1 : bed_pitch;
    p.bed = where ? where[k] : TRANSPOSED ? at(bed_pitch, j, i) : at(bed_pitch, i, j);
    p.bed_out = p.low ? -bed_step : bed_step;
    return p;
}

/* Bed level at the centre of a cell of the state, `outwards` cells from the edge's own. */
FN real bed_beside(const real *centre, const struct place p, int outwards)
{
    return centre[p.bed + outwards * p.bed_out];
}

/* Ghost cell 1 or 2 outside a place, and the cell that it copies; `turn`: mirrored by a wall. */
struct source {
    int outwards; /* where that is from the edge's own */
    long from, to;
    int turn;
};

FN struct source source_of(const struct place p, int kind, int ghost)
{
    /* With one cell between the edges the second ghost is that cell mirrored twice. */
    const int mirrored = p.n > 1 ? ghost - 1 : 0, twice = p.n == 1 && ghost == 2;
    const int round = ghost - (ghost > p.n ? 2 : 1) * p.n;
    struct source s;
    s.outwards = kind == WALL ? -mirrored : kind == OPEN ? 0 : round;
    s.from = p.last + s.outwards * p.out;
    s.to = p.last + ghost * p.out;
    s.turn = kind == WALL && !twice;
    return s;
}

/* Fills the ghost cells of an unknown that copies cells; `turned`: the factor by which a wall changes it. */
FN void copy_unknown(real *q, const struct place p, int kind, real turned)
{
    for (int ghost = 1; ghost <= GHOSTS; ghost++) {
        const struct source s = source_of(p, kind, ghost);
        q[s.to] = (s.turn ? turned : REAL(1)) * q[s.from];
    }
}

/* Fills the ghost cells at a place on an edge of that kind. */
FN void copy_ghosts(const struct fields q, const real *centre, const struct place p, int kind,
                    real still)
{
    for (int ghost = 1; ghost <= GHOSTS; ghost++) {
        const struct source s = source_of(p, kind, ghost);
        const long from = s.from, to = s.to;
        const real across = p.vertical ? q.hu[from] : q.hv[from];
        const real along = p.vertical ? q.hv[from] : q.hu[from];
        const real n = s.turn ? -across : across;
        q.eta[to] = carried_over(q.eta[from], bed_beside(centre, p, s.outwards),
                                 bed_beside(centre, p, ghost), still);
        q.hu[to] = p.vertical ? n : along;
        q.hv[to] = p.vertical ? along : n;
    }
}

#endif
