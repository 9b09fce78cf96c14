/* Means over cells by three rules, the cheapest that is accurate enough for the cell. */
#include "verification/run/means.h"

#include <math.h>
#include <stdlib.h>

/* In m and m2/s. */
struct point {
    double q[3]; /* h, hu, hv */
};

struct integrand {
    const struct flow_case *flow_case;
    double t;
    double scale[3]; /* the largest depth; the largest discharge, twice */
    int channel;     /* one row: sampled along its middle */
};

/* A rectangle around its centre; the half height is 0 in a channel. */
struct cell {
    double x, y, half_x, half_y;
};

static struct point sample(const struct integrand *f, double x, double y)
{
    const struct flow_case *c = f->flow_case;
    const struct reference *r = c->verify ? c->verify->reference : NULL;
    const struct flow flow = r ? r->at(r->of, r->table, x, y, f->t) : c->exact(x, y, f->t);
    const double h = flow.w - c->bed(x, y);
    if (h <= 0)
        return (struct point){{0, 0, 0}};
    return (struct point){{h, h * flow.u, h * flow.v}};
}

static void add_point(struct point *sum, double weight, const struct point *p)
{
    for (int k = 0; k < 3; k++)
        sum->q[k] += weight * p->q[k];
}

/* Exact for polynomials of fifth degree. */
static struct point gauss(const struct integrand *f, const struct cell *c)
{
    static const double node[3] = {-0.77459666924148338, 0, 0.77459666924148338}; /* sqrt(3/5) */
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    struct point sum = {{0, 0, 0}};
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            if (f->channel && j != 1)
                continue;
            const struct point p =
                sample(f, c->x + node[i] * c->half_x, c->y + node[j] * c->half_y);
            add_point(&sum, weight[i] * (f->channel ? 1 : weight[j]), &p);
        }
    return sum;
}

/* For shores and jumps: 256 samples of equal weight, two Gauss points in each direction of equal
 * parts. Exact for polynomials of third degree within a part; a jump is located to 0.29 of a part.
 * No sample lies on an edge or in the centre, where a jump may be. */
static struct point fine(const struct integrand *f, const struct cell *c)
{
    enum { SAMPLES = 256, SIDE = 16 };
    static const double node[2] = {-0.57735026918962576, 0.57735026918962576}; /* sqrt(1/3) */
    const int nx = f->channel ? SAMPLES : SIDE, ny = SAMPLES / nx;
    struct point sum = {{0, 0, 0}};
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double in_x = 2 * (i - i % 2 + 1 + node[i % 2]) / nx - 1;
            const double in_y = 2 * (j - j % 2 + 1 + node[j % 2]) / ny - 1;
            const struct point p = sample(f, c->x + c->half_x * in_x, c->y + c->half_y * in_y);
            add_point(&sum, 1.0 / SAMPLES, &p);
        }
    return sum;
}

/* All corners and the centre wet, or all dry? */
static int one_wetness(const struct point *const corner[4], const struct point *centre)
{
    int wet = centre->q[0] > 0;
    for (int k = 0; k < 4; k++)
        wet += corner[k]->q[0] > 0;
    return wet == 0 || wet == 5;
}

/* The corners, which neighbours share, and the centre make a rule that is exact for polynomials of
 * third degree. Its error is of the order of the square of the bend, the difference of the centre
 * from the corners' mean: a small bend is accurate enough. A jump bends the samples by at least a
 * quarter of its height. If it is too low to be seen like that, the rule and Gauss's differ by a
 * large part of the bend; for a smooth integrand they nearly agree. A NaN fails every test and
 * leads to the fine samples, which avoid the points where formulas divide by zero. */
