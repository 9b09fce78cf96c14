/* Copies the old state to the new one if a pass made no step: a scheme whose states change places
 * (schemes/README.md) continues from the new one. */
#define BLOCK_THREADS 256
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* usually it only reads the clock */
#endif

#include "args.h"

#include "hancock.h"

NO_TILES;

KERNEL(stay, struct stay_args)
{
    (void)t;
    if (a.clock->halt == RUNNING && !a.clock->rejected)
        return;
    FOR_TILE (i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        a.to.eta[k] = a.from.eta[k];
        a.to.hu[k] = a.from.hu[k];
        a.to.hv[k] = a.from.hv[k];
        a.new_rates[k] = a.rates[k];
    }
}
