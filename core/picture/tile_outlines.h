/* Outlines of a sparse domain's stored tiles, on a picture of its grid. */
#ifndef SHOAL_TILE_OUTLINES_H
#define SHOAL_TILE_OUTLINES_H

#include "core/base/err.h"

struct tile_outlines {
    int width, height;
    int *across, *up; /* the column of tiles of each column of pixels; the row of each row */
    int fine;         /* tiles are too small for lines between stored ones */
};

/* Where tiles are on a picture of width x height pixels that shows `cells` of the grid, from the
 * first one on, along each axis; `begin` has the first cell of each of `count` columns (rows) of
 * tiles. x is axis 0, y axis 1. Free with tile_outlines_free, also after a failure. */
struct tile_axis {
    const int *begin;
    int count, first, cells;
};
enum err tile_outlines_open(struct tile_outlines *o, const struct tile_axis axis[2], int width,
                            int height);
void tile_outlines_free(struct tile_outlines *o); /* accepts a zeroed or freed struct */

/* Is pixel (x, y), counted from the lower left corner, on an outline? `stored` has a byte for each
 * tile; tiles beside each other in x, and in y, are `step[0]` and `step[1]` apart. */
int tile_outlines_at(const struct tile_outlines *o, const unsigned char *stored, const int step[2],
                     int x, int y);

#endif
