#include "core/sim/springs.h"

#include <math.h>
#include <stdlib.h>

#include "core/problem/springs.h"
#include "core/sim/knots.h"
#include "core/sim/tiling.h"
#include "kernels/springs.h"

struct sim_springs {
    int cells;                /* with springs */
    const struct knot *knots; /* on the device, and so are: */
    const struct spring *spring;
    const long *cell;
    const int *begin, *of, *number;
    counter *sums;
};

#define SUMS "spring_sums"

/* A cell of a spring; its number counts all springs' cells one after the other. */
struct entry {
    long cell;
    int spring, number;
};

static int by_cell(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return x->number - y->number;
}

static int entries(const struct spring_list *l)
{
    int n = 0;
    for (int k = 0; k < l->count; k++)
        n += l->place[k].cells;
    return n;
}

/* The entries in the sim's cells, in the order of the cells, those of one cell in the order of the
 * springs. Returns their number. */
static size_t list_entries(const struct sim *s, const struct setup *setup, struct entry *to)
{
    const struct spring_list *l = setup->springs;
    struct entry *next = to;
    int number = 0;
    for (int k = 0; k < l->count; k++)
        for (int n = 0; n < l->place[k].cells; n++, number++) {
            const int x = l->place[k].i[n], y = l->place[k].j[n];
            const int i = (setup->exchanged ? y : x) - s->window.i0;
            const int j = (setup->exchanged ? x : y) - s->window.j0;
            if (i >= 0 && i < s->grid.nx && j >= 0 && j < s->grid.ny)
                *next++ = (struct entry){tiling_offset(s, i, j), k, number};
        }
    qsort(to, (size_t)(next - to), sizeof *to, by_cell);
    return (size_t)(next - to);
}

static enum err put_series(struct sim *s, struct sim_springs *x, const struct spring_list *l)
{
    const double area = s->grid.dx * s->grid.dy;
    int rows = 0;
    for (int k = 0; k < l->count; k++)
        rows += l->place[k].series.rows;
    struct knot *knots = calloc((size_t)rows, sizeof *knots);
    struct spring *spring = calloc((unsigned)l->count, sizeof *spring);
    rows = 0;
    for (int k = 0; k < l->count && knots && spring; k++) {
        const struct spring_place *p = &l->place[k];
        spring[k] = (struct spring){rows, p->series.rows, 1 / (p->cells * area), p->choice->c};
        knots_of_series(&p->series, 1, knots + rows);
        rows += p->series.rows;
    }
    enum err e = knots && spring
                     ? ERR_OK
                     : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the sources");
    if (!e)
        e = sim_constant(s, "spring_series", knots, (size_t)rows * sizeof *knots, &x->knots);
    if (!e)
        e = sim_constant(s, "springs", spring, (size_t)l->count * sizeof *spring, &x->spring);
    free(knots);
    free(spring);
    return e;
}

/* The kernel's view of the entries, one array after the other. */
struct tables {
    long *cell;
    int *begin, *spring, *number;
};

static enum err upload_tables(struct sim *s, struct sim_springs *x, const struct tables *t,
                              size_t n)
{
    const size_t cells = (size_t)x->cells;
    TRY(sim_constant(s, "spring_cells", t->cell, cells * sizeof *t->cell, &x->cell));
    TRY(sim_constant(s, "spring_begins", t->begin, (cells + 1) * sizeof *t->begin, &x->begin));
    TRY(sim_constant(s, "springs_of_cells", t->spring, n * sizeof *t->spring, &x->of));
    return sim_constant(s, "spring_numbers", t->number, n * sizeof *t->number, &x->number);
}

/* From the entries the cells, and where each cell's begin. */
static enum err put_entries(struct sim *s, struct sim_springs *x, const struct entry *entry,
                            size_t n)
{
    struct tables t = {calloc(n, sizeof *t.cell), calloc(n + 1, sizeof *t.begin),
                       calloc(n, sizeof *t.spring), calloc(n, sizeof *t.number)};
    enum err e = ERR_OK;
    if (!t.cell || !t.begin || !t.spring || !t.number)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the sources");
    for (size_t k = 0; k < n && !e; k++) {
        if (k == 0 || entry[k].cell != entry[k - 1].cell) {
            t.cell[x->cells] = entry[k].cell;
            t.begin[x->cells++] = (int)k;
        }
        t.begin[x->cells] = (int)k + 1;
        t.spring[k] = entry[k].spring;
        t.number[k] = entry[k].number;
    }
    if (!e)
        e = upload_tables(s, x, &t, n);
    free(t.cell);
    free(t.begin);
    free(t.spring);
    free(t.number);
    return e;
}

