/* Where rain and sources may wet the ground at any time. */
#include <math.h>
#include <stdlib.h>

#include "core/problem/initial_state_parts.h"
#include "core/problem/rain.h"
#include "core/problem/springs.h"

/* On walls that stand for missing terrain no rain falls. */
static void feed_by_rain(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    in->fed_most = rain_most(setup->rain);
    for (int j = 0; j < in->ny; j++)
        for (int i = 0; i < in->nx; i++)
            in->fed[(size_t)j * (size_t)in->nx + (size_t)i] =
                in->fed_most > 0 && (!src->wall || !src->wall(src->context, i, j));
}

static void feed_by_spring(struct initial *in, const struct setup *setup,
                           const struct spring_place *p)
{
    const double most = spring_most(p, &setup->grid);
    for (int n = 0; n < p->cells && most > 0; n++) {
        const int i = setup->exchanged ? p->j[n] : p->i[n],
                  j = setup->exchanged ? p->i[n] : p->j[n];
        in->fed[(size_t)j * (size_t)in->nx + (size_t)i] = 1;
    }
    in->fed_most = fmax(in->fed_most, most);
}

enum err initial_feed(struct initial *in, const struct setup *setup)
{
    if (!setup->rain && !setup->springs)
        return ERR_OK;
    in->fed = calloc((size_t)in->nx * (size_t)in->ny, 1);
    if (!in->fed)
        FAIL(MEMORY, "no memory for where water is added");
    if (setup->rain)
        feed_by_rain(in, setup);
    for (int k = 0; setup->springs && k < setup->springs->count; k++)
        feed_by_spring(in, setup, &setup->springs->place[k]);
    return ERR_OK;
}
