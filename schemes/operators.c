/* Builds the kernels' arguments for the schemes. */
#include "schemes/operators.h"

#include "kernels/any_boundary.h"
#include "core/sim/apron.h"
#include "core/sim/halo.h"
#include "core/sim/sections.h"
#include "core/sim/tiling.h"
#include "schemes/early_exit.h"

/* Turned, x is y: the span, the cell size and the discharges change places. */
static struct span span_of(const struct sim *s, enum view v)
{
    return v == TURNED ? (struct span){s->grid.ny, s->grid.nx}
                       : (struct span){s->grid.nx, s->grid.ny};
}

static struct physics physics_of(const struct sim *s, enum view v)
{
    struct physics p = s->physics;
    if (v == TURNED) {
        p.inv_dx = s->physics.inv_dy;
        p.inv_dy = s->physics.inv_dx;
    }
    return p;
}

real *rim_of(const struct sim *s, enum edge e)
{
    return s->tiles.columns ? NULL : rim_part(s, s->rim, e); /* else: struct tiling */
}

bits *speeds_of(const struct sim *s, int kernel)
{
    return (void *)((char *)s->block_speed + (size_t)s->speed_offset[kernel] * s->real_size);
}

static enum err add_forcing(struct sim *s, int state, int into)
{
    struct forcing_args a = {
        .span = span_of(s, PLAIN),
        .pitch = s->pitch[PLAIN],
        .force = sim_fields(s, s->force, PLAIN),
        .r = sim_fields(s, s->rate[into], PLAIN),
        .clock = s->clock,
        .carried = sim_carried(s, state, state, state),
        .p = s->physics,
    };
    if (into == 1)
        a.carried.r = a.carried.r2;
    return sim_launch(s, &s->auxiliary[FORCING_KERNEL], &a, sizeof a);
}

static enum err rate_of_cells(struct sim *s, const void *how)
{
    const struct rate *const r = how;
    const enum view v = r->view;
    struct flux_args a = {
        .span = span_of(s, v),
        .pitch = s->pitch[v],
        .bed_pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[r->state], v),
        .r = sim_fields(s, s->rate[r->into], v),
        .ground = s->ground,
        .block_speed = speeds_of(s, r->kernel),
        .rim_add = r->later,
        .clock = s->clock,
        .carried = sim_carried(s, r->state, r->state, r->state),
        .p = physics_of(s, v),
    };
    for (int e = 0; e < EDGES; e++)
        a.rim[e] = rim_of(s, edge_in_view[v][e]);
    if (r->into == 1)
        a.carried.r = a.carried.r2;
    if (r->early_exit)
        a.wet = early_exit_wetness(s);
    TRY(sim_launch(s, &s->kernels[r->kernel], &a, sizeof a));
    /* Once per pair of directions, if these come in two views or two rates; then each rate takes
     * half. */
    return s->forced && v == PLAIN && s->system->over_bed ? add_forcing(s, r->state, r->into)
                                                          : ERR_OK;
}

enum err rate_of_change(struct sim *s, const struct rate *r)
{
    return on_all_cells(s, rate_of_cells, r);
}

enum err choose_time_step(struct sim *s, const struct choice *c)
{
    struct clock_args a = {
        .span = {1, 1},
        .blocks = (int)(s->speed_offset[c->last] - s->speed_offset[c->first] +
                        sim_speeds(s, &s->kernels[c->last], c->view)),
        .block_speed = speeds_of(s, c->first),
        .task = (int)c->task,
        .steps = c->steps,
        .early_exit = c->early_exit,
        .counters = s->counters,
        .clock = s->clock,
        .p = s->physics,
    };
    s->edges.chosen = 1;
    TRY(sim_fastest(s, &a.blocks, &a.block_speed));
    s->redoes |= c->task == CHECK_X || c->task == CHECK_Y;
    return sim_launch(s, &s->auxiliary[CLOCK_KERNEL], &a, sizeof a);
}

/* The fractions of the square roots of 19, 3, 13 and 2, of the golden ratio, and of the roots of 7, 11 and 17: irrational,
 * and so are their ratios. Their order: of those that keep 1 mm/h for 6 h within 2 units of a depth of 0 or 1 m, at steps of
 * 2 s, by one, two and three updates a step, the one with the least error (6.4 units) over steps of 0.7 to 8 s. */
unsigned next_stride(struct sim *s)
{
    static const unsigned stride[] = {0x5be0cd19, 0xbb67ae85, 0x9b05688d, 0x6a09e667,
                                      0x9e3779b9, 0xa54ff53b, 0x510e527f, 0x1f83d9ab};
    return stride[s->updates++ % (sizeof stride / sizeof *stride)];
}

