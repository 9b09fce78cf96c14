/* An outline is one pixel wide: the western and southern pixels of a stored tile, and those beyond
 * its eastern and northern sides. */
#include "core/picture/tile_outlines.h"

#include <stdlib.h>

/* Lines between stored tiles that are smaller than this would hide what is below. */
enum { LEAST_PIXELS = 6 };

static int *tiles_of_pixels(const struct tile_axis *a, int pixels)
{
    int *tile = calloc((size_t)pixels, sizeof *tile);
    for (int x = 0, k = 0; tile && x < pixels; x++) {
        const double cell = a->first + (x + 0.5) * a->cells / pixels;
        while (k + 1 < a->count && a->begin[k + 1] <= cell)
            k++;
        tile[x] = k;
    }
    return tile;
}

enum err tile_outlines_open(struct tile_outlines *o, const struct tile_axis axis[2], int width,
                            int height)
{
    *o = (struct tile_outlines){.width = width, .height = height};
    o->across = tiles_of_pixels(&axis[0], width);
    o->up = tiles_of_pixels(&axis[1], height);
    if (!o->across || !o->up)
        FAIL(MEMORY, "no memory for the outlines of tiles");
    o->fine = width < LEAST_PIXELS * (o->across[width - 1] - o->across[0]) ||
              height < LEAST_PIXELS * (o->up[height - 1] - o->up[0]);
    return ERR_OK;
}

void tile_outlines_free(struct tile_outlines *o)
{
    free(o->across);
    free(o->up);
    *o = (struct tile_outlines){0};
}

int tile_outlines_at(const struct tile_outlines *o, const unsigned char *stored, const int step[2],
                     int x, int y)
{
    const int i = o->across[x], j = o->up[y];
    const int west = x ? o->across[x - 1] : i, south = y ? o->up[y - 1] : j;
    const int here = stored[i * step[0] + j * step[1]];
    const int there = stored[west * step[0] + j * step[1]],
              below = stored[i * step[0] + south * step[1]];
    if (here != there || here != below)
        return 1;
    return here && !o->fine && (west != i || south != j);
}
