/* The largest values of a run: their memory, the launches, and what they mean at a run's end. */
#include "core/sim/maxima.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/maxima.h"

size_t maxima_bytes(const struct sim *s)
{
    return s->config->maxima ? MAXIMA * s->field_bytes : 0;
}

/* Launches that do nothing cost by their blocks; where one looks, few blocks leave a GPU idle. */
void maxima_choose_block(struct sim *s)
{
    enum { MOST_BLOCKS = 8192, HIGHEST = 256 };
    struct sim_kernel *k = &s->maxima_kernel;
    if (s->backend != &backend_cuda || k->origin.from != BLOCK_DEFAULT)
        return;
    while (sim_blocks(s, k, PLAIN) > MOST_BLOCKS && k->recipe.block.h < HIGHEST)
        k->recipe.block.h *= 2;
}

enum err maxima_create(struct sim *s)
{
    if (!s->config->maxima)
        return ERR_OK;
    s->maxima = calloc(1, sizeof *s->maxima);
    if (!s->maxima)
        FAIL(MEMORY, "no memory for maxima");
    for (int k = 0; k < MAXIMA; k++) {
        static const char *const names[MAXIMA] = {"h_max", "speed_max", "flux_max", "arrival",
                                                  "duration"};
        const int byte = k == MAXIMUM_ARRIVAL ? 0xff : 0; /* NaN, or 0 */
        TRY(s->backend->alloc(s->device, s->field_bytes, &s->maxima->storage[k]));
        TRY(s->backend->fill(s->device, s->maxima->storage[k], byte, s->field_bytes));
        TRY(sim_keep(s, names[k], s->maxima->storage[k], s->field_bytes));
    }
    void *p;
    TRY(sim_extra(s, NULL, (size_t)sim_blocks(s, &s->maxima_kernel, PLAIN) * sizeof(unsigned long),
                  &p));
    s->maxima->looked = p;
    return ERR_OK;
}

void maxima_destroy(struct sim *s)
{
    for (int k = 0; s->maxima && k < MAXIMA; k++)
        s->backend->release(s->device, s->maxima->storage[k]);
    free(s->maxima);
    s->maxima = NULL;
}

static real *first_cell(const struct sim *s, enum maximum which)
{
    return (void *)((char *)s->maxima->storage[which] + sim_first_cell(s, s->pitch[PLAIN]));
}

static enum err look_at_maxima(struct sim *s, int begins)
{
    struct maxima_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .q = s->q[0][PLAIN],
        .centre = s->ground.centre,
        .h = first_cell(s, MAXIMUM_H),
        .speed = first_cell(s, MAXIMUM_SPEED),
        .flux = first_cell(s, MAXIMUM_FLUX),
        .arrival = first_cell(s, MAXIMUM_ARRIVAL),
        .duration = first_cell(s, MAXIMUM_DURATION),
        .every = (unsigned long)s->config->maxima_every,
        .limit = sim_step_limit(s),
        .begins = begins,
        .looked = s->maxima->looked,
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.dry = s->config->wet_depth;
    return sim_launch(s, &s->maxima_kernel, &a, sizeof a);
}

int maxima_period(const struct sim *s)
{
    const int every = s->maxima ? s->config->maxima_every : 1, steps = s->scheme->steps;
    int period = GRAPH_PASSES;
    while (period > 1 && every % (period * steps) != 0)
        period--;
    return period;
}

enum err maxima_begin(struct sim *s)
{
    if (!s->maxima)
        return ERR_OK;
    const unsigned long period = (unsigned long)maxima_period(s);
    s->maxima->behind = (int)(s->now.steps / (unsigned long)s->scheme->steps % period);
    return look_at_maxima(s, 1);
}

enum err maxima_pass(struct sim *s)
{
    struct maxima *m = s->maxima;
    if (!m)
        return ERR_OK;
    m->behind = (m->behind + 1) % maxima_period(s);
    return m->calm && m->behind > 0 ? ERR_OK : look_at_maxima(s, 0);
}

enum err maxima_end(struct sim *s)
{
    return s->maxima ? look_at_maxima(s, 0) : ERR_OK;
}

static void judge(struct sim *s)
{
    enum { WINDOW = 100, SELDOM = 100 };
    struct maxima *m = s->maxima;
    const unsigned long steps = s->now.steps - m->steps, redone = s->now.redone - m->redone;
    if (steps + redone < WINDOW)
        return;
    m->calm = redone * SELDOM <= steps && maxima_period(s) > 1;
    m->steps = s->now.steps;
    m->redone = s->now.redone;
}

void maxima_see(struct sim *s)
{
    struct clock *now = &s->now;
    if (!s->maxima)
        return;
    now->step_limit = sim_step_limit(s);
    if (now->halt == AT_END && now->t < now->t_end && now->steps < now->step_limit)
        now->halt = RUNNING;
    judge(s);
}

static double get(enum precision p, const void *x, size_t k)
{
    return p == F64 ? ((const double *)x)[k] : (double)((const float *)x)[k];
}

static void put(enum precision p, void *x, size_t k, double value)
{
    if (p == F64)
        ((double *)x)[k] = value;
    else
        ((float *)x)[k] = (float)value;
}

/* Cells that are wet now were so until now. */
static enum err finish_duration(struct sim *s, void *duration, size_t n)
{
    const enum precision p = (enum precision)s->config->precision;
    const double now = p == F64 ? s->now.t : (double)(float)s->now.t;
    void *h = malloc(n * s->real_size);
    if (!h)
        FAIL(MEMORY, "no memory for the wet duration of %zu cells", n);
    const enum err e = sim_fetch(s, s->maxima->storage[MAXIMUM_H], h);
    for (size_t k = 0; !e && k < n; k++)
        if (signbit(get(p, h, k)))
            put(p, duration, k, get(p, duration, k) + now);
    free(h);
    return e;
}

enum err maxima_download(struct sim *s, enum maximum which, void *to)
{
    const enum precision p = (enum precision)s->config->precision;
    const size_t n = (size_t)s->grid.nx * (size_t)s->grid.ny;
    TRY(sim_fetch(s, s->maxima->storage[which], to));
    for (size_t k = 0; which == MAXIMUM_H && k < n; k++)
        put(p, to, k, fabs(get(p, to, k)));
    return which == MAXIMUM_DURATION ? finish_duration(s, to, n) : ERR_OK;
}
