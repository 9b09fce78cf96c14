/* Still water at an edge that feeds waves: its initial surface must be level there. */
#include "core/problem/edges_parts.h"

#include <math.h>

#include "core/base/log.h"

static const double LEAST_DEPTH = 1e-6, MOST_APART = 1e-3; /* m */

/* The water levels in a segment's cells, none without water, and its largest depth. */
struct surface {
    double lowest, highest, deepest;
};

static struct surface surface_along(const struct setup *s, const struct edge_segment *g)
{
    const struct source *const src = &s->source;
    const int vertical = edge_is_vertical(g->edge);
    const int across = g->edge == EAST ? s->grid.nx - 1 : g->edge == NORTH ? s->grid.ny - 1 : 0;
    struct surface all = {(double)INFINITY, -(double)INFINITY, 0};
    for (int k = g->first; k < g->end; k++) {
        const int i = vertical ? across : k, j = vertical ? k : across;
        const double level = src->water(src->context, i, j).w;
        const double bed =
            0.25 * ((src->bed(src->context, i, j) + src->bed(src->context, i + 1, j + 1)) +
                    (src->bed(src->context, i + 1, j) + src->bed(src->context, i, j + 1)));
        if (!(level - bed > LEAST_DEPTH))
            continue;
        all.lowest = fmin(all.lowest, level);
        all.highest = fmax(all.highest, level);
        all.deepest = fmax(all.deepest, level - bed);
    }
    return all;
}

enum err edge_find_calm(const struct setup *s, struct edge_segment *g, const char *choice)
{
    const struct surface all = surface_along(s, g);
    if (!(all.lowest <= all.highest))
        FAIL(USAGE,
             "%s: expected water along it at the start, because a wave counts from still water: "
             "give --level, or choose another edge",
             choice);
    if (all.highest - all.lowest > MOST_APART)
        FAIL(USAGE,
             "%s: expected still water, but at the start the water along it stands at %.9g to %.9g "
             "m; choose a segment where it is level, with @FROM..TO",
             choice, all.lowest, all.highest);
    g->given.calm = all.lowest + 0.5 * (all.highest - all.lowest);
    log_info("%s: still water at %.9g m", choice, g->given.calm);
    return ERR_OK;
}

void edge_warn_of_wave(const struct setup *s, const struct edge_segment *g, const char *choice)
{
    const double deepest = surface_along(s, g).deepest;
    double most = fabs(g->given.h);
    for (int k = 0; g->series && k < g->series->rows; k++)
        most = fmax(most, fabs(g->series->value[k]));
    if (most > deepest)
        log_warning("%s: up to %.3g m above or below still water that is at most %.3g m deep: are "
                    "these metres above still water?",
                    choice, most, deepest);
}
