/* Finds and checks even spacing. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/netcdf/read_grid.h"

#include <float.h>
#include <math.h>

#include "core/mesh/grid.h"

/* A coordinate may be float: it is then exact to FLT_EPSILON of its size only. */
static double slack(const struct ncaxis *a, double d)
{
    double largest = fmax(fabs(a->value[0]), fabs(a->value[a->n - 1]));
    return fmin(fmax(1e-4 * d, a->single ? 2 * (double)FLT_EPSILON * largest : 0), 0.1 * d);
}

/* The distance between neighbouring values (at least two), which must be the same everywhere. */
static enum err find_spacing(const struct ncaccess *f, const struct ncaxis *a, double *d)
{
    *d = (a->value[a->n - 1] - a->value[0]) / (double)(a->n - 1);
    if (!(*d > 0))
        FAIL(INPUT, "%s: variable '%s' does not change", f->path, a->name);
    for (size_t i = 1; i < a->n; i++) {
        double expected = a->value[0] + (double)i * *d;
        if (fabs(a->value[i] - expected) > slack(a, *d))
            FAIL(INPUT,
                 "%s: variable '%s' is not evenly spaced: value %zu is %.9g, but steps of %.9g "
                 "lead to %.9g",
                 f->path, a->name, i, a->value[i], *d, expected);
    }
    return ERR_OK;
}

/* The size of a single cell is known only from its corners. */
static enum err single_cell(const struct ncaccess *f, const struct ncaxis *a,
                            const struct ncaxis *corner, struct ncgrid *g)
{
    if (!corner->value || corner->n != 2)
        FAIL(INPUT,
             "%s: variable '%s' has one value: expected the size of the cell from '%s', two "
             "values",
             f->path, a->name, corner->name);
    g->start = corner->value[0];
    g->d = corner->value[1] - corner->value[0];
    if (!(g->d > 0))
        FAIL(INPUT, "%s: the two values of variable '%s' are equal", f->path, corner->name);
    return ERR_OK;
}

/* If the grid that wrote the file left its numbers in attributes of `var`, and they give exactly
 * these coordinates, uses them. `odd`: 1 for centres, 0 for corners. */
static void exact_grid(const struct ncaccess *f, const struct ncaxis *a, int var, int odd,
                       struct ncgrid *g)
{
    double lower, size;
    if (var < 0 || !ncaccess_number(f, var, "lower_edge", &lower) ||
        !ncaccess_number(f, var, "cell_size", &size) || !(size > 0))
        return;
    const long n = (long)g->n;
    for (size_t i = 0; i < a->n; i++)
        if (grid_point(lower, (int)n, size, 2 * (long)i + odd - n) != a->value[i])
            return;
    g->start = lower;
    g->d = size;
}

/* Corner coordinates, where the file has them, must be those of the grid. */
static enum err check_corners(const struct ncaccess *f, const struct ncaxis *a,
                              const struct ncaxis *corner, const struct ncgrid *g)
{
    if (corner->dim >= 0 && corner->n != a->n + 1)
        FAIL(INPUT, "%s: dimension '%s': expected length %zu for the %zu cells of '%s', got %zu",
             f->path, corner->name, a->n + 1, a->n, a->name, corner->n);
    for (size_t i = 0; corner->value && i < corner->n; i++) {
        double expected = g->start + (double)i * g->d;
        if (fabs(corner->value[i] - expected) > slack(corner, g->d) + slack(a, g->d))
            FAIL(
                INPUT,
                "%s: variable '%s' does not match '%s': expected %.9g, the corner of the cells, as "
                "value %zu, got %.9g",
                f->path, corner->name, a->name, expected, i, corner->value[i]);
    }
    return ERR_OK;
}

enum err ncgrid_from_centres(const struct ncaccess *f, const struct ncaxis *centre,
                             const struct ncaxis *corner, struct ncgrid *g)
{
    g->n = centre->n;
    if (centre->n > 1) {
        TRY(find_spacing(f, centre, &g->d));
        g->start = centre->value[0] - 0.5 * g->d;
    } else {
        TRY(single_cell(f, centre, corner, g));
    }
    exact_grid(f, centre, centre->var, 1, g);
    return check_corners(f, centre, corner, g);
}

enum err ncgrid_from_corners(const struct ncaccess *f, const struct ncaxis *corner, int attributes,
                             struct ncgrid *g)
{
    if (corner->n < 2)
        FAIL(INPUT, "%s: variable '%s': expected at least two corners of cells, got one", f->path,
             corner->name);
    g->n = corner->n - 1;
    TRY(find_spacing(f, corner, &g->d));
    g->start = corner->value[0];
    exact_grid(f, corner, attributes, 0, g);
    return ERR_OK;
}

#endif
