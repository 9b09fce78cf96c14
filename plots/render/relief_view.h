/* The view from the side: a map laid over the land, and a lit water surface, in perspective. */
#ifndef SHOAL_RENDER_RELIEF_VIEW_H
#define SHOAL_RENDER_RELIEF_VIEW_H

#include "plots/render/map.h"
#include "plots/render/raster.h"

struct relief_view {
    struct map *map;           /* a mesh: its pixels are the corners; kept by reference */
    double metres_x, metres_y; /* extent of the map */
    double azimuth,
        elevation;    /* position of the eye: degrees from north to east, and above ground */
    double stretch;   /* of heights; 0: chosen */
    double low, high; /* of land and water, m */

    double across;           /* the longer side, m */
    double turn[3][3];       /* rows: right, up and towards the eye */
    double zoom, at_x, at_y; /* from the eye's plane to the canvas */
    int reach;               /* corners from one square of the map to the next */
    float *level;            /* of the water, m; NaN: none near */
    struct corner *corner;
    struct canvas land, now; /* without and with water */
};

/* Prepares views of width x height pixels: draws the land. The members from map to high are set before;
 * stretch is set here if it is 0. */
enum err relief_view_open(struct relief_view *v, int width, int height);
void relief_view_close(struct relief_view *v); /* accepts a zeroed struct */

/* Draws a record, as map_draw does. */
void relief_view_draw(struct relief_view *v, const float *value, const float *depth,
                      unsigned char *rgb);

#endif
