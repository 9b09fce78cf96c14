/* Prints results: a line for each point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"
#include "experiments/measure/measure_parts.h"

/* A text's columns, cut at its tabs; "-" for a missing one of enum told. */
static void split(char *text, unsigned told, char *cell[POINT_COLUMN_COUNT])
{
    static char none[] = "-";
    for (int k = 0; k < POINT_COLUMN_COUNT; k++) {
        const int lacks = (k == AT_GRAPHS && !(told & TELLS_GRAPHS)) ||
                          (k == AT_OPTIONS && !(told & TELLS_OPTIONS));
        cell[k] = lacks ? none : strsep(&text, "\t");
    }
}

static void point_cells(const struct point *p, char text[POINT_CELLS],
                        char *cell[POINT_COLUMN_COUNT])
{
    measure_cells(p, 0, text);
    split(text, p->told, cell);
}

/* ny follows from case and nx, and repetitions are the same point. */
static int is_told(int column)
{
    return column != AT_NY && column != AT_RUN;
}

/* Columns that may follow from the scheme are shown only if they differ within one scheme. */
static int follows(int column)
{
    return column == AT_CFL || column == AT_DT_FACTOR || column == AT_EARLY_EXIT;
}

static const struct point *first_of_scheme(const struct measure_points *all, const struct scheme *s)
{
    int k = 0;
    while (all->point[k].scheme != s)
        k++;
    return &all->point[k];
}

/* Numbers need their names to be understood. */
static void add_cell(char *text, size_t *used, int column, const char *cell)
{
    static const char *const number[POINT_COLUMN_COUNT] = {
        [AT_NX] = "nx ", [AT_CFL] = "cfl ", [AT_DT_FACTOR] = "dt-factor ", [AT_GRAPHS] = "graphs "};
    if (*used < POINT_CELLS && !(number[column] && strcmp(cell, "-") == 0))
        *used += (size_t)snprintf(text + *used, POINT_CELLS - *used, "%s%s%s", *used ? " " : "",
                                  number[column] ? number[column] : "", cell);
}

void measure_names_of(struct measure_names *n, const struct measure_points *all)
{
    char first[POINT_CELLS], same[POINT_CELLS], other[POINT_CELLS];
    char *a[POINT_COLUMN_COUNT], *b[POINT_COLUMN_COUNT], *c[POINT_COLUMN_COUNT];
    int varies[POINT_COLUMN_COUNT] = {0};
    size_t used = 0;
    *n = (struct measure_names){0};
    point_cells(&all->point[0], first, a);
    for (int p = 1; p < all->count; p++) {
        point_cells(&all->point[p], other, b);
        point_cells(first_of_scheme(all, all->point[p].scheme), same, c);
        for (int k = 0; k < POINT_COLUMN_COUNT; k++) {
            varies[k] |= strcmp(a[k], b[k]) != 0;
            n->differs[k] |= is_told(k) && strcmp(follows(k) ? c[k] : a[k], b[k]) != 0;
        }
    }
    for (int k = 0; k < POINT_COLUMN_COUNT; k++)
        if (is_told(k) && !varies[k])
            add_cell(n->common, &used, k, a[k]);
}

void measure_name(const struct measure_names *n, const struct point *p, char text[POINT_CELLS])
{
    char cells[POINT_CELLS], *cell[POINT_COLUMN_COUNT];
    size_t used = 0;
    text[0] = '\0';
    point_cells(p, cells, cell);
    for (int k = 0; k < POINT_COLUMN_COUNT; k++)
        if (n->differs[k])
            add_cell(text, &used, k, cell[k]);
    if (!used)
        snprintf(text, POINT_CELLS, "%s %s", cell[0], cell[1]);
}

/* A point's repetitions: sorted, and how many there are. */
struct runs {
    double *wall, *rate, *error;
    size_t count, errors;
};

static void collect(const struct stored *s, const struct measure *m, const struct point *p,
                    int repeat, struct runs *r)
{
    r->count = r->errors = 0;
    for (int run = 1; run <= repeat; run++) {
        const struct stored_row *row = stored_find(s, p, run, m->session);
        if (!row || !row->ok || isnan(row->wall) || isnan(row->rate))
            continue;
        r->wall[r->count] = row->wall;
        r->rate[r->count++] = row->rate;
        if (!isnan(row->error))
            r->error[r->errors++] = row->error;
    }
}

static void print_point(const char *name, struct runs *r)
{
    if (!r->count) {
        printf("%-40s no run was ok\n", name);
        return;
    }
    printf("%-40s %12.6f %12.1f %5zu", name, sorted_median(r->wall, r->count),
           sorted_median(r->rate, r->count), r->count);
    if (r->errors)
        printf(" %12.3e", sorted_median(r->error, r->errors));
    putchar('\n');
}

static void print_points(const struct stored *s, const struct measure *m,
                         const struct measure_points *all, struct runs *r)
{
    struct measure_names names;
    const int repeat = all->point[all->count - 1].run;
    char name[POINT_CELLS];
    measure_names_of(&names, all);
    const int compared = measure_compares(m->experiment, m->setup.backend).error;
    printf("%s: %s\n%-40s %12s %12s %5s%s\n", m->experiment->name, names.common, "", "median s",
           "Mcells/s", "runs", compared ? "     L1 error" : "");
    for (int k = 0; k < all->count && all->point[k].run == 1; k++) {
        measure_name(&names, &all->point[k], name);
        collect(s, m, &all->point[k], repeat, r);
        print_point(name, r);
    }
}

enum err measure_print(const struct measure *m, const struct measure_points *all)
{
    char path[PATH_LENGTH];
    struct stored s;
    enum err e = ERR_OK;
    struct runs r = {.count = 0};
    TRY(measure_table(m->folder, m->experiment, path));
    TRY(stored_read(&s, path, m->kind));
    if (m->kind->print) {
        e = m->kind->print(m, all, &s);
        stored_free(&s);
        return e;
    }
    const int timed = s.count && db_cells_column(&s.table, "wall_s") >= 0 &&
                      db_cells_column(&s.table, "mcells_per_s") >= 0 && !*m->kind->row_columns;
    const size_t repeat = (size_t)all->point[all->count - 1].run;
    r.wall = calloc(repeat, sizeof *r.wall);
    r.rate = calloc(repeat, sizeof *r.rate);
    r.error = calloc(repeat, sizeof *r.error);
    if (!r.wall || !r.rate || !r.error)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for medians");
    else if (timed)
        print_points(&s, m, all, &r);
    else
        printf("%s: %d points in %s\n", m->experiment->name, all->count, path);
    free(r.wall);
    free(r.rate);
    free(r.error);
    stored_free(&s);
    return e;
}
