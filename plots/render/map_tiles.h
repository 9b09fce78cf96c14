/* Draws outlines of stored tiles over maps. */
#ifndef SHOAL_RENDER_MAP_TILES_H
#define SHOAL_RENDER_MAP_TILES_H

#include "core/netcdf/read_tiles.h"
#include "core/picture/tile_outlines.h"

struct map_tiles {
    struct nctiles tiles;
    struct tile_outlines outlines;
};

/* Of a file, for maps of a window of width x height pixels. Ends with map_tiles_close, also after a
 * failure. */
enum err map_tiles_open(struct map_tiles *m, const struct ncrecords *file, struct ncwindow window,
                        int width, int height);
void map_tiles_close(struct map_tiles *m); /* accepts a zeroed or closed struct */

/* Draws those of a record over a picture as map_draw makes it. */
enum err map_tiles_draw(struct map_tiles *m, size_t record, unsigned char *rgb);

#endif
