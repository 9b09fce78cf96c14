/* The plan of a domain in parts, from the parts' positions. */
#include "core/mesh/plan.h"

#include "core/mesh/lattice.h"

/* A direction: -1, 0 or 1 along x and along y. */
struct step {
    int x, y;
};

/* Along an axis: the cells beyond a side, and the neighbour's cells that they copy; or, beside
 * it (step 0), all cells, with the ghosts at those ends that are edges of the domain. */
struct range {
    int to, from, n;
};

static struct range across(int step, int own, int theirs, int deep)
{
    return step < 0 ? (struct range){-deep, theirs - deep, deep} : (struct range){own, 0, deep};
}

static struct range along(int own, int low_is_edge, int high_is_edge, int ghosts)
{
    const int low = low_is_edge ? -ghosts : 0, high = own + (high_is_edge ? ghosts : 0);
    return (struct range){low, low, high - low};
}

static struct plan_copy copy_from(const struct partition *c, const struct plan *p, int k, int part,
                                  struct step d, const struct depths *deep)
{
    const struct window own = cut_part(c, k), theirs = cut_part(c, part);
    const struct range x =
        d.x ? across(d.x, own.nx, theirs.nx, deep->beside)
            : along(own.nx, p->neighbour[0] < 0, p->neighbour[1] < 0, deep->edge);
    const struct range y =
        d.y ? across(d.y, own.ny, theirs.ny, deep->beside)
            : along(own.ny, p->neighbour[2] < 0, p->neighbour[3] < 0, deep->edge);
    const int around_x = (d.x < 0 && theirs.i0 > own.i0) || (d.x > 0 && theirs.i0 < own.i0);
    const int around_y = (d.y < 0 && theirs.j0 > own.j0) || (d.y > 0 && theirs.j0 < own.j0);
    return (struct plan_copy){.part = part,
                              .around = around_x || around_y,
                              .to = {x.to, y.to, x.n, y.n},
                              .from = {x.from, y.from, x.n, y.n}};
}

int plan_copy_cells(const struct plan_copy *c)
{
    return c->to.nx * c->to.ny;
}

struct plan plan_part(const struct partition *c, const int periodic[2], int k,
                      const struct depths *deep)
{
    static const struct step sides[PLAN_SIDES] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    struct plan p = {.copies = 0};
    for (int e = 0; e < PLAN_SIDES; e++)
        p.neighbour[e] = lattice_beside(c->columns, c->rows, periodic, k, sides[e].x, sides[e].y);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            const struct step d = {x, y};
            const int part = x || y ? lattice_beside(c->columns, c->rows, periodic, k, x, y) : -1;
            if (part >= 0)
                p.copy[p.copies++] = copy_from(c, &p, k, part, d, deep);
        }
    return p;
}
