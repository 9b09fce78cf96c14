/* `shoal run --live`: the water in the terminal during the run, coloured by its depth, on
 * hill-shaded land. */
#ifndef SHOAL_LIVE_VIEW_H
#define SHOAL_LIVE_VIEW_H

#include "core/sim/sim.h"

struct live;

/* Can stderr show it, as a terminal? If not, `why` gives the reason. */
int live_possible(char *why, size_t n);

/* Prepares it for a run with --live. From the first picture on, log lines are held back until
 * live_end. */
enum err live_begin(struct live **out, struct sim *s, const char *title);

/* Call it between batches of steps: now and then it samples the state, and draws the samples on the
 * next call, while the device works on what was enqueued since. At most four pictures a second, and
 * fewer if drawing them takes more than a twenty-fifth of the time. `status` is one line. Accepts
 * null. */
void live_update(struct live *l, const char *status);

/* Releases the terminal; with `stay` it prints a last picture, of the present state, that remains.
 * Accepts a null *out, and sets it to null. */
void live_end(struct live **out, int stay);

/* The data of a picture, independent of a terminal: for tests. */
struct live_picture {
    int width, height;          /* samples, from south to north */
    double metres_x, metres_y;  /* between samples */
    float *level, *bed;         /* m */
    float *land, *light, *work; /* light on land and on water */
    double high;                /* depth at the end of the colours, m; 0: no water yet */
    float bottom, top;          /* lowest and highest bed, m */
    double stretch;             /* of waves, for the light; 0: none yet */
};

/* Takes samples: determines the depths' range and the light. */
void live_light(struct live_picture *p);

/* Colour of a sample, and its letter for terminals without colours. */
struct colour live_colour(const struct live_picture *p, int i, int j, char *letter);

/* Size of the largest picture with a domain's shape in an area of columns x rows characters, each two
 * pixels. */
void live_fit(double metres_x, double metres_y, int columns, int rows, int *width, int *height);

#endif
