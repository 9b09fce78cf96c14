/* Fills the two ghost cells outside every edge of the domain (paper III, "boundary conditions"):
 * a wall mirrors the cells inside and turns the normal discharge round, an open edge repeats the
 * last cell, a periodic one takes the cells from the opposite edge. The others impose numbers and
 * take the rest from the last cell. TRANSPOSED: the state is stored the other way round, the bed is
 * not. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* its index arithmetic takes registers, and it is a small part of a step */
#endif

#include "args.h"
#include "num/depth.h"
#include "num/riemann.h"

#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

#if PRECISION == 64
#define GIVEN a.edge
#else
#define GIVEN a.edge_single
#endif

NO_TILES;

#ifdef STAGE
#include "stage16.h"

/* A cell of a stage, whose bits are its neighbour's inside; `turn`: which of the discharges is turned
 * round. */
FN void repeat(const struct fields q, long to, long from, int turn_hu, int turn_hv)
{
    short_bits *const w = STAGE_AT(q.w, 0), *const hu = STAGE_AT(q.hu, 0);
    short_bits *const hv = STAGE_AT(q.hv, 0);
    w[to] = w[from];
    hu[to] = (short_bits)(hu[from] ^ (turn_hu ? 0x8000 : 0));
    hv[to] = (short_bits)(hv[from] ^ (turn_hv ? 0x8000 : 0));
}
#endif

/* Surface level, discharges across the edge and along it; both in the direction of the axes. */
struct ghost {
    real w, n, t;
};

/* Bed level at the centre of a cell of the state. */
FN real bed_of(const real *bed, long pitch, int i, int j)
{
    const long b = TRANSPOSED ? at(pitch, j, i) : at(pitch, i, j);
    return bed_at_centre(bed[b], bed[b + 1], bed[b + pitch], bed[b + pitch + 1]);
}

/* A ghost cell whose bed lies at `bed`, of an edge that imposes `given`, where w is a depth; `last` is
 * the edge's own cell, `depth` deep, and the domain lies in direction `in`, 1 or -1. A
 * discharge into less than its critical depth brings that depth along: else a dry channel would stay
 * so. Nothing can be imposed on water that leaves faster than its waves: it sees an open edge. */
FN struct ghost imposed(int kind, struct ghost given, struct ghost last, real depth, real bed,
                        real in, const struct physics p)
{
    struct ghost g = last;
    if (kind == DISCHARGE) {
        const real critical = cube_root(square(given.n) / p.g);
        g.w = in * given.n > REAL(0) && depth < critical ? bed + critical : bed + depth;
        g.n = given.n;
        g.t = REAL(0);
    }
    if (kind == DEPTH) {
        const real outwards = -in * last.n * inverse_depth(depth, p.kappa4);
        g.w = outwards > celerity(depth, p.g) ? last.w : bed + given.w;
    }
    if (kind == STATE) {
        g = given;
        g.w = bed + given.w;
    }
    return g;
}

KERNEL(boundary, struct boundary_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        /* Position s on edge e, which is n cells from the opposite edge; `out` leads outwards. */
        int s = X0 + i, e = WEST;
        for (int sides = a.ny; e < NORTH && s >= sides; sides = e < SOUTH ? a.ny : a.nx) {
            s -= sides;
            e++;
        }
        const int vertical = e <= EAST, low = e == WEST || e == SOUTH;
        const int n = vertical ? a.nx : a.ny;
        const long step = vertical ? 1 : a.pitch, along = vertical ? a.pitch : 1;
        const long out = low ? -step : step;
        const long last = s * along + (low ? 0 : (n - 1) * step); /* the edge's own cell */
        const int kind = a.kind[e];
#ifdef STAGE /* of a stage: without a bed, which its levels need not be held against */
        for (int ghost = 1; !a.bed && ghost <= GHOSTS; ghost++) {
            const long inside = n > 1 ? ghost - 1 : 0, round = n * (ghost > n ? 2 : 1) - ghost;
            const long from = kind == WALL ? last - inside * out
                                           : last - (kind == PERIODIC ? round * out : 0);
            const int turn = kind == WALL && (n > 1 || ghost == 1);
            repeat(a.q, last + ghost * out, from, turn && vertical, turn && !vertical);
        }
        if (!a.bed)
            continue;
#endif
        struct ghost given, own;
        given.w = GIVEN[e].h;
        given.n = vertical ? GIVEN[e].hu : GIVEN[e].hv;
        given.t = vertical ? GIVEN[e].hv : GIVEN[e].hu;
        own.w = a.q.w[last];
        own.n = vertical ? a.q.hu[last] : a.q.hv[last];
        own.t = vertical ? a.q.hv[last] : a.q.hu[last];
        const int edge = low ? 0 : n - 1;
        const real depth = own.w - bed_of(a.bed, a.bed_pitch, vertical ? edge : s,
                                          vertical ? s : edge);
        for (int ghost = 1; ghost <= GHOSTS; ghost++) {
            const int x = vertical ? (low ? -ghost : n - 1 + ghost) : s;
            const int y = vertical ? s : (low ? -ghost : n - 1 + ghost);
            const real bed = bed_of(a.bed, a.bed_pitch, x, y);
            const long to = last + ghost * out;
            /* With one cell between the edges the second ghost is that cell mirrored twice. */
            const int mirrored = n > 1 ? ghost - 1 : 0, twice = n == 1 && ghost == 2;
            const long from =
                kind == WALL ? last - mirrored * out : to - n * (ghost > n ? 2 : 1) * out;
            const real turn = kind == WALL && !twice ? REAL(-1) : REAL(1);
            struct ghost g = imposed(kind, given, own, depth, bed, low ? REAL(1) : REAL(-1), a.p);
            if (kind == WALL || kind == PERIODIC) {
                g.w = a.q.w[from];
                g.n = turn * (vertical ? a.q.hu[from] : a.q.hv[from]);
                g.t = vertical ? a.q.hv[from] : a.q.hu[from];
            }
            a.q.w[to] = max2(g.w, bed);
            a.q.hu[to] = vertical ? g.n : g.t;
            a.q.hv[to] = vertical ? g.t : g.n;
        }
    }
}
