/* Flow across open edges: mass fluxes through the rim, summed over the run. */
#include <stdio.h>
#include <stdlib.h>

#include "core/problem/edges.h"
#include "core/sim/balance.h"
#include "core/sim/observer.h"
#include "core/sim/sections.h"

extern const struct observer observer_inflow;

#define RIM_SUMS_NAME    "rim_sums"
#define TRACER_SUMS_NAME "tracer_rim_sums"
#define BOOKED_SUMS_NAME "booked_rim_sums"

static int wanted(const struct sim *s)
{
    return s->open_edges;
}

/* The array with the sums of a conserved quantity. */
static const char *sums_name(const struct sim *s, int conserved)
{
    return conserved == 0       ? RIM_SUMS_NAME
           : s->system->carried ? TRACER_SUMS_NAME
                                : BOOKED_SUMS_NAME;
}

/* The same for the second conserved quantity. */
static enum err create_second(struct sim *s)
{
    const struct array rim = {"tracer_rim", .joined = JOIN_RIM,
                              .bytes = sim_rim_length(s) * s->real_size, .size = s->real_size};
    struct array sums = {.joined = JOIN_RIM,
                         .bytes = RIM_SUMS * sim_rim_length(s) * sizeof(double),
                         .size = sizeof(double),
                         .kept = 1};
    void *p;
    snprintf(sums.name, sizeof sums.name, "%s", sums_name(s, 1));
    TRY(sim_memory(s, &rim, &p));
    s->tracer.rim = p;
    TRY(sim_memory(s, &sums, &p));
    s->tracer.rim_sum = p;
    return ERR_OK;
}

static enum err create(struct sim *s, struct observing *o)
{
    const struct array rim = {"rim", .joined = JOIN_RIM, .bytes = sim_rim_length(s) * s->real_size,
                              .size = s->real_size};
    const struct array sums = {RIM_SUMS_NAME, .joined = JOIN_RIM,
                               .bytes = RIM_SUMS * sim_rim_length(s) * sizeof(double),
                               .size = sizeof(double), .kept = 1};
    void *p;
    TRY(sim_memory(s, &rim, &p));
    s->rim = p;
    if (s->linked.memory) {
        TRY(sim_room(s, "odd_rim", rim.bytes, &p));
        s->linked.odd_rim = p;
    }
    TRY(sim_memory(s, &sums, &o->state));
    s->rim_sum = o->state;
    return s->system->conserveds > 1 ? create_second(s) : ERR_OK;
}

const struct observer observer_inflow = {
    .name = "inflow",
    .kernel = "inflow",
    .wanted = wanted,
    .create = create,
};

enum err settle_balance(struct sim *s, double share)
{
    struct observing *o = observing(s, &observer_inflow);
    TRY(sim_sections_book(s, share));
    if (!o)
        return ERR_OK;
    struct inflow_args a = {
        .span = {(int)sim_rim_length(s), 1},
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .rim = s->rim,
        .sum = s->rim_sum,
        .lost = s->rim_sum + sim_rim_length(s),
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.weight = share;
    TRY(sim_launch(s, &o->kernel, &a, sizeof a));
    if (!s->tracer.rim)
        return ERR_OK;
    a.rim = s->tracer.rim;
    a.sum = s->tracer.rim_sum;
    a.lost = a.sum + sim_rim_length(s);
    return sim_launch(s, &o->kernel, &a, sizeof a);
}

static enum err sums_of(struct sim *s, const char *name, double **sum)
{
    const struct array *a = sim_find_array(s, name);
    *sum = malloc(sim_kept_bytes(s, a));
    if (!*sum)
        FAIL(MEMORY, "no memory for the balance");
    return sim_keep(s, a, *sum);
}

enum err sim_crossed(struct sim *s, double **sum)
{
    return sums_of(s, RIM_SUMS_NAME, sum);
}

enum err sim_check_edges(struct sim *s, const struct setup *setup)
{
    const double *crossed[EDGES];
    double *sum = NULL;
    if (edges_series(setup) == 0 || s->now.t < s->t_end)
        return ERR_OK;
    enum err e = sim_crossed(s, &sum);
    for (int k = 0; k < EDGES && !e; k++)
        crossed[k] = sum + sim_rim_at(s, edge_in_view[s->turned ? TURNED : PLAIN][k]);
    if (!e)
        e = edges_check(setup, s->now.t, crossed);
    free(sum);
    return e;
}

/* What leaves across a periodic edge enters across the opposite one: nothing is gained or lost. */
static int is_inflow(const struct sim *s, size_t k)
{
    const size_t nx = (size_t)s->grid.nx, ny = (size_t)s->grid.ny;
    const enum edge e = k < 2 * ny ? (k < ny ? WEST : EAST) : (k < 2 * ny + nx ? SOUTH : NORTH);
    return s->boundary[e] != PERIODIC;
}

enum err inflow_add(struct sim *s, int conserved, struct balance *b)
{
    const size_t n = sim_rim_length(s);
    double *sum;
    if (!observing(s, &observer_inflow))
        return ERR_OK;
    const enum err e = sums_of(s, sums_name(s, conserved), &sum);
    for (size_t k = 0; !e && k < n; k++) {
        const double side = k < 2 * (size_t)s->grid.ny ? s->grid.dy : s->grid.dx;
        if (!is_inflow(s, k))
            continue;
        b->inflow += sum[k] * side;
        b->in += sum[2 * n + k] * side;
        b->out += (sum[2 * n + k] - sum[k]) * side;
    }
    free(sum);
    return e;
}
