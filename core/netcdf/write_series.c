/* The series of a file: the state at gauges, the volumes of the balance. Each has a time
 * dimension of its own. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/mesh/gauge_list.h"
#include "core/netcdf/write_parts.h"

struct ncgauges {
    size_t count, rows;
    int dim, dim_time, time, fields[SYSTEM_VARIABLES];
    double *bed; /* at each, m above the datum */
};

struct ncbalance {
    int dim, time, volume[CONSERVED][VOLUMES];
    size_t rows;
};

void ncwrite_free_tables(struct ncwriter *w)
{
    if (w->gauges)
        free(w->gauges->bed);
    free(w->gauges);
    free(w->balance);
    free(w->sections);
    w->gauges = NULL;
    w->balance = NULL;
    w->sections = NULL;
}

void ncwrite_rows(const struct ncwriter *w, size_t rows[SERIES])
{
    rows[SERIES_MAPS] = w->records;
    rows[SERIES_GAUGES] = w->gauges ? w->gauges->rows : 0;
    rows[SERIES_BALANCE] = w->balance ? w->balance->rows : 0;
    rows[SERIES_SECTIONS] = w->sections ? *ncwrite_section_rows(w) : 0;
}

void ncwrite_set_rows(struct ncwriter *w, const size_t rows[SERIES])
{
    w->records = rows[SERIES_MAPS];
    if (w->gauges)
        w->gauges->rows = rows[SERIES_GAUGES];
    if (w->balance)
        w->balance->rows = rows[SERIES_BALANCE];
    if (w->sections)
        *ncwrite_section_rows(w) = rows[SERIES_SECTIONS];
}

enum err ncwrite_define_at_gauges(const struct ncwriter *w, const struct label *l, int *var)
{
    return ncwrite_define(w, l, ncwrite_real(w), 1, &w->gauges->dim, var);
}

static const char *gauge_name(const void *list, int k)
{
    return ((const struct gauge_list *)list)->gauge[k].name;
}

static double x_of(const void *gauges, int k)
{
    return ((const struct gauge_list *)gauges)->gauge[k].x;
}

static double y_of(const void *gauges, int k)
{
    return ((const struct gauge_list *)gauges)->gauge[k].y;
}

static double bed_of(const void *writer, int k)
{
    const struct ncwriter *w = writer;
    return w->info.datum + w->gauges->bed[k];
}

static enum err put_places(const struct ncwriter *w, const struct gauge_list *list)
{
    static const struct label x = {"gauge_x", "x of the gauge", "projection_x_coordinate", "m",
                                   NULL};
    static const struct label y = {"gauge_y", "y of the gauge", "projection_y_coordinate", "m",
                                   NULL};
    static const struct label bed = {"gauge_bed", "bed level at the gauge", NULL, "m", NULL};
    int var;
    TRY(ncwrite_coordinate(w, &x, w->gauges->dim, list->count, x_of, list, &var));
    TRY(ncwrite_coordinate(w, &y, w->gauges->dim, list->count, y_of, list, &var));
    TRY(ncwrite_coordinate(w, &bed, w->gauges->dim, list->count, bed_of, w, &var));
    return ncwrite_text(w, var, "coordinates", GAUGE_COORDINATES);
}

/* Chunks of a quarter of a megabyte or less: reading one gauge's series does not read all
 * others. */
