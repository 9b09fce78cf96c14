/* Patches become simulations, and simulations outcomes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/initial.h"
#include "verification/patch.h"

static double bed_of(const void *context, int i, int j)
{
    const struct patch *p = context;
    return p->bed[(size_t)j * ((size_t)p->nx + 1) + (size_t)i];
}

static struct flow water_of(const void *context, int i, int j)
{
    const struct patch *p = context;
    size_t k = (size_t)j * (size_t)p->nx + (size_t)i;
    return (struct flow){p->field[0][k], p->field[1][k], p->field[2][k]};
}

enum err patch_open(struct sim **sim, const struct config *c, const struct patch *p)
{
    struct patch read = *p;
    struct setup setup = {
        .config = c,
        .grid = {p->nx, p->ny, 0, 0, p->dx, p->dy},
        .t_end = isnan(c->t_end) ? 1e6 : c->t_end,
        .gravity = 9.81,
        .manning = p->manning,
        .kappa = p->kappa,
        .source = {.context = &read, .bed = bed_of, .water = water_of, .discharges = 1},
    };
    memcpy(setup.boundary, p->boundary, sizeof setup.boundary);
    memcpy(setup.edge, p->edge, sizeof setup.edge);
    return sim_create(sim, &setup);
}

/* Floats that lie at the start of room for n doubles become doubles: downwards, so that nothing is
 * overwritten before it is read. */
static void widen(double *x, size_t n, size_t real_size)
{
    const char *from = (const char *)x;
    for (size_t k = n; real_size != sizeof *x && k-- > 0;) {
        float value;
        memcpy(&value, from + k * sizeof value, sizeof value);
        x[k] = (double)value;
    }
}

/* The bed at the centre in the kernels' precision and order, num/depth.h. */
static double centre(const struct patch *p, size_t real_size, int i, int j)
{
    double b00 = bed_of(p, i, j), b10 = bed_of(p, i + 1, j);
    double b01 = bed_of(p, i, j + 1), b11 = bed_of(p, i + 1, j + 1);
    if (real_size == sizeof(double))
        return 0.25 * ((b00 + b11) + (b10 + b01));
    float a = (float)b00 + (float)b11, b = (float)b10 + (float)b01;
    return (double)(0.25f * (a + b));
}

enum err patch_look(struct sim *sim, const struct patch *p, struct outcome *o)
{
    enum err e = ERR_OK;
    const size_t n = (size_t)p->nx * (size_t)p->ny,
                 corners = ((size_t)p->nx + 1) * ((size_t)p->ny + 1);
    *o = (struct outcome){.clock = sim->now, .volume0 = sim->volume0, .dry = sim->initial->dry};
    TRY_OUT(patch_seen(&o->state, p, 0));
    o->depth = calloc(n, sizeof *o->depth);
    if (!o->depth) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the depths of %zu cells", n);
        goto out;
    }
    sim_bed(sim, o->state.bed);
    widen(o->state.bed, corners, sim->real_size);
    for (int k = 0; k < 3; k++) {
        TRY_OUT(sim_download(sim, k, o->state.field[k]));
        widen(o->state.field[k], n, sim->real_size);
    }
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++) {
            size_t k = (size_t)j * (size_t)p->nx + (size_t)i;
            o->depth[k] = o->state.field[0][k] - centre(&o->state, sim->real_size, i, j);
        }
    TRY_OUT(sim_balance(sim, &o->balance));
    return ERR_OK;
out:
    patch_outcome_free(o);
    return e;
}

enum err patch_run(const struct config *c, const struct patch *p, long steps, struct outcome *o)
{
    struct sim *sim = NULL;
    struct config counted = *c;
    counted.steps = steps;
    TRY(patch_open(&sim, &counted, p));
    enum err ran = sim_run(sim, (double)INFINITY, NULL), e = ran;
    if (ran == ERR_OK || ran == ERR_BROKEN)
        e = patch_look(sim, p, o);
    if (e == ERR_OK)
        o->broken = ran == ERR_BROKEN;
    sim_destroy(sim);
    return e;
}

void patch_outcome_free(struct outcome *o)
{
    patch_free(&o->state);
    free(o->depth);
    memset(o, 0, sizeof *o);
}

double outcome_mass_error(const struct outcome *o)
{
    const struct balance *b = &o->balance;
    return (b->volume - o->volume0 - b->inflow - b->clipped_in + b->dried_out) / o->volume0;
}
