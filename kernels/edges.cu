/* Fills the ghost cells outside edges that have segments of different kinds or impose values.
 *
 * The values hold at the edge's face, not in a ghost cell. A depth, a level or a state is the value that the
 * reconstruction gives at the face of the ghost cells there (see `through_face`). A discharge is the flux
 * through the face: the first ghost cell gets the discharge with which the numerical flux, whichever it is,
 * equals the given one (see `solved`). Of a wave the incoming part is given, and the outgoing part comes from
 * the cell inside. The bed outside is level and continues that of the edge (core/problem/initial_state.c). */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "num/face.h"

#include "ghosts.h"

NO_TILES;

#define UNIT REAL(PRECISION == 64 ? 0x1p-53 : 0x1p-24) /* rounding unit */

/* Two cells inside an edge and two outside, the nearer ones first, with discharges: `n` is that across the
 * edge. Beds lie at the faces between the inner cells, at the edge and between the outer cells. Levels and
 * these beds are relative to `rest`, the level at rest of the edge's own cell, so that rounding does not depend
 * on how high the ground is. */
struct stretch {
    struct cell inner[2], ghost[2];
    real rest;
    real bed_inner, bed, bed_outer;
    real in; /* 1 where the axis points into the domain, else -1 */
};

/* The surface level in a cell. */
FN real level_in(const struct stretch *s, struct cell c)
{
    return c.eta + (c.rest - s->rest);
}

FN real depth_in(struct cell c)
{
    return c.eta - c.floor;
}

/* Fills or empties a cell to a level, but not below its bed. */
FN void set_level(const struct stretch *s, struct cell *c, real level)
{
    c->eta = max2(level - (c->rest - s->rest), c->floor);
}

/* The bed at the middle of a face, `outwards` cells from the edge. */
FN real bed_across(const real *bed, long pitch, const struct place p, int outwards)
{
    const long b = p.bed + (p.low ? outwards : outwards + 1) * p.bed_out; /* the cell's own corner is the lower one */
    return bed_at_face(bed[b], bed[b + (p.vertical != TRANSPOSED ? pitch : 1)]);
}

FN struct cell cell_inside(const struct edges_args a, const struct place p, int inwards)
{
    const long k = p.last - inwards * p.out;
    const real across = p.vertical ? a.q.hu[k] : a.q.hv[k];
    const real along = p.vertical ? a.q.hv[k] : a.q.hu[k];
    return cell_on(a.q.eta[k], across, along,
                   bed_beside(a.ground.centre, p, -inwards), a.p);
}

/* With only one cell between the edges that cell also stands in for the second one. */
FN struct stretch stretch_at(const struct edges_args a, const struct place p)
{
    const real *bed = a.ground.corner;
    struct stretch s;
    for (int k = 0; k < 2; k++) {
        s.inner[k] = cell_inside(a, p, p.n > 1 ? k : 0);
        s.ghost[k] = cell_on(REAL(0), s.inner[0].n, s.inner[0].t,
                             bed_beside(a.ground.centre, p, k + 1), a.p);
    }
    s.rest = s.inner[0].rest;
    s.bed_inner = bed_across(bed, a.bed_pitch, p, -1) - s.rest;
    s.bed = bed_across(bed, a.bed_pitch, p, 0) - s.rest;
    s.bed_outer = bed_across(bed, a.bed_pitch, p, 1) - s.rest;
    s.in = p.low ? REAL(1) : REAL(-1);
    return s;
}

/* What the edge imposes at its face: a level, discharges across and along it. */
struct face {
    real level, n, t;
};

/* The inverse of limited_part. */
FN real turned_back(real x, real part)
{
#if STEPPED_BED
    return part > REAL(0) ? x / part : REAL(0);
#else
    (void)part;
    return x;
#endif
}

/* The value k and a half cells outside, on the line from `inner` through `face`; without a line, the value at
 * the face in the first ghost cell and that of the cell inside in the second. */
FN real outside(real inner, real face, int k, int line)
{
    const real step = face - inner;
    const real first = face + (line ? step : REAL(0));
    return k == 0 ? first : line ? first + REAL(2) * step : inner;
}

/* Sets ghost cells such that the reconstruction gives `face` at the face of the first one, with every
 * limiter. Where they lie on a line with the cell inside, the differences on both sides are equal, and the
 * limiter gives exactly this value if it is exact on lines, as all second-order ones are: the cell inside
 * sees the flow continue, at second order. With other limiters, beside a dry cell, which has no surface, and
 * where a line would leave a ghost cell too little water, the first ghost cell has the value of the face and the
 * second that of the cell inside: their differences are opposite, so every limiter gives zero slope. Where the water
 * inside stands below the bed at the edge the second one is as full as the first: without water it could not have the
 * velocity inside. */
