/* Bed and initial state on the host, in the run's precision and the device's layout. */
#ifndef SHOAL_INITIAL_H
#define SHOAL_INITIAL_H

#include "core/sim.h"

enum { MARGIN = 32 }; /* reals before cell 0 of a row: keeps it aligned to 128 bytes */

struct initial {
    enum precision precision;
    int nx, ny;
    long pitch;
    size_t field_bytes;
    void *bed;       /* at corners, ghosts included */
    void *field[3];  /* w, hu, hv */
    void *force[3];  /* what is added to their rates of change; null where nothing is */
    void *roughness; /* g n^2 in the cells; null where Manning's n is the same everywhere */
    double force_sum, force_most; /* of the first over all cells, and its largest, m/s */
    double depth_max;             /* m */
    double bed_max;               /* largest |level| of the bed, m */
    double dry;                   /* depth below which a cell is dry, m */
    double kappa;                 /* desingularisation depth, m */
    const char *kappa_rule;       /* where kappa came from, for the log and the output */
};

/* Rows and reals per row for a grid of nx x ny cells. */
long initial_pitch(int nx);
long initial_rows(int ny);

/* Samples bed, water, forcing and Manning's n. The bed is continued outside as the edges say: mirrored, round a
 * periodic domain, or where a flow is imposed, with its slope. Where the water's level is not above the bed by `dry` the cell is dry: its level is
 * the bed's mean of the four corners, as the kernels compute it. Fails on values that are not finite. */
enum err initial_create(struct initial **out, const struct setup *setup, enum precision p);
void initial_drop_state(struct initial *in); /* and forcing and roughness: the bed stays */
void initial_destroy(struct initial *in);    /* accepts NULL */

/* Depth at the start, m: less than `dry` in dry cells; and bed level at a corner and at a cell's centre,
 * as the kernels see it. */
double initial_depth(const struct initial *in, int i, int j);
double initial_bed(const struct initial *in, int i, int j);
double initial_bed_centre(const struct initial *in, int i, int j);

#endif
