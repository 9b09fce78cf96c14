#include "core/sim/soil.h"

#include <stdlib.h>

#include "core/problem/soil.h"
#include "core/sim/balance.h"
#include "core/sim/upload.h"
#include "kernels/soil.h"

#define INFILTRATED "infiltrated"
#define SEEPED      "seeped_tracer"

struct sim_soil {
    const struct soil *soil;
    struct array *infiltrated;
    counter *seeped;          /* null: no tracer */
    real *rate_of, *store_of; /* null: the same everywhere */
};

/* A field's value of the run in a cell of the sim's domain: ny rows of nx, in the user's
 * orientation. */
struct laid {
    const double *of;
    size_t columns;
    int exchanged;
};

static double laid_at(const void *context, int i, int j)
{
    const struct laid *f = context;
    return f->exchanged ? f->of[(size_t)i * f->columns + (size_t)j]
                        : f->of[(size_t)j * f->columns + (size_t)i];
}

/* Nothing for null. */
static enum err put_field(struct sim *s, const struct setup *setup, const char *name,
                          const double *from, real **to)
{
    const int columns = setup->exchanged ? setup->grid.ny : setup->grid.nx;
    const struct laid f = {from, (size_t)columns, setup->exchanged};
    return from ? sim_given_cells(s, name, laid_at, &f, to) : ERR_OK;
}

/* Of a tracer. */
static enum err add_seeped(struct sim *s)
{
    static const struct array seeped = {SEEPED, .joined = JOIN_SUM,
                                        .bytes = VOLUME_COUNTERS * sizeof(counter), .kept = 1};
    void *p;
    if (!s->system->carried)
        return ERR_OK;
    TRY(sim_memory(s, &seeped, &p));
    s->soil->seeped = p;
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
    TRY(add_seeped(s));
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
        .seeped = soil->seeped,
        .clock = s->clock,
        .carried = sim_carried(s, 0, 0, 0),
        .p = s->physics,
    };
    a.p.units = sim_amount_units(s);
    return sim_launch(s, &s->auxiliary[SOIL_KERNEL], &a, sizeof a);
}

enum err sim_soil_volume(struct sim *s, double *volume)
{
    *volume = 0;
    return s->added[SOIL_KERNEL] ? sim_sum_depths(s, INFILTRATED, volume) : ERR_OK;
}

enum err sim_soil_amount(struct sim *s, double *amount)
{
    counter sum[VOLUME_COUNTERS];
    *amount = 0;
    if (!s->added[SOIL_KERNEL])
        return ERR_OK;
    TRY(sim_keep(s, sim_find_array(s, SEEPED), sum));
    *amount = sim_volume_of(s, sum, sim_amount_units(s));
    return ERR_OK;
}
