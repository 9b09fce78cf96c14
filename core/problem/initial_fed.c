/* Where rain and sources may wet the ground at any time. */
#include <math.h>

#include "core/problem/initial_state_parts.h"
#include "core/problem/rain.h"
#include "core/problem/springs.h"

void initial_feed(struct initial *in)
{
    const struct setup *setup = &in->setup;
    in->is_fed = setup->rain || setup->springs;
    in->fed_most = setup->rain ? rain_most(setup->rain) : 0;
    for (int k = 0; setup->springs && k < setup->springs->count; k++)
        in->fed_most = fmax(in->fed_most, spring_most(&setup->springs->place[k], &setup->grid));
}

/* On walls that stand for missing terrain no rain falls. */
static void mark_rain(struct initial *cut)
{
    const struct source *src = &cut->setup.source;
    const int i0 = cut->window.i0, j0 = cut->window.j0;
    if (!(rain_most(cut->setup.rain) > 0))
        return;
    for (int j = -GHOSTS; j < cut->ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < cut->nx + GHOSTS; i++)
            cut->fed[initial_offset(cut, i, j)] =
                i0 + i >= 0 && j0 + j >= 0 && i0 + i < cut->setup.grid.nx &&
                j0 + j < cut->setup.grid.ny &&
                (!src->wall || !src->wall(src->context, i0 + i, j0 + j));
}

static void mark_spring(struct initial *cut, const struct spring_place *p)
{
    const double most = spring_most(p, &cut->setup.grid);
    for (int n = 0; n < p->cells && most > 0; n++) {
        const int i = (cut->setup.exchanged ? p->j[n] : p->i[n]) - cut->window.i0,
                  j = (cut->setup.exchanged ? p->i[n] : p->j[n]) - cut->window.j0;
        if (i >= -GHOSTS && j >= -GHOSTS && i < cut->nx + GHOSTS && j < cut->ny + GHOSTS)
            cut->fed[initial_offset(cut, i, j)] = 1;
    }
}

void initial_mark_fed(struct initial *cut)
{
    const struct spring_list *springs = cut->setup.springs;
    if (cut->setup.rain)
        mark_rain(cut);
    for (int k = 0; springs && k < springs->count; k++)
        mark_spring(cut, &springs->place[k]);
}
