/* What a run leaves for figures: the middle row and the norms at every snapshot, all cells of the last one. */
#include "verification/run/measure_parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/output_file.h"
#include "core/base/paths.h"

/* A NaN is printed without its sign. */
static void print_number(FILE *f, double x, char after)
{
    fprintf(f, "%.9g%c", isnan(x) ? fabs(x) : x, after);
}

static void print_cell(const struct measuring *me, FILE *f, double t_or_x, double x_or_y, size_t k)
{
    print_number(f, t_or_x, '\t');
    print_number(f, x_or_y, '\t');
    if (is_water(me)) {
        print_number(f, me->array[BED][k], '\t');
        print_number(f, me->array[W][k], '\t');
    }
    for (int u = 0; u < unknowns(me); u++)
        print_number(f, me->array[OWN + u][k], '\t');
    for (int u = 0; u < unknowns(me); u++)
        print_number(f, me->compared ? me->array[REFERENCE + u][k] : (double)NAN,
                     u + 1 < unknowns(me) ? '\t' : '\n');
}

static enum err open_text(struct text *t, const char *begin)
{
    t->stream = open_memstream(&t->content, &t->size);
    if (!t->stream)
        FAIL(MEMORY, "no memory for what figures need of a run");
    fputs(begin, t->stream);
    return ERR_OK;
}

/* The column names of print_cell. */
static void name_columns(const struct measuring *me, FILE *f)
{
    fputs(is_water(me) ? "\tbed\tw" : "", f);
    for (int u = 0; u < unknowns(me); u++)
        fprintf(f, "\t%s", measured_variable(me->of.sim->system, u).name);
    for (int u = 0; u < unknowns(me); u++)
        fprintf(f, "\tr%s", measured_variable(me->of.sim->system, u).name);
    fputc('\n', f);
}

enum err measure_open_files(struct measuring *me)
{
    const struct verification *v = me->run->flow_case->verify;
    TRY(open_text(&me->profile, "t\tx"));
    name_columns(me, me->profile.stream);
    TRY(open_text(&me->series, "t"));
    for (int k = 0; k < me->norms; k++)
        fprintf(me->series.stream, "\t%s", me->norm[k]->name);
    fputc('\n', me->series.stream);
    if (!v || !v->scatter)
        return ERR_OK;
    TRY(open_text(&me->all_cells, "x\ty"));
    name_columns(me, me->all_cells.stream);
    return ERR_OK;
}

static void drop_text(struct text *t)
{
    if (t->stream)
        fclose(t->stream);
    free(t->content);
}

static void print_text(FILE *f, const void *context)
{
    const struct text *t = context;
    fwrite(t->content, 1, t->size, f);
}

static enum err save(struct text *t, const char *folder, const char *name, const char *kind)
{
    char path[PATH_LENGTH];
    if (!t->stream)
        return ERR_OK;
    FILE *stream = t->stream;
    t->stream = NULL;
    if (fclose(stream))
        FAIL(MEMORY, "no memory for %s.%s", name, kind);
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, name, kind) >= PATH_LENGTH)
        FAIL(INPUT, "%s: too long a path for the results; choose a shorter one", folder);
    return outfile_print(path, print_text, t);
}

enum err measure_save_files(struct measuring *me, const char *folder)
{
    char name[256];
    run_name(me->run, name);
    TRY(save(&me->profile, folder, name, "profile.tsv"));
    TRY(save(&me->series, folder, name, "series.tsv"));
    return save(&me->all_cells, folder, name, "cells.tsv");
}

void measure_write_norms(struct measuring *me, int number, double t)
{
    print_number(me->series.stream, t, me->norms ? '\t' : '\n');
    for (int k = 0; k < me->norms; k++)
        print_number(me->series.stream, me->m->value[k][number], k + 1 < me->norms ? '\t' : '\n');
}

void measure_write_profile(struct measuring *me, double t)
{
    const struct grid_info *g = &me->of.sim->grid;
    for (int i = 0; i < g->nx; i++)
        print_cell(me, me->profile.stream, t, grid_x(g, i),
                   (size_t)(g->ny / 2) * (size_t)g->nx + (size_t)i);
}

void measure_write_cells(struct measuring *me)
{
    const struct grid_info *g = &me->of.sim->grid;
    const size_t nx = (size_t)g->nx;
    for (size_t k = 0; me->all_cells.stream && k < me->cells; k++)
        print_cell(me, me->all_cells.stream, grid_x(g, (int)(k % nx)), grid_y(g, (int)(k / nx)), k);
}

void measure_drop_files(struct measuring *me)
{
    drop_text(&me->profile);
    drop_text(&me->series);
    drop_text(&me->all_cells);
}
