/* Maps of the whole run: the largest values, when water arrived, how long it stayed. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdio.h>

#include "core/netcdf/write_parts.h"

static const struct {
    struct label label;
    enum content content;
    int is_maximum;
} kinds[OUTPUT_MAXIMA] = {
    [OUTPUT_H_MAX] = {{"h_max", "largest depth of the water", NULL, "m", NULL}, COPY, 1},
    [OUTPUT_W_MAX] = {{"w_max", "highest level of the water surface",
                       "water_surface_height_above_reference_datum", "m", NULL},
                      DEPTH_LEVEL,
                      1},
    [OUTPUT_SPEED_MAX] =
        {{"speed_max", "largest speed of the water while wet", NULL, "m s-1", NULL}, COPY, 1},
    [OUTPUT_FLUX_MAX] = {{"momentum_flux_max", "largest depth times speed squared while wet", NULL,
                          "m3 s-2", NULL},
                         COPY,
                         1},
    [OUTPUT_ARRIVAL] = {{"arrival_time", "time from the start until first wet", NULL, "s", NULL},
                        COPY,
                        0},
    [OUTPUT_HAZARD] = {{"hazard_max",
                        "largest hazard to people, depth times (speed + 0.5) and debris", NULL,
                        "m2 s-1", NULL},
                       COPY,
                       1},
    [OUTPUT_HAZARD_CLASS] =
        {{"hazard_class", "class of the largest hazard to people", NULL, NULL, NULL}, COPY, 0},
    [OUTPUT_DURATION] = {{"wet_duration", "time for which it was wet", NULL, "s", NULL}, COPY, 0},
};

/* A coordinate without a dimension: the time of all these maps, with its two ends. Cell methods
 * refer to it by its standard name, `time`: checkers accept no other name of a coordinate
 * without a dimension. */
enum err ncwrite_maxima(struct ncwriter *w, double t)
{
    const double ends[2] = {0, t};
    int time, bounds, dim;
    TRY(ncwrite_define_time(w, "maxima_time", "time over which maxima were kept", 0, NULL, &time));
    TRY(ncwrite_text(w, time, "bounds", "maxima_time_bounds"));
    NC(nc_def_dim(w->id, "bounds", 2, &dim));
    NC(nc_def_var(w->id, "maxima_time_bounds", NC_DOUBLE, 1, &dim, &bounds));
    NC(nc_put_var_double(w->id, time, &t));
    NC(nc_put_var_double(w->id, bounds, ends));
    return ERR_OK;
}

/* What the numbers of classes mean (netcdf_file.h). */
static enum err describe_classes(const struct ncwriter *w, int var)
{
    const float number[] = {1, 2, 3, 4};
    NC(nc_put_att_float(w->id, var, "flag_values", ncwrite_real(w), 4, number));
    return ncwrite_text(w, var, "flag_meanings",
                        "caution danger_for_some danger_for_most danger_for_all");
}

/* Readers mask NAN: cells that were never wet. */
static enum err describe(const struct ncwriter *w, int var, enum output_maximum which,
                         const char *coordinates)
{
    char comment[192];
    size_t used;
    TRY(ncwrite_missing(w, var));
    if (kinds[which].is_maximum)
        TRY(ncwrite_text(w, var, "cell_methods", "time: maximum"));
    TRY(ncwrite_text(w, var, "coordinates", coordinates));
    used = (size_t)snprintf(comment, sizeof comment,
                            "over the whole run, looked at every %d steps; missing where never "
                            "wet: deeper than %g m",
                            w->info.maxima_every, w->info.wet_depth);
    if (which == OUTPUT_HAZARD || which == OUTPUT_HAZARD_CLASS)
        snprintf(comment + used, sizeof comment - used,
                 "; debris adds %g m2/s where deeper than 0.25 m or faster than 2 m/s",
                 w->info.debris);
    if (which == OUTPUT_HAZARD_CLASS)
        TRY(describe_classes(w, var));
    return ncwrite_text(w, var, "comment", comment);
}

enum err ncwrite_maximum(struct ncwriter *w, enum output_maximum which,
                         const struct ncwrite_rows *rows)
{
    const size_t cells[2] = {(size_t)w->info.window.ny, (size_t)w->info.window.nx};
    const int dims[3] = {w->dim_time, w->dim_y, w->dim_x};
    struct plane p = {
        .content = kinds[which].content, .nx = cells[1], .ny = cells[0], .number = (int)which};
    TRY(ncwrite_define_plane(w, &kinds[which].label, dims, cells, 0, &p.var));
    TRY(describe(w, p.var, which, "maxima_time"));
    return ncwrite_fetched(w, &p, 1, rows);
}

int ncwrite_has_maximum(int id, enum output_maximum which)
{
    int var;
    return nc_inq_varid(id, kinds[which].label.name, &var) == NC_NOERR;
}

enum err ncwrite_gauge_maximum(struct ncwriter *w, enum output_maximum which, void *values)
{
    char name[64];
    struct label label = kinds[which].label;
    int var;
    snprintf(name, sizeof name, "gauge_%s", label.name);
    label.name = name;
    if (kinds[which].content == DEPTH_LEVEL)
        ncwrite_raise_at_gauges(w, values);
    TRY(ncwrite_define_at_gauges(w, &label, &var));
    TRY(describe(w, var, which, "maxima_time " GAUGE_COORDINATES));
    NC(nc_put_var(w->id, var, values));
    return ERR_OK;
}

#endif
