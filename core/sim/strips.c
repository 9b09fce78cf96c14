/* Chooses the height of strips by the time that they take. */
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

/* In rows of a warp: all rows, of which the device computes `places` at once; and of a last strip TAIL, as ever fewer are
 * left. On an H200, 8192 x 8192 cells of which 10 % were wet (rk2_fused, f32), a substep took in tiles of 60 155, 146 and
 * 148 us by one, two and three strips, of 92 200, 204 and 160 us, of 124 221, 208 and 183 us; this gives 96, 79 and 75
 * rows, 130, 101 and 94, 98, 79 and 76. BESIDE: rows that a strip loads, and computes in part, besides its own. */
int strips_parts(long blocks, int rows, long places)
{
    enum { BESIDE = 4 };
    const double TAIL = 0.7, at_once = fmax((double)places, 1);
    double least = (double)INFINITY;
    int best = 1;
    for (int parts = 1; parts <= STRIP_PARTS; parts++) {
        const double strips = (double)(blocks * parts);
        const double time = (block_count(rows, parts) + BESIDE) * (strips / at_once + TAIL);
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
    s->strip_parts = strips_parts(blocks, b.h, (long)(facts.occupancy * device->warps + 0.5));
    return ERR_OK;
}
