/* The guided strategy: few blocks are timed, the others predicted from them, the best predicted
 * timed (Weber, Amend and Goesele, Guided profiling for auto-tuning array layouts on GPUs, 2015),
 * and then a descent; and the one that begins with what was best elsewhere. */
#include "experiments/tuner/search_parts.h"

#include <math.h>

/* Weber et al. 5.1: timing the five best compensates for noise and an imprecise prediction. */
enum { CANDIDATES = 5 };
static const double CANDIDATE_PATIENCE = 1.5;
/* Weber et al. 5.2 end a support that is slower than the best of its group. Here supports are
 * sparse and blocks between them are interpolated, so that their times matter for longer. */
static const double SUPPORT_PATIENCE = 2;
/* A failed support counts as this times the slowest one: blocks near it may fail too. */
static const double FAILURE = 2;

enum { BASE = 1, SHAPES, SIZES }; /* groups of points */

/* Supports in a row: log2 of what differs, ascending, and the log of the time. */
enum { SUPPORTS = 24 };
struct axis {
    int count;
    double at[SUPPORTS], time[SUPPORTS];
};

/* Times are products: a factor for the extra loads of a narrow block, times a factor for the
 * waiting of few threads. So their logarithms add up, where Weber et al. add times (eq. 7). Width
 * and height are not independent dimensions, because both determine the number of threads; the
 * number of threads and one side nearly are. SHAPES has blocks of as many threads as the base,
 * SIZES those of the same side. Where a block has the same threads whatever its size, width and
 * height are independent: SHAPES has blocks of the base's height, SIZES those of its width. */
struct model {
    const struct kernel *kernel;
    enum backend_kind backend;
    int rows; /* the side is the height */
    struct axis shapes, sizes;
};

static struct block base_of(const struct search *s)
{
    return s->setup.kernel->block[s->setup.backend];
}

/* Are there more blocks with the base's height than with its width? */
static int has_long_rows(const struct search *s)
{
    const struct block base = base_of(s);
    int widths = 0, heights = 0;
    for (int k = 1; k <= 1024; k *= 2) {
        widths += search_find(s, (struct block){k, base.h}) >= 0;
        heights += search_find(s, (struct block){base.w, k}) >= 0;
    }
    return widths > heights;
}

/* Is one number the other one times a power of two? */
static int doubled(int a, int b)
{
    while (a < b)
        a *= 2;
    while (b < a)
        b *= 2;
    return a == b;
}

/* Also sizes half way between two powers of two: the number of blocks that fit on a multiprocessor
 * changes in steps, and three blocks may fill one better than two. 16x16 is the common baseline. */
static void plan_supports(struct search *s)
{
    const struct block base = base_of(s);
    const int rows = has_long_rows(s), size = base.w * base.h;
    search_want(s, search_find(s, base), (double)INFINITY, BASE);
    for (int k = 0; k < s->count; k++) {
        const struct block b = s->point[k].b;
        if (s->setup.kernel->threads) {
            if (b.h == base.h)
                search_want(s, k, SUPPORT_PATIENCE, SHAPES);
            else if (b.w == base.w && doubled(b.h, base.h))
                search_want(s, k, SUPPORT_PATIENCE, SIZES);
        } else if (b.w * b.h == size && doubled(b.w, base.w))
            search_want(s, k, SUPPORT_PATIENCE, SHAPES);
        else if ((rows ? b.h == base.h : b.w == base.w) &&
                 (doubled(b.w * b.h, size) || doubled(2 * b.w * b.h, 3 * size)))
            search_want(s, k, SUPPORT_PATIENCE, SIZES);
    }
    search_want(s, search_find(s, (struct block){16, 16}), (double)INFINITY, 0);
}

/* A GPU runs warps of 32 threads; the idle lanes of the last one take as long as the others. So do
 * those without a cell of a row. */
static double lanes(const struct model *m, struct block b)
{
    const int cells = m->kernel->threads ? b.w : block_threads(m->kernel, b),
              warps = (cells + 31) / 32;
    return m->backend == CUDA ? 32.0 * warps / cells : 1;
}

static double coordinate(const struct model *m, struct block b, int group)
{
    if (group == SIZES)
        return log2(m->kernel->threads ? b.h : b.w * b.h);
    return log2(m->rows ? b.h : b.w);
}

static int supports(const struct point *p, int group)
{
    return p->state == POINT_TOLD && (p->group == group || p->group == BASE);
}

