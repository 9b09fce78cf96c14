/* The Lax-Friedrichs flux of the two-dimensional scheme, whose new state is the mean of the four neighbours
 * less the central difference of the fluxes: the mean of both sides' fluxes, damped with dx/(4 dt). Lax 1954;
 * Brodtkorb and Saetra 2012, eq. 2.
 *
 * A flux function does not know dx/dt. It uses the value that the Courant rule gives at the default Courant
 * number 1/4, dx/(4 dt) = s, with s the fastest speed of this face's two sides instead of the domain's. So it
 * equals the classical flux where the whole domain is as fast as this face, with `--cfl 0.25` and dx = dy;
 * elsewhere it damps less than the classical flux, and shorter time steps do not increase the damping. It damps
 * twice as much as the Rusanov flux, which others call local Lax-Friedrichs: it is the most diffusive flux
 * here. In two dimensions it is unstable beyond Courant number 1/4, where it no longer damps the shortest wave. */
#include "num/riemann.h"

PROPERTIES("Lax-Friedrichs, local, for Courant number 1/4",
           "Lax 1954; Brodtkorb and Saetra 2012 (paper II)", SYMMETRIC | POSITIVE | QUARTER)

FN struct flux lax_friedrichs(struct side l, struct side r, real g)
{
    struct flux fl = physical_flux(l, g), fr = physical_flux(r, g), f;
    real s = max2(abs1(l.un) + celerity(l.h, g), abs1(r.un) + celerity(r.h, g));
    f.h = REAL(0.5) * (fl.h + fr.h) - s * (r.h - l.h);
    f.n = REAL(0.5) * (fl.n + fr.n) - s * (r.h * r.un - l.h * l.un);
    f.t = REAL(0.5) * (fl.t + fr.t) - s * (r.h * r.ut - l.h * l.ut);
    return f;
}
