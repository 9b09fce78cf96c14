/* The points of a case, and its symmetries. */
#include "verification/contracts/case_view.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static double place(double low, double length, double cells_from_low, int n)
{
    return (low + length / 2) + (cells_from_low - 0.5 * n) * (length / n);
}

double case_corner_x(const struct case_view *v, int i)
{
    return place(v->c->x0, v->c->lx, i, v->nx);
}

double case_corner_y(const struct case_view *v, int j)
{
    return place(v->c->y0, v->c->ly, j, v->ny);
}

double case_centre_x(const struct case_view *v, int i)
{
    return place(v->c->x0, v->c->lx, i + 0.5, v->nx);
}

double case_centre_y(const struct case_view *v, int j)
{
    return place(v->c->y0, v->c->ly, j + 0.5, v->ny);
}

struct flow case_water(const struct case_view *v, int i, int j)
{
    return case_start(v->c, case_centre_x(v, i), case_centre_y(v, j));
}

double case_bed_mean(const struct case_view *v, int i, int j)
{
    const double west = case_corner_x(v, i), east = case_corner_x(v, i + 1);
    const double south = case_corner_y(v, j), north = case_corner_y(v, j + 1);
    return 0.25 * ((v->c->bed(west, south) + v->c->bed(east, north)) +
                   (v->c->bed(east, south) + v->c->bed(west, north)));
}

int case_same(struct flow a, struct flow b)
{
    return !(fabs(a.w - b.w) > 0) && !(fabs(a.u - b.u) > 0) && !(fabs(a.v - b.v) > 0);
}

int case_wrong(struct case_fault *f, const struct case_view *v, double x, double y, const char *fmt,
               ...)
{
    va_list ap;
    const int n = snprintf(f->text, sizeof f->text, "at x = %.6g, y = %.6g, of %d x %d cells, ", x,
                           y, v->nx, v->ny);
    va_start(ap, fmt);
    vsnprintf(f->text + n, sizeof f->text - (size_t)n, fmt, ap);
    va_end(ap);
    return 1;
}

enum mirror { IN_X, IN_Y, TRANSPOSED_TOO };
static const char *const mirror_names[] = {"mirrored in x", "mirrored in y", "transposed"};

static struct flow image(struct flow f, enum mirror m)
{
    struct flow g = f;
    if (m == TRANSPOSED_TOO) {
        g.u = f.v;
        g.v = f.u;
    } else if (m == IN_X) {
        g.u = -f.u;
    } else {
        g.v = -f.v;
    }
    return g;
}

/* Bed and water at a point and at its mirror image: 2 the same, 1 to rounding, 0 not. */
static int compare(const struct case_view *v, double x, double y, enum mirror m)
{
    const double x2 = m == TRANSPOSED_TOO ? y : m == IN_X ? -x : x;
    const double y2 = m == TRANSPOSED_TOO ? x : m == IN_Y ? -y : y;
    const double b = v->c->bed(x, y), b2 = v->c->bed(x2, y2);
    const struct flow f = case_start(v->c, x, y), g = image(case_start(v->c, x2, y2), m);
    const double off = fabs(b - b2) + fabs(f.w - g.w) + fabs(f.u - g.u) + fabs(f.v - g.v);
    if (!(fabs(b - b2) > 0) && case_same(f, g))
        return 2;
    return off <= 1e-9 * (1 + fabs(b) + fabs(f.w) + fabs(f.u) + fabs(f.v));
}

static int is_blurred_in(const struct case_view *v, enum mirror m, struct case_fault *f)
{
    int close = 0, equal = 0, bad = 0;
    const int total = v->nx * v->ny;
    for (int k = 0; k < total; k++) {
        const int how = compare(v, case_centre_x(v, k % v->nx), case_centre_y(v, k / v->nx), m);
        close += how > 0;
        equal += how == 2;
        bad = how == 2 ? bad : k;
    }
    if (close < 0.95 * total || equal == total)
        return 0;
    return case_wrong(f, v, case_centre_x(v, bad % v->nx), case_centre_y(v, bad / v->nx),
                      "%s it is not itself to the bit", mirror_names[m]);
}

int case_is_blurred(const struct case_view *v, struct case_fault *f)
{
    const struct flow_case *c = v->c;
    const int around_x = !(fabs(c->x0 + c->lx / 2) > 0), around_y = !(fabs(c->y0 + c->ly / 2) > 0);
    return (around_x && is_blurred_in(v, IN_X, f)) || (around_y && is_blurred_in(v, IN_Y, f)) ||
           (around_x && around_y && !(fabs(c->lx - c->ly) > 0) &&
            is_blurred_in(v, TRANSPOSED_TOO, f));
}
