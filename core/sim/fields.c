/* The fields of a simulation: their layout, their memory, and how kernels get them. */
#include <stdio.h>

#include "core/problem/initial_state.h"
#include "core/sim/alternation.h"
#include "core/sim/array.h"
#include "core/sim/observer.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"
#include "kernels/volume.h"

/* Both views of a field must fit. */
void sim_lay_out(struct sim *s)
{
    const struct tiles *t = &s->tiles;
    if (t->columns) {
        s->pitch[PLAIN] = s->pitch[TURNED] = tiling_pitch(s);
        s->margin = GHOSTS;
        s->field_bytes = (size_t)(s->pitch[PLAIN] * tiling_slots(s) * s->slot_rows) * s->real_size;
        return;
    }
    s->margin = MARGIN;
    const struct window all = sim_stored(s);
    s->pitch[PLAIN] = initial_pitch(all.nx);
    s->pitch[TURNED] = initial_pitch(all.ny);
    s->field_bytes = (size_t)(s->pitch[PLAIN] * initial_rows(all.ny)) * s->real_size;
    if (s->scheme->split) {
        size_t turned = (size_t)(s->pitch[TURNED] * initial_rows(all.nx)) * s->real_size;
        s->field_bytes = turned > s->field_bytes ? turned : s->field_bytes;
    }
}

size_t sim_bytes(const struct sim *s)
{
    const size_t states = 1 + (size_t)s->scheme->stages, rates = (size_t)alternation_rates(s);
    const size_t of_unknowns = states + rates + (s->forced ? 1 : 0);
    return (of_unknowns * (size_t)s->system->unknowns + (size_t)s->system->givens +
            (s->rough ? 3 : 2) + (s->added[SOIL_KERNEL] ? 3 : 0) + (size_t)s->scheme->fields) *
               s->field_bytes +
           observers_bytes(s);
}

/* NaN everywhere, so that reading unwritten values shows. */
static enum err add_field(struct sim *s, const char *name, const char *ending, enum layout layout,
                          int given, struct array **a)
{
    struct array wanted = {.layout = layout, .joined = JOIN_PLANE, .byte = 0xff, .given = given};
    snprintf(wanted.name, sizeof wanted.name, "%s%s", name, ending);
    return sim_array(s, &wanted, a);
}

/* One for each unknown. */
static enum err add_fields(struct sim *s, const char *ending, struct array *of[UNKNOWNS])
{
    for (int k = 0; k < s->system->unknowns; k++)
        TRY(add_field(s, s->system->unknown[k].name, ending, ARRAY_CELLS, 0, &of[k]));
    return ERR_OK;
}

struct fields sim_fields(const struct sim *s, struct array *const of[UNKNOWNS], enum view v)
{
    real *first[3] = {NULL};
    for (int k = 0; k < 3 && k < s->system->unknowns; k++)
        first[k] = array_first(s, of[v == TURNED ? s->system->unknown[k].exchanged : k], v);
    return (struct fields){first[0], first[1], first[2]};
}

struct tracer_args sim_carried(const struct sim *s, int base, int from, int to)
{
    const int k = s->system->carried, rates = s->scheme->rates;
    struct tracer_args c = {0};
    if (!k)
        return c;
    c = (struct tracer_args){
        .base = array_first(s, s->state[base][k], PLAIN),
        .from = array_first(s, s->state[from][k], PLAIN),
        .to = array_first(s, s->state[to][k], PLAIN),
        .eta = array_first(s, s->state[from][0], PLAIN),
        .centre = s->ground.centre,
        .given = s->tracer.given,
        .clipped = s->tracer.clipped,
        .scale = (float)s->tracer.scale,
    };
    if (rates > 0)
        c.r = array_first(s, s->rate[0][k], PLAIN);
    if (rates > 1)
        c.r2 = array_first(s, s->rate[1][k], PLAIN);
    for (int e = 0; e < EDGES && !s->tiles.columns; e++) /* else: struct tiling */
        c.rim[e] = rim_part(s, s->tracer.rim, (enum edge)e);
    return c;
}

/* Every kernel has room for a wave speed per block, one kernel's after the other's. */
enum err sim_allocate_speeds(struct sim *s, const char *name)
{
    long n = 0;
    void *p;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        long plain = sim_most_blocks(s, &s->kernels[k], PLAIN);
        long turned = sim_most_blocks(s, &s->kernels[k], TURNED);
        s->speed_offset[k] = n;
        n += (plain > turned ? plain : turned) + (s->forest != NULL); /* that of absent tiles */
    }
    TRY(sim_room(s, name, (size_t)n * s->real_size, &p));
    s->block_speed = p;
    return ERR_OK;
}

/* Counts what clipping adds of a tracer. */
static enum err allocate_tracer(struct sim *s)
{
    const struct array clipped = {TRACER_CLIPPED, .joined = JOIN_SUM, .bytes = 2 * sizeof(counter),
                                  .kept = 1};
    void *p;
    if (!s->system->carried)
        return ERR_OK;
    TRY(sim_memory(s, &clipped, &p));
    s->tracer.clipped = p;
    s->tracer.scale = s->initial->carried_scale;
    return ERR_OK;
}

void sim_find_ground(struct sim *s)
{
    s->ground = (struct ground){array_first(s, sim_find_array(s, "bed_corner"), PLAIN),
                                array_first(s, sim_find_array(s, "bed"), PLAIN)};
    if (s->rough)
        s->roughness = array_first(s, sim_find_array(s, "roughness"), PLAIN);
}

enum err sim_allocate(struct sim *s)
{
    static const char *const states[STATES] = {"", "_1", "_2", "_3"};
    static const char *const rates[RATES] = {"_rate", "_rate_2"};
    const struct array counters = {SIM_COUNTERS, .joined = JOIN_SUM,
                                   .bytes = (COUNTERS + VOLUME_COUNTERS) * sizeof(counter),
                                   .kept = 1};
    struct array *made;
    void *p;
    for (int k = 0; k < STATES && k <= s->scheme->stages; k++)
        TRY(add_fields(s, states[k], s->state[k]));
    for (int k = 0; k < RATES && k < alternation_rates(s); k++)
        TRY(add_fields(s, rates[k], s->rate[k]));
    for (int k = 0; k < s->system->unknowns; k++)
        if (initial_forces(s->initial, k))
            TRY(add_field(s, s->system->unknown[k].name, "_force", ARRAY_CELLS, 1, &s->force[k]));
    for (int k = 0; k < s->system->givens; k++)
        TRY(add_field(s, s->system->given[k].name, "", ARRAY_CELLS, 1, &s->given[k]));
    TRY(add_field(s, "bed", "", ARRAY_CELLS, 1, &made));
    TRY(add_field(s, "bed_corner", "", ARRAY_CORNERS, 1, &made));
    if (s->rough)
        TRY(add_field(s, "roughness", "", ARRAY_CELLS, 1, &made));
    sim_find_ground(s);
    TRY(sim_allocate_speeds(s, "wave_speeds"));
    TRY(sim_memory(s, &counters, &p));
    s->counters = p;
    TRY(sim_memory(s, &(struct array){SIM_CLOCK, .bytes = sizeof(struct clock), .kept = 1}, &p));
    s->clock = p;
    return allocate_tracer(s);
}
