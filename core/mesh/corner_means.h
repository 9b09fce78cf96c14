/* The bed at the corners of cells, from the terrain at their centres. */
#ifndef SHOAL_CORNER_MEANS_H
#define SHOAL_CORNER_MEANS_H

/* Bilinear: each of the (ny + 1) x (nx + 1) corners is the mean of the four cells around it,
 * linearly extrapolated outside. Mirroring or transposing the ny x nx values b mirrors or
 * transposes the corners, bit for bit. */
void corners_from_centres(const double *b, int nx, int ny, double *corner);

/* The mean of a cell's four corners; `b` is its lower left one, in rows of `pitch`. */
double corners_mean(const double *b, long pitch);

#endif
