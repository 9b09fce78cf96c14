/* Where wet and dry cells meet. */
#include "core/problem/shoreline.h"

#include <math.h>

#include "core/base/sorted.h"
#include "core/problem/initial_state_parts.h"

static int is_wall(const struct initial *in, int i, int j)
{
    const struct source *s = &in->setup.source;
    return s->wall && s->wall(s->context, in->window.i0 + i, in->window.j0 + j);
}

/* The rise between two neighbours beside the shore. */
static void add_rise(const struct initial *in, int i, int j, int i2, int j2, struct findings *f)
{
    if (!is_wall(in, i, j) && !is_wall(in, i2, j2))
        initial_add_rise(f, fabs(initial_centre(in, i2, j2) - initial_centre(in, i, j)));
}

/* A dry cell has settled at depth 0. */
void shoreline_look(const struct initial *block, const struct settled_row *here,
                    const struct settled_row *north, struct findings *found)
{
    const int j = here->j;
    for (int i = 0; i + 1 < here->n; i++)
        if ((here->depth[i] > 0) != (here->depth[i + 1] > 0))
            add_rise(block, i, j, i + 1, j, found);
    for (int i = 0; i < block->nx && north; i++)
        if ((here->depth[i] > 0) != (north->depth[i] > 0))
            add_rise(block, i, j, i, j + 1, found);
}

double shoreline_median(struct findings *found)
{
    return found->rises ? sorted_median(found->rise, found->rises) : 0;
}
