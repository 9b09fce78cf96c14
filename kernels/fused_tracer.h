/* The tracer in a one-pass substep (fused.cu), by the numerics of num/tracer.h: c at the faces, its change,
 * the flow through the edges, and the amount that clipping adds. fused.cu includes it once its rows and the
 * cells in them are defined. */
#ifndef SHOAL_FUSED_TRACER_H
#define SHOAL_FUSED_TRACER_H

/* c at the faces of a cell whose depths are `ends`; careful: it or a cell beside it may have no water. WEST and EAST:
 * where those beside it are, in rows k and l. */
#define DYES(m, p, ends, careful, WEST, k, i, EAST, l)                                             \
    (careful                                                                                       \
         ? dyes_of(WEST(ROW(m, dye, k)), HERE(ROW(m, dye, i)), EAST(ROW(m, dye, l)),               \
                   WET(WEST, m, k, p), WET(EAST, m, l, p), (ends).low.h, (ends).high.h, (p).theta) \
         : dyes_in_open_water(WEST(ROW(m, dye, k)), HERE(ROW(m, dye, i)), EAST(ROW(m, dye, l)),    \
                              (ends).low.h, (ends).high.h, (p).theta))

/* c at the faces along y of row r - 1, whose depths are `ends`. With `flux`, also what the fluxes along y
 * change in row r - 2: `north` is the flux between the two rows, `south` that on the other side. */
#define DYE_NORTH(m, p, ends, careful, flux, south, north)                               \
    do {                                                                                 \
        const struct dyes d = DYES(m, p, ends, careful, HERE, 0, 1, HERE, 2);            \
        const real was = HERE((m)->north_dye), came = HERE((m)->north_flow);             \
        HERE((m)->north_dye) = d.high;                                                   \
        if (flux) {                                                                      \
            const real crosses = dye_through(north, was, d.low);                         \
            HERE((m)->east_flow) =                                                       \
                dye_change(dye_faces(south, came, north, crosses), HERE(ROW(m, dye, 0)), \
                           !(careful) || WET(HERE, m, 0, p), (p).inv_dy);                \
            HERE((m)->north_flow) = crosses;                                             \
        }                                                                                \
    } while (0)

/* c at the faces along x of row r - 2. */
#define DYE_EAST(m, p, ends, careful)                                               \
    do {                                                                            \
        const struct dyes d = DYES(m, p, ends, careful, WEST_OF, 0, 0, EAST_OF, 0); \
        HERE((m)->west_dye) = d.low;                                                \
        HERE((m)->east_dye) = d.high;                                               \
    } while (0)

/* What both fluxes change in row r - 2, to east_flow. A cell without water gets the c of its inflow, from which
 * nothing changes it. */
FN void change_dyes(const struct warp warp, struct march *m, const struct physics p, int careful)
{
    FOR_COLUMNS
    {
        const int wet = !careful || WET(HERE, m, 0, p);
        const real x = (HERE(m->fw) - EAST_OF(m->fw)) * p.inv_dx, y = HERE(m->yw) * p.inv_dy;
        const real dye = HERE(ROW(m, dye, 0));
        const real along_x = dye_change(
            dye_faces(HERE(m->fw), HERE(m->west_flow), EAST_OF(m->fw), EAST_OF(m->west_flow)), dye,
            wet, p.inv_dx);
        const real change = dye_changes(along_x, HERE(m->east_flow), wet, x, y);
        HERE(m->east_flow) = wet ? change : REAL(0);
        HERE(ROW(m, dye, 0)) = wet ? dye : change;
    }
}

/* DYE_NORTH where rows r - 2 to r have no water, before nothing_north. */
FN void no_dye_north(const struct warp warp, struct march *m, const struct physics p)
{
    FOR_COLUMNS
    {
        HERE(m->east_flow) =
            dye_change(dye_faces(HERE(m->gw), HERE(m->north_flow), REAL(0), REAL(0)),
                       HERE(ROW(m, dye, 0)), WET(HERE, m, 0, p), p.inv_dy);
        HERE(m->north_dye) = HERE(m->north_flow) = REAL(0);
    }
}

/* keep_rims, for the tracer. */
FN void keep_dyes(const struct warp warp, struct march *m, const struct fused_args *a, int r)
{
    const int row = r - HALO;
    real *const *rim = a->carried.rim;
    if (!m->rims || !rim[WEST])
        return;
    if (m->x == 0 && row >= 0)
        FOR_INNER(HALO, 1)
        {
            keep(&rim[WEST][m->y + row], HERE(m->fw) * HERE(m->west_flow), SUBSTEP);
        }
    if (m->x + m->w == a->span.nx && row >= 0)
        FOR_INNER(HALO + m->w, 1)
        {
            keep(&rim[EAST][m->y + row], HERE(m->fw) * HERE(m->west_flow), SUBSTEP);
        }
    if (m->y == 0 && row == -1)
        FOR_INNER(HALO, m->w)
        {
            keep(&rim[SOUTH][m->x + COLUMN - HALO], HERE(m->gw) * HERE(m->north_flow), SUBSTEP);
        }
    if (m->y + m->h == a->span.ny && row == m->h - 1)
        FOR_INNER(HALO, m->w)
        {
            keep(&rim[NORTH][m->x + COLUMN - HALO], HERE(m->gw) * HERE(m->north_flow), SUBSTEP);
        }
}

/* c of a cell of row r - 2 after the substep, which left it the depth h. */
#define DYE_AFTER(m, a, k, first, state, rate, ground, depth, forced)                    \
    do {                                                                                 \
        real change = HERE((m)->east_flow);                                              \
        struct dye_before s;                                                             \
        s.h = (state).eta - (ground), s.c = HERE(ROW(m, dye, 0));                        \
        s.base_h = (first).eta - (ground);                                               \
        s.base = SUBSTEP == 0 ? s.c : GET((m)->base_dye, (a)->carried.base + (k));       \
        if (forced) {                                                                    \
            const int wet = s.h > REAL(0);                                               \
            const real fills = (HERE((m)->fw) - EAST_OF((m)->fw)) * (a)->p.inv_dx +      \
                               HERE((m)->yw) * (a)->p.inv_dy;                            \
            const real diluted = dye_diluted(wet ? change : s.c, s.c, wet, fills,        \
                                             GET((m)->force_eta, (a)->force.eta + (k))); \
            change = wet ? diluted : REAL(0);                                            \
            s.c = wet ? s.c : diluted;                                                   \
        }                                                                                \
        const real after = dye_advanced(s, change, (rate).eta, depth,                    \
                                        SUBSTEP == 0 ? REAL(0) : REAL(0.5), (m)->by.dt); \
        PUT((a)->carried.to + (k), (m)->new_dye, (m)->w, after);                         \
    } while (0)

/* h c that clipping adds. Counting is rare. `noted`: `clips` tells whether there is any. */
FN void count_dye(const struct warp warp, struct march *m, const struct fused_args *a, long k,
                  int noted)
{
    const real units = a->p.units * a->p.weight * (real)a->carried.scale;
    int changed = m->clips;
    m->clips = 0;
    if (!noted)
        FOR_CELLS(m->w)
        {
            changed |= HERE(m->gained) != REAL(0);
        }
    if (changed)
        FOR_INNER(HALO, m->w)
        {
            COUNT(a->carried.clipped + (SUBSTEP == 0),
                  HERE(m->gained) * a->carried.to[k + COLUMN] * units);
        }
}

#endif
