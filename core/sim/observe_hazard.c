/* The largest flood hazard of a run: its memory and its launches. */
#include "core/sim/hazard.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/sim/observer.h"
#include "kernels/hazard.h"

struct hazard {
    struct array *most; /* on the device, in the layout of fields */
};

extern const struct observer observer_hazard;

#define MOST_NAME "hazard"

static int wanted(const struct sim *s)
{
    return s->config->hazard;
}

static size_t bytes(const struct sim *s)
{
    return s->field_bytes;
}

static enum err create(struct sim *s, struct observing *o)
{
    struct hazard *h = o->state = calloc(1, sizeof *h);
    const struct array most = {
        .name = MOST_NAME, .layout = ARRAY_CELLS, .joined = JOIN_PLANE, .kept = 1};
    if (!h)
        FAIL(MEMORY, "no memory for the hazard");
    return sim_array(s, &most, &h->most);
}

static void destroy(struct observing *o)
{
    free(o->state);
}

static enum err look(struct sim *s, struct observing *o, enum occasion when)
{
    const struct hazard *h = o->state;
    struct hazard_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .most = array_first(s, h->most, PLAIN),
        .every = (unsigned long)s->config->maxima_every,
        .when = (int)when,
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.dry = s->config->wet_depth;
    a.p.weight = s->config->debris;
    return sim_launch(s, &o->kernel, &a, sizeof a);
}

static unsigned long every(const struct sim *s)
{
    return (unsigned long)s->config->maxima_every;
}

const struct observer observer_hazard = {
    .name = "hazard",
    .kernel = "hazard",
    .wanted = wanted,
    .bytes = bytes,
    .create = create,
    .look = look,
    .every = every,
    .destroy = destroy,
};

int hazard_kept(struct sim *s)
{
    return observing(s, &observer_hazard) != NULL;
}

enum err hazard_download(struct sim *s, const struct window *w, void *to)
{
    return sim_read(s, sim_find_array(s, MOST_NAME), w, to);
}
