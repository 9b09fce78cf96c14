/* The levels that users see, from those stored above the level at rest; and the bed. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/sim.h"

static size_t cells(const struct window *w)
{
    return (size_t)w->nx * (size_t)w->ny;
}

/* A number that users see, from the stored one in a cell and the ground there. */
typedef double seen(const struct initial *ground, int i, int j, double stored);

static double level(const struct initial *ground, int i, int j, double eta)
{
    return ground->datum + (initial_rest(ground, i, j) + eta);
}

static double depth(const struct initial *ground, int i, int j, double eta)
{
    return eta - initial_floor(ground, i, j);
}

/* Converts a window's numbers, `size` bytes each, to what users see. */
static enum err see(const struct sim *s, const struct window *w, seen *number, size_t size,
                    void *to)
{
    enum { ROWS = 32 };
    for (int j0 = 0; j0 < w->ny; j0 += ROWS) {
        const int rows = w->ny - j0 < ROWS ? w->ny - j0 : ROWS;
        const struct window here = {w->i0, w->j0 + j0, w->nx, rows},
                            turned = {here.j0, here.i0, rows, w->nx};
        struct initial *ground = NULL;
        TRY(initial_cut(&ground, s->initial, s->turned ? &turned : &here, INITIAL_BED));
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < w->nx; i++) {
                const size_t k = (size_t)(j0 + j) * (size_t)w->nx + (size_t)i;
                const double x = reals_get(to, size, k);
                reals_put(to, size, k,
                          s->turned ? number(ground, j, i, x) : number(ground, i, j, x));
            }
        initial_destroy(ground);
    }
    return ERR_OK;
}

static enum err stored_or_level(struct sim *s, int k, const struct window *w, void *to)
{
    TRY(sim_read(s, sim_unknown(s, k), w, to));
    return k == 0 ? see(s, w, level, s->real_size, to) : ERR_OK;
}

enum err sim_download(struct sim *s, int k, void *to)
{
    const struct window all = sim_domain(s);
    return stored_or_level(s, k, &all, to);
}

enum err sim_level(struct sim *s, double *to)
{
    const struct window all = sim_domain(s);
    TRY(sim_read(s, sim_unknown(s, 0), NULL, to));
    reals_widen(to, s->real_size, cells(&all));
    return see(s, &all, level, sizeof *to, to);
}

static enum err depths(struct sim *s, const struct window *w, void *to)
{
    TRY(sim_read(s, sim_unknown(s, 0), w, to));
    return see(s, w, depth, s->real_size, to);
}

enum err sim_depth(struct sim *s, void *to)
{
    const struct window all = sim_domain(s);
    return depths(s, &all, to);
}

/* NaN where there is no water. */
static enum err carried_by_water(struct sim *s, int unknown, const struct window *w, void *to)
{
    void *h = malloc(cells(w) * s->real_size);
    if (!h)
        FAIL(MEMORY, "no memory for the depths of %zu cells", cells(w));
    enum err e = depths(s, w, h);
    if (!e)
        e = sim_read(s, sim_unknown(s, unknown), w, to);
    for (size_t k = 0; !e && k < cells(w); k++)
        if (!(reals_get(h, s->real_size, k) > 0))
            reals_put(to, s->real_size, k, (double)NAN);
    free(h);
    return e;
}

enum err sim_variable(struct sim *s, int variable, const struct window *w, void *to)
{
    const struct system_variable *v = &s->system->variable[variable];
    const struct window all = sim_domain(s);
    w = w ? w : &all;
    if (v->as == AS_DEPTH)
        return depths(s, w, to);
    if (v->as == AS_CARRIED)
        return carried_by_water(s, v->of, w, to);
    return v->as == AS_LEVEL ? stored_or_level(s, v->of, w, to)
                             : sim_read(s, sim_unknown(s, v->of), w, to);
}

int sim_has_corners_here(const struct sim *s)
{
    return s->backend == &backend_cpu && !s->parts && !s->tiles.columns && s->system->over_bed;
}

/* A row of corners from (i, j) on; `bed`: (0, 0) of those on the device, where that is the main memory. */
static void row_of_corners(const struct sim *s, const void *bed, int i, int j, int n, double *to)
{
    const long pitch = s->turned ? 1 : s->pitch[PLAIN], column = s->turned ? s->pitch[PLAIN] : 1;
    for (long k = 0; k < n && bed; k++)
        to[k] = reals_get(bed, s->real_size, (size_t)(j * pitch + (i + k) * column));
    for (int k = 0; k < n && !bed; k++)
        to[k] =
            s->turned ? initial_corner(s->initial, j, i + k) : initial_corner(s->initial, i + k, j);
}

void sim_corners(const struct sim *s, const struct window *w, double *to)
{
    const struct window all = sim_domain(s);
    const void *bed = sim_has_corners_here(s) ? s->ground.corner : NULL;
    w = w ? w : &all;
    for (int j = w->j0; j <= w->j0 + w->ny; j++, to += w->nx + 1)
        row_of_corners(s, bed, w->i0, j, w->nx + 1, to);
}

void sim_bed(const struct sim *s, const struct window *w, double *to)
{
    const struct window all = sim_domain(s);
    w = w ? w : &all;
    sim_corners(s, w, to);
    for (size_t k = 0; k < ((size_t)w->nx + 1) * ((size_t)w->ny + 1); k++)
        to[k] = s->initial->datum + to[k];
}
