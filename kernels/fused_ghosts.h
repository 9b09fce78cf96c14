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
#define FILL_ARGS struct fused_args
#ifdef WITH_TRACER
#define MORE_OF(a) (a)->carried.to
#else
#define MORE_OF(a) 0
#endif /* WITH_TRACER */
#include "fill_own.h"

#endif
