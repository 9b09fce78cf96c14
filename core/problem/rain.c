/* Reads and checks rain. */
#include "core/problem/rain.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/calendar.h"
#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/problem/field_formula.h"
#include "core/raster/raster.h"

static const double MM_PER_HOUR = 1e-3 / 3600; /* in m/s */
static const double FOREVER = 1e300;           /* s */
/* Records hold only for minutes; this much in an hour is a mistake in the units. */
static const double UNUSUAL = 500 * 1e-3 / 3600;

/* The same at all times. */
static enum err take_number(struct rain *r, double rate)
{
    struct timeseries *s = &r->series;
    s->time = calloc(2, sizeof *s->time);
    s->value = calloc(2, sizeof *s->value);
    if (!s->time || !s->value)
        FAIL(MEMORY, "no memory for the rain");
    s->rows = 2;
    s->time[1] = FOREVER;
    s->value[0] = s->value[1] = rate;
    return ERR_OK;
}

static enum err take_series(struct rain *r, const char *path, double t_end)
{
    struct timeseries *s = &r->series;
    TRY(timeseries_read(s, path));
    TRY(timeseries_covers(s, 0, t_end, path));
    for (int k = 0; k < s->rows; k++) {
        if (s->value[k] < 0)
            FAIL(INPUT,
                 "%s: at %.15g s the rain is %.15g mm/h: expected 0 or more; --infiltration and "
                 "--source take water away",
                 path, s->time[k], s->value[k]);
        s->value[k] *= MM_PER_HOUR;
    }
    log_info("--rain %s: %d rows, %.6g mm by the end", path, s->rows,
             1e3 * timeseries_integral(s, 0, t_end));
    return ERR_OK;
}

static enum err make_places(struct rain *r, const struct grid_info *g)
{
    r->column = calloc((size_t)g->nx, sizeof *r->column);
    r->row = calloc((size_t)g->ny, sizeof *r->row);
    r->begin = calloc((size_t)r->fields + 1, sizeof *r->begin);
    if (!r->column || !r->row || !r->begin)
        FAIL(MEMORY, "no memory for the rain");
    return ERR_OK;
}

static enum err take_formula(struct rain *r, const struct water_setting *from)
{
    const struct grid_info *g = &from->grid;
    TRY(field_formula("rain", from->config->rain.file, g, NULL, &r->value));
    r->fields = 1;
    r->nx = g->nx;
    r->ny = g->ny;
    TRY(make_places(r, g));
    r->begin[1] = FOREVER;
    for (int i = 0; i < g->nx; i++)
        r->column[i] = i;
    for (int j = 0; j < g->ny; j++)
        r->row[j] = j;
    return ERR_OK;
}

/* The raster's times in the run, s: calendar dates count from --start. */
static enum err find_times(const char *path, const struct raster *from, const char *start,
                           struct rain *r)
{
    double shift = 0;
    if (!isnan(from->since) && *start)
        shift = from->since - calendar_seconds(start);
    for (int k = 0; k < r->fields; k++)
        r->begin[k] = from->time ? from->time[k] + shift : 0;
    for (int k = 1; k < r->fields; k++)
        if (!(r->begin[k] > r->begin[k - 1]))
            FAIL(INPUT,
                 "%s: field %d has the time %.15g s, after field %d with %.15g s: expected "
                 "ascending times",
                 path, k, r->begin[k], k - 1, r->begin[k - 1]);
    /* The last one lasts as long as the one before it. */
    r->begin[r->fields] =
        r->fields > 1 ? 2 * r->begin[r->fields - 1] - r->begin[r->fields - 2] : FOREVER;
    if (r->fields == 1)
        r->begin[0] = 0;
    return ERR_OK;
}

static enum err check_times(const char *path, const struct raster *from, const char *start,
                            double t_end, const struct rain *r)
{
    const char *hint =
        !isnan(from->since) && !*start
            ? "; its times are dates: give --start DATE, so that the run knows its start"
            : "";
    if (r->begin[0] > 0)
        FAIL(INPUT,
             "%s: the first field of rain is at %.15g s, but the run starts at 0 s: add one for "
             "that time%s",
             path, r->begin[0], hint);
    if (r->begin[r->fields] < t_end)
        FAIL(INPUT,
             "%s: the last field of rain lasts until %.15g s, as long as the one before it, but "
             "the run ends at %.15g s: add fields, or end the run with --t-end %.15g%s",
             path, r->begin[r->fields], t_end, r->begin[r->fields], hint);
    return ERR_OK;
}

/* A raster's number for cell (i, j) of the run. */
static double value_at(const struct rain *r, int field, int i, int j)
{
    const size_t cells = (size_t)r->nx * (size_t)r->ny;
    return r
        ->value[(size_t)field * cells + (size_t)r->row[j] * (size_t)r->nx + (size_t)r->column[i]];
}

