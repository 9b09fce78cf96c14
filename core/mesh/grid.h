/* The grid of a run: nx x ny equal cells, and the positions of their centres and corners.
 * Coordinates count from the domain's centre, so that mirrored indices give mirrored coordinates. */
#ifndef SHOAL_GRID_H
#define SHOAL_GRID_H

enum { GRID_MOST = 1000000 }; /* largest number of cells along an axis */

struct grid_info {
    int nx, ny;
    double x0, y0; /* lower left corner of the domain, m */
    double dx, dy; /* size of a cell, m */
};

/* The point k half cells from the middle of n cells that start at `start`. */
static inline double grid_point(double start, int n, double d, long k)
{
    double middle = start + (double)n * (0.5 * d);
    return middle + (double)k * (0.5 * d);
}

/* Centre of the cells in column i or row j, m. */
static inline double grid_x(const struct grid_info *g, int i)
{
    return grid_point(g->x0, g->nx, g->dx, 2L * i + 1 - g->nx);
}

static inline double grid_y(const struct grid_info *g, int j)
{
    return grid_point(g->y0, g->ny, g->dy, 2L * j + 1 - g->ny);
}

/* Corners number i = 0..nx along x and j = 0..ny along y, m. */
static inline double grid_xc(const struct grid_info *g, int i)
{
    return grid_point(g->x0, g->nx, g->dx, 2L * i - g->nx);
}

static inline double grid_yc(const struct grid_info *g, int j)
{
    return grid_point(g->y0, g->ny, g->dy, 2L * j - g->ny);
}

#endif
