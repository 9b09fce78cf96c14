/* Triangles on a canvas with a depth buffer, twice as fine in each direction as the picture. */
#ifndef SHOAL_RENDER_RASTER_H
#define SHOAL_RENDER_RASTER_H

#include "core/picture/colour_map.h"
#include "core/base/err.h"

/* On the canvas, in fine pixels from the lower left corner; `far` grows with the distance. */
struct corner {
    float x, y, far;
    struct colour colour;
    float opacity; /* 0 to 1 */
};

struct canvas {
    int width, height;   /* of the picture; the canvas is 2 x width, 2 x height */
    struct colour *seen; /* [2 height][2 width] */
    float *far;
};

enum err canvas_open(struct canvas *c, int width, int height);
void canvas_close(struct canvas *c); /* accepts a zeroed struct */

/* Empties it: nothing but this colour. */
void canvas_clear(struct canvas *c, struct colour background);

/* Makes it a copy of one of the same size. */
void canvas_copy(struct canvas *c, const struct canvas *from);

/* Draws the visible part of a triangle in rows low to high - 1 of the canvas. Threads may draw
 * concurrently in separate rows. */
void canvas_triangle(struct canvas *c, const struct corner *p, const struct corner *q,
                     const struct corner *r, int low, int high);

/* The picture, each pixel the mean of four: rows of three bytes a pixel, from the lowest up. */
void canvas_picture(const struct canvas *c, unsigned char *rgb);

#endif
