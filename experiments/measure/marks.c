/* Reads the marks of an experiment, and checks that the terrain file is the right one. */
#include "experiments/measure/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/problem/problem.h"

#define NUMBER(member, from, to) NUMBER_IN(struct marks_asked, member, from, to)
const struct option marks_options[] = {
    {.name = "input"},
    {.name = "marks"},
    {.name = "manning", NUMBER(manning, 0, 10)},
    {.name = "kappa", NUMBER(kappa, 1e-9, 1e3)},
    {.name = "wet-depth", NUMBER(wet_depth, 0, 1e3), .initial = "0.01"},
    {.name = "maxima-every", COUNT_IN(struct marks_asked, maxima_every, 1, 1e6), .initial = "10"},
    {.name = "spacing", NUMBER(spacing, 1e-6, 1e6)},
    {.name = "bed-within", NUMBER(bed_within, 0, 1e4)},
    {.name = "volume", NUMBER(volume, 0, 1e15)},
    {.name = "volume-above", NUMBER(volume_above, -1e5, 1e5), .initial = "-1e5"},
    {.name = "volume-within", NUMBER(volume_within, 0, 100), .initial = "1"},
    {.name = NULL},
};

/* A file being checked. */
struct terrain {
    const struct experiment *x;
    const char *path;
    const struct setup *setup;
    struct marks_asked expected;
};

static const char *value_of(const struct experiment *x, enum backend_kind b, const char *key)
{
    return experiment_variant(x, experiment_section(x, "measure", 0), key, backends[b]->name);
}

void marks_free(struct marks *all)
{
    free(all->at);
    *all = (struct marks){0};
}

static enum err read_rows(const char *path, const struct db_cells *t, struct marks *all)
{
    const int name = db_cells_column(t, "mark"), x = db_cells_column(t, "x"),
              y = db_cells_column(t, "y"), bed = db_cells_column(t, "ground_m");
    if (name < 0 || x < 0 || y < 0)
        FAIL(INPUT, "%s: expected columns mark, x and y", path);
    all->at = calloc(t->rows, sizeof *all->at);
    if (!all->at)
        FAIL(MEMORY, "no memory for the marks of %s", path);
    for (size_t row = 1; row < t->rows; row++) {
        struct mark *m = &all->at[all->count++];
        snprintf(m->name, sizeof m->name, "%s", db_cells_at(t, row, name));
        m->x = decimal_read(db_cells_at(t, row, x));
        m->y = decimal_read(db_cells_at(t, row, y));
        m->bed = bed < 0 ? (double)NAN : decimal_read(db_cells_at(t, row, bed));
        if (isnan(m->x) || isnan(m->y))
            FAIL(INPUT, "%s: mark %s: x and y must be numbers", path, m->name);
    }
    if (all->count == 0)
        FAIL(INPUT, "%s: it has no marks", path);
    return ERR_OK;
}

enum err marks_read(const struct experiment *x, enum backend_kind backend, struct marks *all)
{
    char database[PATH_LENGTH], path[PATH_LENGTH], file[EXPERIMENT_WORD + 32];
    const char *value = value_of(x, backend, "marks"), *slash = value ? strchr(value, '/') : NULL;
    struct db_cells t;
    *all = (struct marks){0};
    if (!value)
        FAIL(INPUT, "%s: [measure] of kind marks needs marks = WORK/TABLE, a published table",
             x->file.path);
    if (!slash || strchr(slash + 1, '/') || *value == '.' || slash[1] == '.' ||
        strlen(value) > EXPERIMENT_WORD)
        return experiment_fault(x, value, "expected WORK/TABLE, a published table");
    snprintf(file, sizeof file, "published/%s.tsv", value);
    TRY(paths_database(database));
    TRY(db_path(database, file, path));
    TRY(db_cells_read(path, &t));
    const enum err e = read_rows(path, &t, all);
    db_cells_free(&t);
    if (e)
        marks_free(all);
    return e;
}

int marks_cell(const struct grid_info *g, const struct mark *mark, int *i, int *j)
{
    const double x = floor((mark->x - g->x0) / g->dx), y = floor((mark->y - g->y0) / g->dy);
    if (!(x >= 0 && x < g->nx && y >= 0 && y < g->ny))
        return 0;
    *i = (int)x;
    *j = (int)y;
    return 1;
}

