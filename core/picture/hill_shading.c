/* Brightness of a surface under three lights: one from the north-west, weaker ones from west and
 * north, so that slopes along the main light also show (after Mark 1992). */
#include "core/picture/hill_shading.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 4096 };
static const double STEEP = 0.6, LARGEST_SLOPE_BINNED = 1e4, LEAST_SLOPE = 1e-6;

/* Slopes at point (i,j), from the existing neighbours; 0 beside a hole. */
static void slopes(const float *z, int nx, int ny, int i, int j, double *sx, double *sy)
{
    const int w = i > 0 ? i - 1 : i, e = i < nx - 1 ? i + 1 : i;
    const int s = j > 0 ? j - 1 : j, n = j < ny - 1 ? j + 1 : j;
    const size_t row = (size_t)j * (size_t)nx;
    const double x = e > w ? (double)(z[row + (size_t)e] - z[row + (size_t)w]) / (e - w) : 0;
    const double y = n > s ? (double)(z[(size_t)n * (size_t)nx + (size_t)i] -
                                      z[(size_t)s * (size_t)nx + (size_t)i]) /
                                 (n - s)
                           : 0;
    *sx = isnan(x) ? 0 : x;
    *sy = isnan(y) ? 0 : y;
}

/* Slopes are counted in bins of equal ratio. */
double hill_shading_stretch(const float *z, int nx, int ny, double dx, double dy)
{
    size_t count[BINS] = {0}, all = 0, seen = 0;
    const double ratio = log(LARGEST_SLOPE_BINNED / LEAST_SLOPE) / BINS;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            double sx, sy;
            slopes(z, nx, ny, i, j, &sx, &sy);
            const double bin = log(hypot(sx / dx, sy / dy) / LEAST_SLOPE) / ratio;
            if (!(bin >= 0))
                continue;
            count[bin < BINS ? (int)bin : BINS - 1]++;
            all++;
        }
    }
    int k = 0;
    while (k < BINS && seen + count[k] <= all * 9 / 10)
        seen += count[k++];
    return all ? STEEP / (LEAST_SLOPE * exp((k + 0.5) * ratio)) : 0;
}

/* Light received by a slope, relative to flat ground. Each light stands 45 degrees high. */
static double brightness(double sx, double sy)
{
    static const double light[3][3] = {{-0.5, 0.5, 0.62}, {-0.7071, 0, 0.19}, {0, 0.7071, 0.19}};
    const double up = 0.7071, norm = 1 / sqrt(1 + sx * sx + sy * sy);
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += light[k][2] * fmax(0, (up - sx * light[k][0] - sy * light[k][1]) * norm);
    return sum / up;
}

void hill_shading_shade(const float *z, int nx, int ny, double dx, double dy, double stretch,
                        float *light)
{
#pragma omp parallel for schedule(static) if ((long)nx * ny > 100000)
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            double sx, sy;
            slopes(z, nx, ny, i, j, &sx, &sy);
            const double b = brightness(sx * stretch / dx, sy * stretch / dy);
            light[(size_t)j * (size_t)nx + (size_t)i] = (float)fmin(fmax(b, 0.25), 1.5);
        }
    }
}
