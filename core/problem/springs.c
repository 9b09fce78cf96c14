/* Finds the cells of sources and sinks, and reads their discharges. */
#include "core/problem/springs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/mesh/grid_place.h"
#include "core/options/source_option.h"

static const double FOREVER = 1e300; /* s */

static int is_wall(const struct water_setting *from, int i, int j)
{
    return from->wall && from->wall(from->context, i, j);
}

/* False if there is no memory for `count` numbers. */
static int has_room(int **list, size_t count)
{
    int *more = realloc(*list, count * sizeof *more);
    if (more)
        *list = more;
    return more != NULL;
}

static enum err add_cell(struct spring_place *p, int i, int j)
{
    const size_t n = (size_t)p->cells;
    const int full = (n & (n + 1)) == 0; /* 0, 1, 3, 7, ... */
    if (full && (!has_room(&p->i, 2 * n + 1) || !has_room(&p->j, 2 * n + 1)))
        FAIL(MEMORY, "no memory for the cells of source '%s'", p->choice->name);
    p->i[n] = i;
    p->j[n] = j;
    p->cells++;
    return ERR_OK;
}

/* All with their centres within the radius, except walls for missing terrain. */
static enum err find_round(struct spring_place *p, const struct water_setting *from)
{
    const struct grid_info *g = &from->grid;
    const struct source_choice *s = p->choice;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx && fabs(grid_y(g, j) - s->y) <= s->radius; i++)
            if (hypot(grid_x(g, i) - s->x, grid_y(g, j) - s->y) <= s->radius &&
                !is_wall(from, i, j))
                TRY(add_cell(p, i, j));
    return ERR_OK;
}

/* The cell of the point, if the radius contains no cell's centre. */
static enum err find_cells(struct spring_place *p, const struct water_setting *from)
{
    const struct grid_info *g = &from->grid;
    const struct source_choice *s = p->choice;
    const int i = grid_column_of(g, s->x), j = grid_row_of(g, s->y);
    if (i < 0 || j < 0)
        FAIL(USAGE,
             "source '%s' at (%.10g, %.10g) lies outside the domain, x = %.10g to %.10g, y = %.10g "
             "to "
             "%.10g",
             s->name, s->x, s->y, grid_xc(g, 0), grid_xc(g, g->nx), grid_yc(g, 0),
             grid_yc(g, g->ny));
    if (s->radius > 0)
        TRY(find_round(p, from));
    if (p->cells == 0 && is_wall(from, i, j))
        FAIL(
            USAGE,
            "source '%s' at (%.10g, %.10g) lies on a wall that stands for missing terrain: move it",
            s->name, s->x, s->y);
    return p->cells > 0 ? ERR_OK : add_cell(p, i, j);
}

static enum err take_number(struct timeseries *s, double q)
{
    s->time = calloc(2, sizeof *s->time);
    s->value = calloc(2, sizeof *s->value);
    if (!s->time || !s->value)
        FAIL(MEMORY, "no memory for a source");
    s->rows = 2;
    s->time[1] = FOREVER;
    s->value[0] = s->value[1] = q;
    return ERR_OK;
}

static enum err take_series(struct spring_place *p, const struct water_setting *from)
{
    const char *path = from->config->sources.files + p->choice->file;
    if (access(path, R_OK) != 0)
        FAIL(INPUT, "source '%s': expected a number or a readable file, got '%s' (%s)",
             p->choice->name, path, strerror(errno));
    enum err e = timeseries_read(&p->series, path);
    if (!e)
        e = timeseries_covers(&p->series, 0, from->t_end, path);
    if (e)
        err_context("source '%s'", p->choice->name);
    return e;
}

static enum err take_setting(struct spring_place *p, const struct water_setting *from)
{
    if (p->choice->c > 0 && !from->carries)
        FAIL(USAGE,
             "source '%s': c= gives a tracer's concentration, but this run has no tracer: add "
             "--tracer 0",
             p->choice->name);
    TRY(find_cells(p, from));
    TRY(p->choice->file < 0 ? take_number(&p->series, p->choice->q) : take_series(p, from));
    log_info("--source %s: %.6g m3 by the end, into %d cell%s", p->choice->name,
             timeseries_integral(&p->series, 0, from->t_end), p->cells, p->cells == 1 ? "" : "s");
    return ERR_OK;
}

enum err springs_choose(struct spring_list *l, const struct water_setting *from)
{
    const struct source_choices *all = &from->config->sources;
    *l = (struct spring_list){0};
    if (all->count == 0)
        return ERR_OK;
    l->place = calloc((size_t)all->count, sizeof *l->place);
    if (!l->place)
        FAIL(MEMORY, "no memory for %d sources", all->count);
    for (; l->count < all->count; l->count++) {
        l->place[l->count].choice = &all->of[l->count];
        const enum err e = take_setting(&l->place[l->count], from);
        if (e) {
            l->count++; /* what was read of it is to be freed */
            err_context("--source");
            return e;
        }
    }
    return ERR_OK;
}

void springs_free(struct spring_list *l)
{
    for (int k = 0; k < l->count; k++) {
        timeseries_free(&l->place[k].series);
        free(l->place[k].i);
        free(l->place[k].j);
    }
    free(l->place);
    *l = (struct spring_list){0};
}

double spring_most(const struct spring_place *p, const struct grid_info *g)
{
    double most = 0;
    for (int k = 0; k < p->series.rows; k++)
        most = fmax(most, p->series.value[k]);
    return most / (p->cells * g->dx * g->dy);
}

enum err springs_describe(const struct spring_list *l, const struct config *c, char **text)
{
    char choice[2 * FILE_LENGTH];
    size_t size;
    FILE *f = open_memstream(text, &size);
    if (!f)
        FAIL(MEMORY, "no memory to describe the sources");
    for (int k = 0; k < l->count; k++) {
        const struct timeseries *s = &l->place[k].series;
        source_option_print(c, l->place[k].choice, choice, sizeof choice);
        fprintf(f, "%s", choice);
        if (*s->hash)
            fprintf(f, " (%d rows, sha256 %s...)", s->rows, s->hash);
        fputc('\n', f);
    }
    if (fclose(f) != 0)
        FAIL(MEMORY, "no memory to describe the sources");
    return ERR_OK;
}