static struct point mean(const struct integrand *f, const struct cell *c,
                         const struct point *const corner[4])
{
    static const double flat = 3e-4, steep = 1e-2, disagreement = 0.02;
    const struct point centre = sample(f, c->x, c->y);
    struct point simple, better;
    double bend[3];
    int is_flat = 1, is_steep = 0;
    if (!one_wetness(corner, &centre))
        return fine(f, c);
    for (int k = 0; k < 3; k++) {
        const double rim =
            0.25 * ((corner[0]->q[k] + corner[3]->q[k]) + (corner[1]->q[k] + corner[2]->q[k]));
        simple.q[k] = (rim + 2 * centre.q[k]) / 3;
        bend[k] = fabs(rim - centre.q[k]);
        is_flat &= bend[k] <= flat * f->scale[k];
        is_steep |= !(bend[k] <= steep * f->scale[k]);
    }
    if (is_flat)
        return simple;
    if (is_steep)
        return fine(f, c);
    better = gauss(f, c);
    for (int k = 0; k < 3; k++)
        if (!(fabs(better.q[k] - simple.q[k]) <= disagreement * fmax(bend[k], flat * f->scale[k])))
            return fine(f, c);
    return better;
}

static double row_y(const struct integrand *f, const struct grid_info *g, int j)
{
    return f->channel ? grid_y(g, 0) : grid_yc(g, j);
}

static void sample_corners(const struct integrand *f, const struct grid_info *g, int j,
                           struct point *row)
{
    for (int i = 0; i <= g->nx; i++)
        row[i] = sample(f, grid_xc(g, i), row_y(f, g, j));
}

/* From every fourth cell in each direction: too small a scale costs samples, not accuracy. */
static void find_scale(struct integrand *f, const struct grid_info *g)
{
    double h = 0, q = 0;
    for (int j = 0; j < g->ny; j += 1 + (g->ny > 16) * 3)
        for (int i = 0; i < g->nx; i += 1 + (g->nx > 16) * 3) {
            const struct point p = sample(f, grid_x(g, i), grid_y(g, j));
            h = fmax(h, p.q[0]);
            q = fmax(q, fmax(fabs(p.q[1]), fabs(p.q[2])));
        }
    f->scale[0] = h;
    f->scale[1] = f->scale[2] = q;
}

static void store(const struct point *p, size_t k, double *const to[3])
{
    for (int m = 0; m < 3; m++)
        to[m][k] = p->q[m];
}

static void means_of_row(const struct integrand *f, const struct grid_info *g, int j,
                         const struct point *south, const struct point *north, double *const to[3])
{
    for (int i = 0; i < g->nx; i++) {
        const struct cell cell = {grid_x(g, i), grid_y(g, j), 0.5 * g->dx,
                                  f->channel ? 0 : 0.5 * g->dy};
        const struct point *const corner[4] = {&south[i], &south[i + 1], &north[i], &north[i + 1]};
        const struct point p = mean(f, &cell, corner);
        store(&p, (size_t)j * (size_t)g->nx + (size_t)i, to);
    }
}

void reference_means(const struct flow_case *c, const struct grid_info *g, double t, double *h,
                     double *hu, double *hv)
{
    struct integrand f = {.flow_case = c, .t = t, .channel = c->ny == 1};
    double *const to[3] = {h, hu, hv};
    const size_t row = (size_t)g->nx + 1, cells = (size_t)g->nx * (size_t)g->ny;
    struct point *corners = malloc(2 * row * sizeof *corners);
    const struct point unknown = {{(double)NAN, (double)NAN, (double)NAN}};
    for (size_t k = 0; !corners && k < cells; k++)
        store(&unknown, k, to); /* without memory: no norm passes */
    if (!corners)
        return;
    find_scale(&f, g);
    sample_corners(&f, g, 0, corners);
    for (int j = 0; j < g->ny; j++) {
        struct point *south = corners + (j % 2 ? row : 0), *north = corners + (j % 2 ? 0 : row);
        sample_corners(&f, g, j + 1, north);
        means_of_row(&f, g, j, south, north, to);
    }
    free(corners);
}
