/* Interpolates from the cells of one grid to those of another in the same coordinate system. */
#include "core/raster/raster.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/base/plane.h"

/* A shift below a hundredth of a cell is no shift. */
static const double SHIFT = 0.01;

static int same_axis(int n, double start, double d, int n2, double start2, double d2)
{
    const double least = SHIFT * d;
    return n == n2 && fabs(start - start2) <= least &&
           fabs((start + n * d) - (start2 + n2 * d2)) <= least;
}

static int is_same(const struct grid_info *a, const struct grid_info *b)
{
    return same_axis(a->nx, a->x0, a->dx, b->nx, b->x0, b->dx) &&
           same_axis(a->ny, a->y0, a->dy, b->ny, b->y0, b->dy);
}

/* How many of n cells' centres lie within an axis of n2 cells. */
static double covered(int n, double start, double d, int n2, double start2, double d2)
{
    double count = 0;
    for (int k = 0; k < n; k++) {
        const double at = (grid_point(start, n, d, 2L * k + 1 - n) - start2) / d2;
        count += at >= -SHIFT && at <= n2 + SHIFT;
    }
    return count;
}

static enum err check_cover(const char *path, const struct raster *r, const struct grid_info *g,
                            const char *of)
{
    const struct grid_info *own = &r->grid;
    const double all = (double)g->nx * g->ny;
    const double in = covered(g->nx, g->x0, g->dx, own->nx, own->x0, own->dx) *
                      covered(g->ny, g->y0, g->dy, own->ny, own->y0, own->dy);
    if (in == all)
        return ERR_OK;
    FAIL(INPUT,
         "%s: covers x = %.9g to %.9g, y = %.9g to %.9g, and %s is x = %.9g to %.9g, y = %.9g to "
         "%.9g: %.3g %% of its cells have no value; extend it, or cut the terrain, such as by "
         "`gdalwarp -te %.12g %.12g %.12g %.12g TERRAIN cut.tif`",
         path, own->x0, own->x0 + own->nx * own->dx, own->y0, own->y0 + own->ny * own->dy, of,
         g->x0, g->x0 + g->nx * g->dx, g->y0, g->y0 + g->ny * g->dy, 100 * (1 - in / all),
         fmax(own->x0, g->x0), fmax(own->y0, g->y0),
         fmin(own->x0 + own->nx * own->dx, g->x0 + g->nx * g->dx),
         fmin(own->y0 + own->ny * own->dy, g->y0 + g->ny * g->dy));
}

/* The two cells that a point lies between, and the weight of the second; the same cell twice at
 * the rim, and for the nearest value. */
struct between {
    size_t low, high;
    double share;
};

static struct between place(double at, double start, double d, int n, int smooth)
{
    const double cells = (at - start) / d, last = n - 1;
    const double k = fmin(fmax(smooth ? cells - 0.5 : floor(cells), 0), last);
    return (struct between){(size_t)k, (size_t)fmin(floor(k) + 1, last), k - floor(k)};
}

/* The weighted mean of those of the four cells around the point that have a value; NAN if the
 * nearest has none. */
static double mean(const struct raster *r, const struct between *x, const struct between *y)
{
    const size_t nx = (size_t)r->grid.nx;
    const size_t near =
        (y->share < 0.5 ? y->low : y->high) * nx + (x->share < 0.5 ? x->low : x->high);
    double sum = 0, weights = 0;
    for (int k = 0; k < 4; k++) {
        const double value = r->value[(k / 2 ? y->high : y->low) * nx + (k % 2 ? x->high : x->low)];
        const double weight = (k / 2 ? y->share : 1 - y->share) * (k % 2 ? x->share : 1 - x->share);
        if (isnan(value) || weight == 0)
            continue;
        sum += weight * value;
        weights += weight;
    }
    return isnan(r->value[near]) ? (double)NAN : weights == 1 ? sum : sum / weights;
}

static enum err of_corners(const char *path)
{
    FAIL(INPUT, "%s: expected values at the centres of cells, got values at their corners", path);
}

static void log_resampled(const char *path, const struct grid_info *own, const struct grid_info *g,
                          const char *of, const char *how)
{
    log_info("%s: its %d x %d cells of %.6g x %.6g m are resampled to the %d x %d of %.6g x %.6g m "
             "of %s, %s",
             path, own->nx, own->ny, own->dx, own->dy, g->nx, g->ny, g->dx, g->dy, of, how);
}

static void fill_from_raster(const struct raster *r, const struct grid_info *g, int smooth,
                             double *to)
{
    const struct grid_info *own = &r->grid;
    for (int j = 0; j < g->ny; j++) {
        const struct between y = place(grid_y(g, j), own->y0, own->dy, own->ny, smooth);
        for (int i = 0; i < g->nx; i++) {
            const struct between x = place(grid_x(g, i), own->x0, own->dx, own->nx, smooth);
            const double value =
                smooth ? mean(r, &x, &y) : r->value[y.low * (size_t)own->nx + x.low];
            to[(size_t)j * (size_t)g->nx + (size_t)i] = value;
        }
        planes_touched((size_t)g->nx + (size_t)own->nx);
    }
}

static void fill_places(int n, double start, double d, int n2, double start2, double d2, int *to)
{
    for (int k = 0; k < n; k++)
        to[k] = (int)place(grid_point(start, n, d, 2L * k + 1 - n), start2, d2, n2, 0).low;
}

enum err raster_places(const char *path, const struct raster *r, const struct grid_info *g,
                       const char *of, int *column, int *row)
{
    const struct grid_info *own = &r->grid;
    if (r->corners)
        return of_corners(path);
    if (!is_same(g, own)) {
        TRY(check_cover(path, r, g, of));
        log_resampled(path, own, g, of, "each the nearest");
    }
    fill_places(g->nx, g->x0, g->dx, own->nx, own->x0, own->dx, column);
    fill_places(g->ny, g->y0, g->dy, own->ny, own->y0, own->dy, row);
    return ERR_OK;
}

enum err raster_fit(const char *path, struct raster *r, const struct grid_info *g, const char *of,
                    enum quantity q)
{
    const struct grid_info own = r->grid;
    const int smooth = q == QUANTITY_LEVEL;
    double *fitted;
    if (r->corners)
        return of_corners(path);
    if (is_same(g, &own))
        return ERR_OK;
    TRY(check_cover(path, r, g, of));
    TRY(plane_new(path, (size_t)g->nx, (size_t)g->ny, &fitted));
    fill_from_raster(r, g, smooth, fitted);
    plane_free(r->value);
    r->value = fitted;
    r->grid = *g;
    log_resampled(path, &own, g, of, smooth ? "bilinear" : "each the nearest");
    return ERR_OK;
}
