/* Chooses the heights of strips by the time that they take. */
#include "core/sim/strips.h"

#include <math.h>

#include "core/sim/active_tiles.h"
#include "core/sim/kernels.h"

/* Blocks by rows on a GPU, whose height no user has chosen, of steps whose number of tiles changes. */
static int may_change(const struct sim *s, const struct sim_kernel *k)
{
    const struct kernel *kernel = k->recipe.kernel;
    const int gpu = s->backend == &backend_cuda || s->config->order;
    return gpu && s->mapped && kernel->threads && kernel->map == KEEPS_THE_MAP &&
           k->origin.from != BLOCK_CHOSEN;
}

/* Of strips that shrink evenly, to a quarter: the first and the last over their mean. Where that has fewer rows than
 * SHRINKABLE, strips do not shrink. */
static const double FIRST = 1.6, LAST = 0.4;
enum { SHRINKABLE = 8 };

/* n strips of a tile of so many rows. */
static void cut(struct tiling *t, int n, int rows, int shrink)
{
    const int shrinks = shrink && n > 1 && rows >= SHRINKABLE * n;
    t->sink = shrinks ? (int)(8 * (FIRST - LAST) * rows / (n * (n - 1))) : 0;
    t->strip = block_count(rows + (n * n * t->sink >> 4), n);
}

int strips_up(const struct tiling *t, int rows)
{
    int n = 1;
    while (rows_before_strip(t, n) < rows)
        n++;
    return n;
}

void strips_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t)
{
    const int h = s->tiles.h, rows = k->recipe.block.h;
    t->up = block_count(h, rows);
    t->strip = rows;
    if (!may_change(s, k))
        return;
    const int parts = s->strips.parts > 0 ? s->strips.parts : 1;
    cut(t, block_count(h, block_count(h, t->up * parts)), h, s->strips.shrink);
    t->up = block_count(h, block_count(h, t->up * STRIP_PARTS));
}

/* In rows of a warp: all rows, of which the device computes `places` at once, and of a last strip TAIL, as ever fewer are
 * left; but no less than a first strip takes in a tile that takes long (SLOW), as along a shore. On an H200, 8192 x 8192
 * cells of which 10 % were wet (rk2_fused, f32), a substep took in tiles of 60 155, 146 and 148 us by one, two and three
 * equal strips, of 92 200, 204 and 160 us, of 124 221, 208 and 183 us; this gives 96, 79 and 75 rows, 134, 101 and 93, 98,
 * 79 and 75. BESIDE: rows that a strip loads, and computes in part, besides its own. */
static double time_of(double waves, int rows, struct strip_choice c)
{
    enum { BESIDE = 4 };
    const double TAIL = 0.7, SLOW = 1.4;
    const double mean = (double)rows / c.parts, first = c.shrink ? FIRST * mean : mean,
                 last = c.shrink ? LAST * mean : mean;
    return fmax(waves * (rows + BESIDE * c.parts) + TAIL * (last + BESIDE),
                SLOW * (first + BESIDE));
}

struct strip_choice strips_best(long blocks, int rows, long places)
{
    const double WORTH = 0.97; /* a smaller gain is not sure */
    const double waves = (double)blocks / fmax((double)places, 1);
    struct strip_choice best = {1, 0};
    for (int shrink = 0; shrink < 2; shrink++)
        for (int parts = 2; parts <= STRIP_PARTS; parts++) {
            const struct strip_choice c = {parts, shrink};
            if (time_of(waves, rows, c) < WORTH * time_of(waves, rows, best))
                best = c;
        }
    return best;
}

enum err strips_choose(struct sim *s)
{
    const struct device_info *const device = s->backend->info(s->device);
    const struct sim_kernel *k = s->kernels;
    struct kernel_facts facts;
    int tiles;
    /* Parts record their steps together, so no part has to do so anew alone. */
    const int keeps = s->whole && s->strips.parts > 0;
    if (s->backend != &backend_cuda || !may_change(s, k) || !k->loaded || keeps)
        return ERR_OK;
    TRY(s->backend->facts(s->device, k->loaded, &facts));
    TRY(active_tiles_count(s, &tiles));
    const struct block b = k->recipe.block;
    const long blocks = (long)tiles * block_count(s->tiles.w, b.w) * block_count(s->tiles.h, b.h);
    s->strips = strips_best(blocks, b.h, (long)(facts.occupancy * device->warps + 0.5));
    return ERR_OK;
}
