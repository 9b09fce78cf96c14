/* MUSCL-Hancock: second order with one flux evaluation, in one kernel. dt is tried before the wave speeds are
 * known; if it was too long, the step is redone. */
#include <stdio.h>

#include "schemes/fused.h"

#include "core/sim/apron.h"
#include "core/sim/own_ghosts.h"
#include "kernels/hancock.h"
#include "kernels/linked_passes.h"

enum { HANCOCK, CORNERS, STAY };

static const char *const kernels[] = {"hancock", "corners", "stay", NULL};

/* Rates at which the last step changed the state, and those of the current step: they change places as the
 * states do. The first step has none and is an Euler step. */
enum { LAST, NEXT, RATES_KEPT };
static const char *const rate_names[RATES_KEPT] = {"last_rates", "next_rates"};

/* A tile that nothing moves in need not be computed: then both are equal there, as the states are. */
static enum err add_rates(struct sim *s, int which)
{
    struct array wanted = {.layout = ARRAY_CELLS, .joined = JOIN_PLANE, .kept = which == LAST};
    wanted.like = which == NEXT ? rate_names[LAST] : NULL;
    struct array *added;
    snprintf(wanted.name, sizeof wanted.name, "%s", rate_names[which]);
    return sim_array(s, &wanted, &added);
}

static struct array *rate_array(struct sim *s, int which)
{
    return sim_find_array(s, rate_names[which]);
}

static real *rates(struct sim *s, int which)
{
    return array_first(s, rate_array(s, which), PLAIN);
}

static enum err setup(struct sim *s)
{
    TRY(add_rates(s, LAST));
    TRY(add_rates(s, NEXT));
    TRY(ahead_create(s));
    return linked_passes_create(s);
}

static struct fields force_of(const struct sim *s)
{
    return s->forced ? sim_fields(s, s->force, PLAIN) : (struct fields){0};
}

static enum err fill_corners(struct sim *s, const void *none)
{
    (void)none;
    struct corners_args a = {
        .span = {2 * (s->grid.nx + s->grid.ny) + 4, 1},
        .pitch = s->pitch[PLAIN],
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .kind = s->edges.kind,
        .q = sim_fields(s, s->state[Q], PLAIN),
        .force = force_of(s),
        .roughness = s->roughness,
        .rates = rates(s, LAST),
        .centre = s->ground.centre,
        .clock = s->clock,
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++) {
        a.every[e] = (int)s->boundary[e];
        a.segment[e] = s->imposing ? s->edges.segment[e] : NULL;
    }
    return sim_launch(s, &s->kernels[CORNERS], &a, sizeof a);
}

static enum err take_step(struct sim *s, const void *none)
{
    (void)none;
    struct linked *const l = s->linked.memory;
    struct hancock_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .q = sim_fields(s, s->state[Q], PLAIN),
        .to = sim_fields(s, s->state[Q1], PLAIN),
        .force = force_of(s),
        .ground = s->ground,
        .roughness = s->roughness,
        .rates = rates(s, LAST),
        .new_rates = rates(s, NEXT),
        .block_speed = speeds_of(s, HANCOCK),
        .kind = s->edges.kind,
        .ahead = s->ahead,
        .clipped = l ? l->clipped[s->linked.place & 1] : s->ahead->counters,
        .clock = s->clock,
        .linked = l,
        .place = s->linked.place,
        .stride = next_stride(s),
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++) {
        a.rim[e] = rim_part(s, rim_written(s), (enum edge)e);
        a.segment[e] = s->imposing ? s->edges.segment[e] : NULL;
    }
    a.p.weight = 1;
    return sim_launch(s, &s->kernels[HANCOCK], &a, sizeof a);
}

/* The address of the cell so many to the south-west, from that of one. */
static real *south_west(const struct sim *s, const real *of, int cells)
{
    const long away = cells * (s->pitch[PLAIN] + 1) * (long)s->real_size;
    return of ? (void *)((char *)(size_t)of - away) : NULL;
}

static struct fields fields_from(const struct sim *s, int state, int cells)
{
    const struct fields q = sim_fields(s, s->state[state], PLAIN);
    return (struct fields){south_west(s, q.eta, cells), south_west(s, q.hu, cells),
                           south_west(s, q.hv, cells)};
}

/* Keeps the state of a pass that made no step, with the ghost cells where the step fills them. */
static enum err stay(struct sim *s, const void *none)
{
    (void)none;
    const int ghosts = s->own_ghosts ? GHOSTS : 0;
    struct stay_args a = {
        .span = {s->grid.nx + 2 * ghosts, s->grid.ny + 2 * ghosts},
        .pitch = s->pitch[PLAIN],
        .from = fields_from(s, Q, ghosts),
        .to = fields_from(s, Q1, ghosts),
        .rates = south_west(s, rates(s, LAST), ghosts),
        .new_rates = south_west(s, rates(s, NEXT), ghosts),
        .clock = s->clock,
        .linked = s->linked.memory,
        .place = s->linked.place,
        .p = s->physics,
    };
    return sim_launch(s, &s->kernels[STAY], &a, sizeof a);
}

static enum err begin(struct sim *s)
{
    TRY(fill_ghosts_anew(s));
    return fill_corners(s, NULL);
}

/* Q1 <- Q + dt R(Q half a step on); then Q1 becomes the solution: van Leer 1984; Toro 2001, section 11.5. */
static enum err step(struct sim *s)
{
    TRY(fill_ghosts(s, Q, PLAIN));
    if (!s->own_ghosts)
        TRY(on_all_cells(s, fill_corners, NULL));
    TRY(on_all_cells(s, take_step, NULL));
    TRY(check_time_step(s, HANCOCK));
    if (!s->linked.goes_on)
        TRY(on_all_cells(s, stay, NULL));
    if (!s->linked.memory) /* else the kernels do it: linked_clock.h */
        TRY(settle_balance(s, 1));
    change_places(s);
    change_arrays(rate_array(s, LAST), rate_array(s, NEXT));
    return ERR_OK;
}

extern const struct scheme scheme_hancock;
const struct scheme scheme_hancock = {
    .name = "hancock",
    .title = "MUSCL-Hancock: second order with one flux evaluation, in one kernel",
    .cite = "van Leer 1984; Toro 2001",
    .system = "shallow_water",
    .order_space = 2,
    .order_time = 2,
    .midpoint = 1,
    .ghost = 2,
    .cfl = 0.45,
    .usual_cfl = 0.45,
    .stages = 1,
    .fields = RATES_KEPT,
    .exchanged = "last_rates",
    .steps = 1,
    .fills = 1,
    .clock = "ahead",
    .kernels = kernels,
    .setup = setup,
    .step = step,
    .begin = begin,
};
