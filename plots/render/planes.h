/* The data of a picture: planes of one record, reduced to about one cell per pixel. */
#ifndef SHOAL_RENDER_PLANES_H
#define SHOAL_RENDER_PLANES_H

#include "plots/render/shown.h"

/* The part of the grid that is shown, in squares of `step` x `step` cells: nx x ny of them, the last
 * ones perhaps cut. */
struct planes {
    const struct ncrecords *file;
    const struct shown *shown;
    struct ncwindow window;
    int step, nx, ny;
    double dry; /* m; less water is none */
    float *row[6], *sum;
};

/* Chooses the step such that there are at most `most_x` x `most_y` squares. */
enum err planes_open(struct planes *p, int most_x, int most_y);
void planes_close(struct planes *p); /* accepts a zeroed struct */

/* Reads a record: `value` gets the shown variable, NaN where nothing is coloured, `depth` (may be
 * null) the mean depth, NaN where unknown. Each has ny rows of nx, from south to north. */
enum err planes_read(const struct planes *p, size_t record, float *value, float *depth);

/* Sets p->dry: the given value, or if that is NAN a small share of a record's largest depth, 0.01 m
 * at most. The planes are buffers for planes_read. */
enum err planes_choose_dry(struct planes *p, double given, size_t record, float *value,
                           float *depth);

/* The bed; NaN without one. */
enum err planes_bed(const struct planes *p, float *bed);

#endif