static enum err define_states(const struct ncwriter *w)
{
    struct ncgauges *g = w->gauges;
    const int dims[2] = {g->dim_time, g->dim};
    const size_t chunk[2] = {SERIES_CHUNK, g->count < CHUNK_SIDE ? g->count : CHUNK_SIDE};
    for (int k = 0; k < w->info.system->variables; k++) {
        const struct system_variable *v = &w->info.system->variable[k];
        char name[64], title[128];
        const struct label label = {name, title, v->standard, v->units, NULL};
        if (v->on_request)
            continue;
        snprintf(name, sizeof name, "gauge_%s", v->name);
        snprintf(title, sizeof title, "%s at the gauge", v->title);
        TRY(ncwrite_define(w, &label, ncwrite_real(w), 2, dims, &g->fields[k]));
        NC(nc_def_var_chunking(w->id, g->fields[k], NC_CHUNKED, chunk));
        if (w->info.deflate > 0)
            NC(nc_def_var_deflate(w->id, g->fields[k], 1, 1, w->info.deflate));
        TRY(ncwrite_text(w, g->fields[k], "coordinates", GAUGE_COORDINATES));
        TRY(ncwrite_text(w, g->fields[k], "comment",
                         "the mean of the cell that contains the point"));
    }
    return ERR_OK;
}

enum err ncwrite_gauges(struct ncwriter *w, const struct gauge_list *list, const double *bed)
{
    struct ncgauges *g = w->gauges = calloc(1, sizeof *g);
    if (g)
        g->bed = malloc((size_t)list->count * sizeof *bed);
    if (!g || !g->bed)
        FAIL(MEMORY, "no memory for %d gauges", list->count);
    g->count = (size_t)list->count;
    memcpy(g->bed, bed, g->count * sizeof *bed);
    NC(nc_def_dim(w->id, "gauge", g->count, &g->dim));
    const struct names names = {"gauge", "name of the gauge", gauge_name, list};
    TRY(ncwrite_names(w, &names, g->dim, list->count));
    TRY(put_places(w, list));
    TRY(ncwrite_define_time(w, "gauge_time", "simulated time of the gauges' rows", SERIES_CHUNK,
                            &g->dim_time, &g->time));
    return define_states(w);
}

void ncwrite_raise_at_gauges(const struct ncwriter *w, void *values)
{
    const struct ncgauges *g = w->gauges;
    const size_t size = precision_size(w->info.precision);
    for (size_t k = 0; k < g->count; k++)
        reals_put(values, size, k, w->info.datum + (g->bed[k] + reals_get(values, size, k)));
}

/* One value of a row: variable k of a gauge. */
static void gather(const struct ncwriter *w, int k, const void *row, size_t gauge, size_t to)
{
    const struct system_variable *v = &w->info.system->variable[k];
    const struct ncgauges *g = w->gauges;
    const size_t from = (size_t)v->of * g->count + gauge;
    const double bed = g->bed[gauge], rest = bed > w->info.still ? bed : w->info.still;
    const size_t size = precision_size(w->info.precision);
    const double stored = reals_get(row, size, from), eta = reals_get(row, size, gauge);
    const double lowest = size == sizeof bed ? bed - rest : (double)(float)(bed - rest);
    const double x = v->as == AS_DEPTH                            ? stored - lowest
                     : v->as == AS_LEVEL                          ? w->info.datum + (rest + stored)
                     : v->as == AS_CARRIED && !(eta - lowest > 0) ? (double)NAN
                                                                  : stored;
    reals_put(w->tile, size, to, x);
}

/* Some rows of one variable, as many as fit into the buffer. */
static enum err put_rows(const struct ncwriter *w, int k, size_t first, size_t count,
                         const void *values)
{
    const struct ncgauges *g = w->gauges;
    const size_t start[2] = {g->rows + first, 0}, size[2] = {count, g->count};
    const size_t bytes =
        (size_t)w->info.system->unknowns * g->count * precision_size(w->info.precision);
    for (size_t r = 0; r < count; r++)
        for (size_t m = 0; m < g->count; m++)
            gather(w, k, (const char *)values + (first + r) * bytes, m, r * g->count + m);
    NC(nc_put_vara(w->id, g->fields[k], start, size, w->tile));
    return ERR_OK;
}

