/* Sources and valid range of Manning's n. */
#include "core/problem/manning.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/plane.h"
#include "core/problem/field_formula.h"
#include "core/raster/raster.h"

/* Beyond any surface: dense forest has 0.2, and models that lump buildings 0.3 or so. */
static const double MOST = 1;

static size_t cells(const struct grid_info *g)
{
    return (size_t)g->nx * (size_t)g->ny;
}

/* European hydraulics often uses Strickler's coefficient, the inverse. */
static enum err impossible(const char *what, double n)
{
    if (n > MOST)
        FAIL(INPUT,
             "%s: Manning's n is %g, and 0.01 to 0.2 s/m^(1/3) is usual: is it Strickler's "
             "coefficient, 1/n? Then n is %.3g",
             what, n, 1 / n);
    FAIL(INPUT, "%s: Manning's n is %g: expected 0 or more", what, n);
}

static enum err check_cell(const char *path, const struct grid_info *g, size_t k, double n)
{
    const int i = (int)(k % (size_t)g->nx), j = (int)(k / (size_t)g->nx);
    if (isnan(n))
        FAIL(INPUT, "%s: Manning's n is missing at x = %.9g, y = %.9g", path, grid_x(g, i),
             grid_y(g, j));
    if (n >= 0 && n <= MOST)
        return ERR_OK;
    const enum err e = impossible(path, n);
    err_context("at x = %.9g, y = %.9g", grid_x(g, i), grid_y(g, j));
    return e;
}

static enum err check_cells(const char *path, const struct grid_info *g, struct nc_input *in)
{
    for (size_t k = 0; k < cells(g); k++) {
        if (isnan(in->manning_of[k]) && in->wall && in->wall[k])
            in->manning_of[k] = 0;
        TRY(check_cell(path, g, k, in->manning_of[k]));
        plane_passes(k);
    }
    return ERR_OK;
}

static void forget_cells(struct nc_input *in)
{
    plane_free(in->manning_of);
    in->manning_of = NULL;
}

/* A uniform number selects the faster kernels. */
static void unite(const struct grid_info *g, struct nc_input *in)
{
    size_t k = 0;
    for (; k < cells(g) && in->manning_of[k] == in->manning_of[0]; k++)
        plane_passes(k);
    if (k < cells(g))
        return;
    in->manning = in->manning_of[0];
    forget_cells(in);
}

/* The raster's values, or nothing; `of`: the file of the run's terrain. */
static enum err take_raster(const char *path, const char *of, const struct grid_info *g,
                            struct raster *r, struct nc_input *in)
{
    enum err e = raster_check_system(path, r, in->wkt, of);
    if (!e)
        e = raster_fit(path, r, g, "the run", QUANTITY_MANNING);
    if (!e) {
        forget_cells(in);
        in->manning_of = r->value;
        r->value = NULL;
    }
    raster_free(r);
    return e;
}

enum err manning_read(const char *path, const struct grid_info *g, struct nc_input *in)
{
    struct raster r;
    TRY(raster_read(path, QUANTITY_MANNING, &r));
    return take_raster(path, path, g, &r, in);
}

enum err manning_choose(const struct config *c, const struct grid_info *g, double usual,
                        struct nc_input *in)
{
    const char *path = *c->manning.file ? c->manning.file : c->input;
    if (c->manning.formula) {
        forget_cells(in);
        TRY(field_formula("manning", path, g, NULL, &in->manning_of));
    } else if (*c->manning.file) {
        struct raster r;
        TRY(raster_read_option("manning", path, QUANTITY_MANNING, &r));
        TRY(take_raster(path, c->input, g, &r, in));
    } else if (!isnan(c->manning.number)) {
        forget_cells(in);
        in->manning = c->manning.number;
        path = "--manning";
    } else if (!in->manning_of && isnan(in->manning)) {
        in->manning = usual;
    }
    if (in->manning_of) {
        TRY(check_cells(path, g, in));
        unite(g, in);
    }
    if (!in->manning_of && !(in->manning >= 0 && in->manning <= MOST))
        return impossible(path, in->manning);
    return ERR_OK;
}
