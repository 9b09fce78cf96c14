/* Faces over a bed that steps there: each cell has its own (Audusse et al. 2004; Chen and Noelle 2017).
 * A part of face.h. */
#ifndef SHOAL_FACE_STEPPED_H
#define SHOAL_FACE_STEPPED_H

/* In a reconstruction: its bed at a face may lie below that of a side, which pulls that side's water down. */
#ifndef BED_BELOW_SIDES
#define BED_BELOW_SIDES 0
#endif

/* How far the surface of cell c, which stands `above` the water of the cell beside it, may lean towards the bed
 * at the face to that cell: as far as it stands above, plus u^2 / g, the rise that the momentum of the water
 * there can climb. That is zero at rest, and too small near rest to feed disturbances (with the difference of
 * levels where c is the lower one, disturbances grow). Towards a higher dry cell there is no room, and a dry
 * cell keeps out water that stands below its middle. */
FN real room_to_lean(struct cell c, struct cell beside, real above, const struct physics p)
{
    const real over = positive(above), climb = square(beside.n) / p.g;
    const int flows = !no_water(c, p) && (over > REAL(0) || !no_water(beside, p));
    return over + (flows ? climb : REAL(0));
}

/* The half slope that replaces d in a cell of depth h whose surface leaves a face less than h/2. The result, d
 * and `bed`, the rise of the bed, are all towards that face.
 *
 * Where the bed falls to that face the surface falls more steeply still, because slopes across a kink of the
 * bed are means of both sides' slopes. A film would keep its water until it is as deep as the difference; but
 * water flows down. So where the bed falls further than that, the face sees as much water as the cell has, and
 * never less than h/2.
 *
 * Where the bed rises to the face and the surface would cut it, the surface tilts as in Kurganov and Petrova
 * 2007, eq. 2.15, as far as there is room. The water of a shore's cell, spread over its bed, goes up and down
 * the slope; with Audusse et al. 2004 it has to fill the cell to its middle. Water that stands so far `above`
 * the water below it that it is a film on a slope becomes parallel to its bed. */
FN real tilted_towards(real d, real h, real bed, real above, real room)
{
    const real lacks = bed - d, wedge = bed - h, cut = lacks - h;
    const real down = wedge + max2(-cut, min2(h, min2(lacks, -bed)));
    const real up = max2(d, max2(min2(wedge, room), min2(wedge + min2(cut, h), above)));
    return bed > REAL(0) ? (cut > REAL(0) ? up : d) : down;
}

/* Half slope d of the surface of a cell, tilted where that matters. At most one face gets so little depth,
 * because the cell has water. */
FN real tilted(real d, real h, const struct three s, const struct physics p)
{
    const real rise = REAL(0.5) * (s.high - s.low), more = d - rise;
    if (!ANY_OF_WARP(abs1(more) > REAL(0.5) * h))
        return d;
    const int at_high = more < REAL(0);
    struct cell beside;
    beside.eta = at_high ? s.before.eta : s.after.eta;
    beside.floor = at_high ? s.before.floor : s.after.floor;
    beside.n = at_high ? s.before.n : s.after.n;
    const real above = at_high ? s.rise_to : -s.rise_from;
    const real room = room_to_lean(s.here, beside, above, p);
    const real towards = tilted_towards(at_high ? d : -d, h, at_high ? rise : -rise, above, room);
    return at_high ? towards : -towards;
}

/* At a shore. The depth is the level less the bed, at least zero and at most twice the cell's; the bed at the
 * face is the level less that depth, so that water at rest has no slope anywhere. */
FN struct surface surface_at_shore(struct surface open, const struct three s,
                                   const struct physics p)
{
    const struct cell c = s.here;
    const real h = c.eta - c.floor, least = least_depth(c, p), d = tilted(open.to_high, h, s, p);
    const real dh = min2(max2(d - REAL(0.5) * (s.high - s.low), -h), h);
    struct surface w =
        surface_of(-d, d, depth_or_none(h - dh, least), depth_or_none(h + dh, least));
    /* A dry cell keeps out water to the bit. */
    const int keeps_out = no_water(c, p);
    if (SELDOM(keeps_out)) {
        w.to_low = keeps_out ? max2(w.to_low, min2(-s.rise_to, REAL(0))) : w.to_low;
        w.to_high = keeps_out ? max2(w.to_high, min2(s.rise_from, REAL(0))) : w.to_high;
    }
    return w;
}

/* A side above a bed that is raised to `bed`, or unchanged if `bed` is lower. */
FN struct side raised(struct side s, real bed)
{
    s.b = BED_BELOW_SIDES ? max2(bed, s.w - s.h) : bed;
    s.h = max2(s.w - s.b, REAL(0));
    s.w = max2(s.w, s.b);
    return s;
}

/* The force that pulls water of depth h, as deep as h_face at the face, down from its bed to that of the face:
 * g times depth times fall (Chen and Noelle 2017). */
FN real pull(struct side s, struct side at_face, real bed, real g)
{
    return (REAL(0.5) * g) * ((s.h + at_face.h) * positive(at_face.b - bed));
}

/* Both sides as the step lets them see each other, and the flux between these. `rest_l`, `rest_r`: levels at
 * rest of the two cells. All levels are relative to the higher of these, so that rounding does not depend on
 * how high the ground is. */
FN struct flux flux_between(struct side l, struct side r, real rest_l, real rest_r, real g)
{
    const real rest = max2(rest_l, rest_r);
    struct side from, to;
    struct flux f;
    real bed;
    l.w = (rest_l - rest) + l.w;
    r.w = (rest_r - rest) + r.w;
    l.b = l.w - l.h;
    r.b = r.w - r.h;
    bed = RECONSTRUCTION(l, r);
    from = raised(l, bed);
    to = raised(r, bed);
    f = flux_less_pressure(from, to, g);
#if BED_BELOW_SIDES && !BED_IN_FLUX
    if (SELDOM(from.b > bed || to.b > bed)) {
        f.n_after = f.n_after - pull(r, to, bed, g);
        f.n = f.n - pull(l, from, bed, g);
    }
#endif
    return f;
}

#endif
