/* Paints maps, pixel by pixel. */
#include "plots/render/map.h"

#include <math.h>
#include <stdlib.h>

#include "core/picture/hill_shading.h"

/* Water this many times as deep as the dry threshold is opaque. */
static const float OPAQUE = 20, FAINTEST = 0.45f;

/* The position of a pixel among squares: between numbers 1 and 2 of four, at `share` of the way.
 * Beyond the edge the squares at the edge are repeated. */
struct place {
    int at[4];
    float share;
};

static struct place place_of(int pixel, int pixels, int cells, int step, int squares)
{
    const float u = ((float)pixel + 0.5f) / (float)pixels * (float)cells / (float)step - 0.5f;
    const int k = (int)floorf(u);
    struct place p = {.share = u - (float)k};
    for (int n = 0; n < 4; n++) {
        const int at = k - 1 + n;
        p.at[n] = at < 0 ? 0 : at < squares ? at : squares - 1;
    }
    return p;
}

static struct place column(const struct map *m, int x)
{
    const struct planes *p = m->planes;
    return place_of(x, m->width, p->window.nx, p->step, p->nx);
}

static struct place line(const struct map *m, int y)
{
    const struct planes *p = m->planes;
    return place_of(y, m->height, p->window.ny, p->step, p->ny);
}

/* Catmull-Rom: smooth slopes, for the light. Where points are missing, as equal numbers show, the
 * line continues straight. */
static float cubic(const float z[4], const int at[4], float t)
{
    const int before = at[1] == at[2] && at[2] != at[3], beyond = at[1] == at[2] && at[0] != at[1];
    const float b = before ? 2 * z[2] - z[3] : z[1], c = beyond ? 2 * z[1] - z[0] : z[2];
    const float a = at[0] == at[1] ? 2 * b - c : z[0], d = at[3] == at[2] ? 2 * c - b : z[3];
    const float t2 = t * t, t3 = t2 * t;
    return 0.5f * ((-t3 + 2 * t2 - t) * a + (3 * t3 - 5 * t2 + 2) * b + (-3 * t3 + 4 * t2 + t) * c +
                   (t3 - t2) * d);
}

static float height_at(const struct map *m, struct place x, struct place y)
{
    float row[4];
    for (int j = 0; j < 4; j++) {
        const float *bed = m->bed + (size_t)y.at[j] * (size_t)m->planes->nx;
        const float z[4] = {bed[x.at[0]], bed[x.at[1]], bed[x.at[2]], bed[x.at[3]]};
        row[j] = cubic(z, x.at, x.share);
    }
    return cubic(row, y.at, y.share);
}

/* The land itself is what is shown. */
static int is_land(const struct map *m)
{
    return m->planes->shown->bed && m->planes->shown->plain == m->planes->shown->bed;
}

static void paint_land(struct map *m, const float *light)
{
    const size_t n = (size_t)m->width * (size_t)m->height;
    float low = is_land(m) ? (float)m->scale.low : INFINITY;
    float high = is_land(m) ? (float)m->scale.high : -INFINITY;
    for (size_t k = 0; k < n && !is_land(m); k++) {
        low = m->z[k] < low ? m->z[k] : low;
        high = m->z[k] > high ? m->z[k] : high;
    }
    for (size_t k = 0; k < n; k++) {
        const float x = high > low ? (m->z[k] - low) / (high - low) : 0.4f;
        m->land[k] = isnan(m->z[k]) ? (struct colour){0.93f, 0.93f, 0.92f}
                                    : colour_lit(colour_map_at(MAP_LAND, x), light[k]);
    }
}

static void draw_land(struct map *m, float *light)
{
    const struct planes *p = m->planes;
    const double dx = p->file->grid.dx * p->window.nx / m->width,
                 dy = p->file->grid.dy * p->window.ny / m->height;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++)
            m->z[(size_t)y * (size_t)m->width + (size_t)x] = height_at(m, column(m, x), line(m, y));
    hill_shading_shade(m->z, m->width, m->height, dx, dy,
                       hill_shading_stretch(m->z, m->width, m->height, dx, dy), light);
    paint_land(m, light);
}

enum err map_open(struct map *m)
{
    const size_t n = (size_t)m->width * (size_t)m->height;
    m->land = malloc(n * sizeof *m->land);
    m->z = malloc(n * sizeof *m->z);
    m->deep = malloc(n * sizeof *m->deep);
    m->shown = malloc(n * sizeof *m->shown);
    if (!m->land || !m->z || !m->deep || !m->shown) {
        map_close(m);
        FAIL(MEMORY, "no memory for a picture of %d x %d pixels", m->width, m->height);
    }
    draw_land(m, m->deep);
    return ERR_OK;
}

void map_close(struct map *m)
{
    free(m->land);
    free(m->z);
    free(m->deep);
    free(m->shown);
    m->land = NULL;
    m->z = m->deep = m->shown = NULL;
}

/* The four squares around a pixel: each one's weight, value, depth and bed. */
struct corners {
    float weight[4], value[4], depth[4], bed[4];
};

