/* Projects land and water and lights them. */
#include "plots/render/relief_view.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* The distance of the eye, the ground below the lowest land, and the stretched heights, in units of
 * the longer side. */
static const double EYE = 2.6, BASE = 0.035, HEIGHT = 0.13, PI = 3.14159265358979;
static const double SUN[3] = {-0.45, 0.45, 0.77};
static const struct colour SKY = {0.90f, 0.95f, 0.99f}, WALL = {0.55f, 0.50f, 0.45f},
                           PAPER = {1, 1, 1};
static const float SUNLESS[4] = {0.80f, 0.68f, 0.72f, 0.55f}; /* light on the sides, as below */

static size_t at(const struct relief_view *v, int i, int j)
{
    return (size_t)j * (size_t)v->map->width + (size_t)i;
}

/* Corner (i,j) of a mesh, at a level. */
static struct corner project(const struct relief_view *v, int i, int j, double z)
{
    const double p[3] = {((i + 0.5) / v->map->width - 0.5) * v->metres_x / v->across,
                         ((j + 0.5) / v->map->height - 0.5) * v->metres_y / v->across,
                         (z - v->low) * v->stretch / v->across - 0.5 * HEIGHT};
    double q[3];
    for (int k = 0; k < 3; k++)
        q[k] = v->turn[k][0] * p[0] + v->turn[k][1] * p[1] + v->turn[k][2] * p[2];
    const double scale = v->zoom / (EYE - q[2]);
    return (struct corner){.x = (float)(v->at_x + scale * q[0]),
                           .y = (float)(v->at_y + scale * q[1]),
                           .far = (float)(EYE - q[2]),
                           .opacity = 1};
}

static void turn(struct relief_view *v)
{
    const double a = v->azimuth * PI / 180, e = v->elevation * PI / 180;
    const double rows[3][3] = {{-cos(a), sin(a), 0},
                               {-sin(e) * sin(a), -sin(e) * cos(a), cos(e)},
                               {cos(e) * sin(a), cos(e) * cos(a), sin(e)}};
    for (int k = 0; k < 9; k++)
        v->turn[k / 3][k % 3] = rows[k / 3][k % 3];
}

/* Level of the underside of the block of land. */
static double underside(const struct relief_view *v)
{
    return v->low - BASE * v->across / v->stretch;
}

/* Fills the canvas with the box that holds all land and water. */
static void fit(struct relief_view *v, int width, int height)
{
    double low[2] = {(double)INFINITY, (double)INFINITY};
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    v->zoom = 1;
    v->at_x = v->at_y = 0;
    for (int k = 0; k < 8; k++) {
        const struct corner c =
            project(v, k & 1 ? v->map->width - 1 : 0, k & 2 ? v->map->height - 1 : 0,
                    k & 4 ? v->high : underside(v));
        low[0] = fmin(low[0], (double)c.x);
        high[0] = fmax(high[0], (double)c.x);
        low[1] = fmin(low[1], (double)c.y);
        high[1] = fmax(high[1], (double)c.y);
    }
    v->zoom = fmin(2 * width / (high[0] - low[0]), 2 * height / (high[1] - low[1]));
    v->at_x = width - 0.5 * v->zoom * (low[0] + high[0]);
    v->at_y = height - 0.5 * v->zoom * (low[1] + high[1]);
}

/* Draws the quads whose corners all exist; each thread has its own rows. */
static void draw_mesh(const struct relief_view *v, struct canvas *c)
{
    const int rows = 2 * c->height;
#pragma omp parallel
    {
        const int n = omp_get_num_threads(), me = omp_get_thread_num();
        const int low = (int)((long)rows * me / n), high = (int)((long)rows * (me + 1) / n);
        for (int j = 0; j < v->map->height - 1; j++) {
            for (int i = 0; i < v->map->width - 1; i++) {
                const struct corner *p = v->corner + at(v, i, j), *q = v->corner + at(v, i, j + 1);
                if (isnan(p[0].far + p[1].far + q[0].far + q[1].far))
                    continue;
                canvas_triangle(c, p, p + 1, q, low, high);
                canvas_triangle(c, p + 1, q + 1, q, low, high);
            }
        }
    }
}

/* The vertical face at corner number n of a side (0 south, 1 north, 2 west, 3 east): land, or water
 * on it. */
struct upright {
    struct corner top, bottom;
    int there;
};

static struct upright upright(const struct relief_view *v, int side, int n, int water)
{
    const int i = side < 2 ? n : side == 2 ? 0 : v->map->width - 1;
    const int j = side >= 2 ? n : side == 0 ? 0 : v->map->height - 1;
    const size_t k = at(v, i, j);
    const double bed = (double)v->map->z[k], level = (double)v->level[k];
    struct upright u = {.top = project(v, i, j, water ? fmax(level, bed) : bed),
                        .bottom = project(v, i, j, water ? bed : underside(v)),
                        .there = !water || level > bed};
    u.top.colour = u.bottom.colour = colour_lit(water ? v->corner[k].colour : WALL, SUNLESS[side]);
    return u;
}

static void draw_sides(const struct relief_view *v, struct canvas *c, int water)
{
    const int rows = 2 * c->height;
    for (int side = 0; side < 4; side++) {
        const int count = side < 2 ? v->map->width : v->map->height;
        struct upright last = upright(v, side, 0, water);
        for (int n = 1; n < count; n++) {
            const struct upright next = upright(v, side, n, water);
            if (last.there || next.there) {
                canvas_triangle(c, &last.top, &next.top, &last.bottom, 0, rows);
                canvas_triangle(c, &next.top, &next.bottom, &last.bottom, 0, rows);
            }
            last = next;
        }
    }
}

