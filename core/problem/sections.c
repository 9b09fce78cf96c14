#include "core/problem/sections.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/log.h"

static double centre(const struct grid_info *g, int axis, int k)
{
    return axis == 0 ? grid_x(g, k) : grid_y(g, k);
}

/* Signed distance of a point from the line: positive to the left of its direction. */
static double left_of(const struct section_line *s, double x, double y)
{
    return (s->x[1] - s->x[0]) * (y - s->y[0]) - (s->y[1] - s->y[0]) * (x - s->x[0]);
}

/* Does the way from one cell's centre to the next cross the line between its ends? Points on the
 * line count as left of it, and its beginning as part of it, so that chains have no gaps. */
static int crosses(const struct section_line *s, const double from[2], const double to[2])
{
    const double a = left_of(s, from[0], from[1]), b = left_of(s, to[0], to[1]);
    if ((a >= 0) == (b >= 0))
        return 0;
    const double part = a / (a - b), x = from[0] + part * (to[0] - from[0]);
    const double y = from[1] + part * (to[1] - from[1]);
    const double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0];
    const double along = (x - s->x[0]) * dx + (y - s->y[0]) * dy;
    return along >= 0 && along <= dx * dx + dy * dy;
}

static enum err add_face(struct section_place *p, const struct section_face *f)
{
    const size_t n = (size_t)p->faces;
    if ((n & (n + 1)) == 0) { /* full: 0, 1, 3, 7, ... */
        struct section_face *more = realloc(p->face, (2 * n + 1) * sizeof *more);
        if (!more)
            FAIL(MEMORY, "no memory for section '%s'", p->choice->name);
        p->face = more;
    }
    p->face[p->faces++] = *f;
    return ERR_OK;
}

/* Cells whose centres the line may pass within one cell, along an axis. */
static void range_along(const struct grid_info *g, int axis, const double ends[2], int *first,
                        int *last)
{
    const double origin = axis == 0 ? grid_xc(g, 0) : grid_yc(g, 0), size = axis ? g->dy : g->dx;
    const double most = (axis == 0 ? g->nx : g->ny) + 1;
    *first = (int)fmin(fmax(floor((fmin(ends[0], ends[1]) - origin) / size) - 2, 0), most);
    *last = (int)fmin(fmax(ceil((fmax(ends[0], ends[1]) - origin) / size) + 2, 0), most);
}

/* Also the faces on the domain's edges: to cells that would lie beyond. */
static enum err find_faces(struct section_place *p, const struct grid_info *g, int axis)
{
    const struct section_line *s = p->choice;
    const int nx = g->nx + (axis == 0), ny = g->ny + (axis == 1);
    int i0, i1, j0, j1;
    range_along(g, 0, s->x, &i0, &i1);
    range_along(g, 1, s->y, &j0, &j1);
    for (int j = j0; j < ny && j <= j1; j++)
        for (int i = i0; i < nx && i <= i1; i++) {
            const double from[2] = {centre(g, 0, axis == 0 ? i - 1 : i),
                                    centre(g, 1, axis == 1 ? j - 1 : j)};
            const double to[2] = {centre(g, 0, i), centre(g, 1, j)};
            if (!crosses(s, from, to))
                continue;
            /* Looking downstream the left bank is on the left, so water flows to the left of the
             * direction from there to the right bank. */
            const int to_the_left = left_of(s, to[0], to[1]) >= 0;
            TRY(add_face(p, &(struct section_face){i, j, axis, to_the_left ? 1 : -1}));
        }
    return ERR_OK;
}

static enum err find(struct section_place *p, const struct grid_info *g)
{
    const struct section_line *s = p->choice;
    for (int axis = 0; axis < 2; axis++)
        TRY(find_faces(p, g, axis));
    if (p->faces == 0)
        FAIL(USAGE,
             "--section: section '%s' from (%.10g, %.10g) to (%.10g, %.10g) crosses no face "
             "between cells; the domain is x = %.10g to %.10g, y = %.10g to %.10g, in cells of "
             "%.6g x %.6g m",
             s->name, s->x[0], s->y[0], s->x[1], s->y[1], grid_xc(g, 0), grid_xc(g, g->nx),
             grid_yc(g, 0), grid_yc(g, g->ny), g->dx, g->dy);
    log_info("--section %s: %d faces of cells", s->name, p->faces);
    return ERR_OK;
}

enum err sections_choose(struct section_list *l, const struct config *c, const struct grid_info *g)
{
    const struct section_choices *all = &c->sections;
    *l = (struct section_list){.dx = g->dx, .dy = g->dy};
    if (all->count == 0)
        return ERR_OK;
    l->place = calloc((size_t)all->count, sizeof *l->place);
    if (!l->place)
        FAIL(MEMORY, "no memory for %d sections", all->count);
    for (int k = 0; k < all->count; k++) {
        l->place[k].choice = &all->of[k];
        l->count++;
        TRY(find(&l->place[k], g));
    }
    return ERR_OK;
}

void sections_free(struct section_list *l)
{
    for (int k = 0; k < l->count; k++)
        free(l->place[k].face);
    free(l->place);
    *l = (struct section_list){0};
}

int sections_faces(const struct section_list *l)
{
    int n = 0;
    for (int k = 0; k < l->count; k++)
        n += l->place[k].faces;
    return n;
}
