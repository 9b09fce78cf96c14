/* Decides whether a cell may change, and so where a step computes. */
#ifndef SHOAL_MOVES_H
#define SHOAL_MOVES_H

#include "num/update.h"

/* False if a cell stays as it is, to the sign of its zeros, while the states around it do, with any dt. Like
 * `moving` in rk.cu. */
FN int moves(struct state base, struct state after, struct state rate, real floor, real dry)
{
    const int wet = (base.eta - floor >= dry) | (after.eta - floor >= dry);
    const int flows = FRICTION && ((base.hu != REAL(0)) | (base.hv != REAL(0)));
    const int pushed = (rate.hu != REAL(0)) | (rate.hv != REAL(0));
    const int changed = (bits_of(after.eta) != bits_of(base.eta)) |
                        (bits_of(after.hu) != bits_of(base.hu)) |
                        (bits_of(after.hv) != bits_of(base.hv));
    return (rate.eta != REAL(0)) | (wet & (flows | pushed)) | changed;
}

#endif
