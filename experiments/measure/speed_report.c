/* The printed table of kind `speed`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/run_config.h"
#include "experiments/measure/measure_parts.h"

/* In a column of `width`; "-" for unknown values. */
static void print_number(int width, int decimals, double x, const char *sign)
{
    if (isnan(x))
        printf(" %*s", width, "-");
    else if (*sign)
        printf(" %+*.*f", width, decimals, x);
    else
        printf(" %*.*f", width, decimals, x);
}

static void print_point(const struct stored *s, const struct stored_row *r, double earlier)
{
    const double rate = r->rate, copy = stored_number(s, r, "copy_gb_per_s");
    print_number(9, 4, rate / 1e3, "");
    print_number(9, 4, stored_number(s, r, "least_mcells_per_s") / 1e3, "");
    print_number(9, 4, stored_number(s, r, "most_mcells_per_s") / 1e3, "");
    print_number(8, 1, 100 * (rate / earlier - 1), "+");
    print_number(9, 1, 100 * stored_number(s, r, "update_b") * rate / 1e3 / copy, "");
    print_number(8, 2, stored_number(s, r, "joules"), "");
    printf("  %s\n", db_cells_at(&s->table, r->at, db_cells_column(&s->table, "from")));
}

static void print_points(const struct measure *m, const struct measure_points *all,
                         const struct stored *s, const double *earlier)
{
    const struct option *exits = option_find(run_options, "early-exit");
    printf("%-12s %-5s %-6s %-5s %6s %9s %9s %9s %8s %9s %8s  %s\n", "scheme", "prec", "mode",
           "exit", "nx", "median", "least", "most", "change %", "% of copy", "J", "blocks");
    for (int k = 0; k < all->count && all->point[k].run == 1; k++) {
        const struct point *p = &all->point[k];
        const struct stored_row *r = stored_find(s, p, 1, m->session);
        if (!r)
            continue;
        printf("%-12s %-5s %-6s %-5s %6d", p->scheme->name, precision_names[p->precision],
               mode_names[p->mode], exits->choices[p->early_exit], p->nx);
        if (r->ok)
            print_point(s, r, earlier[k]);
        else
            printf("  %s\n", db_cells_at(&s->table, r->at, db_cells_column(&s->table, "reason")));
    }
}

/* Of each precision that has a row; those of one session are equal. */
static void print_ceilings(const struct measure *m, const struct measure_points *all,
                           const struct stored *s)
{
    int told[PRECISIONS] = {0};
    for (int k = 0; k < all->count; k++) {
        const enum precision p = all->point[k].precision;
        const struct stored_row *r = stored_find(s, &all->point[k], 1, m->session);
        if (told[p] || !r || !r->ok)
            continue;
        told[p] = 1;
        printf("# ceilings, %s: a copy moves %.1f GB/s; multiply-adds make %.1f x 10^9 "
               "operations/s; a launch takes %.2f us, with waiting for it %.2f us\n",
               precision_names[p], stored_number(s, r, "copy_gb_per_s"),
               stored_number(s, r, "fma_gflops"), stored_number(s, r, "launch_us"),
               stored_number(s, r, "wait_us"));
    }
}

enum err speed_print(const struct measure *m, const struct measure_points *all,
                     const struct stored *s)
{
    struct measure_names names;
    double *earlier = calloc((size_t)all->count, sizeof *earlier);
    if (!earlier)
        FAIL(MEMORY, "no memory to compare %d points", all->count);
    const enum err e = measure_earlier(m, all, earlier);
    if (!e) {
        measure_names_of(&names, all);
        printf("%s: %s\n", m->experiment->name, names.common);
        print_ceilings(m, all, s);
        puts("# 10^9 updates/s; change: from the previous session on this device; % of copy: the "
             "bytes that an\n# update must move, relative to the copy; J: joules of 10^9 updates");
        print_points(m, all, s, earlier);
    }
    free(earlier);
    return e;
}
