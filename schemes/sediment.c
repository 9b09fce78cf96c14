/* Builds the arguments of the kernels of sediment. */
#include "schemes/sediment.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/systems/sediment.h"
#include "kernels/volume.h"

enum { HEIGHT, SHARE };
enum { ALL, OF_SAND };
enum { ALPHA, BETA };

static real *first(const struct sim *s, const struct array *a)
{
    return a ? array_first(s, a, PLAIN) : NULL;
}

/* If edges supply sediment, the case's source terms share its array. */
static enum err copy_force(struct sim *s, int k)
{
    void *cells;
    if (!s->force[k])
        return ERR_OK;
    cells = malloc(sim_kept_bytes(s, s->force[k]));
    if (!cells)
        FAIL(MEMORY, "no memory for what is added to cells");
    enum err e = sim_read(s, s->force[k], NULL, cells);
    if (!e)
        e = sim_write(s, s->in[k], NULL, cells);
    free(cells);
    return e;
}

static enum err furnish_in(struct sim *s)
{
    static const char *const names[] = {[ALL] = "in", [OF_SAND] = "in_sand"};
    for (int k = ALL; k <= OF_SAND; k++) {
        struct array in = {.layout = ARRAY_CELLS, .joined = JOIN_PLANE};
        snprintf(in.name, sizeof in.name, "%s", names[k]);
        s->in[k] = s->force[k];
        if (!s->imposing)
            continue;
        TRY(sim_array(s, &in, &s->in[k]));
        TRY(copy_force(s, k));
    }
    return ERR_OK;
}

enum err sediment_setup(struct sim *s)
{
    const struct array booked = {SIM_BOOKED, .joined = JOIN_SUM,
                                 .bytes = VOLUME_COUNTERS * sizeof(counter), .kept = 1};
    const struct array excess = {SIM_EXCESS, .joined = JOIN_LARGEST, .bytes = s->real_size,
                                 .kept = 1};
    void *p;
    TRY(sim_memory(s, &booked, &p));
    s->booked = p;
    TRY(sim_memory(s, &excess, &p));
    s->excess = p;
    TRY(sim_memory(s, &(struct array){"basin_away", .bytes = sizeof(int)}, &p));
    s->away = p;
    return furnish_in(s);
}

/* A little less than a fixed step allows, as the kernels' bounds are rounded. */
static double allowed_limit(const struct clock *c)
{
    return c->fixed_dt > 0 ? (1 - 1e-5) * c->courant / c->fixed_dt : 0;
}

static struct sediment_args args_of(const struct sim *s, const struct making *m)
{
    struct sediment_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .h = first(s, s->state[m->from][HEIGHT]),
        .s = first(s, s->state[m->from][SHARE]),
        .alpha = first(s, s->given[ALPHA]),
        .beta = first(s, s->given[BETA]),
        .supplied = s->in[ALL] != NULL,
        .in = first(s, s->in[ALL] ? s->in[ALL] : s->given[ALPHA]),
        .in_sand = first(s, s->in[OF_SAND] ? s->in[OF_SAND] : s->given[ALPHA]),
        .to_h = first(s, s->state[m->to][HEIGHT]),
        .to_s = first(s, s->state[m->to][SHARE]),
        .own_h = first(s, s->state[Q][HEIGHT]),
        .own_s = first(s, s->state[Q][SHARE]),
        .block_speed = speeds_of(s, m->kernel),
        .around_x = s->boundary[WEST] == PERIODIC,
        .around_y = s->boundary[SOUTH] == PERIODIC,
        .rise = s->rise,
        .away = s->away,
        .goes_away = sediment_steps_in_pairs(s) && m->to != Q,
        .excess = s->excess,
        .booked = s->booked,
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.units = sim_booked_units(s) / s->physics.PER_LAYER;
    a.p.ALLOWED = allowed_limit(&s->now);
    return a;
}

enum err sediment_make(struct sim *s, const struct making *m)
{
    struct sediment_args a = args_of(s, m);
    return sim_launch(s, &s->kernels[m->kernel], &a, sizeof a);
}

