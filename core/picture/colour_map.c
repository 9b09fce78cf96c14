/* Colour maps: curves through a few colours in OKLab, traversed at even speed. In OKLab (Ottosson
 * 2020) equal distances look equally large. */
#include "core/picture/colour_map.h"

#include <math.h>
#include <pthread.h>

enum { STOPS = 6, STEPS = 512, FINE = 8192 };

struct lab {
    double l, a, b;
};

/* 0 ends a list. */
static const unsigned stops[COLOUR_MAPS][STOPS + 1] = {
    [MAP_DEPTH] = {0xd3ecf4, 0x86c5e0, 0x3d8ec9, 0x2359a4, 0x1b2a6b, 0},
    [MAP_SPEED] = {0xfdf2b8, 0xfdc35f, 0xf2813d, 0xd23c50, 0x8c1d66, 0x3c0f55, 0},
    [MAP_LEVEL] = {0x123a55, 0x1d6b86, 0x3f9f9a, 0x93cfa8, 0xf0f6cf, 0},
    [MAP_TIME] = {0x2d1157, 0x34508e, 0x23898e, 0x5ebd6d, 0xf2e75c, 0},
    [MAP_DURATION] = {0xf1e9f7, 0xc5a9db, 0x9768ba, 0x6b3094, 0x361152, 0},
    [MAP_SIGNED] = {0x123f73, 0x4d92c7, 0xf4f3f0, 0xdf8353, 0x86260f, 0},
    [MAP_LAND] = {0xb5c19c, 0xd3d0a9, 0xe0cfa6, 0xd0b592, 0xbda58f, 0},
};

static double linear(double x)
{
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double encoded(double x)
{
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static struct lab lab_of(double red, double green, double blue)
{
    const double r = linear(red), g = linear(green), b = linear(blue);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return (struct lab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static struct colour colour_of(struct lab c)
{
    const double l = pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
    const double m = pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
    const double s = pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
    const double r = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    const double g = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    const double b = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    return (struct colour){(float)encoded(fmin(fmax(r, 0), 1)), (float)encoded(fmin(fmax(g, 0), 1)),
                           (float)encoded(fmin(fmax(b, 0), 1))};
}

float colour_lightness(struct colour c)
{
    return (float)lab_of((double)c.r, (double)c.g, (double)c.b).l;
}

/* A point on the smooth curve (Catmull-Rom) through the stops, u = 0 at the first, 1 at the next. */
static struct lab between(const struct lab *p, int n, double u)
{
    const int k = u >= n - 1 ? n - 2 : (int)u;
    const struct lab p1 = p[k], p2 = p[k + 1], p0 = k > 0 ? p[k - 1] : p1,
                     p3 = k + 2 < n ? p[k + 2] : p2;
    const double t = u - k, t2 = t * t, t3 = t2 * t;
    const double a = 0.5 * (-t3 + 2 * t2 - t), b = 0.5 * (3 * t3 - 5 * t2 + 2),
                 c = 0.5 * (-3 * t3 + 4 * t2 + t), d = 0.5 * (t3 - t2);
    return (struct lab){a * p0.l + b * p1.l + c * p2.l + d * p3.l,
                        a * p0.a + b * p1.a + c * p2.a + d * p3.a,
                        a * p0.b + b * p1.b + c * p2.b + d * p3.b};
}

static double distance(struct lab a, struct lab b)
{
    return sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

float colour_distance(struct colour a, struct colour b)
{
    return (float)distance(lab_of((double)a.r, (double)a.g, (double)a.b),
                           lab_of((double)b.r, (double)b.g, (double)b.b));
}

static struct colour table[COLOUR_MAPS][STEPS + 1];

/* Follows the curve through n points and stores a colour after each equal share of its length. */
static void fill_colours(const struct lab *p, int n, struct colour *to, int steps)
{
    double length = 0, done = 0;
    struct lab last = p[0];
    for (int k = 1; k <= FINE; k++) {
        const struct lab here = between(p, n, (double)k * (n - 1) / FINE);
        length += distance(last, here);
        last = here;
    }
    last = p[0];
    to[0] = colour_of(p[0]);
    for (int k = 1, step = 1; k <= FINE; k++) {
        const struct lab here = between(p, n, (double)k * (n - 1) / FINE);
        done += distance(last, here);
        last = here;
        while (step < steps && (done >= length * step / (steps - 1) || k == FINE))
            to[step++] = colour_of(here);
    }
}

/* Each half of a map with a middle takes half of the range. */
static void fill_all(void)
{
    for (int map = 0; map < COLOUR_MAPS; map++) {
        struct lab p[STOPS];
        int n = 0;
        for (; stops[map][n]; n++)
            p[n] = lab_of((stops[map][n] >> 16) / 255.0, (stops[map][n] >> 8 & 0xff) / 255.0,
                          (stops[map][n] & 0xff) / 255.0);
        if (map == MAP_SIGNED) {
            fill_colours(p, n / 2 + 1, table[map], STEPS / 2 + 1);
            fill_colours(p + n / 2, n - n / 2, table[map] + STEPS / 2, STEPS / 2 + 1);
        } else {
            fill_colours(p, n, table[map], STEPS + 1);
        }
    }
}

struct colour colour_map_at(enum colour_map map, float x)
{
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill_all);
    const float at = x > 0 ? (x < 1 ? x : 1) * STEPS : 0;
    const int k = at < STEPS - 1 ? (int)at : STEPS - 1;
    return colour_mix(table[map][k], table[map][k + 1], at - (float)k);
}