/* The bed between the corners of a cell, m. */
static double bed_at(const struct setup *s, const struct mark *m, int i, int j)
{
    const struct source *from = &s->source;
    const struct grid_info *g = &s->grid;
    const double u = (m->x - g->x0) / g->dx - i, v = (m->y - g->y0) / g->dy - j;
    const double low =
        (1 - u) * from->bed(from->context, i, j) + u * from->bed(from->context, i + 1, j);
    const double high =
        (1 - u) * from->bed(from->context, i, j + 1) + u * from->bed(from->context, i + 1, j + 1);
    return (1 - v) * low + v * high;
}

static enum err check_marks(const struct terrain *t, const struct marks *all)
{
    const struct grid_info *g = &t->setup->grid;
    for (int k = 0; k < all->count; k++) {
        const struct mark *m = &all->at[k];
        int i, j;
        if (!marks_cell(g, m, &i, &j))
            FAIL(INPUT, "%s: mark %s (%g, %g) lies outside: x is from %g to %g, y from %g to %g",
                 t->path, m->name, m->x, m->y, g->x0, g->x0 + g->nx * g->dx, g->y0,
                 g->y0 + g->ny * g->dy);
        const double bed = bed_at(t->setup, m, i, j);
        if (fabs(bed - m->bed) > t->expected.bed_within)
            FAIL(INPUT,
                 "%s: at mark %s (%g, %g) the bed is %.2f m, and should be %.2f m (bed-within = "
                 "%g): "
                 "the terrain is another one, shifted, or rotated",
                 t->path, m->name, m->x, m->y, bed, m->bed, t->expected.bed_within);
    }
    return ERR_OK;
}

static enum err check_volume(const struct terrain *t)
{
    const struct source *from = &t->setup->source;
    const struct grid_info *g = &t->setup->grid;
    const struct marks_asked *want = &t->expected;
    double volume = 0;
    for (int j = 0; j < g->ny; j++) {
        for (int i = 0; i < g->nx; i++) {
            const double w = from->water(from->context, i, j).w;
            const double corners[] = {
                from->bed(from->context, i, j), from->bed(from->context, i + 1, j + 1),
                from->bed(from->context, i + 1, j), from->bed(from->context, i, j + 1)};
            const double bed = 0.25 * ((corners[0] + corners[1]) + (corners[2] + corners[3]));
            volume += w > want->volume_above && w > bed ? (w - bed) * g->dx * g->dy : 0;
        }
    }
    if (fabs(volume - want->volume) > 0.01 * want->volume_within * want->volume)
        FAIL(INPUT,
             "%s: the water above %g m has a volume of %.5g m3, and should have %.5g m3 within %g "
             "%%: "
             "it is another initial state",
             t->path, want->volume_above, volume, want->volume, want->volume_within);
    return ERR_OK;
}

static enum err check_grid(const struct terrain *t, const struct measure_points *all)
{
    const struct grid_info *g = &t->setup->grid;
    const double d = t->expected.spacing, slack = 1e-4 * d;
    if (g->nx != all->point[0].nx)
        FAIL(INPUT, "%s: expected the grid of %s, %d cells from west to east, got %d", t->path,
             t->x->name, all->point[0].nx, g->nx);
    if (fabs(g->dx - d) > slack || fabs(g->dy - d) > slack)
        FAIL(INPUT, "%s: expected square cells of %g m, got %g m by %g m", t->path, d, g->dx,
             g->dy);
    return ERR_OK;
}

/* All points are of one file. */
static enum err check(const struct terrain *t, const struct marks *marks,
                      const struct measure_points *all)
{
    TRY(check_grid(t, all));
    TRY(check_marks(t, marks));
    return check_volume(t);
}

enum err marks_ready(const struct experiment *x, enum backend_kind backend,
                     const struct measure_points *all)
{
    struct config c;
    struct marks marks;
    struct terrain t = {.x = x, .path = c.input};
    const char *input = value_of(x, backend, "input");
    if (!input)
        FAIL(INPUT, "%s: [measure] of kind marks needs terrain from a file: input = FILE",
             x->file.path);
    TRY(measure_options(x, backend, marks_options, &t.expected));
    config_case_defaults(&c);
    c.t_end = 1; /* a file has none */
    TRY(measure_input(x, input, c.input));
    TRY(marks_read(x, backend, &marks));
    struct problem *p = calloc(1, sizeof *p);
    enum err e = p ? problem_open(p, &c)
                   : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", c.input);
    if (p)
        t.setup = &p->setup;
    if (!e)
        e = check(&t, &marks, all);
    if (p)
        problem_close(p);
    free(p);
    marks_free(&marks);
    return e;
}
