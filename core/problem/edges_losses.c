/* Edges through which sediment leaves: cells beside them must have some that moves. */
#include "core/problem/edges_parts.h"

#include "core/mesh/grid.h"

/* The total that leaves divides by what each sediment could: alpha s / Cs and beta (1 - s) / Cm. */
static enum err check_cell(const struct setup *s, enum edge e, int i, int j)
{
    const struct source *const src = &s->source;
    const double sand = src->value(src->context, 1, i, j);
    const double moves =
        src->given(src->context, 0, i, j) * sand + src->given(src->context, 1, i, j) * (1 - sand);
    if (moves > 0)
        return ERR_OK;
    FAIL(INPUT,
         "--bc-%s: sediment leaves through the edge of cell (%d, %d), at x = %.9g, y = %.9g, but "
         "none of it moves there: s is %g, alpha %g m2/s and beta %g m2/s; give what the cell "
         "consists of a coefficient above 0, or make this edge a wall",
         edge_names[e], i, j, grid_x(&s->grid, i), grid_y(&s->grid, j), sand,
         src->given(src->context, 0, i, j), src->given(src->context, 1, i, j));
}

static int loses(const struct setup *s, enum edge e, int k)
{
    const struct edge_segment *const g = edge_segment_at(s, e, k);
    const double flux = g ? g->given.in[0] : s->edge[e].in[0];
    return edges_kind(s, e, k) == LOSS && ((g && g->series) || flux < 0);
}

enum err edges_check_losses(const struct setup *s)
{
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < edge_length(s, (enum edge)e); k++) {
            const int vertical = edge_is_vertical((enum edge)e);
            const int across = e == EAST ? s->grid.nx - 1 : e == NORTH ? s->grid.ny - 1 : 0;
            if (loses(s, (enum edge)e, k))
                TRY(check_cell(s, (enum edge)e, vertical ? across : k, vertical ? k : across));
        }
    return ERR_OK;
}
