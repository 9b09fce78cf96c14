/* Fills corner ghost cells that the predictor reads (num/predictor.h), and the first ghost cells of forcing,
 * roughness and rates outside each edge of the domain. An edge that only copies cells copies, in the corner, the ghost cell
 * outside the other edge, so the order does not matter, unless an edge changes its kind: beyond a periodic one is what the
 * other edge does there. Between two edges that impose values the corner is the mean of the ghost cells beside it. */
#define BLOCK_THREADS 128
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "ghosts.h"

#include "hancock.h"
#include "num/rates.h"

NO_TILES;

/* The kind of the edge, NEIGHBOUR where the cells beyond it are others'. */
FN int kind_of(const struct corners_args *a, const struct place p)
{
    return a->segment[WEST] ? a->kind[a->segment[p.edge][p.s]] : a->every[p.edge];
}

/* The ghost cell at offset k outside the other edge, as the corner outside p copies it where p only copies
 * cells. */
FN struct ghost copied(const struct corners_args *a, const struct place p, int kind, long k)
{
    const long from = kind == PERIODIC ? k + (1 - p.n) * p.out : k, to = k + p.out;
    return copied_state(state_at(a->q, from), p, kind == WALL, a->centre[from], a->centre[to],
                        a->p.still);
}

/* The cell in the corner of two edges, as the edge's own of each. */
struct beside {
    struct place vertical, horizontal;
};