static void insert(struct axis *a, double at, double time)
{
    int k = a->count;
    if (k == SUPPORTS)
        return;
    for (; k > 0 && a->at[k - 1] > at; k--) {
        a->at[k] = a->at[k - 1];
        a->time[k] = a->time[k - 1];
    }
    a->at[k] = at;
    a->time[k] = time;
    a->count++;
}

static void fill_axis(struct axis *a, const struct search *s, const struct model *m, int group)
{
    double slowest = 0;
    a->count = 0;
    for (int k = 0; k < s->count; k++)
        if (supports(&s->point[k], group) && isfinite(s->point[k].us))
            slowest = fmax(slowest, s->point[k].us);
    for (int k = 0; k < s->count && slowest > 0; k++) {
        const struct point *p = &s->point[k];
        if (supports(p, group))
            insert(a, coordinate(m, p->b, group),
                   log(fmin(p->us, FAILURE * slowest) / lanes(m, p->b)));
    }
}

/* Straight lines between supports, and no slope beyond the outer ones. */
static double value(const struct axis *a, double at)
{
    int k = 0;
    if (a->count == 0)
        return 0;
    while (k < a->count && a->at[k] < at)
        k++;
    if (k == 0 || k == a->count)
        return a->time[k ? k - 1 : 0];
    const double share = (at - a->at[k - 1]) / (a->at[k] - a->at[k - 1]);
    return a->time[k - 1] + share * (a->time[k] - a->time[k - 1]);
}

/* All but the base's time, which is the same for every block. */
static double predict(const struct model *m, struct block b)
{
    return value(&m->shapes, coordinate(m, b, SHAPES)) + value(&m->sizes, coordinate(m, b, SIZES)) +
           log(lanes(m, b));
}

static struct model model_of(const struct search *s)
{
    struct model m = {.kernel = s->setup.kernel,
                      .backend = s->setup.backend,
                      .rows = !s->setup.kernel->threads && has_long_rows(s)};
    fill_axis(&m.shapes, s, &m, SHAPES);
    fill_axis(&m.sizes, s, &m, SIZES);
    return m;
}

static void plan_candidates(struct search *s)
{
    const struct model m = model_of(s);
    for (int k = 0; k < s->count; k++)
        s->point[k].predicted = predict(&m, s->point[k].b);
    for (int n = 0; n < CANDIDATES; n++) {
        int best = -1;
        for (int k = 0; k < s->count; k++)
            if (s->point[k].state == POINT_FREE && s->point[k].listed &&
                (best < 0 || s->point[k].predicted < s->point[best].predicted))
                best = k;
        search_want(s, best, CANDIDATE_PATIENCE, 0);
    }
}

/* For points planned from place `first` on; candidates end at place `end`. */
static void note_roles(struct search *s, int first, int end)
{
    static const enum search_role of_group[] = {
        [BASE] = SEARCH_BASE, [SHAPES] = SEARCH_SUPPORT, [SIZES] = SEARCH_SUPPORT};
    for (int k = first; k < s->planned; k++) {
        struct point *p = &s->point[s->order[k]];
        if (s->phase == 1)
            p->role = of_group[p->group];
        else
            p->role = k < end ? SEARCH_CANDIDATE : SEARCH_DESCENT;
    }
}

void plan_guided(struct search *s)
{
    const int phase = s->phase++, first = s->planned;
    if (phase == 0)
        plan_supports(s);
    else if (phase == 1 && search_best(s) >= 0)
        plan_candidates(s);
    const int end = s->planned;
    if (s->asked == s->planned)
        search_descend(s);
    note_roles(s, first, end);
}

enum search_role search_role(const struct search *s, struct block b)
{
    const int k = search_find(s, b);
    return k < 0 ? SEARCH_OTHER : s->point[k].role;
}

double search_prediction(const struct search *s, struct block b)
{
    const struct model m = model_of(s);
    if (s->phase < 2 || m.shapes.count + m.sizes.count == 0)
        return (double)NAN;
    return exp(predict(&m, b) - predict(&m, base_of(s)));
}

/* Also tries the default block, as the chosen one must not be slower; and 16x16, for comparison. */
void plan_seeded(struct search *s)
{
    if (s->setup.seed_count == 0) {
        plan_guided(s);
        return;
    }
    if (s->phase++ > 0) {
        search_descend(s);
        return;
    }
    for (int k = 0; k < s->setup.seed_count; k++)
        search_want(s, search_add(s, s->setup.seeds[k]), CANDIDATE_PATIENCE, 0);
    search_want(s, search_find(s, base_of(s)), (double)INFINITY, 0);
    search_want(s, search_find(s, (struct block){16, 16}), (double)INFINITY, 0);
}
