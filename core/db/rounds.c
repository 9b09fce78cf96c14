#include "core/db/rounds.h"

#include <math.h>

/* Two warps keep a scheduler busy; one that has it alone takes as long as if it had this share of two. */
static const double ALONE = 1.5;

/* The last round, of `rest` of the places, where each scheduler has `each` of them: the mean of a full round and of the time
 * of the schedulers with most warps, as blocks do not all begin at once. */
static double last_round(double rest, double each)
{
    const double warps = ceil(rest * each * (1 - 1e-9));
    return warps > 0 ? 0.5 * (1 + fmin(fmax(ALONE, warps) / each, 1)) : 0;
}

/* Where the side of the domain is half or twice that of a tuned one (512 to 8192, fused0 and fused1, f32, an H200), the block
 * with the least time by this takes 1.08 times as long as the best one in the mean, and 1.25 times at most; by whole rounds, in
 * which a last strip of a row counts as much as others, 1.11 and 1.68 times. */
double rounds_of(struct block b, int nx, int ny, struct room room)
{
    const double blocks =
        ceil((double)nx / b.w) * ny / b.h; /* of the last strip the rows that it has */
    const double rounds = blocks / room.places, full = floor(rounds);
    return full + last_round(rounds - full, fmax(room.places / room.schedulers, 1));
}
