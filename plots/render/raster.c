/* Fills triangles, interpolating colour and distance linearly on the canvas. */
#include "plots/render/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = 2 };

static size_t pixels(const struct canvas *c)
{
    return (size_t)FINE * (size_t)c->width * FINE * (size_t)c->height;
}

enum err canvas_open(struct canvas *c, int width, int height)
{
    *c = (struct canvas){.width = width, .height = height};
    c->seen = malloc(pixels(c) * sizeof *c->seen);
    c->far = malloc(pixels(c) * sizeof *c->far);
    if (c->seen && c->far)
        return ERR_OK;
    canvas_close(c);
    FAIL(MEMORY, "no memory for a picture of %d x %d pixels", width, height);
}

void canvas_close(struct canvas *c)
{
    free(c->seen);
    free(c->far);
    *c = (struct canvas){0};
}

void canvas_clear(struct canvas *c, struct colour background)
{
    for (size_t k = 0; k < pixels(c); k++) {
        c->seen[k] = background;
        c->far[k] = INFINITY;
    }
}

void canvas_copy(struct canvas *c, const struct canvas *from)
{
    memcpy(c->seen, from->seen, pixels(c) * sizeof *c->seen);
    memcpy(c->far, from->far, pixels(c) * sizeof *c->far);
}

/* Twice the area of a triangle, positive if its corners run against the clock. */
static float area(const struct corner *p, const struct corner *q, float x, float y)
{
    return (q->x - p->x) * (y - p->y) - (q->y - p->y) * (x - p->x);
}

static float least(float a, float b, float c)
{
    return fminf(a, fminf(b, c));
}

static void put_pixel(struct canvas *c, size_t k, const struct corner *const p[3],
                      const float share[3])
{
    const float far = share[0] * p[0]->far + share[1] * p[1]->far + share[2] * p[2]->far;
    struct colour seen = {0, 0, 0};
    float opacity = 0;
    if (!(far <= c->far[k]))
        return;
    for (int n = 0; n < 3; n++) {
        seen.r += share[n] * p[n]->colour.r;
        seen.g += share[n] * p[n]->colour.g;
        seen.b += share[n] * p[n]->colour.b;
        opacity += share[n] * p[n]->opacity;
    }
    c->seen[k] = colour_mix(c->seen[k], seen, opacity);
    if (opacity > 0)
        c->far[k] = far;
}

void canvas_triangle(struct canvas *c, const struct corner *p, const struct corner *q,
                     const struct corner *r, int low, int high)
{
    const struct corner *const all[3] = {p, q, r};
    const float whole = area(p, q, r->x, r->y);
    const float bottom = least(p->y, q->y, r->y), top = -least(-p->y, -q->y, -r->y),
                left = least(p->x, q->x, r->x), right = -least(-p->x, -q->x, -r->x);
    const int width = FINE * c->width;
    if (!(fabsf(whole) > 1e-12f) || !(top >= (float)low) || !(bottom <= (float)high) ||
        !(right >= 0) || !(left <= (float)width))
        return;
    const int y0 = bottom > (float)low ? (int)bottom : low,
              y1 = top < (float)high ? (int)top : high - 1;
    const int x0 = left > 0 ? (int)left : 0, x1 = right < (float)width ? (int)right : width - 1;
    for (int y = y0; y <= y1 && y < high; y++) {
        for (int x = x0; x <= x1 && x < width; x++) {
            const float mx = (float)x + 0.5f, my = (float)y + 0.5f;
            const float share[3] = {area(q, r, mx, my) / whole, area(r, p, mx, my) / whole,
                                    area(p, q, mx, my) / whole};
            if (share[0] >= 0 && share[1] >= 0 && share[2] >= 0)
                put_pixel(c, (size_t)y * (size_t)width + (size_t)x, all, share);
        }
    }
}

void canvas_picture(const struct canvas *c, unsigned char *rgb)
{
    const size_t w = (size_t)c->width, row = FINE * w;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < c->height; j++) {
        for (size_t i = 0; i < w; i++) {
            const struct colour *s = c->seen + FINE * (size_t)j * row + FINE * i;
            unsigned char *to = rgb + 3 * ((size_t)j * w + i);
            to[0] = colour_byte(0.25f * (s[0].r + s[1].r + s[row].r + s[row + 1].r));
            to[1] = colour_byte(0.25f * (s[0].g + s[1].g + s[row].g + s[row + 1].g));
            to[2] = colour_byte(0.25f * (s[0].b + s[1].b + s[row].b + s[row + 1].b));
        }
    }
}
