/* No face takes more water from a cell than the cell can give in the step: `--positivity draining`. A part of face.h.
 *
 * A cell of depth h gives the part P of its water along x, and the part 1 - P along y. At its two ends along x the depths
 * are h1 and h2, whose mean is no more than h. Each end gives up to P/2 of a cell of its own depth; half of the cell's
 * discharge q moves some of that from the end where the water comes from to the one where it goes to, if there is so much:
 *
 *     2 most1 = P h1 dx/dt - q,    2 most2 = P h2 dx/dt + q,    each at least 0 and at most 2 P h dx/dt
 *
 * A flux that asks for more is scaled down as a whole, except for the pressures on both sides, as by a gate. If neither
 * bound is reached, q cancels in the sum, P (h1 + h2)/2 dx/dt; if an end gives nothing, the other gives no more than P h.
 * So whatever the flux is, an Euler step of dt leaves no depth below zero. P is 1/2, but for water that crosses cells so
 * fast that it needs more of itself that way. If no wave runs further than C = DRAINING_COURANT of a cell in dt, a flux by
 * two waves asks for at most h2 (C dx/dt + u2)/2, with the velocity u2 out of the cell: with P = 1/2 that is more only
 * where an end discharges more than the cell does. */
#ifndef SHOAL_DRAINING_H
#define SHOAL_DRAINING_H

#define DRAINING_COURANT REAL(0.45)

/* Of half a cell a step: water that runs faster is shared out by its velocities. */
#define FAST_WATER REAL(0.4)

/* 1: all cells are looked at as if they rushed. This changes no bit in strict mode. */
#ifndef ALL_RUSH
#define ALL_RUSH 0
#endif

/* In a kernel: whether dt is known. */
#ifndef KNOWS_DT
#define KNOWS_DT 1
#endif

/* The line of cells along which water is shared out. */
struct passage {
    real rate;          /* 1/(2 dt), 1/s */
    real pace;          /* half a cell a step, m/s */
    real along, across; /* inverse sizes of a cell, 1/m */
};

FN struct passage passage_of(real dt, real along, real across)
{
    struct passage way;
    way.rate = inverse(REAL(2) * dt);
    way.pace = inverse(REAL(2) * dt * along);
    way.along = along;
    way.across = across;
    return way;
}

/* Where dt is unknown it is at most what the Courant rule allows: by the faster end's waves. */
FN real pace_of(struct halves ends, const struct passage way, real g)
{
    if (KNOWS_DT)
        return way.pace;
    const real low = abs1(ends.low.un) + celerity(ends.low.h, g);
    const real high = abs1(ends.high.un) + celerity(ends.high.h, g);
    return (REAL(0.5) / DRAINING_COURANT) * max2(low, high);
}

/* What a cell can give: its depth; its discharges across the faces and along them, m2/s. */
struct store {
    real depth, n, t;
};

/* `low`, `high`: the bed at the faces. */
FN struct store store_of(struct cell c, real low, real high)
{
    const real floor = STEPPED_BED ? c.floor : REAL(0.5) * (low + high) - c.rest;
    struct store s;
    s.depth = max2(c.eta - floor, REAL(0));
    s.n = STEPPED_BED ? s.depth * c.n : c.n;
    s.t = STEPPED_BED ? s.depth * c.t : c.t;
    return s;
}

/* Twice the part P of its water that a cell gives along the line; across it gives the rest. More than half where it crosses
 * cells faster that way, and for waves a quarter of what the fastest ones could need. */
FN real twice_part(struct store s, const struct passage way, real g)
{
    const real n = abs1(s.n) * way.along, t = abs1(s.t) * way.across;
    const real fastest =
        KNOWS_DT ? (REAL(2) * DRAINING_COURANT * s.depth) * way.rate
                 : max2(n, t) + s.depth * celerity(s.depth, g) * max2(way.along, way.across);
    const real waves = REAL(0.25) * fastest;
    const real part = (n + waves) * inverse(max2((n + t) + REAL(2) * waves, REAL(1e-30)));
    const int slow = max2(n, t) <= (REAL(0.5) / DRAINING_COURANT * FAST_WATER) * fastest;
    return slow ? REAL(1) : REAL(2) * part;
}

/* Twice the most that flows out of the end of depth `end`; `out`: the cell's discharge towards it. */
FN real twice_most(real end, real out, real pace)
{
    return pace * end + out;
}

/* The same within its bounds: see rushes(). The upper one leaves room for rounding. */
FN real bounded_most(real end, real out, real pace, real part, real depth)
{
    const real two = PRECISION == 64 ? REAL(2.000000000000004) : REAL(2.000002);
    const real given = part * pace;
    return min2(max2(twice_most(end, out, given), REAL(0)), (two * given) * depth);
}

/* The discharge up to which a cell in open water gives half of its water along the line, and its ends reach no bound, however
 * depths are rounded (by about physics.film): rate times the depth at the thinner end, m/s, less `less`, m2/s. */
struct gentle {
    real rate, less;
};

FN struct gentle gentle_in(real dt, const struct physics p)
{
    struct gentle g;
    g.rate = REAL(0.98) * FAST_WATER * inverse(REAL(2) * dt * max2(p.inv_dx, p.inv_dy));
    g.less = g.rate * (REAL(16) * p.film);
    return g;
}

/* `thinner`: the depth at the thinner end. */
FN int rushes(real thinner, const struct three s, struct gentle g)
{
    const struct store c = store_of(s.here, s.low, s.high);
    return ALL_RUSH || !(max2(abs1(c.n), abs1(c.t)) <= g.rate * thinner - g.less);
}

/* `careful`: the cell rushes, or may. */
FN struct halves shared_out(struct halves ends, const struct three s, const struct passage way,
                            int careful, const struct physics p)
{
    const struct store c = store_of(s.here, s.low, s.high);
    const real pace = pace_of(ends, way, p.g);
    ends.low.most = twice_most(ends.low.h, -c.n, pace);
    ends.high.most = twice_most(ends.high.h, c.n, pace);
    if (careful) {
        const real part = twice_part(c, way, p.g);
        ends.low.most = bounded_most(ends.low.h, -c.n, pace, part, c.depth);
        ends.high.most = bounded_most(ends.high.h, c.n, pace, part, c.depth);
    }
    return ends;
}

/* The same of the high end alone, where dt is known. */
FN real shared_out_high(real end, struct store c, const struct passage way, int careful,
                        const struct physics p)
{
    if (careful)
        return bounded_most(end, c.n, way.pace, twice_part(c, way, p.g), c.depth);
    return twice_most(end, c.n, way.pace);
}

FN int asks_too_much(struct flux f, struct side l, struct side r)
{
    return abs1(f.h + f.h) > (f.h > REAL(0) ? l.most : r.most);
}

FN struct flux drained(struct flux f, struct side l, struct side r)
{
    if (SELDOM(asks_too_much(f, l, r))) {
        const real most = f.h > REAL(0) ? l.most : r.most, asked = abs1(f.h + f.h);
        const real part = asks_too_much(f, l, r) ? most * inverse(asked) : REAL(1);
        f.h = part * f.h;
        f.n = part * f.n;
        f.n_after = part * f.n_after;
        f.t = part * f.t;
    }
    return f;
}

#endif