FN void through_face(struct stretch *s, struct face face, const struct physics p)
{
    const struct cell inner = s->inner[0];
    const int exact_on_lines = LIMITER(REAL(1), REAL(1), p.theta) == REAL(1);
    const real level = level_in(s, inner), depth = face.level - s->bed, step = face.level - level;
    const int line = exact_on_lines && !no_water(inner, p) && REAL(3) * abs1(step) <= depth;
    const int sunk = level - s->bed < p.dry;
    const real part = limited_part(depth_in(inner), p), face_part = limited_part(depth, p);
    for (int k = 0; k < 2; k++) {
        struct cell *g = &s->ghost[k];
        set_level(s, g, outside(sunk ? face.level : level, face.level, k, line));
        const real own = limited_part(depth_in(*g), p);
        g->n = turned_back(outside(part * inner.n, face_part * face.n, k, line), own);
        g->t = turned_back(outside(part * inner.t, face_part * face.t, k, line), own);
    }
}

/* Three cells from the outside inwards, and the beds at the faces of the middle one, in the order of the
 * axis. */
FN struct three line_through(const struct stretch *s, struct cell outer, struct cell here,
                             struct cell inner, real bed_outer, real bed_inner, const struct physics p)
{
    const int low = s->in > REAL(0);
    const struct cell before = limited(low ? outer : inner, p), after = limited(low ? inner : outer, p);
    return three_cells(before, limited(here, p), after, rise_between(before, here),
                       rise_between(here, after), s->rest + (low ? bed_outer : bed_inner),
                       s->rest + (low ? bed_inner : bed_outer));
}

/* The flux of mass through the edge's face where the first ghost cell has the discharge n. */
FN real through(struct stretch s, real n, const struct physics p)
{
    const int low = s.in > REAL(0);
    s.ghost[0].n = n;
    const struct halves out = reconstructed(line_through(&s, s.ghost[1], s.ghost[0], s.inner[0],
                                                         s.bed_outer, s.bed, p), p);
    const struct halves own = reconstructed(line_through(&s, s.ghost[0], s.inner[0], s.inner[1],
                                                         s.bed, s.bed_inner, p), p);
    const struct side l = low ? out.high : own.high, r = low ? own.low : out.low;
    const real rest_l = low ? s.ghost[0].rest : s.rest, rest_r = low ? s.rest : s.ghost[0].rest;
    return flux_between(l, r, rest_l, rest_r, p.g).h;
}

/* Bounds of the search for a discharge, inwards (most) and outwards (least), and the rounding error of a flux
 * that is a sum of larger terms. */
struct bounds {
    real most, least, rounding;
};

/* The discharge of the first ghost cell with which `wanted` crosses the face: the flux grows with it. Takes
 * secant steps, and bisects the bracket where a step leaves it; stops when the error is the rounding error of
 * `wanted`, or that of the flux and no longer falls. If the bounds do not bracket it, returns one of them. */
FN real solved(const struct stretch s, real wanted, const struct bounds b, const struct physics p)
{
    enum { STEPS = 24 };
    const real close = REAL(4) * UNIT * max2(abs1(wanted), abs1(s.inner[0].n));
    real low = s.in > REAL(0) ? -b.least : -b.most, high = s.in > REAL(0) ? b.most : b.least;
    real n = min2(max2(wanted, low), high), miss = wanted - through(s, n, p);
    real best = n, least = abs1(miss), step = REAL(1.5) * miss;
    UNROLL(1)
    for (int k = 0; k < STEPS && least > close; k++) {
        const real before = miss;
        real next = n + step;
        if (miss > REAL(0))
            low = n;
        else
            high = n;
        if (!(next > low && next < high))
            next = REAL(0.5) * (low + high);
        step = next - n;
        n = next;
        miss = wanted - through(s, n, p);
        step = miss * (step / (before - miss));
        if (abs1(miss) >= least && least <= b.rounding)
            break;
        best = abs1(miss) < least ? n : best;
        least = min2(abs1(miss), least);
    }
    return best;
}

/* The smaller of two differences, zero where they differ in sign. */
FN real lesser(real a, real b)
{
    return a * b <= REAL(0) ? REAL(0) : abs1(a) < abs1(b) ? a : b;
}

/* The level at the edge's face where only the discharge is given: it continues that inside, but no steeper than
 * the bed falls. At rest it is level, also beside a shore, and in a uniform flow down a slope the depth is that
 * of the cell. */
FN real level_beside(const struct stretch *s, const struct physics p)
{
    const real up = no_water(s->inner[1], p) ? REAL(0) : rise_between(s->inner[0], s->inner[1]);
    const real level = s->inner[0].eta - REAL(0.5) * lesser(up, s->bed_inner - s->bed);
    return no_water(s->inner[0], p) ? s->bed : max2(level, s->bed);
}