/* All parts have sums of all entries, each adds to those of its cells. */
static enum err add_sums(struct sim *s, const struct spring_list *l)
{
    const struct array sums = {SUMS, .joined = JOIN_SUM, .kept = 1,
                               .bytes = (size_t)entries(l) * SPRING_SUMS * sizeof(counter)};
    void *p;
    TRY(sim_memory(s, &sums, &p));
    s->springs->sums = p;
    return ERR_OK;
}

enum err sim_springs_create(struct sim *s, const struct setup *setup)
{
    const struct spring_list *l = setup->springs;
    if (!l)
        return ERR_OK;
    s->springs = calloc(1, sizeof *s->springs);
    struct entry *entry = calloc((size_t)entries(l), sizeof *entry);
    enum err e = s->springs && entry
                     ? add_sums(s, l)
                     : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the sources");
    const size_t n = e ? 0 : list_entries(s, setup, entry);
    if (n > 0)
        e = put_entries(s, s->springs, entry, n);
    if (n > 0 && !e)
        e = put_series(s, s->springs, l);
    free(entry);
    return e;
}

void sim_springs_destroy(struct sim *s)
{
    free(s->springs);
    s->springs = NULL;
}

enum err sim_springs_run(struct sim *s)
{
    const struct sim_springs *x = s->springs;
    if (!x || x->cells == 0)
        return ERR_OK;
    struct springs_args a = {
        .span = {x->cells, 1},
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .cell = x->cell,
        .begin = x->begin,
        .spring = x->of,
        .number = x->number,
        .springs = x->spring,
        .knots = x->knots,
        .sums = x->sums,
        .scale = s->system->carried ? s->tracer.scale : 0,
        .clock = s->clock,
        .carried = sim_carried(s, 0, 0, 0),
        .p = s->physics,
    };
    return sim_launch(s, &s->auxiliary[SPRINGS_KERNEL], &a, sizeof a);
}

/* The sums of some entries, of one kind or the other, in metres; n below 0: of all. */
static enum err sums_of(struct sim *s, const int kind[2], int first, int n, double sum[2])
{
    sum[0] = sum[1] = 0;
    if (!s->added[SPRINGS_KERNEL])
        return ERR_OK;
    const struct array *const a = sim_find_array(s, SUMS);
    counter *sums = malloc(a->bytes);
    if (!sums)
        FAIL(MEMORY, "no memory for the sources");
    const enum err e = sim_keep(s, a, sums);
    const int all = (int)(a->bytes / sizeof *sums / SPRING_SUMS);
    for (int k = first; k < (n < 0 ? all : first + n) && !e; k++)
        for (int m = 0; m < 2; m++)
            sum[m] += (double)sums[k * SPRING_SUMS + kind[m]] / SPRING_UNITS;
    free(sums);
    return e;
}

enum err sim_springs_volume(struct sim *s, const struct spring_list *of, int k, double *gave,
                            double *took)
{
    static const int water[2] = {GAVE, TOOK};
    const double area = s->grid.dx * s->grid.dy;
    double sum[2];
    int first = 0;
    for (int m = 0; m < k; m++)
        first += of->place[m].cells;
    TRY(sums_of(s, water, first, k < 0 ? -1 : of->place[k].cells, sum));
    *gave = area * sum[0];
    *took = area * sum[1];
    return ERR_OK;
}

enum err sim_springs_amount(struct sim *s, double *gave, double *took)
{
    static const int amounts[2] = {GAVE_AMOUNT, TOOK_AMOUNT};
    const double area = s->grid.dx * s->grid.dy;
    double sum[2];
    TRY(sums_of(s, amounts, 0, -1, sum));
    *gave = area / s->tracer.scale * sum[0];
    *took = area / s->tracer.scale * sum[1];
    return ERR_OK;
}
