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

/* Position s along edge e. */
FN struct place place_on_edge(int e, int s, int nx, int ny, long pitch, long bed_pitch)
{
    struct place p;
    p.edge = e;
    p.s = s;
    p.vertical = e <= EAST;
    p.low = e == WEST || e == SOUTH;
    p.n = p.vertical ? nx : ny;
    const long step = p.vertical ? 1 : pitch, along = p.vertical ? pitch : 1;
    p.out = p.low ? -step : step;
    p.last = s * along + (p.low ? 0 : (p.n - 1) * step);
    const int i = p.vertical ? (p.low ? 0 : p.n - 1) : s, j = p.vertical ? s : p.low ? 0 : p.n - 1;
    const long bed_step = p.vertical != TRANSPOSED ? 1 : bed_pitch;
    p.bed = TRANSPOSED ? at(bed_pitch, j, i) : at(bed_pitch, i, j);
    p.bed_out = p.low ? -bed_step : bed_step;
    return p;
}

/* Position k, counted through the west, the east, the south and the north. `where`: the offset of each
 * position's cell, where cells lie in tiles; else null. */
FN struct place place_on_rim(int k, int nx, int ny, long pitch, long bed_pitch, const long *where)
{
    int s = k, e = WEST;
    for (int sides = ny; e < NORTH && s >= sides; sides = e < SOUTH ? ny : nx) {
        s -= sides;
        e++;
    }
    struct place p = place_on_edge(e, s, nx, ny, pitch, bed_pitch);
    if (where)
        p.last = p.bed = where[k];
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

/* The state of a cell. */
struct ghost {
    real eta, hu, hv;
};

FN struct ghost state_at(const struct fields q, long k)
{
    struct ghost g;
    g.eta = q.eta[k];
    g.hu = q.hu[k];
    g.hv = q.hv[k];
    return g;
}

FN void put_state(const struct fields q, long k, const struct ghost g)
{
    q.eta[k] = g.eta;
    q.hu[k] = g.hu;
    q.hv[k] = g.hv;
}

/* The state g of a cell over ground of level `from` as a ghost cell outside a place copies it, over ground of level `bed`;
 * `turn`: mirrored by a wall. */
FN struct ghost copied_state(struct ghost g, const struct place p, int turn, real from, real bed,
                             real still)
{
    g.eta = carried_over(g.eta, from, bed, still);
    g.hu = turn && p.vertical ? -g.hu : g.hu;
    g.hv = turn && !p.vertical ? -g.hv : g.hv;
    return g;
}

/* Fills the ghost cells at a place on an edge of that kind. */
FN void copy_ghosts(const struct fields q, const real *centre, const struct place p, int kind,
                    real still)
{
    for (int ghost = 1; ghost <= GHOSTS; ghost++) {
        const struct source s = source_of(p, kind, ghost);
        put_state(q, s.to,
                  copied_state(state_at(q, s.from), p, s.turn, bed_beside(centre, p, s.outwards),
                               bed_beside(centre, p, ghost), still));
    }
}

#endif
