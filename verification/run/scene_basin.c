/* Scenes for systems without a bed, and for all. */
#include "verification/run/random.h"
#include "verification/run/scene.h"

/* Some cells have the bounds themselves. */
static double within(const struct unknown *u, struct sample *random, int whole)
{
    const double x = sample_between(random, -0.1, 1.1);
    const double kept = x < 0 ? 0 : x > 1 ? 1 : x;
    return u->low + (u->high - u->low) * (whole ? kept : 0.4 + 0.2 * kept);
}

enum err scene_basin(struct scene *s, const struct system *system, int nx, int ny, double relief,
                     int whole, unsigned long seed)
{
    struct sample random = {seed};
    TRY(scene_create_for(s, system, nx, ny));
    s->constant[0] = 0.6;
    s->constant[1] = 0.4;
    for (size_t c = 0; c < scene_cell(s, 0, ny); c++) {
        for (int k = 0; k < system->unknowns; k++) {
            const struct unknown *u = &system->unknown[k];
            s->field[k][c] = u->low < u->high ? within(u, &random, whole)
                                              : relief * sample_between(&random, -1, 1);
        }
        for (int k = 0; k < system->givens; k++)
            s->given[k][c] = sample_between(&random, 0.5, 1);
    }
    return ERR_OK;
}

/* Inflow of both sediments, of the second alone, and outflow, m2/s. */
static void mixed_edges(struct scene *s)
{
    s->boundary[WEST] = SUPPLY;
    s->edge[WEST] = (struct edge_state){.in = {0.02, 0.03}};
    s->boundary[EAST] = LOSS;
    s->edge[EAST] = (struct edge_state){.in = {-0.04}};
    s->boundary[SOUTH] = SUPPLY;
    s->edge[SOUTH] = (struct edge_state){.in = {0, 0.03}};
}

enum err scene_walled(struct scene *s, const struct system *system, int nx, int ny)
{
    return system->over_bed ? scene_rough(s, nx, ny) : scene_basin(s, system, nx, ny, 0.05, 0, 29);
}

enum err scene_busy(struct scene *s, const struct system *system, int nx, int ny)
{
    TRY(scene_walled(s, system, nx, ny));
    if (system->over_bed)
        scene_mixed_edges(s);
    else
        mixed_edges(s);
    return ERR_OK;
}
