/* The ghost cells of the state that a substep writes, filled by its blocks. fused.cu includes it where FILLS_GHOSTS is
 * defined. */
#ifndef SHOAL_FUSED_GHOSTS_H
#define SHOAL_FUSED_GHOSTS_H

#include "ghosts.h"

/* Of what the water carries; a wall does not turn it. */
FN real more_ghost(real x, const struct source s, const struct place p)
{
    (void)s, (void)p;
    return x;
}

#if SUBSTEP == 0
#define PREPARE(all, x, y) TRY_STEP(all, x, y)
#define PREPARED(all)      (all)->args
#else
#define PREPARE(all, x, y) JUDGE_STEP(struct fused_args, all, x, y)
#define PREPARED(all)      seen
#endif
#include "fill_own.h"

FN struct filling filling_of(const struct march *m, const struct fused_args *a)
{
    struct filling f;
    f.x = from_here(m->x), f.y = from_here(m->y), f.w = from_here(m->w), f.h = from_here(m->h);
    f.nx = a->span.nx, f.ny = a->span.ny;
    f.pitch = a->pitch;
    f.q = a->to;
    f.more = 0;
#ifdef WITH_TRACER
    f.more = a->carried.to;
#endif /* WITH_TRACER */
    f.centre = a->ground.centre;
    f.still = a->p.still;
    return f;
}

#endif
