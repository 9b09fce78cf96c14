/* Rows on a CPU. One loop over all that hancock.cu does with a row has hundreds of
 * instructions, each of which waits for others: a processor sees too few of them at once to begin the next columns
 * before these are finished. Here several loops share the work, and rows (ROWS_OF_LOOPS) hold what one leaves for the
 * next. The bits are those of one loop. */
#ifndef SHOAL_HANCOCK_LOOPS_H
#define SHOAL_HANCOCK_LOOPS_H

/* The surface of a cell of row r - 1 along x or y, from the search for shores. */
#define KEEP_OPEN(m, name, open)                                                  \
    (HERE((m)->name##_tilt) = (open).to_high, HERE((m)->name##_low) = (open).low, \
     HERE((m)->name##_high) = (open).high)
#define KEPT_OPEN(m, name)                                                             \
    surface_of(-HERE((m)->name##_tilt), HERE((m)->name##_tilt), HERE((m)->name##_low), \
               HERE((m)->name##_high))

/* The depth of the cell, from its ends in open water, or its level and bed. */
#define DEPTH_BETWEEN(m)  (REAL(0.5) * (HERE((m)->open_y_low) + HERE((m)->open_y_high)))
#define DEPTH_UNDER(m, p) (HERE(ROW(m, eta, 1)) - (BED(m, 1, 2) - rest_above(BED(m, 1, 2), p)))
#define OWN_DEPTH(m, careful, p) \
    (FEWER_OPERATIONS && !(careful) ? DEPTH_BETWEEN(m) : DEPTH_UNDER(m, p))

/* The ends of the cells, in rows. */
#define PUT_ENDS(m, x_low, x_high, y_low, y_high)            \
    do {                                                     \
        PUT_SIDE(m, west, x_low), PUT_SIDE(m, east, x_high); \
        PUT_SIDE(m, low, y_low), PUT_SIDE(m, high, y_high);  \
    } while (0)
#define ENDS_ALONG(m, low_name, high_name, open) \
    ends_of(SIDE(HERE, m, low_name), SIDE(HERE, m, high_name), HERE((m)->open##_tilt))

FN struct both_ends ends_of(struct side low, struct side high, real tilt)
{
    struct both_ends e;
    e.low = low;
    e.high = high;
    e.tilt = tilt;
    e.rise = tilt + tilt;
    e.across = REAL(0); /* only the half step asks for it */
    return e;
}

/* Announces rows that the march will need two rows later, numbers `first` to `last`, to be spread over the loops: the
 * processor stands still while more lines are under way than it has room for. */
enum { ROWS_AHEAD = 2 };
FN void expect_rows(const struct march *m, const struct hancock_args *a, int first, int last)
{
    const long in = m->offset + ROWS_AHEAD * a->pitch, out = in - HALO * a->pitch;
    const real *const rows[] = {
        a->q.eta + in,
        a->q.hu + in,
        a->q.hv + in,
        a->ground.corner + in,
        a->rates + in - a->pitch,
        a->to.eta + out,
        a->to.hu + out,
        a->to.hv + out,
        a->new_rates + out,
    };
    for (int k = first; k <= last; k++)
        expect_row(rows[k], m->w + 2 * HALO);
}

/* The ends of the cells of row r - 1 after half a step. `careful`: not all of the row is open water; `forced`: it has
 * forcing. */
FN void advance_ends(const struct warp warp, struct march *m, const struct hancock_args *a, int r,
                     int careful, int forced)
{
    const struct physics p = a->p;
    const long k = m->offset - a->pitch;
    const int inside = r > 0 && r <= m->h;
    FOR_COLUMNS
    {
        const struct surface open_x = KEPT_OPEN(m, open_x), open_y = KEPT_OPEN(m, open_y);
        const kept_bits kept = careful ? HERE(m->kept) : 0;
        const struct both_ends x =
            ends_from(open_x, ALONG_X(m, p), careful, (KEPT_ALONG_X & kept) != 0, p);
        const struct both_ends y =
            ends_from(open_y, ALONG_Y(m, p), careful, (KEPT_ALONG_Y & kept) != 0, p);
        const struct reach rx = reach_of(x, p.g), ry = reach_of(y, p.g);
        const int ashore = careful && (cuts_bed(open_x, p) | cuts_bed(open_y, p));
        const real h = OWN_DEPTH(m, careful, p);
        struct physics own = p;
        struct drive drive;
        OWN_ROUGHNESS(m, a, k, own);
        drive.h = ashore ? REAL(1) : h;
        drive.drag = drag_in(h, HERE(ROW(m, qx, 1)), HERE(ROW(m, qy, 1)), own);
        drive.force.eta = drive.force.hu = drive.force.hv = REAL(0);
        drive.forced = forced;
        if (forced) {
            drive.force.eta = GET(m->lead_eta, a->force.eta + k);
            drive.force.hu = GET(m->lead_hu, a->force.hu + k);
            drive.force.hv = GET(m->lead_hv, a->force.hv + k);
        }
        const struct increments half = half_step(x, y, drive, m->dt, m->lx, m->ly, p.g);
        const struct increments last = unpacked_rates(GET(m->last, a->rates + k));
        const struct increments all = bounded(as_changed(half, last, m->dt), x, y, rx, ry);
        const struct increments d = ashore ? no_increments() : all;
        if (careful)
            HERE(m->open_x_tilt) = x.tilt, HERE(m->open_y_tilt) = y.tilt;
        PUT_ENDS(m, moved(x.low, d.w, d.u, d.v), moved(x.high, d.w, d.u, d.v),
                 moved(y.low, d.w, d.v, d.u), moved(y.high, d.w, d.v, d.u));
        PUT_DRAG(m, drive.drag);
        HERE(m->fastest_x) = max_bits(HERE(m->fastest_x), WHERE_INSIDE(inside, bits_of(rx.speed)));
        HERE(m->fastest_y) = max_bits(HERE(m->fastest_y), bits_of(ry.speed));
    }
}

/* Their depths, such that no cell loses more water than it has. */
FN void limit_outflow(const struct warp warp, struct march *m, int careful, const struct physics p)
{
    FOR_COLUMNS
    {
        const struct both_ends x = ENDS_ALONG(m, west, east, open_x);
        const struct both_ends y = ENDS_ALONG(m, low, high, open_y);
        const real share = kept_share(x, y, OWN_DEPTH(m, careful, p), m->lx, m->ly);
        PUT_ENDS(m, with_less(x.low, share), with_less(x.high, share), with_less(y.low, share),
                 with_less(y.high, share));
    }
}

/* Ends that stay as they were, beside edges that impose numbers, in n columns from the first one on. */
FN void keep_ends(struct march *m, int first, int n, int careful, const struct physics p)
{
    FOR_INNER(first, n)
    {
        const kept_bits kept = HERE(m->kept);
        if (!kept)
            continue;
        const struct three along_x = ALONG_X(m, p), along_y = ALONG_Y(m, p);
        const struct both_ends x =
            ends_from(open_water(along_x, p), along_x, careful, (KEPT_ALONG_X & kept) != 0, p);
        const struct both_ends y =
            ends_from(open_water(along_y, p), along_y, careful, (KEPT_ALONG_Y & kept) != 0, p);
        if (keeps(kept, WEST_END, x.low.un, x.low.h, p.g))
            PUT_SIDE(m, west, x.low);
        if (keeps(kept, EAST_END, -x.high.un, x.high.h, p.g))
            PUT_SIDE(m, east, x.high);
        if (keeps(kept, SOUTH_END, y.low.un, y.low.h, p.g))
            PUT_SIDE(m, low, y.low);
        if (keeps(kept, NORTH_END, -y.high.un, y.high.h, p.g))
            PUT_SIDE(m, high, y.high);
    }
}

/* In a row beside an edge all columns may have some; in others those beside the western and eastern edges. */
FN void keep_ends_of_row(struct march *m, const struct hancock_args *a, int r, int careful)
{
    enum { BESIDE = HALO + 1 };
    const int n = m->w + 2 * HALO, j = m->y + r - 1;
    if (j <= 0 || j >= a->span.ny - 1) {
        keep_ends(m, 0, n, careful, a->p);
        return;
    }
    if (m->x <= 1)
        keep_ends(m, 0, BESIDE, careful, a->p);
    if (m->x + m->w >= a->span.nx - 1)
        keep_ends(m, n - BESIDE, BESIDE, careful, a->p);
}

/* What cross_north does. `forced`: the row has forcing. */
FN void cross_in_loops(const struct warp warp, struct march *m, const struct hancock_args *a, int r,
                       int careful, int forced)
{
    const struct physics p = a->p;
    if (m->imposing && !careful) /* those of the others are known */
        FIND_KEPT(m, a, r);
    expect_rows(m, a, 0, 1);
    advance_ends(warp, m, a, r, careful, forced);
    expect_rows(m, a, 2, 3);
    limit_outflow(warp, m, careful, p);
    if (m->imposing)
        keep_ends_of_row(m, a, r, careful);
    expect_rows(m, a, 4, 5);
    FOR_COLUMNS
    {
        const struct both_ends x = ENDS_ALONG(m, west, east, open_x);
        const struct both_ends y = ENDS_ALONG(m, low, high, open_y);
        const struct flux f =
            flux_between(SIDE(HERE, m, north), y.low, rest_above(CENTRE(HERE, m, 0), p),
                         rest_above(CENTRE(HERE, m, 1), p), p.g);
        PUT_SIDE(m, north, y.high);
        HERE(m->yw) = HERE(m->gw) - f.h, HERE(m->gw) = f.h;
        HERE(m->yhv) = (HERE(m->ghv) - f.n) + HERE(m->source_n), HERE(m->ghv) = f.n_after;
        HERE(m->yhu) = HERE(m->ghu) - f.t, HERE(m->ghu) = f.t;
        HERE(m->source_x) = source_within(x, p.g);
        HERE(m->source_n) = source_within(y, p.g);
    }
}

#endif
