/* Which rows are known to have water in all cells, for the tracer in a one-pass substep (fused_tracer.h). There its
 * code needs no conditions. */
#ifndef SHOAL_FUSED_WET_H
#define SHOAL_FUSED_WET_H

/* Not even a film. */
FN int no_depth(struct cell c)
{
    return !(c.eta - c.floor > REAL(0));
}

#if ASKS_CENTRES
#define DYE_CENTRE(WHERE, m, k) CENTRE(WHERE, m, k)
#define LOOK_UP_CENTRES(m, ask) ((void)0)
#define LOOK_AHEAD(warp, m, a)  ((void)0)
#else
#define DYE_CENTRE(WHERE, m, k) WHERE((m)->centre##k)
#define LOOK_UP_CENTRES(m, ask) look_up_centres(m, ask)
#define LOOK_AHEAD(warp, m, a)  look_ahead(warp, m, a)

FN void look_up_centres(struct march *m, int ask)
{
    const real *const centre = m->args->ground.centre + OFFSET(m);
    if (!ask)
        return;
    LOAD_OWN(m->centre0, centre - HALO * m->args->pitch, m->w);
    LOAD_OWN(m->centre2, centre, m->w);
}

/* The corners of row r + 1, one more than columns. Loading them again with their row costs less than keeping them,
 * which takes registers and moves. */
FN void look_ahead(const struct warp warp, struct march *m, const struct fused_args *a)
{
    const real *const north = a->ground.corner + OFFSET(m) + a->pitch;
    row corners;
    LOAD_OWN(corners, north, m->w);
    m->top = north[COLUMNS];
    FOR_COLUMNS
    {
        m->top = max2(m->top, HERE(corners));
    }
}
#endif

/* Whether the cell of column c in row k has water. */
#define WET(WHERE, m, k, p) \
    (!no_depth(cell_on(WHERE(ROW(m, eta, k)), REAL(0), REAL(0), DYE_CENTRE(WHERE, m, k), p)))

/* Looks at the cells of row r: `scant`. The bed at a centre is the mean of four corners, the highest of which are
 * `south` and `top`. */
FN void note_scant(const struct warp warp, struct march *m, const struct physics p, real south)
{
#if ASKS_CENTRES
    int scant = 0;
    (void)south;
#if WHOLE_ROWS
    FOR_COLUMNS
#else /* beyond them are no cells */
    FOR_INNER(0, m->w + 2 * HALO)
#endif
    {
        scant |= !WET(HERE, m, 2, p);
    }
#else
    real lowest = REAL(1e30);
    FOR_COLUMNS
    {
        lowest = min2(lowest, HERE(ROW(m, eta, 2)));
    }
    const int scant = !(lowest - (max2(south, m->top) - p.still) > p.dry);
#endif
    m->scant = m->scant << 1 | (unsigned)scant;
}

/* Whether code for row r - 1 along y must be careful for the sake of this thread's columns. Along x it is where a cell
 * is at a shore, as those without water are. Rows that are not loaded as a whole have just come in. */
FN int scant_north(const struct warp warp, struct march *m, const struct physics p)
{
    if (!WHOLE_ROWS)
        note_scant(warp, m, p, REAL(0));
    return (m->scant & 5) != 0;
}

/* Before the first row. */
FN void begin_dyes(const struct warp warp, struct march *m, const struct fused_args *a)
{
    m->scant = 0;
    m->clips = 0;
    m->args = a;
    LOOK_AHEAD(warp, m, a);
}

#endif
