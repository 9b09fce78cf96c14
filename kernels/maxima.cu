/* Keeps, for each cell, the largest depth, speed and momentum flux of a run, when water arrived, and how long
 * it stayed. Looks at the state at the start, every few steps, and at the end. Looking twice at one state
 * changes nothing. Writes only what changes; of most dry cells it reads only eta, the bed and the largest
 * depth. */
#define BLOCK_THREADS 256
#include "args.h"
#include "maxima.h"
#include "num/depth.h"
#include "sampling.h"

NO_TILES;

#define SIGN ((bits)1 << (8 * sizeof(bits) - 1))

FN void raise(real *most, real x)
{
    if (x > *most)
        *most = x;
}

/* The flow in a wet cell. */
FN void look_at_flow(const struct maxima_args *a, long k, real h)
{
    const real f = inverse_depth(h, a->p.kappa4);
    const real u = f * a->q.hu[k], v = f * a->q.hv[k], squared = u * u + v * v;
    raise(&a->speed[k], root(squared));
    raise(&a->flux[k], h * squared);
}

FN void look(const struct maxima_args *a, long k, real now)
{
    const real h = positive(depth_of(a->q.eta[k], a->centre[k], a->p.still));
    const bits kept = bits_of(a->h[k]);
    const int was_wet = (kept & SIGN) != 0, wet = h > a->p.dry;
    const real most = real_of(kept & ~SIGN), more = h > most ? h : most;
    if (h > most || wet != was_wet)
        a->h[k] = real_of(bits_of(more) | (wet ? SIGN : 0));
    if (wet && !(most > a->p.dry))
        a->arrival[k] = now;
    if (wet != was_wet)
        a->duration[k] = wet ? a->duration[k] - now : a->duration[k] + now;
    if (wet)
        look_at_flow(a, k, h);
}

KERNEL(maxima, struct maxima_args)
{
    (void)t;
    if (!is_due(a.clock, a.when, a.every))
        return;
    const real now = (real)a.clock->t;
    FOR_TILE(i, j, 0, 0) {
        look(&a, at(a.pitch, X0 + i, Y0 + j), now);
    }
}
