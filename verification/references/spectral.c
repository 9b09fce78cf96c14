/* Pseudo-spectral solution of the shallow-water equations in one periodic dimension. */
#include "verification/references/spectral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Arrays of `n` numbers; derivative[k] weighs f[i + k] - f[i - k]. */
struct wave {
    const struct spectral *of;
    int n;
    double *bed, *derivative, *w, *q, *old_w, *old_q, *sum_w, *sum_q, *flow, *dw, *dq, *df;
    double *periods; /* 3 n: room for a field from a period before point 0 to a period after it */
};

/* The same order of sums for every point, and points side by side: the compiler takes several at once. */
static void differentiate(const struct wave *s, const double *f, double *df)
{
    const int n = s->n;
    double *periods = s->periods;
    memcpy(periods, f, (size_t)n * sizeof *f);
    memcpy(periods + n, f, (size_t)n * sizeof *f);
    memcpy(periods + n + n, f, (size_t)n * sizeof *f);
    memset(df, 0, (size_t)n * sizeof *df);
    for (int k = 1; k < n / 2; k++) {
        const double weight = s->derivative[k], *east = periods + n + k, *west = periods + n - k;
#pragma omp simd
        for (int i = 0; i < n; i++)
            df[i] += weight * (east[i] - west[i]);
    }
}

/* Stores the rates of change of w and q in dq and df: w_t = -q_x, q_t = -(q^2/h)_x - g h w_x. */
static void rates(struct wave *s)
{
    for (int i = 0; i < s->n; i++)
        s->flow[i] = s->q[i] * s->q[i] / (s->w[i] - s->bed[i]);
    differentiate(s, s->w, s->dw);
    differentiate(s, s->q, s->dq);
    differentiate(s, s->flow, s->df);
    for (int i = 0; i < s->n; i++) {
        s->dq[i] = -s->dq[i];
        s->df[i] = -s->df[i] - s->of->gravity * (s->w[i] - s->bed[i]) * s->dw[i];
    }
}

static void step(struct wave *s, double dt)
{
    enum { STAGES = 4 };
    static const double reach[STAGES] = {0.5, 0.5, 1, 0}, weight[STAGES] = {1, 2, 2, 1};
    size_t bytes = (size_t)s->n * sizeof *s->w;
    memcpy(s->old_w, s->w, bytes);
    memcpy(s->old_q, s->q, bytes);
    memcpy(s->sum_w, s->w, bytes);
    memcpy(s->sum_q, s->q, bytes);
    for (int k = 0; k < STAGES; k++) {
        rates(s);
        for (int i = 0; i < s->n; i++) {
            s->sum_w[i] += dt / 6 * weight[k] * s->dq[i];
            s->sum_q[i] += dt / 6 * weight[k] * s->df[i];
            s->w[i] = s->old_w[i] + dt * reach[k] * s->dq[i];
            s->q[i] = s->old_q[i] + dt * reach[k] * s->df[i];
        }
    }
    memcpy(s->w, s->sum_w, bytes);
    memcpy(s->q, s->sum_q, bytes);
}

static double place(const struct spectral *s, int i)
{
    return s->length * i / s->points;
}

static void fill_wave(struct wave *s)
{
    const struct spectral *of = s->of;
    for (int i = 0; i < s->n; i++) {
        struct flow f = of->initial(place(of, i), 0);
        s->bed[i] = of->bed(place(of, i), 0);
        s->w[i] = f.w;
        s->q[i] = (f.w - s->bed[i]) * f.u;
    }
    /* The derivative of the trigonometric polynomial through the points (Trefethen 2000, chapter 3). */
    for (int k = 1; k < s->n / 2; k++)
        s->derivative[k] = (k % 2 ? 1 : -1) * pi / of->length / tan(pi * k / s->n);
}

enum err spectral_compute(const void *context, double *table)
{
    enum { ARRAYS = 12 };
    const struct spectral *of = context;
    struct wave s = {.of = of, .n = of->points};
    double **const array[ARRAYS] = {&s.bed,   &s.derivative, &s.w,    &s.q,  &s.old_w, &s.old_q,
                                    &s.sum_w, &s.sum_q,      &s.flow, &s.dw, &s.dq,    &s.df};
    double *room = calloc((ARRAYS + 3) * (size_t)s.n, sizeof *room);
    if (!room)
        FAIL(MEMORY, "no memory for a reference of %d points", s.n);
    for (int k = 0; k < ARRAYS; k++)
        *array[k] = room + (size_t)k * (size_t)s.n;
    s.periods = room + (size_t)ARRAYS * (size_t)s.n;
    fill_wave(&s);
    for (int k = 0; k < of->steps; k++)
        step(&s, of->t_end / of->steps);
    for (int i = 0; i < s.n; i++) {
        table[2L * i] = s.w[i];
        table[2L * i + 1] = s.q[i] / (s.w[i] - s.bed[i]);
    }
    free(room);
    return ERR_OK;
}

struct flow spectral_flow(const void *of, const double *table, double x, double y, double t)
{
    const struct spectral *s = of;
    (void)y;
    (void)t;
    double weights = 0;
    struct flow sum = {0};
    for (int i = 0; i < s->points; i++) {
        double angle = pi * (x - place(s, i)) / s->length;
        /* At a point itself the formula would divide by zero. */
        if (fabs(sin(angle)) < 1e-13)
            return (struct flow){.w = table[2L * i], .u = table[2L * i + 1]};
        double weight = (i % 2 ? -1 : 1) / tan(angle);
        weights += weight;
        sum.w += weight * table[2L * i];
        sum.u += weight * table[2L * i + 1];
    }
    return (struct flow){.w = sum.w / weights, .u = sum.u / weights};
}
