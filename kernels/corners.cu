/* Fills corner ghost cells that the predictor reads (num/predictor.h), and the first ghost cells of forcing,
 * roughness and rates outside each edge of the domain. An edge that only copies cells copies, in the corner, the ghost cell
 * outside the other edge, so the order does not matter; between two edges that impose values the corner is
 * the mean of the ghost cells beside it. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "ghosts.h"

#include "hancock.h"
#include "num/rates.h"

NO_TILES;

struct state {
    real eta, hu, hv;
};

FN int kind_of(const struct corners_args *a, const struct place p)
{
    return a->segment[WEST] ? a->kind[a->segment[p.edge][p.s]] : a->every[p.edge];
}

FN struct place place_at(const struct corners_args *a, int k)
{
    return place_on_rim(k, a->nx, a->ny, a->pitch, a->pitch, 0);
}

/* The cells beside corner k: south-west, south-east, north-west, north-east. */
struct beside {
    struct place vertical, horizontal;
};

FN struct beside beside_corner(const struct corners_args *a, int k)
{
    const int east = k & 1, north = k >> 1;
    struct beside b;
    b.vertical = place_at(a, (east ? a->ny : 0) + (north ? a->ny - 1 : 0));
    b.horizontal = place_at(a, 2 * a->ny + (north ? a->nx : 0) + (east ? a->nx - 1 : 0));
    return b;
}

/* The ghost cell at offset k outside the other edge, as the corner outside p copies it where p only copies
 * cells. */
FN struct state copied(const struct corners_args *a, const struct place p, int kind, long k)
{
    const long from = kind == PERIODIC ? k + (1 - p.n) * p.out : k, to = k + p.out;
    struct state q;
    q.eta = carried_over(a->q.eta[from], a->centre[from], a->centre[to], a->p.still);
    q.hu = kind == WALL && p.vertical ? -a->q.hu[from] : a->q.hu[from];
    q.hv = kind == WALL && !p.vertical ? -a->q.hv[from] : a->q.hv[from];
    return q;
}

FN void fill_corner(const struct corners_args *a, const struct beside b)
{
    const int along_x = kind_of(a, b.vertical), along_y = kind_of(a, b.horizontal);
    const long west = b.vertical.last + b.vertical.out, south = b.vertical.last + b.horizontal.out;
    const long to = west + b.horizontal.out;
    struct state q;
    if (along_x == NEIGHBOUR || along_y == NEIGHBOUR)
        return; /* a cell or ghost cell of another part, which halo.cu brings */
    if (along_y <= PERIODIC) {
        q = copied(a, b.horizontal, along_y, west);
    } else if (along_x <= PERIODIC) {
        q = copied(a, b.vertical, along_x, south);
    } else {
        const struct state one = copied(a, b.horizontal, OPEN, west);
        const struct state other = copied(a, b.vertical, OPEN, south);
        q.eta = REAL(0.5) * (one.eta + other.eta);
        q.hu = REAL(0.5) * (one.hu + other.hu);
        q.hv = REAL(0.5) * (one.hv + other.hv);
    }
    a->q.eta[to] = q.eta;
    a->q.hu[to] = q.hu;
    a->q.hv[to] = q.hv;
}

FN void copy_force(const struct fields r, const struct place p, int kind)
{
    copy_unknown(r.eta, p, kind, REAL(1));
    copy_unknown(r.hu, p, kind, p.vertical ? REAL(-1) : REAL(1));
    copy_unknown(r.hv, p, kind, p.vertical ? REAL(1) : REAL(-1));
}

FN void copy_rates(real *rates, const struct place p, int kind)
{
    for (int ghost = 1; ghost <= GHOSTS; ghost++) {
        const struct source s = source_of(p, kind, ghost);
        const real r = rates[s.from];
        rates[s.to] = s.turn ? reversed_rates(r, p.vertical) : r;
    }
}

/* Edges that impose values count as open ones. */
FN void fill_beside(const struct corners_args *a, const struct place p)
{
    const int given = kind_of(a, p), kind = given <= PERIODIC ? given : (int)OPEN;
    if (given == NEIGHBOUR)
        return;
    if (a->force.eta)
        copy_force(a->force, p, kind);
    copy_rates(a->rates, p, kind);
    if (a->roughness)
        copy_unknown(a->roughness, p, kind, REAL(1));
}

KERNEL(corners, struct corners_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    const int rim = 2 * (a.nx + a.ny);
    FOR_TILE (i, j, 0, 0) {
        const int k = X0 + i;
        if (k < rim)
            fill_beside(&a, place_at(&a, k));
        else
            fill_corner(&a, beside_corner(&a, k - rim));
    }
}
