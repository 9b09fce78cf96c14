/* Bed and initial state: global numbers, found by scanning the domain block by block, and windows
 * of it, sampled on demand. No whole field is ever stored. Fields are in the run's precision and in
 * the device's layout. Levels count from the run's datum; instead of the water level its height
 * above the level at rest is stored: see struct fields in kernels/args.h. */
#ifndef SHOAL_INITIAL_STATE_H
#define SHOAL_INITIAL_STATE_H

#include "core/mesh/map_area.h"
#include "core/problem/setup.h"
#include "kernels/system.h"

enum { MARGIN = 32 }; /* reals before cell 0 of a row: keeps it aligned to 128 bytes */

struct initial {
    enum precision precision;
    struct setup setup;   /* where samples come from: this source must live as long */
    struct window window; /* cells of the domain that are present */
    int nx, ny;           /* the window's */
    long pitch;
    size_t field_bytes;
    double lowest, highest; /* of the bed's corners, those of walls for missing terrain apart; m */
    unsigned long long bed_digest; /* of the levels of all corners, in the run's precision */
    unsigned long long bed_source; /* the same of the levels as the source gives them */
    double datum;                  /* m: a multiple of: */
    double quantum;                /* of the bed's levels, a power of two, m; 0: it is flat */
    int submerged;                 /* all ground, ghosts included, lies below: */
    double still; /* the still level: the lowest of the start's surface; m above the datum */
    double force_sum[UNKNOWNS], force_most; /* over all cells; the first's largest, m/s */
    int is_fed;                             /* rain or a source may wet cells at any time */
    double fed_most;                        /* the fastest rate of that, m/s */
    double steepest, steepest_fed;          /* core/problem/downhill.h */
    double depth_max;                       /* m */
    double given_most;                      /* the largest of all given fields */
    double carried_scale;   /* a power of two that makes the largest c less than 1 */
    double dry;             /* depth below which water stands still, m */
    double film;            /* depth at a face that rounding cannot tell from that, m */
    double kappa;           /* desingularisation depth, m */
    const char *kappa_rule; /* where kappa came from, for the log and the output */
    unsigned char *idle;    /* of each block of initial_blocks.c: no water can be there */
    struct flow *alike;     /* of the same blocks: what all cells have; w is NaN: they differ */
    int is_cut;             /* a window of another one, which owns `idle` and `alike` */

    /* Of a window, the requested fields; else null. Ghost cells that are cells of the domain have
     * their values; of the bed and of given fields all are present, of force and roughness those
     * beyond periodic edges, too; others are NaN. */
    void *bed;                 /* at corners, ghosts included, m above the datum */
    void *centre;              /* at cells' centres, the same */
    void *field[UNKNOWNS];     /* of its system, as the kernels see them */
    void *force[UNKNOWNS];     /* added to their rates of change; null where nothing is */
    void *given[GIVEN_FIELDS]; /* of the system */
    void *roughness; /* g n^2 in the cells; null where Manning's n is the same everywhere */
    unsigned char
        *fed; /* rain or a source may wet the cell at any time: a byte each, in the same layout */
};

/* Rows and reals per row for a grid of nx x ny cells. */
long initial_pitch(int nx);
long initial_rows(int ny);

/* Finds the numbers. The edges decide how the bed continues outside: mirrored, wrapped, or, where a
 * flow is imposed, level with the edge. A cell whose water is no deeper than the bed's rounding is
 * dry. Fails on values that are not finite. */
enum err initial_create(struct initial **out, const struct setup *setup, enum precision p);
void initial_destroy(struct initial *in); /* accepts NULL */

/* Samples a window of cells of `in`, with their ghosts, and always the bed, unless nothing is
 * requested: then the window has only its place and the numbers. Thread safe. */
enum {
    INITIAL_BED = 1,
    INITIAL_STATE = 2,
    INITIAL_FORCE = 4,
    INITIAL_GIVEN = 8, /* what the system is given, and roughness */
    INITIAL_FED = 16,
    INITIAL_FIELDS = INITIAL_BED | INITIAL_STATE | INITIAL_FORCE | INITIAL_GIVEN
};
enum err initial_cut(struct initial **out, const struct initial *in, const struct window *w,
                     unsigned what);

/* Is something added to the rate of change of unknown number k? */
int initial_forces(const struct initial *in, int k);

/* True only if no cell of the window has water at the start; false may mean unknown. */
int initial_is_dry(const struct initial *in, const struct window *w);

/* What follows is of a cell or corner of the window, ghosts included: of a field that is here, or else sampled.
 *
 * The bed at a corner, m above the datum, in the run's precision. */
double initial_corner(const struct initial *in, int i, int j);

/* The bed at a cell's centre, m above the datum, as the kernels see it; the level at rest above it, and what
 * a dry cell has for eta. All in the run's precision. */
double initial_centre(const struct initial *in, int i, int j);
double initial_rest(const struct initial *in, int i, int j);
double initial_floor(const struct initial *in, int i, int j);

/* The stored form of the level at the start, m. In a cell of the domain. */
double initial_eta(const struct initial *in, int i, int j);

/* Depth at the start, m: 0 in dry cells. */
double initial_depth(const struct initial *in, int i, int j);

/* The least divisor depth of discharges, m: its fourth power has a root in strict mode (LEAST_ROOTED in
 * kernels/real.h). */
double initial_least_kappa(const struct initial *in);

/* Bed level at a corner and at a cell's centre, in the metres of the case or file. */
double initial_bed(const struct initial *in, int i, int j);
double initial_bed_centre(const struct initial *in, int i, int j);

#endif
