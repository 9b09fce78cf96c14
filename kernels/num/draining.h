/* No face takes more water from a cell than the cell can give in the step: `--positivity draining`. A part of face.h.
 *
 * A cell's depth is at least the mean h of the depths h1, h2 at its two faces along x, and along y. Along x it may give
 * the part P of h, along y the part 1 - P: see part_along. If no wave runs further than C = DRAINING_COURANT of a cell in
 * the step dt, A dt/dx <= C, a flux by two waves takes at most h1 (C + n1)/2 through the first face, with n1 = dt/dx times
 * the velocity out of the cell there. In these proportions the water is shared out, before any flux is known and from the
 * cell's own ends alone:
 *
 *     most1 dt/dx = P h  h1 (C + n1) / (h1 (C + n1) + h2 (C + n2))
 *
 * A flux that asks for more is scaled down as a whole, except for the pressures on both sides, as by a gate. Because the
 * shares add up to P h and to (1 - P) h whatever the flux is, an Euler step of dt leaves no depth below zero. */
#ifndef SHOAL_DRAINING_H
#define SHOAL_DRAINING_H

#define DRAINING_COURANT REAL(0.45)

/* The line of cells along which water is shared out: the speed that crosses a cell of it in dt, m/s, 0 where dt is unknown;
 * the inverse sizes of a cell along and across it, 1/m. */
struct passage {
    real pace, along, across;
};

FN struct passage passage_of(real dt, real along, real across)
{
    struct passage way;
    way.pace = dt > REAL(0) ? inverse(dt * along) : REAL(0);
    way.along = along;
    way.across = across;
    return way;
}

/* The part P of its water that a cell gives along the line; across it gives the rest. It needs more where it crosses cells
 * faster, and for waves a quarter of what the fastest ones could need. */
FN real part_along(const struct three s, const struct passage way, const struct physics p)
{
    const struct cell c = s.here;
    const real floor = STEPPED_BED ? c.floor : REAL(0.5) * (s.low + s.high) - c.rest;
    const real h = max2(c.eta - floor, REAL(0)), depth = STEPPED_BED ? h : REAL(1);
    const real n = depth * abs1(c.n) * way.along, t = depth * abs1(c.t) * way.across;
    const real fastest = way.pace > REAL(0)
                             ? (DRAINING_COURANT * h) * (way.pace * way.along)
                             : max2(n, t) + h * celerity(h, p.g) * max2(way.along, way.across);
    const real waves = REAL(0.25) * fastest;
    return (n + waves) * inverse(max2((n + t) + REAL(2) * waves, REAL(1e-30)));
}

/* Where dt is unknown it is at most what the Courant rule allows: by the mean speed of the two ends, which is at least
 * |q|/h + sqrt(g h), with q the mean of their discharges, because sqrt(h) h is convex. */
FN struct halves shared_out(struct halves ends, const struct three s, const struct passage way,
                            const struct physics p)
{
    const real low = ends.low.h * ends.low.un, high = ends.high.h * ends.high.un;
    const real h = REAL(0.5) * (ends.low.h + ends.high.h);
    const real reach = way.pace > REAL(0) ? (DRAINING_COURANT * h) * way.pace
                                          : REAL(0.5) * abs1(low + high) + h * celerity(h, p.g);
    const real to_low = max2(ends.low.h * reach - h * low, REAL(0));
    const real to_high = max2(ends.high.h * reach + h * high, REAL(0));
    const real part = (REAL(1) / DRAINING_COURANT) * part_along(s, way, p) * reach *
                      inverse(max2(to_low + to_high, REAL(1e-30)));
    ends.low.most = part * to_low;
    ends.high.most = part * to_high;
    return ends;
}

/* `l`, `r`: the most that flows out of the side before the face, and out of the one after it. */
FN struct flux drained(struct flux f, real l, real r)
{
    const real most = f.h > REAL(0) ? l : r, asked = abs1(f.h);
    if (SELDOM(asked > most)) {
        const real part = asked > most ? most * inverse(asked) : REAL(1);
        f.h = part * f.h;
        f.n = part * f.n;
        f.n_after = part * f.n_after;
        f.t = part * f.t;
    }
    return f;
}

#endif
