/* Chooses the height of strips by the time that they take in waves: as many blocks as the device holds at once. */
#include "core/sim/strips.h"

#include <math.h>

#include "core/mesh/forest.h"
#include "core/sim/kernels.h"

/* Blocks by rows, whose height no user has chosen, of steps whose number of tiles changes. */
static int may_change(const struct sim *s, const struct sim_kernel *k)
{
    const struct kernel *kernel = k->recipe.kernel;
    return s->mapped && kernel->threads && kernel->map == KEEPS_THE_MAP &&
           k->origin.from != BLOCK_CHOSEN;
}

void strips_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t)
{
    const int rows = k->recipe.block.h;
    t->up = block_count(s->tiles.h, rows);
    t->strip = rows;
    if (!may_change(s, k))
        return;
    const int parts = s->strip_parts > 0 ? s->strip_parts : 1;
    t->strip = block_count(s->tiles.h, t->up * parts);
    t->up = block_count(s->tiles.h, block_count(s->tiles.h, t->up * STRIP_PARTS));
}

/* Time of a row in a wave that gives each scheduler `own` of the `most` warps that it has room for, over that in a full
 * one. A warp alone waits for its own results: in tiles of 124 cells, with three warps, an H200 made 24.2 x 10^9
 * updates/s of 432 tiles in strips of 31 rows, and 28.8 in strips of 21; this gives their ratio. */
static double wave(double own, double most)
{
    return own > 0 ? 0.3 + 0.7 * own / most : 0;
}

/* BESIDE: rows that a strip loads, and computes in part, besides its own. */
int strips_parts(long blocks, int rows, long places, int units)
{
    enum { SCHEDULERS = 4, BESIDE = 4 };
    const double all = SCHEDULERS * (double)units, most = fmax((double)places / all, 1);
    double least = (double)INFINITY;
    int best = 1;
    for (int parts = 1; parts <= STRIP_PARTS; parts++) {
        const double n = (double)(blocks * parts), full = floor(n / (most * all));
        const double left = ceil((n - full * most * all) / all);
        const double time = (block_count(rows, parts) + BESIDE) * (full + wave(left, most));
        if (time < least) {
            least = time;
            best = parts;
        }
    }
    return best;
}

enum err strips_choose(struct sim *s)
{
    const struct device_info *const device = s->backend->info(s->device);
    const struct sim_kernel *k = s->kernels;
    struct kernel_facts facts;
    if (s->backend != &backend_cuda || !may_change(s, k) || !k->loaded)
        return ERR_OK;
    TRY(s->backend->facts(s->device, k->loaded, &facts));
    const struct block b = k->recipe.block;
    const long tiles = s->forest ? s->forest->stored : tiles_count(&s->tiles);
    const long blocks = tiles * block_count(s->tiles.w, b.w) * block_count(s->tiles.h, b.h);
    s->strip_parts =
        strips_parts(blocks, b.h, (long)(facts.occupancy * device->warps + 0.5), device->units);
    return ERR_OK;
}