static enum err check_values(const struct rain *r, const struct water_setting *from,
                             const char *path)
{
    const struct grid_info *g = &from->grid;
    for (int k = 0; k < r->fields; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                const double value = value_at(r, k, i, j);
                if (value >= 0 && isfinite(value))
                    continue;
                if (isnan(value) && from->wall && from->wall(from->context, i, j))
                    continue;
                if (isnan(value))
                    FAIL(INPUT, "%s: field %d of the rain has no value at x = %.9g, y = %.9g", path,
                         k, grid_x(g, i), grid_y(g, j));
                FAIL(
                    INPUT,
                    "%s: field %d of the rain is %g mm/h at x = %.9g, y = %.9g: expected 0 or more",
                    path, k, value, grid_x(g, i), grid_y(g, j));
            }
    return ERR_OK;
}

/* Outside the run's cells, and at walls, any value will do. */
static void convert(struct rain *r)
{
    const size_t n = (size_t)r->fields * (size_t)r->nx * (size_t)r->ny;
    for (size_t k = 0; k < n; k++) {
        r->value[k] = r->value[k] >= 0 && r->value[k] <= DBL_MAX ? r->value[k] * MM_PER_HOUR : 0;
        plane_passes(k);
    }
}

static enum err take_raster(struct rain *r, const struct water_setting *from, struct raster *raster)
{
    const char *path = from->config->rain.file, *start = from->config->start;
    TRY(raster_check_system(path, raster, from->wkt, from->config->input));
    r->fields = raster->records > 0 ? raster->records : 1;
    r->nx = raster->grid.nx;
    r->ny = raster->grid.ny;
    r->value = raster->value;
    raster->value = NULL;
    TRY(make_places(r, &from->grid));
    TRY(raster_places(path, raster, &from->grid, "the run", r->column, r->row));
    TRY(find_times(path, raster, start, r));
    TRY(check_times(path, raster, start, from->t_end, r));
    log_info("--rain %s: %d field%s of %d x %d cells", path, r->fields, r->fields == 1 ? "" : "s",
             r->nx, r->ny);
    return ERR_OK;
}

static enum err take_file(struct rain *r, const struct water_setting *from)
{
    const char *path = from->config->rain.file;
    struct raster raster;
    struct stat there;
    int table;
    if (stat(path, &there) != 0)
        FAIL(INPUT, "expected a number, a formula of x and y or a readable file, got '%s'", path);
    TRY(raster_is_table(path, &table));
    if (table)
        return take_series(r, path, from->t_end);
    TRY(raster_read(path, QUANTITY_RAIN, &raster));
    const enum err e = take_raster(r, from, &raster);
    raster_free(&raster);
    return e;
}

/* Of the bytes of all numbers. */
static void make_hash(struct rain *r, const struct grid_info *g)
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 sum;
    const struct timeseries *s = &r->series;
    const size_t fields = (size_t)r->fields;
    sha256_init(&sum);
    sha256_update(&sum, s->time, (size_t)s->rows * sizeof *s->time);
    sha256_update(&sum, s->value, (size_t)s->rows * sizeof *s->value);
    if (fields > 0) {
        sha256_update(&sum, r->begin, (fields + 1) * sizeof *r->begin);
        plane_hash(&sum, r->value, fields * (size_t)r->nx * (size_t)r->ny);
        sha256_update(&sum, r->column, (size_t)g->nx * sizeof *r->column);
        sha256_update(&sum, r->row, (size_t)g->ny * sizeof *r->row);
    }
    sha256_final(&sum, hex);
    memcpy(r->hash, hex, TIMESERIES_HASH);
}

double rain_most(const struct rain *r)
{
    const size_t n = (size_t)r->fields * (size_t)r->nx * (size_t)r->ny;
    double most = 0;
    for (int k = 0; k < r->series.rows; k++)
        most = fmax(most, r->series.value[k]);
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, r->value[k]);
        plane_passes(k);
    }
    return most;
}

static enum err take_setting(struct rain *r, const struct water_setting *from)
{
    const struct field_choice *f = &from->config->rain;
    if (!isnan(f->number))
        return take_number(r, f->number * MM_PER_HOUR);
    TRY(f->formula ? take_formula(r, from) : take_file(r, from));
    if (r->fields == 0)
        return ERR_OK;
    TRY(check_values(r, from, f->file));
    convert(r);
    return ERR_OK;
}

enum err rain_choose(struct rain *r, const struct water_setting *from, int *given)
{
    const struct field_choice *f = &from->config->rain;
    *r = (struct rain){0};
    *given = !isnan(f->number) || *f->file;
    if (!*given)
        return ERR_OK;
    const enum err e = take_setting(r, from);
    if (e) {
        err_context("--rain");
        return e;
    }
    make_hash(r, &from->grid);
    if (rain_most(r) > UNUSUAL)
        log_warning("--rain: up to %.4g mm/h: rain is in mm/h; is this another unit?",
                    rain_most(r) / MM_PER_HOUR);
    return ERR_OK;
}

void rain_free(struct rain *r)
{
    timeseries_free(&r->series);
    free(r->begin);
    plane_free(r->value);
    free(r->column);
    free(r->row);
    *r = (struct rain){0};
}
