/* The coordinates of a file. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/netcdf/write_parts.h"

enum err ncwrite_coordinate(const struct ncwriter *w, const struct label *l, int dim, int n,
                            double (*at)(const void *context, int i), const void *context, int *var)
{
    TRY(ncwrite_define(w, l, NC_DOUBLE, 1, &dim, var));
    double *x = malloc((size_t)n * sizeof *x);
    if (!x)
        FAIL(MEMORY, "no memory for %d values of '%s' in '%s'", n, l->name, w->file.path);
    for (int i = 0; i < n; i++)
        x[i] = at(context, i);
    errno = 0;
    int status = nc_put_var_double(w->id, *var, x), error = errno;
    free(x);
    return status ? ncwrite_failed(w, status, error) : ERR_OK;
}

enum err ncwrite_define_time(const struct ncwriter *w, const char *name, const char *title,
                             size_t chunk, int *dim, int *var)
{
    const char *start = w->info.start;
    const int dated = start && *start;
    char units[64] = "s"; /* xarray and pandas read this as numbers, not as times since a moment */
    if (dated)
        snprintf(units, sizeof units, "seconds since %.10s %s", start,
                 start + strlen("2026-11-22T"));
    const struct label l = {name, title, "time", units, dim ? "T" : NULL};
    if (dim)
        NC(nc_def_dim(w->id, name, NC_UNLIMITED, dim));
    TRY(ncwrite_define(w, &l, NC_DOUBLE, dim != NULL, dim, var));
    if (chunk > 0)
        NC(nc_def_var_chunking(w->id, *var, NC_CHUNKED, &chunk));
    return dated ? ncwrite_text(w, *var, "calendar", "standard") : ERR_OK;
}

/* n points of a grid, from number `first` on, as `at` computes them. */
struct points {
    const struct grid_info *grid;
    int first;
    double (*at)(const struct grid_info *, int);
};

static double point(const void *context, int i)
{
    const struct points *p = context;
    return p->at(p->grid, p->first + i);
}

/* The cell centres in a file do not reproduce the grid to the last bit; these two attributes do,
 * if the file has all of it. */
static enum err put_origin(const struct ncwriter *w, int var, double lower, double size)
{
    NC(nc_put_att_double(w->id, var, "lower_edge", NC_DOUBLE, 1, &lower));
    NC(nc_put_att_double(w->id, var, "cell_size", NC_DOUBLE, 1, &size));
    return ERR_OK;
}

enum err ncwrite_axes(struct ncwriter *w)
{
    static const char *const sx = "projection_x_coordinate", *const sy = "projection_y_coordinate";
    const struct grid_info *g = &w->info.grid;
    const struct window *c = &w->info.window;
    const struct {
        struct label label;
        struct points points;
        int n, *dim;
    } axes[4] = {
        {{"x", "x of cell centres", sx, "m", "X"}, {g, c->i0, grid_x}, c->nx, &w->dim_x},
        {{"y", "y of cell centres", sy, "m", "Y"}, {g, c->j0, grid_y}, c->ny, &w->dim_y},
        {{"x_corner", "x of cell corners", sx, "m", "X"},
         {g, c->i0, grid_xc},
         c->nx + 1,
         &w->dim_xc},
        {{"y_corner", "y of cell corners", sy, "m", "Y"},
         {g, c->j0, grid_yc},
         c->ny + 1,
         &w->dim_yc},
    };
    int var[4];
    for (int k = 0; k < 4; k++) {
        NC(nc_def_dim(w->id, axes[k].label.name, (size_t)axes[k].n, axes[k].dim));
        TRY(ncwrite_coordinate(w, &axes[k].label, *axes[k].dim, axes[k].n, point, &axes[k].points,
                               &var[k]));
    }
    TRY(put_origin(w, var[0], c->i0 == 0 ? g->x0 : grid_xc(g, c->i0), g->dx));
    TRY(put_origin(w, var[1], c->j0 == 0 ? g->y0 : grid_yc(g, c->j0), g->dy));
    return ncwrite_define_time(w, "time", "simulated time", 0, &w->dim_time, &w->time);
}

#endif
