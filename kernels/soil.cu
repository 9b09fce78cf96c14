/* Removes the infiltration of a step after the pass that made it, at most the water that is there. The rest
 * keeps its velocity.
 *
 * Under water the depth F that has infiltrated grows by dF/dt = K (1 + S/F), with S suction times deficit
 * (Green and Ampt 1911). At F = 0 the rate is infinite, but F dF = K (F + S) dt is smooth there: with its
 * right side at the mean of F before and after the step,
 *
 *     F' - F = a + D / (F + sqrt(F^2 + D)),   a = K dt / 2,   D = a^2 + K dt (2 S + F).
 *
 * This is of second order, gives the first step of dry soil its sqrt(2 K S dt), and takes no difference of
 * large numbers.
 *
 * A tracer leaves with the water: the rest keeps its c. */
#include "num/gain.h"
#ifdef WITH_TRACER
#include "counters.h"
#endif /* WITH_TRACER */
#include "soil.h"

NO_TILES;

/* Fractions of the square roots of 31 and 37: strides that no update of a step has (schemes/operators.c). */
#define SOIL_STRIDE  0x9159015au
#define LEVEL_STRIDE 0x152fecd8u

/* Capacity of the soil to take up water in dt, m. */
FN real thirst(real rate, real store, real before, real dt)
{
    const real most = rate * dt, half = REAL(0.5) * most;
    const real d = half * half + most * (REAL(2) * store + before);
    const real sum = before + root(before * before + d);
    const real ponded = sum > REAL(0) ? half + d / sum : REAL(0);
    return store > REAL(0) ? ponded : most;
}

KERNEL(soil, struct soil_args)
{
    (void)t;
    const struct clock *const c = a.clock;
    if (c->halt || c->rejected)
        return;
    const real dt = (real)(c->t - c->start.t);
    const real dither = dither_of(c->steps, LEVEL_STRIDE), other = dither_of(c->steps, SOIL_STRIDE);
#ifdef WITH_TRACER
    counter whole = 0, part = 0;
#endif /* WITH_TRACER */
    FOR_TILE (i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        const real floor = floor_of(a.centre[k], a.p.still), eta = a.q.eta[k], h = eta - floor;
        const real before = a.infiltrated[k];
        const real rate = a.rate_of ? a.rate_of[k] : (real)a.rate;
        const real store = a.store_of ? a.store_of[k] : (real)a.store;
        const real wanted = thirst(rate, store, before, dt);
        const real lower = max2(gained(eta, -wanted, dither), floor);
        const real left = wanted < h ? lower : floor;
        const real after = h > REAL(0) ? left : eta, rest = after - floor;
        const real kept = h > REAL(0) ? rest * inverse(h) : REAL(1);
        const int stands = rest < a.p.dry;
        a.infiltrated[k] = gained(before, eta - after, other);
#ifdef WITH_TRACER
        const real units = (eta - after) * a.carried.to[k] * a.p.units;
        whole += (counter)(long)units;
        part += (counter)parts(units);
#endif /* WITH_TRACER */
        a.q.eta[k] = after;
        a.q.hu[k] = stands ? REAL(0) : a.q.hu[k] * kept;
        a.q.hv[k] = stands ? REAL(0) : a.q.hv[k] * kept;
    }
#ifdef WITH_TRACER
    add(&a.seeped[WHOLE], whole);
    add(&a.seeped[PARTS], part);
#endif /* WITH_TRACER */
}
