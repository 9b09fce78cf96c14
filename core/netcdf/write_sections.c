/* The series of flow through sections: the volume since the start, and the mean discharge since
 * the previous row. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdlib.h>

#include "core/mesh/section_line.h"
#include "core/netcdf/write_parts.h"

struct ncsections {
    size_t count, rows;
    int dim, dim_time, time, volume, discharge;
};

size_t *ncwrite_section_rows(const struct ncwriter *w)
{
    return &w->sections->rows;
}

struct lines {
    const struct section_line *const *line;
    int end;
};

static const char *name_of(const void *lines, int k)
{
    return ((const struct lines *)lines)->line[k]->name;
}

static double x_of(const void *lines, int k)
{
    const struct lines *l = lines;
    return l->line[k]->x[l->end];
}

static double y_of(const void *lines, int k)
{
    const struct lines *l = lines;
    return l->line[k]->y[l->end];
}

static enum err put_ends(const struct ncwriter *w, struct lines *l, int count)
{
    static const char *const x[] = {"section_x0", "section_x1"}, *const y[] = {"section_y0",
                                                                               "section_y1"};
    static const char *const titles[] = {"where the section begins: on the left bank",
                                         "where the section ends: on the right bank"};
    int var;
    for (l->end = 0; l->end < 2; l->end++) {
        const struct label at_x = {x[l->end], titles[l->end], NULL, "m", NULL};
        const struct label at_y = {y[l->end], titles[l->end], NULL, "m", NULL};
        TRY(ncwrite_coordinate(w, &at_x, w->sections->dim, count, x_of, l, &var));
        TRY(ncwrite_coordinate(w, &at_y, w->sections->dim, count, y_of, l, &var));
    }
    return ERR_OK;
}

static enum err define_series(const struct ncwriter *w, const struct label *l, int *var)
{
    const struct ncsections *s = w->sections;
    const int dims[2] = {s->dim_time, s->dim};
    const size_t chunk[2] = {SERIES_CHUNK, s->count};
    TRY(ncwrite_define(w, l, NC_DOUBLE, 2, dims, var));
    NC(nc_def_var_chunking(w->id, *var, NC_CHUNKED, chunk));
    return ncwrite_text(w, *var, "coordinates", "section_name");
}

enum err ncwrite_sections(struct ncwriter *w, const struct section_line *const *line, int count)
{
    static const struct label volume = {
        "section_volume",
        "water that has passed the section since the start, downstream less upstream", NULL, "m3",
        NULL};
    static const struct label discharge = {
        "section_discharge", "discharge through the section, the mean since the row before",
        "water_volume_transport_in_river_channel", "m3 s-1", NULL};
    struct lines lines = {line, 0};
    struct ncsections *s = w->sections = calloc(1, sizeof *s);
    const struct names names = {"section", "name of the section", name_of, &lines};
    if (!s)
        FAIL(MEMORY, "no memory for %d sections", count);
    s->count = (size_t)count;
    NC(nc_def_dim(w->id, "section", s->count, &s->dim));
    TRY(ncwrite_names(w, &names, s->dim, count));
    TRY(put_ends(w, &lines, count));
    TRY(ncwrite_define_time(w, "section_time", "simulated time of the sections' rows", SERIES_CHUNK,
                            &s->dim_time, &s->time));
    TRY(define_series(w, &volume, &s->volume));
    TRY(define_series(w, &discharge, &s->discharge));
    return ncwrite_missing(w, s->discharge);
}

/* In a resumed run the previous row may come from the interrupted run. */
enum err ncwrite_section_row(struct ncwriter *w, double t, const double *volume)
{
    struct ncsections *s = w->sections;
    const size_t start[2] = {s->rows, 0}, row[2] = {1, s->count}, before[2] = {s->rows - 1, 0};
    double since = t, *mean = calloc(s->count, sizeof *mean);
    if (!mean)
        FAIL(MEMORY, "no memory for a row of %zu sections", s->count);
    int status = NC_NOERR;
    errno = 0;
    if (s->rows > 0)
        status = nc_get_var1_double(w->id, s->time, before, &since);
    if (s->rows > 0 && !status)
        status = nc_get_vara_double(w->id, s->volume, before, row, mean);
    for (size_t k = 0; k < s->count; k++)
        mean[k] = t > since ? (volume[k] - mean[k]) / (t - since) : (double)NAN;
    if (!status)
        status = nc_put_var1_double(w->id, s->time, &s->rows, &t);
    if (!status)
        status = nc_put_vara_double(w->id, s->volume, start, row, volume);
    if (!status)
        status = nc_put_vara_double(w->id, s->discharge, start, row, mean);
    const int error = errno;
    free(mean);
    if (status)
        return ncwrite_failed(w, status, error);
    s->rows++;
    return ERR_OK;
}

#endif
