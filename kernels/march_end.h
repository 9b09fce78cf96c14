/* Shared row finish of fused.cu and hancock.cu, and their flow through the domain's edges. Define before it:
 * struct march; FLOOR(m, p), the lowest level of the row's cell in the column of the loop; and DRIES_LATER:
 * whether the loop over a row leaves thin water as it is. */
#ifndef SHOAL_MARCH_END_H
#define SHOAL_MARCH_END_H

#ifdef WITH_TRACER
/* c asks only whether the new depth is positive. */
#if WHOLE_ROWS && !defined(TILED)
#undef DRIES_LATER
#define DRIES_LATER 1
#endif
#endif /* WITH_TRACER */

/* Where rows are moved as a whole, a vote finds the few with thin water. */
#if DRIES_LATER
FN void dry_row(const struct warp warp, struct march *m, const struct physics p)
{
    FOR_COLUMNS
    {
        struct state q;
        q.eta = HERE(m->new_eta), q.hu = HERE(m->new_hu), q.hv = HERE(m->new_hv);
        q = dried(q, FLOOR(m, p), p, &HERE(m->gained));
        HERE(m->new_eta) = q.eta, HERE(m->new_hu) = q.hu, HERE(m->new_hv) = q.hv;
#ifdef WITH_TRACER
        m->clips |= HERE(m->gained) != REAL(0);
#endif /* WITH_TRACER */
    }
}
#endif

/* Counting is rare. */
FN void count_gains(const struct warp warp, struct march *m, const struct physics p)
{
    const real units = p.units * p.weight;
    int changed = 0;
    FOR_CELLS(m->w)
    {
        changed |= HERE(m->gained) != REAL(0);
    }
    if (changed)
        FOR_INNER(HALO, m->w)
        {
            COUNT(m->counters + CLIPPED_IN, HERE(m->gained) * units);
        }
}

FN int touches_edge(const struct march *m, const struct span all)
{
    return m->x == 0 || m->y == 0 || m->x + m->w == all.nx || m->y + m->h == all.ny;
}

#endif
