/* Means of neighbours, summed in an order that prefers no direction. */
#include "core/mesh/corner_means.h"

#include <stddef.h>

#include "core/base/plane.h"

/* The terrain at a centre (i,j), also one cell outside, by linear extrapolation. */
static double extended(const double *b, int nx, int ny, int i, int j)
{
    int ni = i < 0 ? 0 : i < nx ? i : nx - 1, nj = j < 0 ? 0 : j < ny ? j : ny - 1;
    int fi = 2 * ni - i, fj = 2 * nj - j; /* the next one inwards */
    fi = fi < 0 ? 0 : fi < nx ? fi : nx - 1;
    fj = fj < 0 ? 0 : fj < ny ? fj : ny - 1;
#define AT(i, j) b[(size_t)(j) * (size_t)nx + (size_t)(i)]
    double near = AT(ni, nj), far = AT(fi, fj), side_x = AT(fi, nj), side_y = AT(ni, fj);
#undef AT
    if (i == ni && j == nj)
        return near;
    if (i == ni || j == nj)
        return 2 * near - far;
    return (4 * near + far) - 2 * (side_x + side_y);
}

void corners_from_centres(const double *b, int nx, int ny, double *corner)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j <= ny; j++) {
        for (int i = 0; i <= nx; i++) {
            double b00 = extended(b, nx, ny, i - 1, j - 1), b11 = extended(b, nx, ny, i, j);
            double b10 = extended(b, nx, ny, i, j - 1), b01 = extended(b, nx, ny, i - 1, j);
            corner[(size_t)j * (size_t)(nx + 1) + (size_t)i] = 0.25 * ((b00 + b11) + (b10 + b01));
        }
        planes_touched((size_t)nx);
    }
}

double corners_mean(const double *b, long pitch)
{
    return 0.25 * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}
