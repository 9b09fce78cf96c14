/* Where wet and dry cells meet. */
#include "core/problem/shoreline.h"

#include <math.h>

#include "core/base/sorted.h"
#include "core/problem/initial_state_parts.h"

static int is_wet(const struct initial *in, int i, int j)
{
    return initial_depth(in, i, j) > 0; /* settled: a dry cell has none */
}

static int is_wall(const struct initial *in, int i, int j)
{
    const struct source *s = &in->setup.source;
    return s->wall && s->wall(s->context, in->window.i0 + i, in->window.j0 + j);
}

/* Adds the rise between two neighbours if the shore runs between them. */
static void add_rise(const struct initial *in, int i, int j, int i2, int j2, struct findings *f)
{
    if (in->window.i0 + i2 >= in->setup.grid.nx || in->window.j0 + j2 >= in->setup.grid.ny ||
        is_wet(in, i, j) == is_wet(in, i2, j2) || is_wall(in, i, j) || is_wall(in, i2, j2))
        return;
    initial_add_rise(f, fabs(initial_centre(in, i2, j2) - initial_centre(in, i, j)));
}

void shoreline_look(const struct initial *block, struct findings *found)
{
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++) {
            add_rise(block, i, j, i + 1, j, found);
            add_rise(block, i, j, i, j + 1, found);
        }
}

double shoreline_median(struct findings *found)
{
    return found->rises ? sorted_median(found->rise, found->rises) : 0;
}