static enum err advance_cells(struct sim *s, const void *substep)
{
    const struct substep *const how = substep;
    const enum view v = how->view, to = how->transpose ? (v == PLAIN ? TURNED : PLAIN) : v;
    struct rk_args a = {
        .span = span_of(s, v),
        .pitch = s->pitch[v],
        .to_pitch = s->pitch[to],
        .bed_pitch = s->pitch[PLAIN],
        .base = sim_fields(s, s->state[how->base], v),
        .from = sim_fields(s, s->state[how->from], v),
        .to = sim_fields(s, s->state[how->to], to),
        .r = sim_fields(s, s->rate[0], v),
        .r2 = sim_fields(s, s->rate[s->scheme->rates - 1], v),
        .centre = s->ground.centre,
        .stride = next_stride(s),
        .back = how->in_first ? 1 : 0,
        .roughness = v == PLAIN ? s->roughness : NULL,
        .counters = s->counters,
        .transpose = how->transpose,
        .clock = s->clock,
        .carried = sim_carried(s, how->base, how->from, how->to),
        .p = physics_of(s, v),
    };
    /* Stored in the other orientation, but named as the kernel names them. */
    if (how->transpose)
        a.to = (struct fields){a.to.eta, a.to.hv, a.to.hu};
    a.p.weight = how->clip_share;
    /* Sweeps in x and in y use the same dt each: friction belongs to one of them. */
    if (v == TURNED)
        a.p.friction = a.p.drag = 0;
    if (how->early_exit)
        a.wet = early_exit_wetness(s);
    return sim_launch(s, &s->kernels[how->integrate], &a, sizeof a);
}

enum err advance(struct sim *s, const struct substep *how)
{
    return on_all_cells(s, advance_cells, how);
}

static struct sim_kernel *ghosts_kernel(struct sim *s, enum view v)
{
    return &s->auxiliary[v == TURNED ? GHOSTS_TURNED : GHOSTS_KERNEL];
}

/* The same for unknowns without a bed. */
static enum err copy_unknowns(struct sim *s, int state)
{
    const struct system *system = s->system;
    struct any_boundary_args a = {
        .span = {2 * (s->grid.nx + s->grid.ny), 1},
        .pitch = s->pitch[PLAIN],
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .where = s->rim_cell,
        .unknowns = system->unknowns,
        .rise = s->rise,
        .clock = s->clock,
        .p = s->physics,
    };
    for (int k = 0; k < system->unknowns; k++) {
        a.unknown[k] = array_first(s, s->state[state][k], PLAIN);
        a.mirror_x[k] = system->unknown[k].mirror_x;
        a.mirror_y[k] = system->unknown[k].mirror_y;
    }
    for (int e = 0; e < EDGES; e++) /* cells, not ghosts, receive the inflow */
        a.kind[e] = s->boundary[e] <= PERIODIC || s->boundary[e] == NEIGHBOUR ? (int)s->boundary[e]
                                                                              : (int)WALL;
    return sim_launch(s, ghosts_kernel(s, PLAIN), &a, sizeof a);
}

/* A state, as it is stored; the threads that meet other parts: halo_meet(). */
struct stored_state {
    int state;
    enum view view;
    int meeting;
};

/* Edges whose ghost cells only copy cells. */
static enum err copy_ghosts(struct sim *s, const struct stored_state *q)
{
    const int state = q->state;
    const enum view v = q->view;
    if (!s->system->over_bed)
        return copy_unknowns(s, state);
    const struct span whole = span_of(s, v);
    struct boundary_args a = {
        .span = {q->meeting + 2 * (whole.nx + whole.ny), 1},
        .pitch = s->pitch[v],
        .bed_pitch = s->pitch[PLAIN],
        .nx = whole.nx,
        .ny = whole.ny,
        .where = s->rim_cell,
        .q = sim_fields(s, s->state[state], v),
        .centre = s->ground.centre,
        .clock = s->clock,
        .carried = sim_carried(s, state, state, state),
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++)
        a.kind[e] = (int)s->boundary[edge_in_view[v][e]];
    return sim_launch(s, ghosts_kernel(s, v), &a, sizeof a);
}

/* By the order in time that the scheme claims. */
static enum quadrature quadrature_of(const struct sim *s)
{
    const int order = s->edges.euler ? 1 : s->scheme->order_time;
    if (s->scheme->midpoint)
        return MIDPOINT;
    return order <= 1 ? AT_START : order == 2 ? TRAPEZOID : SIMPSON;
}

