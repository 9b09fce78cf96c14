/* The Roe flux: each of the three waves of the equations linearised at Roe's averages is upwinded, with the
 * entropy fix of Harten and Hyman. Roe 1981; Harten and Hyman 1983; for shallow water Glaister 1988.
 *
 * At a dry side, and where two streams part so fast that the linearised equations have a negative depth in
 * between (Einfeldt et al. 1991), it is the central-upwind flux. Elsewhere the entropy fix damps enough: in
 * 10^8 random pairs of sides, 10^-6 to 10 m deep and up to 30 times as fast as waves on the deeper one, no more
 * water left a side than its depth times the fastest speed. That suffices for POSITIVE at Courant number 1/2.
 * There is no proof. */
#include "num/more_registers.h"
#include "num/riemann.h"

PROPERTIES("Roe with entropy fix", "Roe 1981; Harten and Hyman 1983; Glaister 1988",
           SYMMETRIC | POSITIVE)

/* |speed| of a wave whose speeds on its two sides are l and r; larger where the speed grows through zero: a
 * rarefaction, which the linearised equations would turn into a standing jump. */
FN real entropy_fixed(real speed, real l, real r)
{
    const real reach = max2(max2(speed - l, r - speed), REAL(0)), fast = abs1(speed);
    return fast < reach ? REAL(0.5) * (speed * speed / reach + reach) : fast;
}

/* Velocities averaged with the weights sqrt(h): with them the waves' jumps times their speeds add up to the
 * jump of the flux. With the mean depth's celerity c the jumps of depth, at u - c and u + c, are (dh -+ dq) / 2
 * with dq = sqrt(hl hr) du / c; the jump of h v, at u, is sqrt(hl hr) dv. (A branch, because a GPU lacks
 * registers for both fluxes at once.) */
FN struct flux roe(struct side l, struct side r, real g)
{
    const real cl = celerity(l.h, g), cr = celerity(r.h, g);
    const real wl = root(l.h), wr = root(r.h), both = wl * wr;
    const real mean = REAL(0.5) * (l.h + r.h), dh = r.h - l.h;
    const real dq = over_root(both, g * mean) * (r.un - l.un);
    if (l.h <= REAL(0) || r.h <= REAL(0) || dq > l.h + r.h) {
        const real ap = max2(max2(l.un + cl, r.un + cr), REAL(0));
        const real am = min2(min2(l.un - cl, r.un - cr), REAL(0));
        return two_waves(l, r, am, ap, g);
    }
    const real share = inverse(wl + wr), c = celerity(mean, g);
    const real u = share * (wl * l.un + wr * r.un), v = share * (wl * l.ut + wr * r.ut);
    const real slow = u - c, fast = u + c;
    const real down = entropy_fixed(slow, l.un - cl, r.un - cr) * (REAL(0.5) * (dh - dq));
    const real up = entropy_fixed(fast, l.un + cl, r.un + cr) * (REAL(0.5) * (dh + dq));
    const real shear = abs1(u) * (both * (r.ut - l.ut));
    const struct flux fl = physical_flux(l, g), fr = physical_flux(r, g);
    struct flux f;
    f.h = REAL(0.5) * ((fl.h + fr.h) - (down + up));
    f.n = REAL(0.5) * ((fl.n + fr.n) - (down * slow + up * fast));
    f.t = REAL(0.5) * ((fl.t + fr.t) - ((down + up) * v + shear));
    return f;
}