/* The inflow across edges in the step that begins now. */
static enum err find_supply(struct sim *s, int state)
{
    struct sediment_edges_args a = {
        .span = {2 * (s->grid.nx + s->grid.ny), 1},
        .pitch = s->pitch[PLAIN],
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .where = s->rim_cell,
        .kind = s->edges.kind,
        .given = s->edges.given,
        .count = s->edges.series_count,
        .series = s->edges.series,
        .knots = s->edges.knots,
        .h = first(s, s->state[state][HEIGHT]),
        .s = first(s, s->state[state][SHARE]),
        .alpha = first(s, s->given[ALPHA]),
        .beta = first(s, s->given[BETA]),
        .force = first(s, s->force[ALL]),
        .force_sand = first(s, s->force[OF_SAND]),
        .in = first(s, s->in[ALL]),
        .in_sand = first(s, s->in[OF_SAND]),
        .clock = s->clock,
        .p = s->physics,
    };
    if (!s->imposing)
        return ERR_OK;
    for (int e = 0; e < EDGES; e++) {
        a.segment[e] = s->edges.segment[e];
        a.rim[e] = rim_part(s, s->rim, (enum edge)e);
        a.rim_sand[e] = rim_part(s, s->tracer.rim, (enum edge)e);
    }
    return sim_launch(s, &s->auxiliary[SUPPLY_KERNEL], &a, sizeof a);
}

enum err sediment_begin(struct sim *s, const struct beginning *b)
{
    TRY(fill_ghosts(s, b->state, PLAIN));
    TRY(find_supply(s, b->state));
    if (!b->found)
        TRY(sediment_make(s, &(struct making){b->limit, b->state, b->state}));
    return choose_time_step(s, &(struct choice){CHOOSE, b->limit, b->limit, PLAIN, 1, 0});
}

enum err sediment_end(struct sim *s, int take)
{
    TRY(sediment_make(s, &(struct making){take, Q, Q1}));
    return settle_balance(s, 1);
}

int sediment_steps_in_pairs(const struct sim *s)
{
    const struct sim *domain = s->whole ? s->whole : s;
    return !domain->gauge_list && sediment_switch(s, "PAIRS", 1);
}

int sediment_is_fixed(const struct sim *s)
{
    return s->now.fixed_dt > 0 && sediment_steps_in_pairs(s);
}

enum err sediment_begin_half(struct sim *s, int state, int limit, int made)
{
    const int first = s->passes == 0 && state == Q, found = sediment_is_fixed(s) && !first;
    return sediment_begin(s, &(struct beginning){state, found ? made : limit, found});
}

enum err sediment_pair(struct sim *s, enum err (*half)(struct sim *s, int from, int to), int home)
{
    TRY(half(s, Q, Q1));
    TRY(half(s, Q1, Q));
    return sediment_make(s, &(struct making){home, Q, Q1});
}

int sediment_switch(const struct sim *s, const char *name, int unset)
{
    const size_t n = strlen(name);
    for (const char *at = s->config->define; *at; at += *at == ',') {
        if (strncmp(at, name, n) == 0 && at[n] == '=')
            return (int)strtol(at + n + 1, NULL, 10);
        at += strcspn(at, ",");
    }
    return unset;
}

enum err sediment_check_switches(const struct sim *s)
{
    static const struct {
        const char *name, *values;
        int value[3];
    } switches[] = {
        {"READS", "0, 1 and 2", {0, 1, 2}},     {"PRODUCTS", "0 and 1", {0, 1, 1}},
        {"HALO_THREADS", "0 and 1", {0, 1, 1}}, {"POINTS", "1 and 4", {1, 4, 4}},
        {"ONE_KERNEL", "0 and 1", {0, 1, 1}},   {"PAIRS", "0 and 1", {0, 1, 1}},
    };
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++) {
        const int *may = switches[k].value, is = sediment_switch(s, switches[k].name, may[0]);
        if (is != may[0] && is != may[1] && is != may[2])
            FAIL(USAGE, "--define %s=%d: its values are %s", switches[k].name, is,
                 switches[k].values);
    }
    return ERR_OK;
}