static enum moment moment_of(const struct sim *s, const struct when *w)
{
    if (!s->edges.chosen)
        return BEFORE_STEP;
    return s->scheme->steps < 2 ? IN_STEP : w->in_first ? IN_FIRST : IN_SECOND;
}

/* Time-dependent conditions. */
static enum err find_given(struct sim *s, const struct when *w)
{
    struct series_args a = {
        .span = {1, 1},
        .count = s->edges.series_count,
        .series = s->edges.series,
        .knots = s->edges.knots,
        .longest = s->edges.longest,
        .given = s->edges.given,
        .back = w->back,
        .cell = s->grid.dx < s->grid.dy ? s->grid.dx : s->grid.dy,
        .moment = (int)moment_of(s, w),
        .quadrature = (int)quadrature_of(s),
        .steps = s->edges.euler ? 1 : s->scheme->steps,
        .ahead = s->ahead,
        .clock = s->clock,
        .p = s->physics,
    };
    if (a.count == 0)
        return ERR_OK;
    s->redoes = 1; /* imposed values may belong to a longer step than the final one */
    return sim_launch(s, &s->auxiliary[SERIES_KERNEL], &a, sizeof a);
}

/* The ghost cells outside the domain, beside the cells of the sim or of a strip. */
static enum err fill_outside(struct sim *s, const void *what)
{
    const struct stored_state *const q = what;
    const enum view v = q->view;
    const struct span whole = span_of(s, v);
    struct edges_args a = {
        .span = {2 * (whole.nx + whole.ny), 1},
        .pitch = s->pitch[v],
        .bed_pitch = s->pitch[PLAIN],
        .nx = whole.nx,
        .ny = whole.ny,
        .where = s->rim_cell,
        .kind = s->edges.kind,
        .given = s->edges.given,
        .q = sim_fields(s, s->state[q->state], v),
        .ground = s->ground,
        .clock = s->clock,
        .carried = sim_carried(s, q->state, q->state, q->state),
        .p = s->physics,
    };
    if (s->inland)
        return ERR_OK;
    if (!s->imposing || !s->system->over_bed)
        return copy_ghosts(s, q);
    for (int e = 0; e < EDGES; e++)
        a.segment[e] = s->edges.segment[edge_in_view[v][e]];
    return sim_launch(s, ghosts_kernel(s, v), &a, sizeof a);
}

enum err fill_ghosts_anew(struct sim *s)
{
    return fill_outside(s, &(struct stored_state){Q, PLAIN, 0});
}

enum err fill_ghosts_at(struct sim *s, int state, enum view v, const struct when *w)
{
    struct stored_state q = {state, v, 0};
    int exchanges;
    if (s->own_ghosts) /* the kernel that wrote the state has filled them */
        return sim_sections_look(s, state, v);
    TRY(apron_next(s, &exchanges));
    if (s->imposing && s->system->over_bed)
        TRY(find_given(s, w));
    if (exchanges && v == PLAIN)
        q.meeting = halo_meet(s, state);
    TRY(fill_outside(s, &q));
    if (!q.meeting)
        TRY(exchanges ? sim_exchange(s, state, v) : on_read_strips(s, fill_outside, &q));
    TRY(tiling_exchange(s, state));
    return sim_sections_look(s, state, v);
}

enum err fill_ghosts(struct sim *s, int state, enum view v)
{
    return fill_ghosts_at(s, state, v, &(struct when){0});
}

void change_arrays(struct array *a, struct array *b)
{
    const struct array was = *a;
    a->memory = b->memory;
    a->bytes = b->bytes;
    a->most = b->most;
    b->memory = was.memory;
    b->bytes = was.bytes;
    b->most = was.most;
}

void change_places(struct sim *s)
{
    for (int k = 0; k < s->system->unknowns; k++)
        change_arrays(s->state[Q][k], s->state[Q1][k]);
    s->swapped = !s->swapped;
}

enum err unsplit_first_step(struct sim *s, int flux, int integrate)
{
    s->edges.euler = 1;
    TRY(fill_ghosts(s, Q, PLAIN));
    s->edges.euler = 0;
    TRY(rate_of_change(s, &(struct rate){.kernel = flux, .state = Q}));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, flux, flux, PLAIN, 1, 0}));
    TRY(advance(s, &(struct substep){.integrate = integrate, .from = Q, .to = Q, .clip_share = 1}));
    return settle_balance(s, 1);
}
