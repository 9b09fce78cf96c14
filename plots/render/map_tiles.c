/* Darkens the pixels that are on an outline. */
#include "plots/render/map_tiles.h"

/* What an outline leaves of a colour. */
static const double DARKENED = 0.35;

enum err map_tiles_open(struct map_tiles *m, const struct ncrecords *file, struct ncwindow window,
                        int width, int height)
{
    *m = (struct map_tiles){0};
    TRY(nctiles_open(&m->tiles, file));
    const struct tile_axis axis[2] = {{m->tiles.west, m->tiles.columns, window.i, window.nx},
                                      {m->tiles.south, m->tiles.rows, window.j, window.ny}};
    return tile_outlines_open(&m->outlines, axis, width, height);
}

void map_tiles_close(struct map_tiles *m)
{
    nctiles_close(&m->tiles);
    tile_outlines_free(&m->outlines);
}

enum err map_tiles_draw(struct map_tiles *m, size_t record, unsigned char *rgb)
{
    const int step[2] = {1, m->tiles.columns};
    const struct tile_outlines *o = &m->outlines;
    TRY(nctiles_read(&m->tiles, record));
    for (int y = 0; y < o->height; y++)
        for (int x = 0; x < o->width; x++) {
            unsigned char *pixel = rgb + 3 * ((size_t)y * (size_t)o->width + (size_t)x);
            const int outlined = tile_outlines_at(o, m->tiles.stored, step, x, y);
            for (int k = 0; outlined && k < 3; k++)
                pixel[k] = (unsigned char)(DARKENED * pixel[k]);
        }
    return ERR_OK;
}
