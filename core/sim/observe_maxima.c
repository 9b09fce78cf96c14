/* The largest values of a run: memory, launches, and their meaning at the end. */
#include "core/sim/maxima.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/sim/observer.h"
#include "kernels/maxima.h"

/* On the device, in the layout of fields; as kernels/maxima.h describes them. */
struct maxima {
    struct array *map[MAXIMA];
};

extern const struct observer observer_maxima;

static const char *const names[MAXIMA] = {"h_max", "speed_max", "flux_max", "arrival", "duration"};

static int wanted(const struct sim *s)
{
    return s->config->maxima;
}

static size_t bytes(const struct sim *s)
{
    return MAXIMA * s->field_bytes;
}

/* Launches that do nothing cost time per block; ones that sample need enough blocks to fill a GPU. */
static void choose_block(const struct sim *s, struct sim_kernel *k)
{
    enum { MOST_BLOCKS = 8192, HIGHEST = 256 };
    if (s->backend != &backend_cuda || k->origin.from != BLOCK_DEFAULT)
        return;
    while (sim_blocks(s, k, PLAIN) > MOST_BLOCKS && k->recipe.block.h < HIGHEST)
        k->recipe.block.h *= 2;
}

static enum err create(struct sim *s, struct observing *o)
{
    struct maxima *m = o->state = calloc(1, sizeof *m);
    if (!m)
        FAIL(MEMORY, "no memory for maxima");
    for (int k = 0; k < MAXIMA; k++) {
        struct array map = {.layout = ARRAY_CELLS,
                            .joined = JOIN_PLANE,
                            .kept = 1,
                            .byte = k == MAXIMUM_ARRIVAL ? 0xff : 0}; /* NaN, or 0 */
        snprintf(map.name, sizeof map.name, "%s", names[k]);
        TRY(sim_array(s, &map, &m->map[k]));
    }
    return ERR_OK;
}

static void destroy(struct observing *o)
{
    free(o->state);
}

static enum err look(struct sim *s, struct observing *o, enum occasion when)
{
    const struct maxima *m = o->state;
    struct maxima_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .h = array_first(s, m->map[MAXIMUM_H], PLAIN),
        .speed = array_first(s, m->map[MAXIMUM_SPEED], PLAIN),
        .flux = array_first(s, m->map[MAXIMUM_FLUX], PLAIN),
        .arrival = array_first(s, m->map[MAXIMUM_ARRIVAL], PLAIN),
        .duration = array_first(s, m->map[MAXIMUM_DURATION], PLAIN),
        .every = (unsigned long)s->config->maxima_every,
        .when = (int)when,
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.dry = s->config->wet_depth;
    return sim_launch(s, &o->kernel, &a, sizeof a);
}

static unsigned long every(const struct sim *s)
{
    return (unsigned long)s->config->maxima_every;
}

const struct observer observer_maxima = {
    .name = "maxima",
    .kernel = "maxima",
    .wanted = wanted,
    .bytes = bytes,
    .choose_block = choose_block,
    .create = create,
    .look = look,
    .every = every,
    .destroy = destroy,
};

int maxima_kept(struct sim *s)
{
    return observing(s, &observer_maxima) != NULL;
}

/* Cells that are wet now were so until now. */
static enum err finish_duration(struct sim *s, const struct window *w, void *duration)
{
    const size_t size = s->real_size, n = (size_t)w->nx * (size_t)w->ny;
    const double now = size == sizeof s->now.t ? s->now.t : (double)(float)s->now.t;
    void *h = malloc(n * size);
    if (!h)
        FAIL(MEMORY, "no memory for the wet duration of %zu cells", n);
    const enum err e = sim_read(s, sim_find_array(s, names[MAXIMUM_H]), w, h);
    for (size_t k = 0; !e && k < n; k++)
        if (signbit(reals_get(h, size, k)))
            reals_put(duration, size, k, reals_get(duration, size, k) + now);
    free(h);
    return e;
}

enum err maxima_download(struct sim *s, enum maximum which, const struct window *w, void *to)
{
    const struct window all = sim_domain(s);
    w = w ? w : &all;
    const size_t size = s->real_size, n = (size_t)w->nx * (size_t)w->ny;
    TRY(sim_read(s, sim_find_array(s, names[which]), w, to));
    for (size_t k = 0; which == MAXIMUM_H && k < n; k++)
        reals_put(to, size, k, fabs(reals_get(to, size, k)));
    return which == MAXIMUM_DURATION ? finish_duration(s, w, to) : ERR_OK;
}
