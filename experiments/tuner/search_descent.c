/* Local descent: from the best block so far to better ones beside it, until none is better. */
#include "experiments/tuner/search_parts.h"

#include <math.h>
#include <stdlib.h>

/* Smaller improvements are noise: clocks are not locked. */
static const double WORTH_A_STEP = 0.005;
/* A block 1.5 times as slow as the best will not turn out to be better. */
static const double PATIENCE = 1.5;
/* While no block works. */
enum { BLIND = 8 };
/* Between the blocks of the space there is a per cent or two to gain, which is not worth a
 * descent. */
enum { ENOUGH = 32 };

static int width_of(const struct search *s, int k)
{
    return s->point[k].b.w;
}

/* The nearest blocks of the space in the same row and the same column, on either side. */
static void want_nearest(struct search *s, struct block b)
{
    int nearest[4] = {-1, -1, -1, -1};
    for (int k = 0; k < s->count; k++) {
        const struct point *p = &s->point[k];
        const int dw = p->b.w - b.w, dh = p->b.h - b.h;
        if (!p->listed || (dw == 0) == (dh == 0))
            continue;
        const int side = dw ? (dw > 0) : 2 + (dh > 0), far = abs(dw + dh);
        const int n = nearest[side];
        if (n < 0 || far < abs(width_of(s, n) - b.w + s->point[n].b.h - b.h))
            nearest[side] = k;
    }
    for (int side = 0; side < 4; side++)
        search_want(s, nearest[side], PATIENCE, 0);
}

/* Twice and half as wide, as high; and both, which keeps the number of threads. */
static void want_doubled(struct search *s, struct block b)
{
    const struct block far[6] = {{2 * b.w, b.h}, {b.w / 2, b.h},     {b.w, 2 * b.h},
                                 {b.w, b.h / 2}, {2 * b.w, b.h / 2}, {b.w / 2, 2 * b.h}};
    for (int k = 0; k < 6; k++) {
        const int p = search_find(s, far[k]);
        if (p >= 0 && s->point[p].listed)
            search_want(s, p, PATIENCE, 0);
    }
}

/* Those that touch it: heights two cells away would cost six more at each step and find little. */
static void want_finer(struct search *s, struct block b)
{
    struct block around[SPACE_AROUND];
    const int count = space_around(s->setup.kernel, s->setup.backend, b, around);
    for (int k = 0; k < count && s->asked < ENOUGH; k++)
        if (abs(around[k].h - b.h) <= 1)
            search_want(s, search_add(s, around[k]), PATIENCE, 0);
}

void search_descend(struct search *s)
{
    static void (*const rings[])(struct search *, struct block) = {want_doubled, want_nearest,
                                                                   want_finer};
    const int best = search_best(s), before = s->planned;
    if (best < 0) {
        search_scatter(s, BLIND, PATIENCE);
        return;
    }
    if (s->centre < 0 || s->point[best].us < s->point[s->centre].us * (1 - WORTH_A_STEP))
        s->centre = best;
    for (int ring = 0; ring < 3 && s->planned == before; ring++)
        rings[ring](s, s->point[s->centre].b);
}
