/* The blocks that a kernel declares for tuning, and their limits. */
#include "experiments/tuner/search_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/options/run_config.h"
#include "core/base/memory.h"

enum { MOST_THREADS = 1024 }; /* of a CUDA block, on every device so far */

/* A row of a block is whole rounds of the threads, less what the smallest width lacks of one. */
static int rounds_fit(const struct kernel *k, enum backend_kind backend, int w)
{
    return !k->threads || backend != CUDA || (w - k->space[CUDA].w[0].from) % k->threads == 0;
}

int space_breaks(const struct kernel *k, enum backend_kind backend, struct block b, char *why,
                 size_t n)
{
    const int threads = block_threads(k, b);
    if (b.w < 1 || b.h < 1 || b.w > LARGEST_SIDE || b.h > LARGEST_SIDE)
        snprintf(why, n, "%dx%d, and a side is 1 to %d", b.w, b.h, LARGEST_SIDE);
    else if (backend == CUDA && threads > MOST_THREADS)
        snprintf(why, n, "%d threads, and a block has at most %d", threads, MOST_THREADS);
    else if (!rounds_fit(k, backend, b.w))
        snprintf(why, n, "%d cells wide, and %s takes %d, and %d more each", b.w, k->stem,
                 k->space[CUDA].w[0].from, k->threads);
    else
        return 0;
    return 1;
}

static int breaks(const struct kernel *k, enum backend_kind backend, struct block b)
{
    char why[SPACE_WHY];
    return space_breaks(k, backend, b, why, sizeof why);
}

int space_keeps(const struct kernel *k, enum backend_kind backend, struct block b)
{
    const struct space *s = &k->space[backend];
    const int multiple = s->prune.threads_multiple;
    return b.w >= s->prune.min_w && b.h >= s->prune.min_h &&
           (multiple == 0 || b.w * b.h % multiple == 0) && (!s->prune.square || b.w == b.h);
}

static enum err append(struct blocks *all, int w, int h)
{
    TRY(memory_more(&all->at, (size_t)all->count, sizeof *all->at, "blocks"));
    all->at[all->count++] = (struct block){w, h};
    return ERR_OK;
}

/* The blocks of one height, up to the first that violates a limit: it represents the wider ones,
 * which violate it too. */
static enum err append_row(struct blocks *all, const struct kernel *k, enum backend_kind backend,
                           int h)
{
    const struct space *s = &k->space[backend];
    for (int r = 0; r < 2; r++) {
        const struct range w = s->w[r];
        for (int x = w.from; x && x <= w.to; x += w.step ? w.step : x) {
            TRY(append(all, x, h));
            if (breaks(k, backend, (struct block){x, h}))
                return ERR_OK;
        }
    }
    return ERR_OK;
}

/* A block and those next to it: a step of the widths and a cell of the heights away. */
static enum err append_known(struct blocks *all, const struct kernel *k, enum backend_kind backend,
                             struct block b)
{
    const int step = k->space[backend].w[0].step;
    for (int dh = -1; dh <= 1; dh++)
        for (int dw = -1; dw <= 1; dw++) {
            const struct block near = {b.w + dw * step, b.h + dh};
            if (!breaks(k, backend, near))
                TRY(append(all, near.w, near.h));
        }
    return ERR_OK;
}

static int by_row(const void *x, const void *y)
{
    const struct block *a = x, *b = y;
    return a->h != b->h ? a->h - b->h : a->w - b->w;
}

static void drop_doubles(struct blocks *all)
{
    int kept = 0;
    qsort(all->at, (size_t)all->count, sizeof *all->at, by_row);
    for (int k = 0; k < all->count; k++)
        if (kept == 0 || by_row(&all->at[kept - 1], &all->at[k]) != 0)
            all->at[kept++] = all->at[k];
    all->count = kept;
}

enum err space_list(const struct kernel *k, enum backend_kind backend, struct blocks *all)
{
    const struct space *s = &k->space[backend];
    const int heights = sizeof s->h / sizeof *s->h, known = sizeof s->known / sizeof *s->known;
    enum err e = ERR_OK;
    *all = (struct blocks){0};
    for (int r = 0; r < heights && s->h[r]; r++)
        TRY_OUT(append_row(all, k, backend, s->h[r]));
    for (int r = 0; r < known && s->known[r].w; r++)
        TRY_OUT(append_known(all, k, backend, s->known[r]));
    TRY_OUT(append(all, k->block[backend].w, k->block[backend].h));
    if (!k->threads) /* the baseline has a thread per cell */
        TRY_OUT(append(all, 16, 16));
    drop_doubles(all);
out:
    if (e)
        blocks_free(all);
    return e;
}

enum err space_list_dense(const struct kernel *k, enum backend_kind backend, struct blocks *all)
{
    enum err e = ERR_OK;
    TRY(space_list(k, backend, all));
    for (int h = 1; h <= MOST_THREADS; h++)
        for (int w = 1; w * h <= MOST_THREADS; w++)
            if (!breaks(k, backend, (struct block){w, h}))
                TRY_OUT(append(all, w, h));
    drop_doubles(all);
out:
    if (e)
        blocks_free(all);
    return e;
}

void blocks_free(struct blocks *all)
{
    free(all->at);
    *all = (struct blocks){0};
}

int space_around(const struct kernel *k, enum backend_kind backend, struct block b,
                 struct block out[SPACE_AROUND])
{
    const int step = k->space[backend].w[0].step;
    /* Where widths double: half way to the next. */
    const int w[3] = {step ? b.w - step : b.w - b.w / 4, b.w, step ? b.w + step : b.w + b.w / 2};
    int count = 0;
    for (int dh = -2; dh <= 2; dh++)
        for (int c = 0; c < 3; c++) {
            const struct block near = {w[c], b.h + dh};
            if ((near.w != b.w || near.h != b.h) && !breaks(k, backend, near))
                out[count++] = near;
        }
    return count;
}
