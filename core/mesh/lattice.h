/* A domain's pieces in columns and rows, numbered from the south-west, row by row: neighbours. */
#ifndef SHOAL_LATTICE_H
#define SHOAL_LATTICE_H

/* The number `step` places after k of n, wrapped on a periodic axis; -1 if there is none. A single
 * one is not its own neighbour. */
static inline int lattice_step(int k, int step, int n, int periodic)
{
    const int to = k + step;
    if (to >= 0 && to < n)
        return to;
    return periodic && n > 1 ? (to + n) % n : -1;
}

/* The piece dx columns east and dy rows north of piece k, -1, 0 or 1 each; -1: none. `periodic`: in
 * x, in y. */
static inline int lattice_beside(int columns, int rows, const int periodic[2], int k, int dx,
                                 int dy)
{
    const int i = lattice_step(k % columns, dx, columns, periodic[0]);
    const int j = lattice_step(k / columns, dy, rows, periodic[1]);
    return i < 0 || j < 0 ? -1 : j * columns + i;
}

#endif
