/* Which ends of cells hancock.cu does not advance by half a step, beside edges that impose values. */
#ifndef SHOAL_HANCOCK_EDGES_H
#define SHOAL_HANCOCK_EDGES_H

#include "hancock_march.h"

/* Bits. Imposed values already hold for the middle of the step, so the ghost cell does not move on; and a
 * discharge crosses between the ends for which the kernel `edges` has solved. Beside the end of a wall the
 * ghost cell's slope along it is not mirrored. */
enum {
    WEST_END = 1,
    EAST_END = 2,
    KEPT_ALONG_X = WEST_END | EAST_END,
    SOUTH_END = 4,
    NORTH_END = 8,
    KEPT_ALONG_Y = SOUTH_END | NORTH_END,
    OF_GHOST = 16
};
enum face_keeps { NO_END, GHOST_END, BOTH_ENDS };

/* Is the cell beyond the edge another part's? */
FN int joins(const struct hancock_args *a, int edge)
{
    int cut = 0;
#ifdef BESIDE_PARTS
    cut = a->kind[a->segment[edge][0]] == NEIGHBOUR;
#endif /* BESIDE_PARTS */
    (void)a, (void)edge;
    return cut;
}

/* The bits at position s of an edge with n positions. Two positions are stored beyond each end: those of other parts,
 * or the corner's. */
FN int keeps_at(const struct hancock_args *a, int edge, int s, int n)
{
    const int across = edge <= EAST ? SOUTH : WEST;
    if (s < -joins(a, across) || s >= n + joins(a, across + 1))
        return NO_END;
    const unsigned short *const here = a->segment[edge] + s;
    const int kind = a->kind[here[0]];
    const int ends = kind == WALL && (a->kind[here[-1]] != WALL || a->kind[here[1]] != WALL);
    if (kind == DISCHARGE || ends)
        return BOTH_ENDS;
    return kind > PERIODIC && kind != NEIGHBOUR ? GHOST_END : NO_END;
}

/* The bits of cell k of a line of n cells between two edges, at position s of m of these; `low`: its end
 * towards the lower edge. */
FN int kept_ends(const struct hancock_args *a, int edge, int k, int n, int s, int m, int low)
{
    int kept = 0;
    const int high = 2 * low;
    const int at_low = k == -1 || k == 0 ? keeps_at(a, edge, s, m) : NO_END;
    const int at_high = k == n || k == n - 1 ? keeps_at(a, edge + 1, s, m) : NO_END;
    if (k == -1 && at_low != NO_END)
        kept |= high | (at_low == GHOST_END ? OF_GHOST * high : 0);
    if (k == 0 && at_low == BOTH_ENDS)
        kept |= low;
    if (k == n && at_high != NO_END)
        kept |= low | (at_high == GHOST_END ? OF_GHOST * low : 0);
    if (k == n - 1 && at_high == BOTH_ENDS)
        kept |= high;
    return kept;
}

FN int ends_kept(const struct hancock_args *a, int i, int j)
{
    const int nx = a->span.nx, ny = a->span.ny;
    return kept_ends(a, WEST, i, nx, j, ny, WEST_END) |
           kept_ends(a, SOUTH, j, ny, i, nx, SOUTH_END);
}

/* Does the block compute ends of a cell beside an edge that imposes values? It also computes those of the cells around
 * its own. */
FN int imposes(const struct hancock_args *a, const struct march *m)
{
    int near =
        m->x <= 1 || m->y <= 1 || m->x + m->w >= a->span.nx - 1 || m->y + m->h >= a->span.ny - 1;
#ifdef FILLS_GHOSTS
    /* No edge imposes values. */
    near = 0;
#endif /* FILLS_GHOSTS */
    return near && a->segment[WEST];
}

/* On a CPU a row holds the bits, as looking them up takes branches: those of row r - 1, zeros where no edge
 * fixes ends. */
#if WHOLE_ROWS
typedef int kept_bits;
#define KEEPS_ENDS(m)      ((m)->imposing)
#define KEPT_ENDS(m, a, r) ends_kept(a, (m)->x + COLUMN - HALO, (m)->y + (r)-1)
#define FIND_KEPT(m, a, r) ((void)0)
#else
typedef bits kept_bits;
#define KEEPS_ENDS(m)      1
#define KEPT_ENDS(m, a, r) HERE((m)->kept)
#define FIND_KEPT(m, a, r) find_kept(warp, m, a, r)

FN void find_kept(const struct warp warp, struct march *m, const struct hancock_args *a, int r)
{
    const int j = m->y + r - 1, n = m->w + 2 * HALO;
    const int first = m->x - HALO, east = a->span.nx - 1 - first;
    const int all = j <= 0 || j >= a->span.ny - 1;
    const int west = all ? n : 1 - first;
    FOR_COLUMNS
    {
        HERE(m->kept) = 0;
    }
    for (int c = 0; c < west && c < n; c++)
        HERE(m->kept) = (bits)ends_kept(a, first + c, j);
    for (int c = east > 0 ? east : 0; c < n && !all; c++)
        HERE(m->kept) = (bits)ends_kept(a, first + c, j);
}
#endif

/* Imposed values do not affect water that leaves faster than its waves: the ghost cell is then a copy of the
 * cell, and moves on with it. `into`: the side's velocity into the ghost cell. */
FN int keeps(kept_bits kept, kept_bits end, real into, real h, real g)
{
    return (kept & end) && !((kept & OF_GHOST * end) && into > celerity(h, g));
}

#endif