enum err ncwrite_gauge_rows(struct ncwriter *w, size_t count, const double *t, const void *values)
{
    struct ncgauges *g = w->gauges;
    const size_t most = g->count < CHUNK_VALUES ? CHUNK_VALUES / g->count : 1;
    if (count == 0)
        return ERR_OK;
    NC(nc_put_vara_double(w->id, g->time, &g->rows, &count, t));
    for (int k = 0; k < w->info.system->variables; k++)
        for (size_t first = 0; first < count && !w->info.system->variable[k].on_request;
             first += most)
            TRY(put_rows(w, k, first, count - first < most ? count - first : most, values));
    g->rows += count;
    return ERR_OK;
}

static int has_volume(const struct ncwriter *w, int k, int v)
{
    return v < VOLUME_RAIN || ((k == 0 || v != VOLUME_RAIN) && (w->info.kinds >> v & 1));
}

/* The first quantity has short names, the others have their own: balance_amount_inflow. */
static enum err define_quantity(struct ncwriter *w, int k)
{
    static const struct {
        const char *name, *title;
    } parts[VOLUMES] = {
        [VOLUME_INSIDE] = {"", "%s"},
        [VOLUME_IN] = {"inflow", "%s that came in through edges"},
        [VOLUME_OUT] = {"outflow", "%s that left through edges"},
        [VOLUME_FORCED] = {"forced", "%s that the forcing added"},
        [VOLUME_CLIPPED] = {"clipped", "%s added where the level fell below the bed"},
        [VOLUME_ERROR] = {"error", "%s gained other than through edges and forcing"},
        [VOLUME_RAIN] = {"rain", "%s that fell as rain"},
        [VOLUME_SOURCES] = {"sources", "%s that sources brought"},
        [VOLUME_SINKS] = {"sinks", "%s that sinks took"},
        [VOLUME_INFILTRATED] = {"infiltrated", "%s that seeped into the ground"},
    };
    const struct conserved *q = &w->info.system->conserved[k];
    const size_t chunk = SERIES_CHUNK;
    for (int v = 0; v < VOLUMES; v++) {
        if (!has_volume(w, k, v))
            continue;
        int *var = &w->balance->volume[k][v];
        char name[64], title[128];
        const struct label l = {name, title, NULL, q->units, NULL};
        if (v == VOLUME_INSIDE)
            snprintf(name, sizeof name, "balance_%s", q->name);
        else
            snprintf(name, sizeof name, "balance_%s%s%s", k ? q->name : "", k ? "_" : "",
                     parts[v].name);
        snprintf(title, sizeof title, parts[v].title, v == VOLUME_INSIDE ? q->title : q->name);
        TRY(ncwrite_define(w, &l, NC_DOUBLE, 1, &w->balance->dim, var));
        NC(nc_def_var_chunking(w->id, *var, NC_CHUNKED, &chunk));
    }
    return ERR_OK;
}

static enum err define_balance(struct ncwriter *w)
{
    struct ncbalance *b = w->balance = calloc(1, sizeof *b);
    if (!b)
        FAIL(MEMORY, "no memory for the balance");
    TRY(ncwrite_define_time(w, "balance_time", "simulated time of the volumes", SERIES_CHUNK,
                            &b->dim, &b->time));
    for (int k = 0; k < w->info.system->conserveds; k++)
        TRY(define_quantity(w, k));
    return ERR_OK;
}

enum err ncwrite_balance(struct ncwriter *w, double t, const double volumes[CONSERVED][VOLUMES])
{
    if (!w->balance)
        TRY(define_balance(w));
    struct ncbalance *b = w->balance;
    NC(nc_put_var1_double(w->id, b->time, &b->rows, &t));
    for (int k = 0; k < w->info.system->conserveds; k++)
        for (int v = 0; v < VOLUMES; v++)
            if (has_volume(w, k, v))
                NC(nc_put_var1_double(w->id, b->volume[k][v], &b->rows, &volumes[k][v]));
    b->rows++;
    return ERR_OK;
}

#endif