static struct corners corners_of(const struct map *m, struct place x, struct place y,
                                 const float *value, const float *depth)
{
    struct corners c;
    const float sx = m->cells ? (float)(x.share >= 0.5f) : x.share;
    const float sy = m->cells ? (float)(y.share >= 0.5f) : y.share;
    for (int k = 0; k < 4; k++) {
        const size_t at = (size_t)y.at[1 + k / 2] * (size_t)m->planes->nx + (size_t)x.at[1 + k % 2];
        c.weight[k] = (k % 2 ? sx : 1 - sx) * (k / 2 ? sy : 1 - sy);
        c.value[k] = value[at];
        c.depth[k] = depth[at];
        c.bed[k] = m->bed[at];
    }
    return c;
}

/* How much of the water around is a film that follows the bed (1) and not a pool with a level of
 * its own (0): by how the levels differ where the bed does. A pool has no dry bed below its level
 * beside it. */
static float film_share(const struct corners *c)
{
    float least = INFINITY, most = -INFINITY, low = INFINITY, high = -INFINITY, dry = INFINITY;
    for (int k = 0; k < 4; k++) {
        const float level = c->bed[k] + c->depth[k];
        low = fminf(low, c->bed[k]);
        high = fmaxf(high, c->bed[k]);
        if (isnan(c->value[k])) {
            dry = fminf(dry, c->bed[k]);
            continue;
        }
        least = fminf(least, level);
        most = fmaxf(most, level);
    }
    if (dry < least || !(high > low))
        return 1;
    return fminf((most - least) / (high - low), 1);
}

/* Depth at a pixel whose bed is at z. A pool ends where its level meets the bed, a film half-way to
 * the first dry square. `shown` gets the mean of the existing values. */
static float depth_at(const struct map *m, const struct corners *c, float z, float *shown)
{
    const float dry = (float)m->planes->dry;
    float covered = 0, level = 0, depth = 0, value = 0;
    for (int k = 0; k < 4; k++) {
        if (isnan(c->value[k]))
            continue;
        covered += c->weight[k];
        value += c->weight[k] * c->value[k];
        depth += c->weight[k] * c->depth[k];
        level += c->weight[k] * (c->bed[k] + c->depth[k]);
    }
    *shown = covered > 0 ? value / covered : NAN;
    if (isnan(depth) || covered <= 0) /* no depths: covered where it has values */
        return covered >= 0.5f ? INFINITY : 0;
    const float reach =
        covered < 0.5f ? 2 * covered * dry : dry + (depth / covered - dry) * (2 * covered - 1);
    if (isnan(level) || isnan(z) || m->cells)
        return reach;
    const float film = film_share(c), near = covered < 0.25f ? 4 * covered : 1;
    return film * reach + (1 - film) * near * (level / covered - z);
}

void map_find_water(struct map *m, const float *value, const float *depth)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j < m->height; j++) {
        const struct place y = line(m, j);
        for (int i = 0; i < m->width; i++) {
            const size_t k = (size_t)j * (size_t)m->width + (size_t)i;
            const struct corners c = corners_of(m, column(m, i), y, value, depth);
            m->deep[k] = depth_at(m, &c, m->z[k], &m->shown[k]);
        }
    }
}

/* How much of a pixel is wet, from how fast the depth changes there. */
static float wet_share(const struct map *m, int i, int j)
{
    const size_t w = (size_t)m->width, k = (size_t)j * w + (size_t)i;
    const float dry = (float)m->planes->dry, here = m->deep[k];
    if (isinf(here))
        return 1;
    const float east = i < m->width - 1 ? m->deep[k + 1] : here,
                north = j < m->height - 1 ? m->deep[k + w] : here,
                west = i > 0 ? m->deep[k - 1] : here, south = j > 0 ? m->deep[k - w] : here;
    const float change = 0.5f * hypotf(east - west, north - south);
    const float share = change > 0 ? (here - dry) / change + 0.5f : (float)(here >= dry);
    return share > 0 ? (share < 1 ? share : 1) : 0; /* a NaN is dry */
}

struct colour map_colour(const struct map *m, float value)
{
    const struct scale *s = &m->scale;
    const double range = s->high - s->low;
    return colour_map_at(m->planes->shown->map,
                         range > 0 ? (float)(((double)value - s->low) / range) : 0.5f);
}

float map_opacity(const struct map *m, float depth)
{
    if (m->planes->shown->map == MAP_SPEED) /* a paler colour would look like a lower speed */
        return 1;
    const float x = depth / (OPAQUE * (float)m->planes->dry), t = x > 0 ? (x < 1 ? x : 1) : 0;
    return FAINTEST + (1 - FAINTEST) * t * (2 - t);
}

static struct colour pixel(const struct map *m, int i, int j)
{
    const size_t k = (size_t)j * (size_t)m->width + (size_t)i;
    const float wet = isnan(m->shown[k]) ? 0 : wet_share(m, i, j);
    if (!(wet > 0) || is_land(m))
        return m->land[k];
    return colour_mix(m->land[k], map_colour(m, m->shown[k]), wet * map_opacity(m, m->deep[k]));
}

void map_draw(struct map *m, const float *value, const float *depth, unsigned char *rgb)
{
    map_find_water(m, value, depth);
#pragma omp parallel for schedule(static)
    for (int j = 0; j < m->height; j++) {
        for (int i = 0; i < m->width; i++) {
            unsigned char *to = rgb + 3 * ((size_t)j * (size_t)m->width + (size_t)i);
            const struct colour c = pixel(m, i, j);
            to[0] = colour_byte(c.r);
            to[1] = colour_byte(c.g);
            to[2] = colour_byte(c.b);
        }
    }
}
