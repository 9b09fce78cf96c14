/* The tracer in a one-pass substep (fused.cu), by the numerics of num/tracer.h: c at the faces, its change,
 * the flow through the edges, and the amount that clipping adds. fused.cu includes it once its rows and the
 * cells in them are defined. */
#ifndef SHOAL_FUSED_TRACER_H
#define SHOAL_FUSED_TRACER_H

#define WET(WHERE, m, k, p) (!no_depth(CELL_LEVEL(WHERE, m, k, p)))

/* Not even a film. */
FN int no_depth(struct cell c)
{
    return !(c.eta - c.floor > REAL(0));
}

/* c at the faces along y of row r - 1, whose depths are `ends`. With `flux`, also what the fluxes along y
 * change in row r - 2: `north` is the flux between the two rows, `south` that on the other side. */
#define DYE_NORTH(m, p, ends, flux, south, north)                                                  \
    do {                                                                                           \
        const struct dyes d = dyes_of(HERE(ROW(m, dye, 0)), HERE(ROW(m, dye, 1)),                  \
                                      HERE(ROW(m, dye, 2)), WET(HERE, m, 0, p),                    \
                                      WET(HERE, m, 2, p), (ends).low.h, (ends).high.h, (p).theta); \
        const real was = HERE((m)->north_dye), came = HERE((m)->north_flow);                       \
        HERE((m)->north_dye) = d.high;                                                             \
        if (flux) {                                                                                \
            const real crosses = dye_through(north, was, d.low);                                   \
            HERE((m)->east_flow) =                                                                 \
                dye_change(dye_faces(south, came, north, crosses), HERE(ROW(m, dye, 0)),           \
                           WET(HERE, m, 0, p), (p).inv_dy);                                        \
            HERE((m)->north_flow) = crosses;                                                       \
        }                                                                                          \
    } while (0)

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
#define DYE_AFTER(m, a, k, first, state, rate, ground, depth, forced)                            \
    do {                                                                                         \
        const real dye = HERE(ROW(m, dye, 0));                                                   \
        struct dye_before s;                                                                     \
        s.h = (state).eta - (ground), s.c = dye;                                                 \
        s.base_h = (first).eta - (ground);                                                       \
        s.base = SUBSTEP == 0 ? dye : GET((m)->base_dye, (a)->carried.base + (k));               \
        const int wet = s.h > REAL(0);                                                           \
        const real x = (HERE((m)->fw) - EAST_OF((m)->fw)) * (a)->p.inv_dx;                       \
        const real y = HERE((m)->yw) * (a)->p.inv_dy;                                            \
        const real along_x = dye_change(dye_faces(HERE((m)->fw), HERE((m)->west_flow),           \
                                                  EAST_OF((m)->fw), EAST_OF((m)->west_flow)),    \
                                        dye, wet, (a)->p.inv_dx);                                \
        real change = dye_changes(along_x, HERE((m)->east_flow), wet, x, y);                     \
        if (forced)                                                                              \
            change =                                                                             \
                dye_diluted(change, dye, wet, x + y, GET((m)->force_eta, (a)->force.eta + (k))); \
        const real after = dye_after(s, change, (rate).eta, depth,                               \
                                     SUBSTEP == 0 ? REAL(0) : REAL(0.5), (m)->by.dt);            \
        PUT((a)->carried.to + (k), (m)->new_dye, (m)->w, after);                                 \
    } while (0)

/* h c that clipping adds. Counting is rare. */
FN void count_dye(const struct warp warp, struct march *m, const struct fused_args *a, long k)
{
    const real units = a->p.units * a->p.weight * (real)a->carried.scale;
    int changed = 0;
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
