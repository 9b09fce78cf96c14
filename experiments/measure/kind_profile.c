/* How a run's time divides among kernels; kind `kernels` also has their use of a multiprocessor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sim/step_profile.h"
#include "experiments/measure/measure_parts.h"

/* Steps that are profiled, and steps before. */
struct asked {
    int steps, after;
};
static const struct option options[] = {
    {.name = "steps", COUNT_IN(struct asked, steps, 1, 10000), .initial = "10"},
    {.name = "after", COUNT_IN(struct asked, after, 1, 1e6), .initial = "20"},
    {.name = NULL},
};

/* Never reached: kernels do nothing after the end, and a case may be over too soon. */
static const double NO_END = 1e6;

static enum err enter_kernels(const struct measure *m, const struct point *p, int ny,
                              const struct step_profile *profile)
{
    for (int k = 0; k < profile->count; k++) {
        const struct kernel_time *t = &profile->at[k];
        struct cells c = {.used = 0};
        cells_number(&c, "%.0f", t->block.w);
        cells_number(&c, "%.0f", t->block.h);
        cells_number(&c, "%.3f", t->launches);
        cells_number(&c, "%.3f", t->us);
        cells_number(&c, "%.5f", t->share);
        cells_number(&c, "%.0f", t->kernel->reals);
        cells_number(&c, "%.1f", t->gb_per_s);
        cells_text(&c, profile->method);
        cells_text(&c, t->from);
        if (m->kind == &kind_kernels) {
            cells_number(&c, "%.0f", t->facts.registers);
            cells_number(&c, "%.0f", t->facts.shared_b);
            cells_number(&c, "%.3f", t->facts.occupancy);
        }
        TRY(measure_enter(m, p, ny, t->kernel->name, &c));
    }
    return ERR_OK;
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct sim *s = o->sim;
    struct step_profile result;
    struct asked asked;
    TRY(measure_options(m->experiment, m->setup.backend, options, &asked));
    sim_extend(s, NO_END);
    TRY(sim_step_many(s, asked.after));
    TRY(bench_profile_measure(s, asked.steps, &result));
    return enter_kernels(m, p, s->grid.ny, &result);
}

static const char *cell_of(const struct stored *s, const struct stored_row *r, const char *column)
{
    return db_cells_at(&s->table, r->at, db_cells_column(&s->table, column));
}

static void print_kernel(const struct stored *s, const struct stored_row *r)
{
    const double bytes = stored_number(s, r, "gb_per_s");
    printf("  %-13s %4.0fx%-3.0f %6.2f launches a step  %5.1f %%  %9.1f us (%s)",
           cell_of(s, r, "kernel"), stored_number(s, r, "width"), stored_number(s, r, "height"),
           stored_number(s, r, "launches"), 100 * stored_number(s, r, "share"),
           stored_number(s, r, "us"), cell_of(s, r, "method"));
    if (!isnan(bytes))
        printf("  %3.0f reals a cell: %7.1f GB/s", stored_number(s, r, "reals"), bytes);
    putchar('\n');
}

static enum err print(const struct measure *m, const struct measure_points *all,
                      const struct stored *s)
{
    struct measure_names names;
    char name[POINT_CELLS], key[POINT_CELLS];
    measure_names_of(&names, all);
    printf("%s: %s; share of the time of all kernels\n", m->experiment->name, names.common);
    for (int k = 0; k < all->count; k++) {
        measure_name(&names, &all->point[k], name);
        measure_cells(&all->point[k], 0, key);
        printf("%s\n", name);
        for (size_t row = 0; row < s->count; row++) {
            const struct stored_row *r = &s->row[row];
            if (strcmp(r->key, key) != 0 || strcmp(r->session, m->session) != 0)
                continue;
            if (r->ok)
                print_kernel(s, r);
            else
                printf("  %s\n", cell_of(s, r, "reason"));
        }
    }
    return ERR_OK;
}

#define COLUMNS "width\theight\tlaunches\tus\tshare\treals\tgb_per_s\tmethod\tfrom"
#define HOW                                                                                   \
    "some steps after others that let the flow move; us: of a launch, the median by cupti, "  \
    "else the mean; share: of the time of all kernels; gb_per_s: the reals a cell that must " \
    "be moved, over us"

const struct measure_kind kind_profile = {
    .name = "profile",
    .title = "which kernels the time of a run goes into",
    .options = options,
    .row_columns = "kernel",
    .columns = COLUMNS,
    .how = HOW,
    .run = run,
    .print = print,
};

const struct measure_kind kind_kernels = {
    .name = "kernels",
    .title = "the same, with what kernels take of a GPU's multiprocessor",
    .options = options,
    .row_columns = "kernel",
    .columns = COLUMNS "\tregisters\tshared_b\toccupancy",
    .how = HOW "; registers: of a thread; shared_b: shared memory of a block; occupancy: warps "
               "that are resident at once, as a share of the most possible",
    .run = run,
    .print = print,
};
