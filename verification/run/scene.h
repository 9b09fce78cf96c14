/* Rectangular problems in plain arrays, so that mirrored, rotated or shifted ones are the same to
 * the last bit. */
#ifndef SHOAL_SCENE_H
#define SHOAL_SCENE_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/registry/case.h"
#include "core/problem/edges.h"
#include "kernels/kernel.h"
#include "kernels/system.h"

/* SI units; rows from south to north; g = 9.81 m/s2. */
struct scene {
    const struct system *system; /* shallow water, or what extends it: scene_solve */
    int nx, ny;
    double dx, dy;
    enum boundary boundary[EDGES];
    struct edge_state edge[EDGES];       /* the values that these impose */
    const struct edge_segment *segments; /* in addition to those; not transformed with the scene */
    int segment_count;
    double kappa, manning, drag, t_end;
    double *bed;             /* (ny+1) rows of nx+1 corners */
    double *field[UNKNOWNS]; /* as users know them, such as w for eta: ny rows of nx cells */
    double *force[UNKNOWNS]; /* forcing of each, per second, if `forced`; in field[0]'s memory */
    int forced;
    double *
        rough; /* Manning's n of each cell if `per_cell`, instead of the above; in field[0]'s memory */
    int per_cell;
    double *given[GIVEN_FIELDS]; /* what the system is given of each cell; in field[0]'s memory */
    double constant[CONSTANTS];  /* and its numbers: 1 */
    const struct rain *rain;     /* the caller's; null: none. Not transformed with the scene */
    const struct soil *soil;     /* likewise */
    const struct spring_list *springs; /* likewise */
};

/* Scenes created from now on have this system. Tracers are random in 0..1. */
void scene_solve(const struct system *system);

/* Flat dry bed at level 0, walls, cells of 1 m x 0.9 m, kappa 0.01 m, an hour. On failure nothing is
 * left to free; scene_free accepts a zeroed scene. */
enum err scene_create(struct scene *s, int nx, int ny);
enum err scene_create_for(struct scene *s, const struct system *system, int nx, int ny);
void scene_free(struct scene *s);

/* Where a corner and a cell lie in the arrays. */
size_t scene_corner(const struct scene *s, int i, int j);
size_t scene_cell(const struct scene *s, int i, int j);

/* Beds: at random in low..high; smooth, periodic over the domain, in low..high. Seeds are not 0. */
void scene_random_bed(struct scene *s, double low, double high, unsigned long seed);
void scene_smooth_bed(struct scene *s, double low, double high);

/* Sets both opposite edges; periodic ones get the same bed. */
void scene_edges(struct scene *s, enum boundary west_and_east, enum boundary south_and_north);

/* A discharge from the west, a depth in the east, a stream from the south, nothing in the north;
 * over level ground, as an open edge where the bed falls inwards draws more and more water in. */
void scene_mixed_edges(struct scene *s);

/* A level everywhere; within a radius in cells around cell (ci, cj). Discharges stay. */
void scene_level(struct scene *s, double w);
void scene_dam(struct scene *s, double ci, double cj, double radius, double w);

/* Sinks the bed of columns before `sea`, which water fills up to 1 m, raises a ridge behind them that it cannot
 * climb, and sinks the land from column `land` on; stirs the sea. */
void scene_coast(struct scene *s, int sea, int land);

/* Discharges at random in -q..q. */
void scene_stir(struct scene *s, double q, unsigned long seed);

/* Forcing at random: level in 0..w, discharges in -q..q, per second. */
void scene_force(struct scene *s, double w, double q, unsigned long seed);

/* A dam break over a rough bed with dry places, stirred: exercises everything that can go wrong. */
enum err scene_rough(struct scene *s, int nx, int ny);

/* Of a system without a bed: values of unknowns without bounds at random in -1..1 times `relief`, of others
 * within their bounds around the middle, over the whole range if `whole`; coefficients in 0.5..1. */
enum err scene_basin(struct scene *s, const struct system *system, int nx, int ny, double relief,
                     int whole, unsigned long seed);

/* A flow of a system between walls: scene_rough, or a gentle basin. The same with another kind of edge on each
 * side: scene_mixed_edges, or inflow and outflow. */
enum err scene_walled(struct scene *s, const struct system *system, int nx, int ny);
enum err scene_busy(struct scene *s, const struct system *system, int nx, int ny);

/* A transformed copy of a scene; with all 0 a plain copy. */
struct aspect {
    int how;    /* mirrored in x, in y, then x and y exchanged: all eight symmetries of a square */
    int di, dj; /* shifted cyclically by so many cells to the east and north, not negative */
    int rows;   /* number of rows, all equal to the first one; 0: unchanged */
};
enum { MIRROR_X = 1, MIRROR_Y = 2, EXCHANGE = 4 };
enum err scene_otherwise(struct scene *to, const struct scene *from, const struct aspect *a);

/* These alone. */
enum err scene_seen(struct scene *to, const struct scene *from, int how);
enum err scene_shifted(struct scene *to, const struct scene *from, int di, int dj);
enum err scene_widened(struct scene *to, const struct scene *from, int ny);

/* Bed level at the centre of a cell, as the kernels of a precision compute it. */
double scene_bed_centre(const struct scene *s, enum precision p, int i, int j);

/* How the fields of two scenes of the same shape differ. */
struct gap {
    double values;           /* how many values differ */
    double level, discharge; /* largest difference, m and m2/s */
    int field, i, j; /* the first value that differs: its unknown, its cell, and what it is */
    double expected, got;
};

/* Zeros of either sign are equal unless `exactly`. A value that is not finite is infinitely far
 * from everything, including itself. */
struct gap scene_gap(const struct scene *expected, const struct scene *got, int exactly);

#endif
