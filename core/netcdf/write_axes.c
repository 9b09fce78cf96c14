/* The coordinates of a file. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <stdlib.h>

#include "core/netcdf/write_parts.h"

/* Coordinates are double in every file. */
static enum err define_axis(const struct ncwriter *w, const struct label *l, int n, int *dim,
                            int *var)
{
    NC(nc_def_dim(w->id, l->name, n ? (size_t)n : NC_UNLIMITED, dim));
    NC(nc_def_var(w->id, l->name, NC_DOUBLE, 1, dim, var));
    return ncwrite_label(w, *var, l);
}

/* n values from number `first` of the grid's on. */
static enum err put_axis(const struct ncwriter *w, int var, int first, int n,
                         double (*at)(const struct grid_info *, int))
{
    double *x = malloc((size_t)n * sizeof *x);
    if (!x)
        FAIL(MEMORY, "no memory for %d coordinates of '%s'", n, w->file.path);
    for (int i = 0; i < n; i++)
        x[i] = at(&w->info.grid, first + i);
    errno = 0;
    int status = nc_put_var_double(w->id, var, x), error = errno;
    free(x);
    return status ? ncwrite_failed(w, status, error) : ERR_OK;
}

/* The cell centres of a file do not give back the grid to the last bit; these two do, if it is whole. */
static enum err put_origin(const struct ncwriter *w, int var, double lower, double size)
{
    NC(nc_put_att_double(w->id, var, "lower_edge", NC_DOUBLE, 1, &lower));
    NC(nc_put_att_double(w->id, var, "cell_size", NC_DOUBLE, 1, &size));
    return ERR_OK;
}

enum err ncwrite_axes(struct ncwriter *w)
{
    static const char *const sx = "projection_x_coordinate", *const sy = "projection_y_coordinate";
    const struct label lx = {"x", "x of cell centres", sx, "m", "X"};
    const struct label ly = {"y", "y of cell centres", sy, "m", "Y"};
    const struct label lxc = {"x_corner", "x of cell corners", sx, "m", "X"};
    const struct label lyc = {"y_corner", "y of cell corners", sy, "m", "Y"};
    const struct label lt = {"time", "simulated time", "time", "seconds since 1970-01-01 00:00:00",
                             "T"};
    const struct grid_info *g = &w->info.grid;
    const struct window *c = &w->info.window;
    int x = -1, y = -1, xc = -1, yc = -1;
    TRY(define_axis(w, &lx, c->nx, &w->dim_x, &x));
    TRY(define_axis(w, &ly, c->ny, &w->dim_y, &y));
    TRY(define_axis(w, &lxc, c->nx + 1, &w->dim_xc, &xc));
    TRY(define_axis(w, &lyc, c->ny + 1, &w->dim_yc, &yc));
    TRY(define_axis(w, &lt, 0, &w->dim_time, &w->time));
    TRY(ncwrite_text(w, w->time, "calendar", "standard"));
    TRY(put_origin(w, x, c->i0 == 0 ? g->x0 : grid_xc(g, c->i0), g->dx));
    TRY(put_origin(w, y, c->j0 == 0 ? g->y0 : grid_yc(g, c->j0), g->dy));
    TRY(put_axis(w, x, c->i0, c->nx, grid_x));
    TRY(put_axis(w, y, c->j0, c->ny, grid_y));
    TRY(put_axis(w, xc, c->i0, c->nx + 1, grid_xc));
    return put_axis(w, yc, c->j0, c->ny + 1, grid_yc);
}

#endif
