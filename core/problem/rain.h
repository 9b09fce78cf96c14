/* The rain of a run: a series for all cells, or fields that follow one another. */
#ifndef SHOAL_RAIN_H
#define SHOAL_RAIN_H

#include "core/mesh/grid.h"
#include "core/options/run_config.h"
#include "core/problem/time_series.h"

struct rain {
    struct timeseries series; /* m/s; without rows where there are fields */
    int fields;
    double *begin;                  /* [fields + 1]: for how long each holds, s */
    int nx, ny;                     /* cells of a field */
    double *value;                  /* fields of ny rows of nx, m/s */
    int *column, *row;              /* of a field's cells: that of each column and row of the run */
    char hash[TIMESERIES_HASH + 1]; /* hash of all this: identifies the rain */
};

/* Facts about a run that its rain, soil and sources depend on. */
struct water_setting {
    const struct config *config;
    struct grid_info grid;
    const char *wkt; /* the terrain's coordinate system; null: unknown */
    double t_end;
    int carries; /* the water carries a tracer */
    /* Optional: the cell is a wall that stands for missing terrain, on which no rain falls. */
    int (*wall)(const void *context, int i, int j);
    const void *context;
};

/* Reads what --rain names; sets *given if there is any. Fails on impossible rain, on rain that does
 * not last from start to end, or does not cover the run. Free with rain_free, also after a failure. */
enum err rain_choose(struct rain *r, const struct water_setting *from, int *given);
void rain_free(struct rain *r); /* accepts a zeroed or freed struct */

/* The largest rain rate, m/s. */
double rain_most(const struct rain *r);

#endif