FN void fill_corner(const struct corners_args *a, const struct beside b, int along_x, int along_y)
{
    const long west = b.vertical.last + b.vertical.out, south = b.vertical.last + b.horizontal.out;
    const long to = west + b.horizontal.out;
    struct ghost q;
    if (along_x == NEIGHBOUR || along_y == NEIGHBOUR)
        return; /* a cell or ghost cell of another part or tile, already copied */
    if (along_y <= PERIODIC && along_x != PERIODIC) {
        q = copied(a, b.horizontal, along_y, west);
    } else if (along_x <= PERIODIC) {
        q = copied(a, b.vertical, along_x, south);
    } else {
        const struct ghost one = copied(a, b.horizontal, OPEN, west);
        const struct ghost other = copied(a, b.vertical, OPEN, south);
        q.eta = REAL(0.5) * (one.eta + other.eta);
        q.hu = REAL(0.5) * (one.hu + other.hu);
        q.hv = REAL(0.5) * (one.hv + other.hv);
    }
    put_state(a->q, to, q);
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
FN void fill_beside(const struct corners_args *a, const struct place p, int given)
{
    const int kind = given <= PERIODIC ? given : (int)OPEN;
    if (given == NEIGHBOUR)
        return;
    if (a->force.eta)
        copy_force(a->force, p, kind);
    copy_rates(a->rates, p, kind);
    if (a->roughness)
        copy_unknown(a->roughness, p, kind, REAL(1));
}

#ifdef TILED

/* The place on an edge of the domain of cell (i, j) of a tile. */
FN struct place place_of(const struct corners_args *a, const struct tile_place tile, int rows,
                         int edge, int i, int j)
{
    struct place p;
    p.edge = edge;
    p.vertical = edge <= EAST;
    p.low = edge == WEST || edge == SOUTH;
    p.s = p.vertical ? tile.j0 + j : tile.i0 + i;
    p.n = p.vertical ? a->nx : a->ny;
    p.out = (p.low ? -1 : 1) * (p.vertical ? 1 : a->pitch);
    p.last = p.bed = at(a->pitch, i, tile.slot * rows + j);
    p.bed_out = p.out;
    return p;
}

/* Beyond a periodic edge are other tiles, unless the tile reaches from one to the other. */
FN int kind_in(const struct corners_args *a, const struct tile_place tile, const struct place p)
{
    const int kind = kind_of(a, p), alone = (p.vertical ? tile.nx : tile.ny) == p.n;
    return kind == PERIODIC && !alone ? (int)NEIGHBOUR : kind;
}

FN int ends_at(const struct tile_place tile, int edge, int i, int j)
{
    return (tile.edges & 1 << edge) && (edge == WEST    ? i == 0
                                        : edge == EAST  ? i == tile.nx - 1
                                        : edge == SOUTH ? j == 0
                                                        : j == tile.ny - 1);
}

/* Whether other tiles of the run lie beyond a side of a tile. */
FN int is_joined(const struct corners_args *a, const struct tile_place tile, const struct place p)
{
    return !(tile.edges & 1 << p.edge) ||
           (kind_of(a, p) == PERIODIC && kind_in(a, tile, p) == NEIGHBOUR);
}

/* The ghost cell in direction d of cell (i, j), a tile's corner, where other tiles lie beyond one side and none beyond
 * the other: no cell, so no kernel pushes it. If that tile is absent, its ghost cell is found as the boundary
 * conditions would: from a cell, which is among the ghost cells here. */
FN void fill_joint(const struct corners_args *a, const struct tiling *t, const struct tile_place tile,
                   int d, int i, int j)
{
    const int dx = d % 3 - 1, dy = d / 3 - 1;
    const struct place x = place_of(a, tile, t->rows, dx < 0 ? WEST : EAST, i, j);
    const struct place y = place_of(a, tile, t->rows, dy < 0 ? SOUTH : NORTH, i, j);
    const int joined = is_joined(a, tile, x), kind = kind_in(a, tile, joined ? y : x);
    const struct tile_neighbour from = t->neighbour[tile.slot * TILE_SIDES + d];
    const long to = x.last + x.out + y.out;
    if (joined == is_joined(a, tile, y) || (from.slot >= 0 && from.around))
        return;
    if (from.slot >= 0) {
        const long k = at(a->pitch, i + dx + from.di, from.slot * t->rows + j + dy + from.dj);
        a->q.eta[to] = a->q.eta[k];
        a->q.hu[to] = a->q.hu[k];
        a->q.hv[to] = a->q.hv[k];
    } else if (kind <= PERIODIC) {
        copy_ghosts(a->q, a->centre,
                    joined ? place_of(a, tile, t->rows, y.edge, i + dx, j)
                           : place_of(a, tile, t->rows, x.edge, i, j + dy),
                    kind, a->p.still);
    }
}

FN void fill_joints(const struct corners_args *a, const struct tiling *t, const struct tile_place tile,
                    int i, int j)
{
    for (int d = 0; t->neighbour && d < TILE_SIDES; d++)
        if (d % 3 != 1 && d / 3 != 1 && i == (d % 3 ? tile.nx - 1 : 0) &&
            j == (d / 3 ? tile.ny - 1 : 0))
            fill_joint(a, t, tile, d, i, j);
}

/* Around cell (i, j) of a tile, where edges of the domain are beside it. */
FN void fill_around(const struct corners_args *a, const struct tiling *t, const struct tile_place tile,
                    int i, int j)
{
    const int rows = t->rows;
    fill_joints(a, t, tile, i, j);
    for (int e = WEST; e <= NORTH; e++) {
        if (!ends_at(tile, e, i, j))
            continue;
        const struct place p = place_of(a, tile, rows, e, i, j);
        fill_beside(a, p, kind_in(a, tile, p));
        for (int other = SOUTH; e <= EAST && other <= NORTH; other++) {
            struct beside b;
            if (!ends_at(tile, other, i, j))
                continue;
            b.vertical = p;
            b.horizontal = place_of(a, tile, rows, other, i, j);
            fill_corner(a, b, kind_in(a, tile, p), kind_in(a, tile, b.horizontal));
        }
    }
}

#define FILL(k, row)  fill_around(&a, &tiling, here, X0 + (k), TILE_Y0 + (row))
#define NOTHING_TO_DO (!here.edges)

#else

FN struct place place_at(const struct corners_args *a, int k)
{
    return place_on_rim(k, a->nx, a->ny, a->pitch, a->pitch, 0);
}

/* Corner k: south-west, south-east, north-west, north-east. */
FN struct beside beside_corner(const struct corners_args *a, int k)
{
    const int east = k & 1, north = k >> 1;
    struct beside b;
    b.vertical = place_at(a, (east ? a->ny : 0) + (north ? a->ny - 1 : 0));
    b.horizontal = place_at(a, 2 * a->ny + (north ? a->nx : 0) + (east ? a->nx - 1 : 0));
    return b;
}

/* At position k of the rim; then at the corners. */
FN void fill_at(const struct corners_args *a, int k)
{
    const int rim = 2 * (a->nx + a->ny);
    if (k < rim) {
        const struct place p = place_at(a, k);
        fill_beside(a, p, kind_of(a, p));
    } else {
        const struct beside b = beside_corner(a, k - rim);
        fill_corner(a, b, kind_of(a, b.vertical), kind_of(a, b.horizontal));
    }
}

#define FILL(k, row)  fill_at(&a, X0 + (k))
#define NOTHING_TO_DO 0

#endif /* TILED */

#ifdef TILED
#ifdef ON_CPU
/* Of the rows between a tile's first and last one only a block's first and last cells: the others have nothing to do. */
#undef FOR_TILE
#define ENDS_ONLY(j) (TILE_Y0 + (j) > 0 && TILE_Y0 + (j) < here.ny - 1 && CELLS_X > 1)
#define FOR_TILE(i, j, ex, ey)        \
    for (int j = 0; j < CELLS_Y; j++) \
        for (int i = 0; i < CELLS_X; i += ENDS_ONLY(j) ? CELLS_X - 1 : 1)
#endif /* ON_CPU */
#endif /* TILED */

KERNEL(corners, struct corners_args)
{
    (void)t;
    if (a.clock->halt || NOTHING_TO_DO)
        return;
    FOR_TILE (i, j, 0, 0) {
        FILL(i, j);
    }
}
