#include "core/sim/springs.h"

#include <math.h>
#include <stdlib.h>

#include "core/problem/springs.h"
#include "core/sim/knots.h"
#include "kernels/springs.h"

struct sim_springs {
    int cells, entries;
    const struct knot *knots; /* on the device, and so are: */
    const struct spring *spring;
    const long *cell;
    const int *begin, *of;
    struct spring_sums *sums;
    int *spring_of; /* of each entry, on the host */
};

/* A spring's cell. */
struct entry {
    long cell;
    int spring;
};

static int by_cell(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return x->spring < y->spring ? -1 : x->spring > y->spring;
}

/* All entries in the order of their cells, those of one cell in the order of the springs. */
static void list_entries(const struct sim *s, const struct spring_list *l, struct entry *to)
{
    struct entry *next = to;
    for (int k = 0; k < l->count; k++)
        for (int n = 0; n < l->place[k].cells; n++) {
            const int i = l->place[k].i[n], j = l->place[k].j[n];
            const long cell = s->turned ? at(s->pitch[PLAIN], j, i) : at(s->pitch[PLAIN], i, j);
            *next++ = (struct entry){cell, k};
        }
    qsort(to, (size_t)(next - to), sizeof *to, by_cell);
}

static enum err put_series(struct sim *s, struct sim_springs *x, const struct spring_list *l)
{
    const double area = s->grid.dx * s->grid.dy;
    int rows = 0;
    for (int k = 0; k < l->count; k++)
        rows += l->place[k].series.rows;
    struct knot *knots = calloc((size_t)rows, sizeof *knots);
    struct spring *spring = calloc((size_t)l->count, sizeof *spring);
    rows = 0;
    for (int k = 0; k < l->count && knots && spring; k++) {
        const struct spring_place *p = &l->place[k];
        spring[k] = (struct spring){rows, p->series.rows, 1 / (p->cells * area)};
        knots_of_series(&p->series, knots + rows);
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

/* From the entries the cells, and where those of each begin. */
static enum err put_entries(struct sim *s, struct sim_springs *x, const struct entry *entry)
{
    const size_t n = (size_t)x->entries;
    long *cell = calloc(n, sizeof *cell);
    int *begin = calloc(n + 1, sizeof *begin);
    enum err e = cell && begin
                     ? ERR_OK
                     : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the sources");
    for (size_t k = 0; k < n && !e; k++) {
        if (k == 0 || entry[k].cell != entry[k - 1].cell) {
            cell[x->cells] = entry[k].cell;
            begin[x->cells++] = (int)k;
        }
        begin[x->cells] = (int)k + 1;
        x->spring_of[k] = entry[k].spring;
    }
    if (!e)
        e = sim_constant(s, "spring_cells", cell, (size_t)x->cells * sizeof *cell, &x->cell);
    if (!e)
        e = sim_constant(s, "spring_begins", begin, ((size_t)x->cells + 1) * sizeof *begin,
                         &x->begin);
    if (!e)
        e = sim_constant(s, "springs_of_cells", x->spring_of, n * sizeof *x->spring_of, &x->of);
    free(cell);
    free(begin);
    return e;
}

enum err sim_springs_create(struct sim *s, const struct setup *setup)
{
    const struct spring_list *l = setup->springs;
    void *p;
    if (!l)
        return ERR_OK;
    struct sim_springs *x = s->springs = calloc(1, sizeof *x);
    if (!x)
        FAIL(MEMORY, "no memory for the sources");
    for (int k = 0; k < l->count; k++)
        x->entries += l->place[k].cells;
    struct entry *entry = calloc((size_t)x->entries, sizeof *entry);
    x->spring_of = calloc((size_t)x->entries, sizeof *x->spring_of);
    if (entry && x->spring_of)
        list_entries(s, l, entry);
    enum err e = entry && x->spring_of
                     ? put_entries(s, x, entry)
                     : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the sources");
    free(entry);
    TRY(e);
    TRY(put_series(s, x, l));
    const struct array sums = {"spring_sums", .joined = JOIN_SUM,
                               .bytes = (size_t)x->entries * sizeof *x->sums, .kept = 1};
    TRY(sim_memory(s, &sums, &p));
    x->sums = p;
    return ERR_OK;
}

void sim_springs_destroy(struct sim *s)
{
    if (s->springs)
        free(s->springs->spring_of);
    free(s->springs);
    s->springs = NULL;
}

enum err sim_springs_run(struct sim *s)
{
    const struct sim_springs *x = s->springs;
    if (!x)
        return ERR_OK;
    struct springs_args a = {
        .span = {x->cells, 1},
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .cell = x->cell,
        .begin = x->begin,
        .spring = x->of,
        .springs = x->spring,
        .knots = x->knots,
        .sums = x->sums,
        .clock = s->clock,
        .p = s->physics,
    };
    return sim_launch(s, &s->auxiliary[SPRINGS_KERNEL], &a, sizeof a);
}

enum err sim_springs_volume(struct sim *s, int k, double *gave, double *took)
{
    const struct sim_springs *x = s->springs;
    *gave = *took = 0;
    if (!x)
        return ERR_OK;
    const size_t bytes = (size_t)x->entries * sizeof *x->sums;
    struct spring_sums *sums = malloc(bytes);
    if (!sums)
        FAIL(MEMORY, "no memory for the sources");
    const enum err e = s->backend->download(s->device, sums, x->sums, bytes);
    for (int n = 0; n < x->entries && !e; n++)
        if (k < 0 || x->spring_of[n] == k) {
            *gave += sums[n].gave * s->grid.dx * s->grid.dy;
            *took += sums[n].took * s->grid.dx * s->grid.dy;
        }
    free(sums);
    return e;
}
