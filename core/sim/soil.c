#include "core/sim/soil.h"

#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/problem/initial_state_parts.h"
#include "core/problem/soil.h"
#include "core/sim/balance.h"
#include "core/sim/upload.h"
#include "kernels/soil.h"

#define INFILTRATED "infiltrated"

struct sim_soil {
    const struct soil *soil;
    struct array *infiltrated;
    real *rate_of, *store_of; /* null: the same everywhere */
};

/* A number for each cell of the run, rows from south to north, which the sim may lay out otherwise. */
struct plane {
    const double *from;
    const struct setup *setup;
};

static double number_in(const void *context, int i, int j)
{
    const struct plane *p = context;
    const struct setup *setup = p->setup;
    const size_t columns = (size_t)(setup->exchanged ? setup->grid.ny : setup->grid.nx);
    const size_t x = (size_t)(setup->exchanged ? j : i), y = (size_t)(setup->exchanged ? i : j);
    return p->from[y * columns + x];
}

/* Nothing for null. */
static enum err put_field(struct sim *s, const struct setup *setup, const char *name,
                          const double *from, real **to)
{
    const struct plane p = {from, setup};
    struct array wanted = {.layout = ARRAY_CELLS, .joined = JOIN_PLANE, .given = 1}, *array;
    if (!from)
        return ERR_OK;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    TRY(sim_array(s, &wanted, &array));
    TRY(sim_upload_cells(s, array, number_in, &p));
    *to = array_first(s, array, PLAIN);
    return ERR_OK;
}

enum err sim_soil_create(struct sim *s, const struct setup *setup)
{
    static const struct array infiltrated = {INFILTRATED, .layout = ARRAY_CELLS,
                                             .joined = JOIN_PLANE, .kept = 1};
    if (!setup->soil)
        return ERR_OK;
    s->soil = calloc(1, sizeof *s->soil);
    if (!s->soil)
        FAIL(MEMORY, "no memory for the soil");
    s->soil->soil = setup->soil;
    TRY(sim_array(s, &infiltrated, &s->soil->infiltrated));
    TRY(put_field(s, setup, "soil_rate", setup->soil->rate_of, &s->soil->rate_of));
    return put_field(s, setup, "soil_store", setup->soil->store_of, &s->soil->store_of);
}

void sim_soil_destroy(struct sim *s)
{
    free(s->soil);
    s->soil = NULL;
}

enum err sim_soil_drink(struct sim *s)
{
    const struct sim_soil *soil = s->soil;
    if (!soil)
        return ERR_OK;
    struct soil_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[0], PLAIN),
        .centre = s->ground.centre,
        .infiltrated = array_first(s, soil->infiltrated, PLAIN),
        .rate_of = soil->rate_of,
        .store_of = soil->store_of,
        .rate = soil->soil->rate,
        .store = soil->soil->store,
        .clock = s->clock,
        .p = s->physics,
    };
    return sim_launch(s, &s->auxiliary[SOIL_KERNEL], &a, sizeof a);
}

enum err sim_soil_volume(struct sim *s, double *volume)
{
    *volume = 0;
    return s->added[SOIL_KERNEL] ? sim_sum_depths(s, INFILTRATED, volume) : ERR_OK;
}
