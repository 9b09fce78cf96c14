/* A rectangular problem in plain arrays, so that a mirrored, turned or shifted one is the same to the
 * last bit; and what comes of it. */
#ifndef SHOAL_PATCH_H
#define SHOAL_PATCH_H

#include "core/sim.h"
#include "verification/invariant.h"

/* SI units; rows from south to north; g = 9.81 m/s2. */
struct patch {
    int nx, ny;
    double dx, dy;
    enum boundary boundary[EDGES];
    struct edge_state edge[EDGES]; /* what those that impose something impose */
    double kappa, manning;
    double *bed;      /* (ny+1) rows of nx+1 corners */
    double *field[3]; /* w, hu, hv: ny rows of nx cells */
};

/* Flat dry bed at level 0, walls, cells of 1 m x 0.9 m, kappa 0.05 m. On failure nothing is left to
 * free; patch_free accepts a zeroed patch. */
enum err patch_create(struct patch *p, int nx, int ny);
void patch_free(struct patch *p);

/* Evenly distributed in lo..hi: the same sequence on every machine. The state must not be 0. */
double patch_random(unsigned long *state, double lo, double hi);

/* Corner levels at random in low..high. */
void patch_random_bed(struct patch *p, double low, double high, unsigned long seed);
/* A level everywhere; within a radius in cells around cell (ci, cj); discharges at random in -q..q. */
void patch_level(struct patch *p, double w);
void patch_dam(struct patch *p, double ci, double cj, double radius, double w);
void patch_stir(struct patch *p, double q, unsigned long seed);

/* A dam break over a rough bed with dry places, stirred: what can go wrong has a chance to. */
enum err patch_rough(struct patch *p, int nx, int ny);

/* A discharge from the west, a depth in the east, a stream from the south, nothing in the north;
 * over level ground, as an open edge where the bed falls inwards draws more and more water in. */
void patch_open_edges(struct patch *p);

/* The same problem seen otherwise, as a new one: mirrored in x, in y, then x and y exchanged. All
 * eight ways of laying a square upon itself are among these. */
enum { MIRROR_X = 1, MIRROR_Y = 2, EXCHANGE = 4 };
enum err patch_seen(struct patch *to, const struct patch *from, int how);
/* Moved round a periodic domain by (di, dj) cells to the east and north. */
enum err patch_shifted(struct patch *to, const struct patch *from, int di, int dj);
/* `ny` rows equal to the first one. */
enum err patch_widened(struct patch *to, const struct patch *from, int ny);

/* What came of a patch. */
struct outcome {
    struct patch state; /* as the patch, with the fields as they are now */
    double *depth;      /* w less the bed at the centre, both as the kernels see them, m */
    struct clock clock;
    struct balance balance;
    double volume0, dry; /* m3, m */
    int broken;          /* the run gave up: a wave speed was not finite, or dt vanished */
};

/* A simulation of a patch, to be freed with sim_destroy; its state now. */
enum err patch_open(struct sim **sim, const struct config *c, const struct patch *p);
enum err patch_look(struct sim *sim, const struct patch *p, struct outcome *o);
/* From the start for `steps` steps. A run that breaks down is no failure but an outcome. */
enum err patch_run(const struct config *c, const struct patch *p, long steps, struct outcome *o);
void patch_outcome_free(struct outcome *o); /* accepts a zeroed one */

/* (V - V0 - inflow - clipped_in + dried_out) / V0: not a number where the state is not. */
double outcome_mass_error(const struct outcome *o);

/* How two outcomes of the same shape differ. Zeros of either sign are equal; a value that is not
 * finite is infinitely far from everything. */
struct gap {
    double values;           /* how many of the fields' values differ */
    double level, discharge; /* largest difference, m and m2/s */
};
struct gap patch_gap(const struct patch *a, const struct patch *b);

/* Appends a finding: in strict mode how many values differ, none may; in fast mode the largest
 * difference of levels over the depth `scale`, which is to be rounding after tens of steps. */
void found_gap(struct findings *f, const struct variant *v, const char *what, int n,
               const struct gap *gap, double scale, const char *why);

/* Spacing of numbers at 1 in a precision. */
double precision_epsilon(enum precision p);

#endif