/* Ratio of the discharge that a cell must have to the one that is to cross a face with this depth, where water
 * is so thin that its desingularised velocity is less than discharge over depth; 1 elsewhere. */
FN real thinned(real depth, const struct physics p)
{
    const real share = depth * inverse_depth(depth, p.kappa4);
    return square(square(depth)) < p.kappa4 && share > REAL(0) ? REAL(1) / share : REAL(1);
}

/* The level above which the ghost cell has water that enters the cell inside. Where the edge's segments differ the ghost
 * cell's middle may lie above the face; and over a bed with steps a dry cell keeps out what stands below its own middle. */
FN real sill_of(const struct stretch *s)
{
    const real ghost = s->ghost[0].floor + (s->ghost[0].rest - s->rest);
    const real sill = max2(s->bed, ghost);
    return STEPPED_BED ? max2(sill, s->inner[0].floor) : sill;
}

/* Sets the ghost cells for a discharge across the face at that level, and bounds the search for that of the first. */
FN struct bounds ghosts_at(struct stretch *s, struct face face, const struct physics p)
{
    const real depth = face.level - s->bed, own = s->inner[0].n;
    const real critical = depth * celerity(depth, p.g);
    struct bounds b;
    through_face(s, face, p);
    b.most = REAL(4) * (abs1(face.n) * thinned(depth, p) + abs1(own) + critical);
    b.least = s->in * face.n < REAL(0) ? critical : REAL(64) * b.most;
    b.rounding = REAL(64) * UNIT * b.most;
    s->ghost[1].n = own;
    return b;
}

/* A discharge that enters at less than its critical depth gets the critical depth: otherwise a dry channel
 * would stay dry. Over rough ground the surface may lean so far down towards the face that too little crosses it: then
 * the water stands twice as high, and so on. Inflow enters normal to the edge; outflow keeps its discharge along the
 * edge, and is critical at most. Where the water inside runs away faster than its waves, the ghost cell must flow
 * outwards, often many times faster than the discharges here, or more follows than the edge imposes. */
FN void impose_discharge(struct stretch *s, real wanted, const struct physics p)
{
    enum { RAISES = 8 };
    const int enters = s->in * wanted > REAL(0);
    const real least = enters ? cube_root(square(wanted) / p.g) : REAL(0);
    const real sill = enters ? sill_of(s) : s->bed;
    struct face face;
    face.level = level_beside(s, p);
    face.level = face.level - sill < least ? sill + least : face.level;
    face.n = wanted;
    face.t = enters ? REAL(0) : s->inner[0].t;
    struct bounds b = ghosts_at(s, face, p);
    UNROLL(1)
    for (int k = 0; k < RAISES && enters && s->in * through(*s, s->in * b.most, p) < abs1(wanted);
         k++) {
        face.level = sill + REAL(2) * (face.level - sill);
        b = ghosts_at(s, face, p);
    }
    s->ghost[0].n = solved(*s, wanted, b, p);
}

/* Repeats the cell inside. */
FN void leave_open(struct stretch *s)
{
    for (int k = 0; k < 2; k++)
        set_level(s, &s->ghost[k], s->inner[0].eta);
}

/* With u the velocity inwards, signals cross the face at u - c, u and u + c. While |u| < c only that at u - c comes
 * from inside across the edge: it brings the discharge. Where the water inside leaves faster than its waves (u < -c) all
 * come from inside: the edge is open. Where it enters that fast (u > c) none does: a discharge copied from the cell
 * would come back to it and grow without bound. The flow at the face is then critical, the limit of the flows that
 * signals from inside still reach.
 *
 * Where the face is shallower than the cell the discharge inside would be a faster flow there. Water would come back
 * faster than it was, and a weak eddy beside the edge would grow into a torrent: so no velocity at the face is larger than
 * that inside, except outwards, where it is critical at most, as over a fall. */
FN void impose_level(struct stretch *s, real level, const struct physics p)
{
    const struct cell inner = s->inner[0];
    const real inside = depth_in(inner), c = celerity(inside, p.g);
    const real u = s->in * inner.n * inverse_depth(inside, p.kappa4);
    struct face face;
    if (-u > c) {
        leave_open(s);
        return;
    }
    face.level = max2(level, s->bed);
    const real depth = face.level - s->bed, critical = depth * celerity(depth, p.g);
    const real share = depth < inside ? depth * inverse_depth(inside, p.kappa4) : REAL(1);
    const real inwards = s->in * inner.n, kept = inwards > REAL(0) ? share * inwards : inwards;
    face.n = s->in * (u > c ? critical : min2(max2(kept, -critical), critical));
    face.t = share * inner.t;
    through_face(s, face, p);
}