static void draw_land(struct relief_view *v)
{
    for (int j = 0; j < v->map->height; j++) {
        for (int i = 0; i < v->map->width; i++) {
            const size_t k = at(v, i, j);
            v->corner[k] = project(v, i, j, (double)v->map->z[k]);
            v->corner[k].colour = v->map->land[k];
        }
    }
    canvas_clear(&v->land, PAPER);
    draw_mesh(v, &v->land);
    draw_sides(v, &v->land, 0);
}

/* A round number of times. */
static double choose_stretch(const struct relief_view *v)
{
    const double want = v->high > v->low ? HEIGHT * v->across / (v->high - v->low) : 1;
    const double unit = pow(10, floor(log10(want))), lead = want / unit;
    return fmax(1, (lead < 2 ? 1 : lead < 5 ? 2 : 5) * unit);
}

enum err relief_view_open(struct relief_view *v, int width, int height)
{
    const size_t n = (size_t)v->map->width * (size_t)v->map->height;
    v->across = fmax(v->metres_x, v->metres_y);
    v->stretch = v->stretch > 0 ? v->stretch : choose_stretch(v);
    v->reach = v->map->width / v->map->planes->nx;
    v->reach = v->reach > 1 ? v->reach : 1;
    v->level = malloc(n * sizeof *v->level);
    v->corner = malloc(n * sizeof *v->corner);
    if (!v->level || !v->corner)
        FAIL(MEMORY, "no memory for a view of %d x %d corners", v->map->width, v->map->height);
    TRY(canvas_open(&v->land, width, height));
    TRY(canvas_open(&v->now, width, height));
    turn(v);
    fit(v, width, height);
    draw_land(v);
    return ERR_OK;
}

void relief_view_close(struct relief_view *v)
{
    free(v->level);
    free(v->corner);
    canvas_close(&v->land);
    canvas_close(&v->now);
    *v = (struct relief_view){0};
}

/* Slope along x (di = 1) or y between the nearest corners that have a level, a square apart where they are
 * that far: closer ones would show the squares. */
static double slope(const struct relief_view *v, int i, int j, int di, double metres)
{
    const int here = di ? i : j, count = di ? v->map->width : v->map->height;
    int low = here, high = here;
    double z[2];
    for (int k = 1; k <= v->reach && here - k >= 0; k++)
        if (!isnan(v->level[di ? at(v, i - k, j) : at(v, i, j - k)]))
            low = here - k;
    for (int k = 1; k <= v->reach && here + k < count; k++)
        if (!isnan(v->level[di ? at(v, i + k, j) : at(v, i, j + k)]))
            high = here + k;
    z[0] = (double)v->level[di ? at(v, low, j) : at(v, i, low)];
    z[1] = (double)v->level[di ? at(v, high, j) : at(v, i, high)];
    return high > low ? (z[1] - z[0]) / (high - low) * count / metres : 0;
}

/* Colour of the water in the light of the sun, with the sky in it where it is seen at a low angle
 * (Schlick's approximation of Fresnel's law, strengthened). */
static struct colour lit_water(const struct relief_view *v, struct colour own, int i, int j)
{
    const double sx = v->stretch * slope(v, i, j, 1, v->metres_x),
                 sy = v->stretch * slope(v, i, j, 0, v->metres_y);
    const double norm = 1 / sqrt(1 + sx * sx + sy * sy), n[3] = {-sx * norm, -sy * norm, norm};
    const double *eye = v->turn[2];
    double sun = 0, facing = 0, glint = 0, length = 0;
    for (int m = 0; m < 3; m++) {
        sun += n[m] * SUN[m];
        facing += n[m] * eye[m];
        glint += n[m] * (SUN[m] + eye[m]);
        length += (SUN[m] + eye[m]) * (SUN[m] + eye[m]);
    }
    const double sky = fmin(0.04 + 0.7 * pow(1 - fmax(facing, 0), 5), 0.5);
    const double spark = 0.4 * pow(fmax(glint / sqrt(length), 0), 60);
    const struct colour c = colour_lit(own, (float)fmin(0.55 + 0.58 * fmax(sun, 0), 1.15));
    return colour_mix(colour_mix(c, SKY, (float)sky), PAPER, (float)spark);
}

/* The water's surface meets the land at the dry threshold. */
static void place_water(struct relief_view *v)
{
    struct map *m = v->map;
    const float dry = (float)m->planes->dry;
    for (size_t k = 0; k < (size_t)m->width * (size_t)m->height; k++)
        v->level[k] = isnan(m->shown[k]) ? NAN : m->z[k] + m->deep[k] - dry;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < m->height; j++) {
        for (int i = 0; i < m->width; i++) {
            const size_t k = at(v, i, j);
            v->corner[k] = project(v, i, j, (double)v->level[k]);
            v->corner[k].colour = lit_water(v, map_colour(m, m->shown[k]), i, j);
            v->corner[k].opacity = map_opacity(m, m->deep[k]);
        }
    }
}

void relief_view_draw(struct relief_view *v, const float *value, const float *depth,
                      unsigned char *rgb)
{
    map_find_water(v->map, value, depth);
    place_water(v);
    canvas_copy(&v->now, &v->land);
    draw_mesh(v, &v->now);
    draw_sides(v, &v->now, 1);
    canvas_picture(&v->now, rgb);
}
