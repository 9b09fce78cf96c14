/* Maxima: downloaded and written when the run has ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/sim/hazard.h"
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

/* Cells that were never wet have no value: those that water never reached. */
static void mask(const struct sim *s, const void *arrival, void *map, size_t cells)
{
    for (size_t k = 0; k < cells; k++)
        if (isnan(reals_get(arrival, s->real_size, k)))
            reals_put(map, s->real_size, k, (double)NAN);
}

/* Buffers for a map, for the arrival of the water in its cells, and for the values at gauges. */
struct buffers {
    size_t cells;
    char *map, *arrival, *values;
};

static enum err write_both(struct result *r, enum output_maximum which, const struct buffers *b)
{
    TRY(write_map(r, which, b->map));
    return b->values ? write_gauges(r, which, b->map, b->values) : ERR_OK;
}

static enum err write_maxima(struct result *r, const struct buffers *b)
{
    TRY(maxima_download(r->sim, MAXIMUM_ARRIVAL, b->arrival));
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        if (k == 0 || maps[k].kept != maps[k - 1].kept) {
            TRY(maxima_download(r->sim, maps[k].kept, b->map));
            mask(r->sim, b->arrival, b->map, b->cells);
        }
        TRY(write_both(r, maps[k].written, b));
    }
    return ERR_OK;
}

static double class_of(double hazard)
{
    return 1 + (hazard >= HAZARD_SOME) + (hazard >= HAZARD_MOST) + (hazard >= HAZARD_ALL);
}

/* Where it was wet there is a hazard. */
static enum err write_hazard(struct result *r, const struct buffers *b)
{
    const size_t size = r->sim->real_size;
    TRY(hazard_download(r->sim, b->map));
    for (size_t k = 0; k < b->cells; k++)
        if (!(reals_get(b->map, size, k) > 0))
            reals_put(b->map, size, k, (double)NAN);
    TRY(write_both(r, OUTPUT_HAZARD, b));
    for (size_t k = 0; k < b->cells; k++)
        if (!isnan(reals_get(b->map, size, k)))
            reals_put(b->map, size, k, class_of(reals_get(b->map, size, k)));
    return write_both(r, OUTPUT_HAZARD_CLASS, b);
}

enum err result_maxima_finish(struct result *r)
{
    const struct sim *s = r->sim;
    enum err e = ERR_OK;
    if (!maxima_kept(r->sim) && !hazard_kept(r->sim))
        return ERR_OK;
    const size_t gauges = s->gauge_list ? (size_t)s->gauge_list->count : 0;
    struct buffers b = {.cells = (size_t)s->grid.nx * (size_t)s->grid.ny};
    b.map = malloc(b.cells * s->real_size);
    b.arrival = malloc(b.cells * s->real_size);
    b.values = gauges ? malloc(gauges * s->real_size) : NULL;
    if (!b.map || !b.arrival || (gauges && !b.values)) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the maps of maxima");
        goto out;
    }
    TRY_OUT(ncwrite_maxima(r->writer, s->now.t));
    if (maxima_kept(r->sim))
        TRY_OUT(write_maxima(r, &b));
    if (hazard_kept(r->sim))
        TRY_OUT(write_hazard(r, &b));
out:
    free(b.map);
    free(b.arrival);
    free(b.values);
    return e;
}
