/* Faces over a bed that steps there: each cell has its own (Audusse et al. 2004; Chen and Noelle 2017).
 * A part of face.h. */
#ifndef SHOAL_FACE_STEPPED_H
#define SHOAL_FACE_STEPPED_H

/* Here it is cells' depths, not those at faces, that divide discharges: a tenth of kappa will do. */
#define SMALLER_KAPPA4 REAL(1e-4)

FN int no_water(struct cell c, const struct physics p)
{
    return c.w - c.b <= p.dry;
}

/* How far the surface of cell c may lean towards the bed at the face to the cell beside it, where water
 * flows at u across the face: as far as c stands above the water there, and by u^2 / g, the rise against
 * which its momentum lasts. That is nothing at rest, and too little near rest to feed what disturbs it
 * (by the difference of levels where c is the lower one, disturbances grow). Towards a higher dry cell
 * there is no room, and a dry cell keeps water out that stands below its middle. */
FN real room_to_lean(struct cell c, struct cell beside, real u, const struct physics p)
{
    const real above = positive(c.w - beside.w), climb = square(u) / p.g;
    const int flows = !no_water(c, p) && (above > REAL(0) || !no_water(beside, p));
    return above + (flows ? climb : REAL(0));
}

/* A cell with its neighbours on a line and these' velocities, between faces at which the bed lies at
 * low and high. */
struct span_of_bed {
    struct cell before, c, after;
    real u_before, u_after, low, high;
};

/* Half slope d of the surface of a cell, where it would cut the bed on a face tilted towards it as in
 * Kurganov and Petrova 2007, eq. 2.15, as far as there is room. The water of a shore's cell, spread over
 * its bed, goes up and down the slope; that of Audusse et al. 2004 has to fill the cell to its middle. */
FN real tilted(real d, const struct span_of_bed s, const struct physics p)
{
    const real low = s.c.w - s.low, high = s.c.w - s.high;
    const real rising = max2(d, min2(-high, room_to_lean(s.c, s.before, s.u_before, p)));
    const real falling = min2(d, max2(low, -room_to_lean(s.c, s.after, s.u_after, p)));
    return high < -d ? rising : low < d ? falling : d;
}

/* A face of a cell with velocity un and ut at it. */
FN struct side side_of_cell(real w, real h, real un, real ut, const struct physics p)
{
    struct side s;
    s.w = w;
    s.h = depth_or_none(h, p);
    s.un = un;
    s.ut = ut;
    s.b = REAL(0);
    return s;
}

/* Level and velocities are limited, the depth is what the bed leaves of the level, at least none and at
 * most twice the cell's; the bed at the face is what lies between them, so that water at rest has no
 * slope anywhere. The pressure of a cell at its own faces is left out of the fluxes and of the source
 * -g h dB: what is left of that is -g h dw, which is nothing at rest (Audusse et al. 2004, section 4.3,
 * in this order of the sums). */
FN struct halves reconstructed(struct cell before, struct cell c, struct cell after, real b_low,
                               real b_high, const struct physics p)
{
    const real kappa4 = SMALLER_KAPPA4 * p.kappa4, h = c.w - c.b, f = inverse_depth(h, kappa4);
    const real f0 = inverse_depth(before.w - before.b, kappa4);
    const real f2 = inverse_depth(after.w - after.b, kappa4);
    const struct span_of_bed span = {before, c, after, f0 * before.n, f2 * after.n, b_low, b_high};
    const real n = half_slope(span.u_before, f * c.n, span.u_after, p.theta);
    const real t = half_slope(f0 * before.t, f * c.t, f2 * after.t, p.theta);
    const real dw = tilted(half_slope(before.w, c.w, after.w, p.theta), span, p);
    const real dh = min2(max2(dw - REAL(0.5) * (b_high - b_low), -h), h);
    /* A dry cell keeps water out to the bit: c.w - (c.w - before.w) may be less than before.w. */
    const real least = no_water(c, p) ? min2(before.w, c.w) : c.w - dw;
    const real least_high = no_water(c, p) ? min2(after.w, c.w) : c.w + dw;
    const real low = max2(c.w - dw, least), high = max2(c.w + dw, least_high);
    struct halves s;
    s.low = side_of_cell(low, h - dh, f * c.n - n, f * c.t - t, p);
    s.high = side_of_cell(high, h + dh, f * c.n + n, f * c.t + t, p);
    s.source = (REAL(-0.5) * p.g) * ((s.low.h + s.high.h) * (high - low));
    return s;
}

/* A side above a bed that is raised to `bed`, or stays where it is if that is lower. */
FN struct side raised(struct side s, real bed)
{
    s.b = max2(bed, s.w - s.h);
    s.h = max2(s.w - s.b, REAL(0));
    s.w = max2(s.w, s.b);
    return s;
}

/* What pulls water of depth h, as deep as h_face at the face, down from its bed to that of the face:
 * g times depth times fall (Chen and Noelle 2017). */
FN real pull(struct side s, struct side at_face, real bed, real g)
{
    return (REAL(0.5) * g) * ((s.h + at_face.h) * positive(at_face.b - bed));
}

/* Both sides as the step lets them see each other, and the flux between these. */
FN struct flux face_flux(struct side l, struct side r, real g)
{
    struct side from, to;
    struct flux f;
    real bed;
    l.b = l.w - l.h;
    r.b = r.w - r.h;
    bed = RECONSTRUCTION(l, r);
    from = raised(l, bed);
    to = raised(r, bed);
    f = FLUX(from, to, g);
#if !BED_IN_FLUX
    f.n_after = f.n - pull(r, to, bed, g);
    f.n = f.n - pull(l, from, bed, g);
#endif
    f.n_after = f.n_after - pressure(to.h, g);
    f.n = f.n - pressure(from.h, g);
    return f;
}

#endif
