/* A fine grid in one dimension, with a scheme that shares nothing with Shoal's. */
#include "verification/references/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REACH_OF_A_STEP = 8, AHEAD = 64 }; /* cells; a stage reaches two */

static const double courant = 0.4;
static const double film = 1e-12; /* share of the depth behind the dam below which a cell is dry */

/* Arrays of `cells` + 1 numbers: faces, or cells and one beyond. */
struct grid {
    const struct line *of;
    double dx, dry;
    int active; /* cells from 0 that may move */
    double *h, *q, *u, *h0, *q0, *dh, *du, *mass, *momentum;
};

/* fmin() and fmax() are calls, which would take most of the time here. */
static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

static double limited(double a, double b)
{
    double mean = 0.5 * (a + b), least = 2 * least_of(fabs(a), fabs(b));
    return a * b > 0 ? copysign(least_of(fabs(mean), least), mean) : 0;
}

struct flux {
    double mass, momentum;
};

static struct flux flux_of(double g, double h, double u)
{
    return (struct flux){h * u, h * u * u + 0.5 * g * h * h};
}

static struct flux hll(double g, struct line_state l, struct line_state r)
{
    double cl = sqrt(g * l.h), cr = sqrt(g * r.h);
    double c = 0.5 * (cl + cr) + 0.25 * (l.u - r.u), u = 0.5 * (l.u + r.u) + cl - cr;
    double slow = least_of(l.u - cl, u - c), fast = most_of(r.u + cr, u + c);
    if (l.h <= 0 && r.h <= 0)
        return (struct flux){0, 0};
    if (r.h <= 0) {
        slow = l.u - cl;
        fast = l.u + 2 * cl;
    } else if (l.h <= 0) {
        slow = r.u - 2 * cr;
        fast = r.u + cr;
    }
    if (slow >= 0)
        return flux_of(g, l.h, l.u);
    if (fast <= 0)
        return flux_of(g, r.h, r.u);
    struct flux a = flux_of(g, l.h, l.u), b = flux_of(g, r.h, r.u);
    double scale = 1 / (fast - slow);
    return (struct flux){
        scale * (fast * a.mass - slow * b.mass + fast * slow * (r.h - l.h)),
        scale * (fast * a.momentum - slow * b.momentum + fast * slow * (r.h * r.u - l.h * l.u))};
}

/* Beyond the last active cell lies still water; a wall or the axis mirrors the first cell. */
static void slopes(struct grid *s)
{
    int n = s->active;
    for (int i = 0; i < n; i++)
        s->u[i] = s->h[i] > s->dry ? s->q[i] / s->h[i] : 0;
    s->u[n] = 0;
    for (int i = 0; i < n; i++) {
        int w = i ? i - 1 : 0;
        double from_west = s->u[i] - (i ? s->u[w] : -s->u[0]);
        s->dh[i] = limited(s->h[i] - s->h[w], s->h[i + 1] - s->h[i]);
        s->du[i] = limited(from_west, s->u[i + 1] - s->u[i]);
    }
    s->dh[n] = s->du[n] = 0;
}

static struct line_state at_face(const struct grid *s, int i, double side)
{
    return (struct line_state){s->h[i] + side * 0.5 * s->dh[i], s->u[i] + side * 0.5 * s->du[i]};
}

static void fluxes(struct grid *s)
{
    double g = s->of->gravity;
    for (int f = 0; f <= s->active; f++) {
        struct line_state r = at_face(s, f, -1);
        struct line_state l = f ? at_face(s, f - 1, 1) : (struct line_state){r.h, -r.u};
        struct flux flow = hll(g, l, r);
        s->mass[f] = flow.mass;
        s->momentum[f] = flow.momentum;
    }
}

/* One Euler step of the active cells, mixed with the state at the start of the step: the new state
 * is old (h0,q0) + (1 - old) Euler(h,q). Friction divides, which keeps it stable in thin water. */
static void stage(struct grid *s, double dt, double old)
{
    const struct line *l = s->of;
    slopes(s);
    fluxes(s);
    for (int i = 0; i < s->active; i++) {
        double west = l->radial ? i / (i + 0.5) : 1, east = 2 - west;
        struct line_state a = at_face(s, i, -1), b = at_face(s, i, 1);
        /* The pressure on the sides of a sector; still water balances it to rounding. */
        double sides = 0.25 * l->gravity * (a.h * a.h + b.h * b.h) * (east - west);
        double h = s->h[i] + dt / s->dx * (west * s->mass[i] - east * s->mass[i + 1]);
        double q =
            s->q[i] + dt / s->dx * (west * s->momentum[i] - east * s->momentum[i + 1] + sides);
        if (l->manning > 0 && s->h[i] > s->dry)
            q /= 1 + dt * l->gravity * l->manning * l->manning * fabs(s->u[i]) /
                         (s->h[i] * cbrt(s->h[i]));
        s->mass[i] = old * s->h0[i] + (1 - old) * h;
        s->momentum[i] = old * s->q0[i] + (1 - old) * q;
    }
    for (int i = 0; i < s->active; i++) {
        s->h[i] = most_of(s->mass[i], 0);
        s->q[i] = s->h[i] > s->dry ? s->momentum[i] : 0;
    }
}

