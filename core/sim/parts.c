/* The parts of a run: creating them, and stepping them side by side. */
#include "core/sim/parts.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/problem/initial_state.h"
#include "core/sim/breakdown.h"
#include "core/sim/observer.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"

struct piece_of_work {
    struct parts *parts;
    part_work *work;
    void *context;
};

static enum err work_on_one(void *context, int member)
{
    const struct piece_of_work *w = context;
    return w->work(w->parts->sim[member], w->context);
}

enum err parts_do(struct sim *whole, part_work *work, void *context)
{
    struct piece_of_work w = {whole->parts, work, context};
    return team_do(whole->parts->team, work_on_one, &w);
}

/* The threads of the CPU are shared out; each part has one at least. */
static int threads_of(const struct sim *whole, int member)
{
    const int all = whole->config->threads > 0 ? whole->config->threads : omp_get_num_procs();
    const int count = whole->parts->count, own = all / count + (member < all % count);
    return own > 0 ? own : 1;
}

/* The gauges in the part's cells, counted from its first. */
static enum err choose_gauges(struct sim *s)
{
    const struct gauge_list *all = s->whole->gauge_list;
    const struct window *w = &s->window;
    if (!all)
        return ERR_OK;
    s->own_gauges.gauge = calloc((size_t)all->count, sizeof *all->gauge);
    s->gauge_number = calloc((size_t)all->count, sizeof *s->gauge_number);
    if (!s->own_gauges.gauge || !s->gauge_number)
        FAIL(MEMORY, "no memory for %d gauges", all->count);
    for (int k = 0; k < all->count; k++) {
        struct gauge g = all->gauge[k];
        g.i = (s->whole->turned ? all->gauge[k].j : all->gauge[k].i) - w->i0;
        g.j = (s->whole->turned ? all->gauge[k].i : all->gauge[k].j) - w->j0;
        if (g.i < 0 || g.i >= w->nx || g.j < 0 || g.j >= w->ny)
            continue;
        s->gauge_number[s->own_gauges.count] = k;
        s->own_gauges.gauge[s->own_gauges.count++] = g;
    }
    s->gauge_list = s->own_gauges.count > 0 ? &s->own_gauges : NULL;
    return ERR_OK;
}

/* What a part has in common with the whole: the problem, the method and their numbers. */
static void inherit(struct sim *s, const struct sim *whole)
{
    const struct window *w = &s->window;
    const struct plan plan =
        plan_part(&whole->parts->cut, whole->parts->periodic, s->member, GHOSTS);
    s->config = whole->config;
    s->scheme = whole->scheme;
    s->system = whole->system;
    s->backend = whole->backend;
    s->grid = whole->grid;
    s->grid.nx = w->nx;
    s->grid.ny = w->ny;
    for (int e = 0; e < EDGES; e++)
        s->boundary[e] = plan.neighbour[e] < 0 ? whole->boundary[e] : NEIGHBOUR;
    s->imposing = whole->imposing;
    s->open_sides = whole->open_sides;
    s->edges.series_count = whole->edges.series_count;
    s->t_end = whole->t_end;
    s->real_size = whole->real_size;
    s->forced = whole->forced;
    s->rough = whole->rough;
    memcpy(s->added, whole->added, sizeof s->added);
    s->open_edges = whole->open_edges;
    s->gauge_every = whole->gauge_every;
    s->physics = whole->physics;
    s->volume_units = whole->volume_units;
    s->now = whole->now;
}

static enum err build_part(struct sim *s, const struct setup *setup)
{
    const struct sim *whole = s->whole;
    const struct device_options o = {.device = whole->config->device,
                                     .threads = threads_of(whole, s->member),
                                     .order = whole->config->order,
                                     .march = whole->config->march};
    omp_set_num_threads(o.threads);
    if (s->member > 0)
        log_mute_thread();
    inherit(s, whole);
    TRY(choose_gauges(s));
    TRY(s->backend->open(&s->device, &o));
    TRY(tiling_choose(s));
    sim_lay_out(s);
    TRY(observers_choose(s));
    TRY(initial_cut(&s->initial, whole->initial, &s->window));
    TRY(sim_furnish(s, setup));
    initial_drop(s->initial);
    return halo_create(s);
}

struct creation {
    const struct setup *setup;
    int first; /* the first part is made, which compiles; else the others */
};

static enum err create_part(struct sim *s, void *context)
{
    const struct creation *c = context;
    return c->first == (s->member == 0) ? build_part(s, c->setup) : ERR_OK;
}

static enum err connect_part(struct sim *s, void *context)
{
    (void)context;
    return halo_connect(s);
}

static enum err allocate_parts(struct sim *whole, int count)
{
    struct parts *p = whole->parts;
    p->count = count;
    p->sim = calloc((size_t)count, sizeof *p->sim);
    p->speed = calloc((size_t)count, sizeof *p->speed);
    if (!p->sim || !p->speed)
        FAIL(MEMORY, "no memory for %d parts", count);
    for (int k = 0; k < count; k++) {
        p->sim[k] = calloc(1, sizeof *p->sim[k]);
        if (!p->sim[k])
            FAIL(MEMORY, "no memory for %d parts", count);
        p->sim[k]->whole = whole;
        p->sim[k]->member = k;
        p->sim[k]->window = cut_part(&p->cut, k);
    }
    return team_create(&p->team, count);
}

