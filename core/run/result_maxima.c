/* Maxima: read from the device and written at the end of the run. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/sim/hazard.h"
#include "core/sim/maxima.h"
#include "core/run/result_parts.h"

/* The file's maps, and the device's maps that they come from. */
static const struct {
    enum output_maximum written;
    enum maximum kept;
} maps[] = {{OUTPUT_H_MAX, MAXIMUM_H},         {OUTPUT_W_MAX, MAXIMUM_H},
            {OUTPUT_SPEED_MAX, MAXIMUM_SPEED}, {OUTPUT_FLUX_MAX, MAXIMUM_FLUX},
            {OUTPUT_ARRIVAL, MAXIMUM_ARRIVAL}, {OUTPUT_DURATION, MAXIMUM_DURATION}};

/* The map to write, and the device's data for it. */
struct asked {
    struct result *result;
    enum output_maximum written;
    enum maximum kept;
};

static double class_of(double hazard)
{
    return 1 + (hazard >= HAZARD_SOME) + (hazard >= HAZARD_MOST) + (hazard >= HAZARD_ALL);
}

/* Where it was wet there is a hazard. */
static enum err read_hazard(struct sim *s, const struct asked *a, const struct window *w, void *to)
{
    const size_t cells = (size_t)w->nx * (size_t)w->ny;
    TRY(hazard_download(s, w, to));
    for (size_t k = 0; k < cells; k++) {
        const double x = reals_get(to, s->real_size, k);
        reals_put(to, s->real_size, k,
                  !(x > 0)                            ? (double)NAN
                  : a->written == OUTPUT_HAZARD_CLASS ? class_of(x)
                                                      : x);
    }
    return ERR_OK;
}

/* Cells that water never reached have no value. */
static enum err read_maximum(struct sim *s, const struct asked *a, const struct window *w, void *to)
{
    const size_t cells = (size_t)w->nx * (size_t)w->ny;
    void *arrival = malloc(cells * s->real_size);
    if (!arrival)
        FAIL(MEMORY, "no memory for the maps of maxima");
    enum err e = maxima_download(s, MAXIMUM_ARRIVAL, w, arrival);
    if (!e)
        e = maxima_download(s, a->kept, w, to);
    for (size_t k = 0; k < cells && !e; k++)
        if (isnan(reals_get(arrival, s->real_size, k)))
            reals_put(to, s->real_size, k, (double)NAN);
    free(arrival);
    return e;
}

/* In a window of the domain. */
static enum err read_window(const struct asked *a, const struct window *w, void *to)
{
    struct sim *s = a->result->sim;
    return a->written == OUTPUT_HAZARD || a->written == OUTPUT_HAZARD_CLASS
               ? read_hazard(s, a, w, to)
               : read_maximum(s, a, w, to);
}

static enum err read_rows(void *context, int which, const struct window *cells, void *to)
{
    const struct asked *a = context;
    const struct window *shown = &a->result->window;
    const struct window w = {shown->i0 + cells->i0, shown->j0 + cells->j0, cells->nx, cells->ny};
    (void)which;
    return read_window(a, &w, to);
}

static enum err write_gauges(const struct asked *a)
{
    const struct gauge_list *list = a->result->sim->gauge_list;
    const size_t size = a->result->sim->real_size;
    if (!list)
        return ERR_OK;
    char *values = malloc((size_t)list->count * size);
    enum err e =
        values ? ERR_OK
               : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %d gauges", list->count);
    for (int k = 0; k < list->count && !e; k++) {
        const struct window cell = {list->gauge[k].i, list->gauge[k].j, 1, 1};
        e = read_window(a, &cell, values + (size_t)k * size);
    }
    if (!e)
        e = ncwrite_gauge_maximum(a->result->writer, a->written, values);
    free(values);
    return e;
}

static enum err write_both(struct result *r, enum output_maximum written, enum maximum kept)
{
    struct asked a = {r, written, kept};
    const struct ncwrite_rows rows = {read_rows, &a, 0};
    TRY(ncwrite_maximum(r->writer, written, &rows));
    return write_gauges(&a);
}

enum err result_maxima_finish(struct result *r)
{
    if (!maxima_kept(r->sim) && !hazard_kept(r->sim))
        return ERR_OK;
    TRY(ncwrite_maxima(r->writer, r->sim->now.t));
    for (size_t k = 0; k < sizeof maps / sizeof *maps && maxima_kept(r->sim); k++)
        TRY(write_both(r, maps[k].written, maps[k].kept));
    if (!hazard_kept(r->sim))
        return ERR_OK;
    TRY(write_both(r, OUTPUT_HAZARD, MAXIMA));
    return write_both(r, OUTPUT_HAZARD_CLASS, MAXIMA);
}