static double longest_step(const struct grid *s)
{
    double fastest = 0;
    for (int i = 0; i < s->active; i++) {
        double u = s->h[i] > s->dry ? fabs(s->q[i]) / s->h[i] : 0;
        fastest = most_of(fastest, u + sqrt(s->of->gravity * s->h[i]));
    }
    return courant * s->dx / fastest;
}

static void follow_the_front(struct grid *s)
{
    int n = s->active, moved = 0;
    for (int i = n - REACH_OF_A_STEP; i < n; i++)
        moved |= s->q[i] != 0 || s->h[i] != s->of->before;
    if (moved)
        s->active = n + AHEAD < s->of->cells ? n + AHEAD : s->of->cells;
}

static void step(struct grid *s, double dt)
{
    size_t bytes = (size_t)s->active * sizeof *s->h;
    memcpy(s->h0, s->h, bytes);
    memcpy(s->q0, s->q, bytes);
    stage(s, dt, 0);
    stage(s, dt, 3.0 / 4);
    stage(s, dt, 1.0 / 3);
    follow_the_front(s);
}

/* The cell that the dam crosses takes its mean. */
static void fill_ghosts(struct grid *s)
{
    const struct line *l = s->of;
    for (int i = 0; i <= l->cells; i++) {
        double a = i * s->dx, b = a + s->dx, inner = l->dam * l->dam - a * a;
        double share = l->radial ? inner / (b * b - a * a) : (l->dam - a) / s->dx;
        share = fmin(1, fmax(0, share));
        s->h[i] = share * l->behind + (1 - share) * l->before;
        s->q[i] = 0;
    }
    int beyond = (int)(l->dam / s->dx) + AHEAD;
    s->active = beyond < l->cells ? beyond : l->cells;
}

static void record(const struct grid *s, double *row)
{
    for (int i = 0; i < s->of->cells; i++) {
        row[2L * i] = s->h[i];
        row[2L * i + 1] = s->h[i] > s->dry ? s->q[i] / s->h[i] : 0;
    }
}

static void run(struct grid *s, double *table)
{
    const struct line *l = s->of;
    fill_ghosts(s);
    record(s, table);
    double t = 0;
    for (int k = 1; k <= l->times; k++) {
        double end = l->t_end * k / l->times;
        while (t < end) {
            double dt = longest_step(s), left = end - t;
            int last = dt >= left;
            step(s, last ? left : dt);
            t = last ? end : t + dt;
        }
        record(s, table + (size_t)k * 2 * (size_t)l->cells);
    }
}

enum err line_compute(const void *of, double *table)
{
    enum { ARRAYS = 9 };
    const struct line *l = of;
    struct grid s = {.of = l, .dx = l->length / l->cells, .dry = film * l->behind};
    double **const array[ARRAYS] = {&s.h,  &s.q,  &s.u,    &s.h0,      &s.q0,
                                    &s.dh, &s.du, &s.mass, &s.momentum};
    size_t n = (size_t)l->cells + 1;
    double *room = calloc(ARRAYS * n, sizeof *room);
    if (!room)
        FAIL(MEMORY, "no memory for a reference of %d cells", l->cells);
    for (int k = 0; k < ARRAYS; k++)
        *array[k] = room + (size_t)k * n;
    run(&s, table);
    free(room);
    return ERR_OK;
}

struct line_state line_at(const struct line *l, const double *table, double x, double t)
{
    double k = fmin(l->times, fmax(0, round(t / l->t_end * l->times)));
    const double *row = table + (size_t)k * 2 * (size_t)l->cells;
    double at = x / l->length * l->cells - 0.5;
    if (at >= l->cells - 1)
        return (struct line_state){l->before, 0};
    /* The cell before the first one is its mirror image. */
    int i = at < 0 ? 0 : (int)at;
    double share = at < 0 ? -at : at - i, sign = at < 0 ? -1 : 1;
    int j = at < 0 ? 0 : i + 1;
    return (struct line_state){(1 - share) * row[2L * i] + share * row[2L * j],
                               (1 - share) * row[2L * i + 1] + share * sign * row[2L * j + 1]};
}

struct flow line_start(const struct line *l, double x, double y)
{
    const int is_behind = l->radial ? x * x + y * y <= l->dam * l->dam : x < l->dam;
    return (struct flow){.w = is_behind ? l->behind : l->before};
}

struct flow line_flow(const void *of, const double *table, double x, double y, double t)
{
    const struct line *l = of;
    double r = l->radial ? sqrt(x * x + y * y) : x;
    struct line_state s = line_at(l, table, r, t);
    if (!l->radial)
        return (struct flow){.w = s.h, .u = s.u};
    return r > 0 ? (struct flow){s.h, s.u * x / r, s.u * y / r} : (struct flow){.w = s.h};
}
