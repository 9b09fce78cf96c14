#include "core/sim/rain.h"

#include <math.h>
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/problem/initial_state_parts.h"
#include "core/sim/upload.h"
#include "core/problem/rain.h"
#include "core/sim/knots.h"
#include "kernels/rain.h"

struct sim_rain {
    const struct rain *rain;
    void *knots, *begin, *field;
    int *along_x, *along_y; /* on the device */
    real *share;            /* null: all cells get the full rate */
    double cells;           /* number that get some */
    double *sum;            /* of each field over all of them, m3/s */
};

static enum err put_series(struct sim *s, struct sim_rain *r)
{
    const struct timeseries *t = &r->rain->series;
    struct knot *knots = calloc((size_t)t->rows, sizeof *knots);
    if (!knots)
        FAIL(MEMORY, "no memory for the rain");
    knots_of_series(t, 1, knots);
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

/* The column and row of the rain's cells that contain cell (i, j) of the sim's domain. */
static int column_of(const struct sim_rain *r, const struct setup *setup, int i, int j)
{
    return r->rain->column[setup->exchanged ? j : i];
}

static int row_of(const struct sim_rain *r, const struct setup *setup, int i, int j)
{
    return r->rain->row[setup->exchanged ? i : j];
}

/* The cells' numbers in a field: by column and by row, as far as this sim has them. */
static enum err put_places(struct sim *s, struct sim_rain *r, const struct setup *setup)
{
    const int nx = s->grid.nx, ny = s->grid.ny, i0 = s->window.i0, j0 = s->window.j0;
    const size_t count = (size_t)nx + (size_t)ny;
    int *along = calloc(count, sizeof *along);
    if (!along)
        FAIL(MEMORY, "no memory for the rain");
    for (int i = 0; i < nx; i++)
        along[i] = setup->exchanged ? row_of(r, setup, i0 + i, 0) * r->rain->nx
                                    : column_of(r, setup, i0 + i, 0);
    for (int j = 0; j < ny; j++)
        along[nx + j] = setup->exchanged ? column_of(r, setup, 0, j0 + j)
                                         : row_of(r, setup, 0, j0 + j) * r->rain->nx;
    const enum err e = sim_constant(s, "rain_places", along, count * sizeof *along, &r->along_x);
    free(along);
    r->along_y = r->along_x + nx;
    return e;
}

/* A cell of the sim's domain. */
static int is_wall(const struct setup *setup, int i, int j)
{
    const struct source *src = &setup->source;
    return src->wall && src->wall(src->context, i, j);
}

/* No rain on walls for missing terrain: it would run down from them. */
static double share_at(const void *setup, int i, int j)
{
    return is_wall(setup, i, j) ? 0 : 1;
}

/* The inflow of each field, from its numbers as the kernel sees them. */
static void add_up(struct sim *s, struct sim_rain *r, const struct setup *setup)
{
    const struct rain *rain = r->rain;
    const size_t cells = (size_t)rain->nx * (size_t)rain->ny;
    for (int j = 0; j < s->grid.ny; j++)
        for (int i = 0; i < s->grid.nx; i++) {
            if (is_wall(setup, i, j))
                continue;
            r->cells++;
            if (rain->fields == 0)
                continue;
            const size_t place = (size_t)row_of(r, setup, i, j) * (size_t)rain->nx +
                                 (size_t)column_of(r, setup, i, j);
            for (int k = 0; k < rain->fields; k++)
                r->sum[k] += s->grid.dx * s->grid.dy *
                             initial_rounded(s->initial, rain->value[(size_t)k * cells + place]);
        }
}

static enum err create(struct sim *s, const struct setup *setup)
{
    if (s->rain)
        return ERR_OK;
    s->rain = calloc(1, sizeof *s->rain);
    if (!s->rain)
        FAIL(MEMORY, "no memory for the rain");
    s->rain->rain = setup->rain;
    return ERR_OK;
}

enum err sim_rain_book(struct sim *s, const struct setup *setup)
{
    if (!setup->rain)
        return ERR_OK;
    TRY(create(s, setup));
    s->rain->sum = calloc((size_t)setup->rain->fields + 1, sizeof *s->rain->sum);
    if (!s->rain->sum)
        FAIL(MEMORY, "no memory for the rain");
    add_up(s, s->rain, setup);
    return ERR_OK;
}

enum err sim_rain_create(struct sim *s, const struct setup *setup)
{
    if (!setup->rain)
        return ERR_OK;
    TRY(create(s, setup));
    struct sim_rain *r = s->rain;
    if (setup->source.wall)
        TRY(sim_given_cells(s, "rain_share", share_at, setup, &r->share));
    if (r->rain->fields == 0)
        return put_series(s, r);
    const size_t times = (size_t)r->rain->fields + 1;
    TRY(sim_constant(s, "rain_times", r->rain->begin, times * sizeof(double), &r->begin));
    TRY(put_fields(s, r));
    return put_places(s, r, setup);
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
