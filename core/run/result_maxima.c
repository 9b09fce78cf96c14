/* Maxima: downloaded and written when the run has ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim/maxima.h"
#include "core/run/result_parts.h"

/* What the file has, and what of the device's maps it comes from. */
static const struct {
    enum output_maximum written;
    enum maximum kept;
} maps[] = {{OUTPUT_H_MAX, MAXIMUM_H},         {OUTPUT_W_MAX, MAXIMUM_H},
            {OUTPUT_SPEED_MAX, MAXIMUM_SPEED}, {OUTPUT_FLUX_MAX, MAXIMUM_FLUX},
            {OUTPUT_ARRIVAL, MAXIMUM_ARRIVAL}, {OUTPUT_DURATION, MAXIMUM_DURATION}};

/* Columns of the whole domain, whatever way round the problem is solved. */
static size_t width(const struct sim *s)
{
    return (size_t)(s->turned ? s->grid.ny : s->grid.nx);
}

static enum err write_map(struct result *r, enum output_maximum which, const char *map)
{
    const struct window *w = &r->window;
    const size_t first = (size_t)w->j0 * width(r->sim) + (size_t)w->i0;
    return ncwrite_maximum(r->writer, which, map + first * r->sim->real_size, (long)width(r->sim));
}

/* `values` has room for one of each gauge. */
static enum err write_gauges(struct result *r, enum output_maximum which, const char *map,
                             char *values)
{
    const struct gauge_list *list = r->sim->gauge_list;
    const size_t size = r->sim->real_size;
    for (int k = 0; k < list->count; k++) {
        const size_t cell = (size_t)list->gauge[k].j * width(r->sim) + (size_t)list->gauge[k].i;
        memcpy(values + (size_t)k * size, map + cell * size, size);
    }
    return ncwrite_gauge_maximum(r->writer, which, values);
}

/* What cells have that were never wet: no value. */
static void mask(const struct sim *s, const char *arrival, char *map)
{
    const size_t n = (size_t)s->grid.nx * (size_t)s->grid.ny;
    for (size_t k = 0; k < n && s->real_size == sizeof(double); k++)
        if (isnan(((const double *)(const void *)arrival)[k]))
            ((double *)(void *)map)[k] = (double)NAN;
    for (size_t k = 0; k < n && s->real_size == sizeof(float); k++)
        if (isnan(((const float *)(const void *)arrival)[k]))
            ((float *)(void *)map)[k] = (float)NAN;
}

static enum err write_all(struct result *r, char *arrival, char *map, char *values)
{
    TRY(maxima_download(r->sim, MAXIMUM_ARRIVAL, arrival));
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        if (k == 0 || maps[k].kept != maps[k - 1].kept) {
            TRY(maxima_download(r->sim, maps[k].kept, map));
            mask(r->sim, arrival, map);
        }
        TRY(write_map(r, maps[k].written, map));
        if (values)
            TRY(write_gauges(r, maps[k].written, map, values));
    }
    return ERR_OK;
}

enum err result_maxima_finish(struct result *r)
{
    const struct sim *s = r->sim;
    enum err e = ERR_OK;
    if (!maxima_kept(r->sim))
        return ERR_OK;
    const size_t gauges = s->gauge_list ? (size_t)s->gauge_list->count : 0;
    const size_t bytes = (size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size;
    char *map = malloc(bytes), *arrival = malloc(bytes);
    char *values = gauges ? malloc(gauges * s->real_size) : NULL;
    if (!map || !arrival || (gauges && !values)) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the maps of maxima");
        goto out;
    }
    TRY_OUT(ncwrite_maxima(r->writer, s->now.t));
    TRY_OUT(write_all(r, arrival, map, values));
out:
    free(map);
    free(arrival);
    free(values);
    return e;
}
