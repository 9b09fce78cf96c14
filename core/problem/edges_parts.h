/* Shared by the files that set up and describe edges. Private to them. */
#ifndef SHOAL_PROBLEM_EDGES_PARTS_H
#define SHOAL_PROBLEM_EDGES_PARTS_H

#include "core/options/edge_option.h"
#include "core/problem/edges.h"
#include "core/problem/setup.h"

static inline int edge_is_vertical(enum edge e)
{
    return e == WEST || e == EAST;
}

/* Cells along an edge. */
static inline int edge_length(const struct setup *s, enum edge e)
{
    return edge_is_vertical(e) ? s->grid.ny : s->grid.nx;
}

/* The command line counts a discharge as positive into the domain, everything else along the axis. */
static inline double edge_sign(enum edge e)
{
    return e == WEST || e == SOUTH ? 1 : -1;
}

/* The segment at a position; null: the whole edge's condition applies. */
const struct edge_segment *edge_segment_at(const struct setup *s, enum edge e, int k);

/* Finds `calm` of a WAVE's segment, which `choice` names. Fails if the water along it is absent or
 * not level at the start. */
enum err edge_find_calm(const struct setup *s, struct edge_segment *g, const char *choice);

/* Fails if sediment shall leave a cell in which none moves at the start. */
enum err edges_check_losses(const struct setup *s);

/* For waves higher than their water is deep: perhaps in another unit, or given as levels. */
void edge_warn_of_wave(const struct setup *s, const struct edge_segment *g, const char *choice);

#endif
