/* Initial states for tests: plain arrays, so that a mirrored, turned or shifted problem is one to the
 * last bit. */
#ifndef SHOAL_TEST_SCENE_H
#define SHOAL_TEST_SCENE_H

#include <stddef.h>

#include "core/kernel.h"
#include "core/sim.h"

/* SI units; rows from south to north. */
struct scene {
    int nx, ny;
    double dx, dy;
    enum boundary boundary[EDGES];
    struct edge_state edge[EDGES];
    double kappa, manning, drag, t_end;
    double *bed;      /* (ny+1) rows of nx+1 corners */
    double *field[3]; /* w, hu, hv: ny rows of nx cells */
    double *force[3]; /* what is added to each, per second, if `forced`; in field's memory */
    int forced;
};

/* Flat dry bed, walls, cells of 1 m x 0.9 m, kappa 0.01 m, an hour. Aborts without memory. */
struct scene scene_create(int nx, int ny);
void scene_free(struct scene *s);

/* A registered case at a size of its own. Aborts if there is none of that name. */
struct scene scene_of_case(const char *name, int nx, int ny);

void scene_edges(struct scene *s, enum boundary west_and_east, enum boundary south_and_north);

/* Beds: at random in low..high; smooth, periodic over the domain, in low..high. */
void scene_random_bed(struct scene *s, double low, double high, unsigned long seed);
void scene_smooth_bed(struct scene *s, double low, double high);

/* A level everywhere; discharges stay. */
void scene_level(struct scene *s, double w);

/* Column of water of level w and a radius in cells around cell (ci, cj). */
void scene_dam(struct scene *s, double ci, double cj, double radius, double w);

/* Forcing at random: level in 0..w, discharges in -q..q, per second. */
void scene_force(struct scene *s, double w, double q, unsigned long seed);

/* Discharges at random in -q..q. */
void scene_stir(struct scene *s, double q, unsigned long seed);

/* The same scene seen otherwise, as a new one. Mirroring turns a discharge round. */
struct scene scene_mirrored_x(const struct scene *s);
struct scene scene_mirrored_y(const struct scene *s);
struct scene scene_transposed(const struct scene *s);
/* Moved round a periodic domain by (di, dj) cells to the east and north. */
struct scene scene_shifted(const struct scene *s, int di, int dj);
/* `ny` rows equal to the scene's first one. */
struct scene scene_widened(const struct scene *s, int ny);

/* True if some cell differs; `text` gets how many do, the first of them and both its values. Zeros of
 * either sign are equal unless `exactly`. Two NaNs are equal. */
int scene_differs(const struct scene *expected, const struct scene *got, int exactly, char *text,
                  size_t n);

/* True if some value is not finite; `text` says where. */
int scene_broken(const struct scene *s, char *text, size_t n);

/* Bed level at the centre of a cell, as the kernels of a precision compute it. */
double scene_bed_centre(const struct scene *s, enum precision p, int i, int j);

/* Largest |hu| and |hv|. */
double scene_fastest(const struct scene *s);

#endif