/* How much faster waves are over the depth d + rise than over d, where their celerity is c: computed as a
 * small number, not as a difference of large ones. */
FN real faster_by(real rise, real d, real c, real g)
{
    const real sum = c + celerity(max2(d + rise, REAL(0)), g);
    return sum > REAL(0) ? g * max2(rise, -d) * inverse(sum) : REAL(0);
}

/* A wave of the height `rise` over still water of the depth d that moves only inwards has u - 2 c = -2 c0,
 * with c0 the celerity of still water: so u = 2 a, where its own celerity is c0 + a. It carries u + 2 c = 4 a
 * + 2 c0 inwards through the face; the water inside, whose surface has the celerity c0 + b and whose velocity
 * is v, carries v - 2 b - 2 c0 outwards. Both together give the face's celerity c0 + e and its velocity:
 *
 *     e = a + b/2 - v/4,   u = 2 a + v/2 - b,   depth = d + e (2 c0 + e) / g.
 *
 * Still water stays at rest to the bit, and a wave from inside, for which v = -2 b, leaves as if the water
 * continued. Where the wave enters faster than waves move (a > c0), or meets a dry edge, it alone determines
 * the face; where water leaves that fast the edge is open. Where the ground lies above still water nothing
 * enters: the edge is open to outflow, otherwise a wall. */
FN void impose_wave(struct stretch *s, real rise, real calm, const struct physics p)
{
    const struct cell inner = s->inner[0];
    const real d = calm - s->bed, c0 = celerity(max2(d, REAL(0)), p.g);
    const real v = s->in * inner.n * inverse_depth(depth_in(inner), p.kappa4);
    const int ashore = d < p.dry;
    if (ashore || -v > celerity(depth_in(inner), p.g)) {
        leave_open(s);
        for (int k = 0; k < 2 && ashore && v > REAL(0); k++)
            s->ghost[k].n = -inner.n;
        return;
    }
    const real a = faster_by(rise, d, c0, p.g);
    const real b = faster_by(level_in(s, inner) - calm, d, c0, p.g);
    const int alone = a > c0 || no_water(inner, p);
    const real e = alone ? a : max2(a + REAL(0.5) * b - REAL(0.25) * v, -c0);
    const real u = !alone ? REAL(2) * a + REAL(0.5) * v - b : max2(REAL(2) * a, REAL(0));
    const real higher = e * (REAL(2) * c0 + e) / p.g;
    struct face face;
    face.level = calm + higher;
    face.n = s->in * u * max2(d + higher, REAL(0));
    face.t = u > REAL(0) ? REAL(0) : inner.t;
    through_face(s, face, p);
}

FN void impose(struct stretch *s, int kind, const real *given, const struct physics p)
{
    struct face face;
    if (kind == WAVE) {
        impose_wave(s, given[GIVEN_H], given[GIVEN_CALM] + (p.still - s->rest), p);
    } else if (kind == DISCHARGE) {
        impose_discharge(s, given[GIVEN_ACROSS], p);
    } else if (kind == STATE) {
        face.level = s->bed + given[GIVEN_H];
        face.n = given[GIVEN_ACROSS];
        face.t = given[GIVEN_ALONG];
        through_face(s, face, p);
    } else {
        const real level = given[GIVEN_H];
        impose_level(s, kind == DEPTH ? s->bed + level : level + (p.still - s->rest), p);
    }
}

KERNEL(edges, struct edges_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        if (is_absent(a.where, X0 + i))
            continue;
        const struct place here = place_on_rim(X0 + i, a.nx, a.ny, a.pitch, a.bed_pitch, a.where);
        const int segment = a.segment[here.edge][here.s], kind = a.kind[segment];
        if (kind == NEIGHBOUR)
            continue;
        if (kind <= PERIODIC) {
            copy_ghosts(a.q, a.ground.centre, here, kind, a.p.still);
#ifdef WITH_TRACER
            copy_unknown(a.carried.from, here, kind, REAL(1));
#endif /* WITH_TRACER */
            continue;
        }
        struct stretch s = stretch_at(a, here);
        impose(&s, kind, a.given + segment * GIVENS, a.p);
        for (int k = 0; k < 2; k++) {
            const long to = here.last + (k + 1) * here.out;
            a.q.eta[to] = s.ghost[k].eta;
            a.q.hu[to] = here.vertical ? s.ghost[k].n : s.ghost[k].t;
            a.q.hv[to] = here.vertical ? s.ghost[k].t : s.ghost[k].n;
#ifdef WITH_TRACER
            a.carried.from[to] = a.carried.given[segment];
#endif /* WITH_TRACER */
        }
    }
}
