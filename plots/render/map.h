/* The view from above: hill-shaded land, and water on it in colours. */
#ifndef SHOAL_RENDER_MAP_H
#define SHOAL_RENDER_MAP_H

#include "plots/render/planes.h"

/* The colour scale; the same in all pictures of a film. */
struct scale {
    double low, high; /* the colours' ends, in the file's units */
    double above;     /* the largest value , if it is above `high`; else 0 */
};

struct map {
    const struct planes *planes;
    const float *bed; /* of each square, m; NaN: not known */
    struct scale scale;
    int width, height;   /* pixels */
    int cells;           /* cells are drawn as squares; else values are interpolated */
    struct colour *land; /* [height][width], as the others */
    float *z;            /* bed, m */
    float *deep, *shown; /* of a record: depth and value */
};

/* Draws the land. The bed, as planes_bed gives it, is kept by reference. */
enum err map_open(struct map *m);
void map_close(struct map *m); /* accepts a zeroed struct */

/* Finds the depth and the value of a record at each pixel; a depth below the dry threshold, even
 * below zero, means no water. NaN in m->shown: nothing near has a value. */
void map_find_water(struct map *m, const float *value, const float *depth);

/* The colour of a value; how opaque water of a depth is. */
struct colour map_colour(const struct map *m, float value);
float map_opacity(const struct map *m, float depth);

/* Draws a record: `rgb` gets height rows of width pixels of three bytes, from south to north. */
void map_draw(struct map *m, const float *value, const float *depth, unsigned char *rgb);

#endif
