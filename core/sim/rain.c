#include "core/sim/rain.h"

#include <math.h>
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/problem/initial_state_parts.h"
#include "core/problem/rain.h"
#include "core/sim/knots.h"
#include "kernels/rain.h"

struct sim_rain {
    const struct rain *rain;
    void *knots, *begin, *field;
    int *along_x, *along_y; /* on the device */
    real *share;            /* null: all cells get all of it */
    double cells;           /* that get some */
    double *sum;            /* of each field over all of them, m3/s */
};

size_t sim_rain_bytes(const struct setup *setup, size_t real_size)
{
    const struct rain *r = setup->rain;
    return r ? (size_t)r->fields * (size_t)r->nx * (size_t)r->ny * real_size : 0;
}

static enum err put_series(struct sim *s, struct sim_rain *r)
{
    const struct timeseries *t = &r->rain->series;
    struct knot *knots = calloc((size_t)t->rows, sizeof *knots);
    if (!knots)
        FAIL(MEMORY, "no memory for the rain");
    knots_of_series(t, knots);
    const enum err e =
        sim_constant(s, "rain_series", knots, (size_t)t->rows * sizeof *knots, &r->knots);
    free(knots);
    return e;
}

/* In the run's precision. */
static enum err put_fields(struct sim *s, struct sim_rain *r)
{
    const struct rain *rain = r->rain;
    const size_t n = (size_t)rain->fields * (size_t)rain->nx * (size_t)rain->ny;
    if (s->real_size == sizeof(double))
        return sim_constant(s, "rain_fields", rain->value, n * sizeof(double), &r->field);
    float *single = malloc(n * sizeof *single);
    if (!single)
        FAIL(MEMORY, "no memory for the rain");
    for (size_t k = 0; k < n; k++)
        single[k] = (float)rain->value[k];
    const enum err e = sim_constant(s, "rain_fields", single, n * sizeof *single, &r->field);
    free(single);
    return e;
}

/* The numbers that cells have in a field: parts of them by column and by row, as the sim has these. */
static enum err put_places(struct sim *s, struct sim_rain *r)
{
    const struct rain *rain = r->rain;
    const int nx = s->grid.nx, ny = s->grid.ny;
    int *along = calloc((size_t)nx + (size_t)ny, sizeof *along);
    void *p;
    if (!along)
        FAIL(MEMORY, "no memory for the rain");
    for (int i = 0; i < nx; i++)
        along[i] = s->turned ? rain->row[i] * rain->nx : rain->column[i];
    for (int j = 0; j < ny; j++)
        along[nx + j] = s->turned ? rain->column[j] : rain->row[j] * rain->nx;
    const enum err e =
        sim_constant(s, "rain_places", along, ((size_t)nx + (size_t)ny) * sizeof *along, &p);
    free(along);
    r->along_x = p;
    r->along_y = r->along_x + nx;
    return e;
}

/* Cell (i, j) of the sim. */
static int is_wall(const struct sim *s, const struct setup *setup, int i, int j)
{
    const struct source *src = &setup->source;
    return src->wall && (s->turned ? src->wall(src->context, j, i) : src->wall(src->context, i, j));
}

/* Nothing falls on walls that stand for missing terrain: it would run down from them. */
static enum err put_share(struct sim *s, struct sim_rain *r, const struct setup *setup)
{
    struct array wanted = {"rain_share", .layout = ARRAY_CELLS, .joined = JOIN_PLANE, .given = 1};
    struct array *share;
    if (!setup->source.wall)
        return ERR_OK;
    void *host = calloc(1, s->field_bytes);
    if (!host)
        FAIL(MEMORY, "no memory for the rain");
    for (int j = 0; j < s->grid.ny; j++)
        for (int i = 0; i < s->grid.nx; i++)
            initial_put(s->initial, host, i, j, is_wall(s, setup, i, j) ? 0 : 1);
    enum err e = sim_array(s, &wanted, &share);
    if (!e)
        e = s->backend->upload(s->device, share->memory, host, s->initial->field_bytes);
    free(host);
    if (!e)
        r->share = array_first(s, share, PLAIN);
    return e;
}

/* What each field brings, from its numbers as the kernel has them. */
static enum err add_up(struct sim *s, struct sim_rain *r, const struct setup *setup)
{
    const struct rain *rain = r->rain;
    const double cell = s->grid.dx * s->grid.dy;
    const size_t cells = (size_t)rain->nx * (size_t)rain->ny;
    r->sum = calloc((size_t)rain->fields + 1, sizeof *r->sum);
    if (!r->sum)
        FAIL(MEMORY, "no memory for the rain");
    for (int j = 0; j < s->grid.ny; j++)
        for (int i = 0; i < s->grid.nx; i++) {
            if (is_wall(s, setup, i, j))
                continue;
            r->cells++;
            for (int k = 0; k < rain->fields; k++) {
                const int column = rain->column[s->turned ? j : i];
                const int row = rain->row[s->turned ? i : j];
                const double value = rain->value[(size_t)k * cells +
                                                 (size_t)row * (size_t)rain->nx + (size_t)column];
                r->sum[k] += cell * initial_rounded(s->initial, value);
            }
        }
    return ERR_OK;
}

enum err sim_rain_create(struct sim *s, const struct setup *setup)
{
    if (!setup->rain)
        return ERR_OK;
    struct sim_rain *r = s->rain = calloc(1, sizeof *r);
    if (!r)
        FAIL(MEMORY, "no memory for the rain");
    r->rain = setup->rain;
    TRY(add_up(s, r, setup));
    TRY(put_share(s, r, setup));
    if (r->rain->fields == 0)
        return put_series(s, r);
    TRY(sim_constant(s, "rain_times", r->rain->begin,
                     ((size_t)r->rain->fields + 1) * sizeof(double), &r->begin));
    TRY(put_fields(s, r));
    return put_places(s, r);
}

void sim_rain_destroy(struct sim *s)
{
    if (s->rain)
        free(s->rain->sum);
    free(s->rain);
    s->rain = NULL;
}

enum err sim_rain_fall(struct sim *s)
{
    const struct sim_rain *r = s->rain;
    if (!r)
        return ERR_OK;
    const struct rain *rain = r->rain;
    struct rain_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .eta = array_first(s, s->state[0][0], PLAIN),
        .share = r->share,
        .rows = rain->series.rows,
        .knots = r->knots,
        .fields = rain->fields,
        .begin = r->begin,
        .field = r->field,
        .cells = (long)rain->nx * rain->ny,
        .along_x = r->along_x,
        .along_y = r->along_y,
        .clock = s->clock,
        .carried = sim_carried(s, 0, 0, 0),
        .p = s->physics,
    };
    return sim_launch(s, &s->auxiliary[RAIN_KERNEL], &a, sizeof a);
}

double sim_rain_volume(const struct sim *s)
{
    const struct sim_rain *r = s->rain;
    double volume = 0;
    if (!r)
        return 0;
    if (r->rain->fields == 0)
        return r->cells * s->grid.dx * s->grid.dy *
               timeseries_integral(&r->rain->series, 0, s->now.t);
    for (int k = 0; k < r->rain->fields; k++) {
        const double begin = fmax(r->rain->begin[k], 0);
        volume += r->sum[k] * fmax(0, fmin(r->rain->begin[k + 1], s->now.t) - begin);
    }
    return volume;
}
