/* Infiltration into the ground: a rate, or Green and Ampt's law. */
#ifndef SHOAL_SOIL_H
#define SHOAL_SOIL_H

#include "core/problem/rain.h"

struct soil {
    double rate,
        store; /* m/s; suction times deficit, m, 0 for a constant rate; where the same everywhere */
    double *rate_of, *store_of;     /* of each cell, ny rows of nx; null: the same everywhere */
    char hash[TIMESERIES_HASH + 1]; /* hash of all this: identifies the soil */
};

/* Reads what --infiltration, --suction and --deficit name; sets *given if there is any. Fails on
 * impossible values and on fields that do not cover the run. Free with soil_free, also after a
 * failure. */
enum err soil_choose(struct soil *s, const struct water_setting *from, int *given);
void soil_free(struct soil *s); /* accepts a zeroed or freed struct */

#endif