/* Of arrays of a part, the one that the whole has by the same name. */
static void name_arrays(struct sim *whole, struct array *const from[][UNKNOWNS],
                        struct array *to[][UNKNOWNS], int n)
{
    for (int k = 0; k < n * UNKNOWNS; k++)
        if (from[k / UNKNOWNS][k % UNKNOWNS])
            to[k / UNKNOWNS][k % UNKNOWNS] =
                sim_find_array(whole, from[k / UNKNOWNS][k % UNKNOWNS]->name);
}

/* The whole has arrays without memory of its own, and kernels to be told of. */
static void describe_whole(struct sim *whole)
{
    const struct sim *first = whole->parts->sim[0];
    whole->array_count = first->array_count;
    for (int k = 0; k < first->array_count; k++) {
        whole->array[k] = first->array[k];
        whole->array[k].memory = NULL;
        if (first->array[k].joined == JOIN_RIM)
            whole->array[k].bytes =
                first->array[k].bytes / sim_rim_length(first) * sim_rim_length(whole);
    }
    name_arrays(whole, first->state, whole->state, STATES);
    name_arrays(whole, first->rate, whole->rate, RATES);
    for (int k = 0; whole->scheme->kernels[k]; k++) {
        whole->kernels[k] = first->kernels[k];
        whole->kernels[k].loaded = NULL;
    }
    whole->tracer.scale = first->tracer.scale;
}

enum err parts_cut(struct sim *whole)
{
    const struct shares *asked = &whole->config->parts;
    const struct shares shares = whole->turned ? shares_turned(asked) : *asked;
    if (shares_parts(&shares) < 2)
        return ERR_OK;
    struct parts *p = whole->parts = calloc(1, sizeof *p);
    if (!p)
        FAIL(MEMORY, "no memory for parts");
    TRY(cut_domain(&shares, whole->grid.nx, whole->grid.ny, GHOSTS, &p->cut));
    p->periodic[0] = whole->boundary[WEST] == PERIODIC;
    p->periodic[1] = whole->boundary[SOUTH] == PERIODIC;
    log_info("%d parts: %d along x, %d along y", p->cut.columns * p->cut.rows,
             whole->turned ? p->cut.rows : p->cut.columns,
             whole->turned ? p->cut.columns : p->cut.rows);
    return ERR_OK;
}

enum err parts_create(struct sim *whole, const struct setup *setup)
{
    struct parts *p = whole->parts;
    struct creation c = {setup, 1};
    TRY(allocate_parts(whole, p->cut.columns * p->cut.rows));
    TRY(parts_do(whole, create_part, &c));
    c.first = 0;
    TRY(parts_do(whole, create_part, &c));
    TRY(parts_do(whole, connect_part, NULL));
    describe_whole(whole);
    return observers_create_whole(whole);
}

static enum err destroy_part(struct sim *s, void *context)
{
    (void)context;
    sim_release(s);
    return ERR_OK;
}

void parts_destroy(struct sim *whole)
{
    struct parts *p = whole->parts;
    if (!p)
        return;
    if (p->team)
        parts_do(whole, destroy_part, NULL);
    for (int k = 0; p->sim && k < p->count; k++)
        free(p->sim[k]);
    team_destroy(p->team);
    free(p->sim);
    free(p->speed);
    free(p);
    whole->parts = NULL;
}

/* Of a run of steps. */
struct course {
    double t_pause;
    int (*progress)(const struct sim *);
    long passes; /* to be made without a look at the result; 0: steps until t_pause */
};

static enum err step_part(struct sim *s, void *context)
{
    const struct course *c = context;
    s->now = s->whole->now;
    s->t_end = s->whole->t_end;
    s->passes = s->whole->passes;
    return c->passes ? sim_step_many(s, c->passes) : sim_run(s, c->t_pause, c->progress);
}

/* The clock of the first, with what all had counted when the last step began. */
static void take_clock(struct sim *whole)
{
    const struct parts *p = whole->parts;
    whole->now = p->sim[0]->now;
    for (int k = 0; k < COUNTERS; k++) {
        whole->now.start.counters[k] = 0;
        for (int m = 0; m < p->count; m++)
            whole->now.start.counters[k] += p->sim[m]->now.start.counters[k];
    }
}

/* The clock of all, and the time of the slowest. */
static enum err step(struct sim *whole, struct course *c)
{
    struct parts *p = whole->parts;
    p->stopped = 0;
    for (int k = 0; k < p->count; k++)
        p->sim[k]->wall = 0;
    const enum err e = parts_do(whole, step_part, c);
    double slowest = 0;
    for (int k = 0; k < p->count; k++)
        slowest = p->sim[k]->wall > slowest ? p->sim[k]->wall : slowest;
    whole->wall += slowest;
    take_clock(whole);
    whole->passes = p->sim[0]->passes;
    return e == ERR_BROKEN ? breakdown_error(whole) : e;
}

enum err parts_run(struct sim *whole, double t_pause, int (*progress)(const struct sim *))
{
    struct course c = {t_pause, progress, 0};
    TRY(step(whole, &c));
    if (whole->parts->stopped && whole->now.halt != AT_END)
        return sim_stopped(whole);
    return ERR_OK;
}

enum err parts_step_many(struct sim *whole, long passes)
{
    struct course c = {(double)INFINITY, NULL, passes};
    return step(whole, &c);
}
