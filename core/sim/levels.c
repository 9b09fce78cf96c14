/* What users see of the level, which is stored above the level at rest; and of the bed. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/sim.h"

/* Columns and rows as the user laid out the domain. */
static size_t columns(const struct sim *s)
{
    return (size_t)(s->turned ? s->grid.ny : s->grid.nx);
}

static size_t cells(const struct sim *s)
{
    return (size_t)s->grid.nx * (size_t)s->grid.ny;
}

/* A number of the ground in cell k of that layout. */
static double of_ground(const struct sim *s, double (*what)(const struct initial *, int, int),
                        size_t k)
{
    const int i = (int)(k % columns(s)), j = (int)(k / columns(s));
    return s->turned ? what(s->initial, j, i) : what(s->initial, i, j);
}

static double level_from(const struct sim *s, double eta, size_t k)
{
    return s->initial->datum + (of_ground(s, initial_rest, k) + eta);
}

enum err sim_download(struct sim *s, int k, void *to)
{
    TRY(sim_read(s, sim_unknown(s, k), NULL, to));
    for (size_t c = 0; k == 0 && c < cells(s); c++)
        reals_put(to, s->real_size, c, level_from(s, reals_get(to, s->real_size, c), c));
    return ERR_OK;
}

enum err sim_level(struct sim *s, double *to)
{
    TRY(sim_read(s, sim_unknown(s, 0), NULL, to));
    reals_widen(to, s->real_size, cells(s));
    for (size_t k = 0; k < cells(s); k++)
        to[k] = level_from(s, to[k], k);
    return ERR_OK;
}

enum err sim_depth(struct sim *s, void *to)
{
    TRY(sim_read(s, sim_unknown(s, 0), NULL, to));
    for (size_t k = 0; k < cells(s); k++)
        reals_put(to, s->real_size, k,
                  reals_get(to, s->real_size, k) - of_ground(s, initial_floor, k));
    return ERR_OK;
}

/* NaN where there is no water. */
static enum err carried_by_water(struct sim *s, int unknown, void *to)
{
    void *h = malloc(cells(s) * s->real_size);
    if (!h)
        FAIL(MEMORY, "no memory for the depths of %zu cells", cells(s));
    enum err e = sim_depth(s, h);
    if (!e)
        e = sim_read(s, sim_unknown(s, unknown), NULL, to);
    for (size_t k = 0; !e && k < cells(s); k++)
        if (!(reals_get(h, s->real_size, k) > 0))
            reals_put(to, s->real_size, k, (double)NAN);
    free(h);
    return e;
}

enum err sim_variable(struct sim *s, int variable, void *to)
{
    const struct system_variable *v = &s->system->variable[variable];
    if (v->as == AS_DEPTH)
        return sim_depth(s, to);
    if (v->as == AS_CARRIED)
        return carried_by_water(s, v->of, to);
    return v->as == AS_LEVEL ? sim_download(s, v->of, to)
                             : sim_read(s, sim_unknown(s, v->of), NULL, to);
}

void sim_corners(const struct sim *s, double *to)
{
    const size_t n = (size_t)(s->grid.nx + 1) * (size_t)(s->grid.ny + 1);
    const struct array_rows rows = sim_rows(s, s->initial->bed);
    const int nx = s->turned ? s->grid.ny : s->grid.nx, ny = s->turned ? s->grid.nx : s->grid.ny;
    rows_gather(&rows, nx + 1, ny + 1, s->real_size, to);
    reals_widen(to, s->real_size, n);
}

void sim_bed(const struct sim *s, double *to)
{
    const size_t n = (size_t)(s->grid.nx + 1) * (size_t)(s->grid.ny + 1);
    sim_corners(s, to);
    for (size_t k = 0; k < n; k++)
        to[k] = s->initial->datum + to[k];
}
