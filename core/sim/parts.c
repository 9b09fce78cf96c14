/* The parts of a run: creates them, and steps them side by side. */
#include "core/sim/parts.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/problem/initial_state.h"
#include "core/sim/alternation.h"
#include "core/sim/apron.h"
#include "core/sim/breakdown.h"
#include "core/sim/observer.h"
#include "core/sim/orders.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"
#include "core/sim/upload.h"

struct piece_of_work {
    struct parts *parts;
    part_work *work;
    void *context;
};

static enum err work_on_one(void *context, int member)
{
    const struct piece_of_work *w = context;
    return w->work(w->parts->sim[w->parts->first + member], w->context);
}

enum err parts_do(struct sim *whole, part_work *work, void *context)
{
    struct piece_of_work w = {whole->parts, work, context};
    return team_do(whole->parts->team, work_on_one, &w);
}

/* Of the CPU: threads assigned by the launcher to this process, or its share of all. */
static int threads_here(const struct parts *p)
{
    const int allowed = omp_get_num_procs();
    const int shared = p->ranks && allowed == (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int own = shared ? allowed / ranks_crew(p->ranks)->neighbours : allowed;
    return own > 0 ? own : 1;
}

/* Shares out the CPU's threads; each part has at least one. */
static int threads_of(const struct sim *whole, int member)
{
    const struct parts *p = whole->parts;
    const int all = whole->config->threads > 0 ? whole->config->threads : threads_here(p);
    const int own = all / p->own + (member - p->first < all % p->own);
    return own > 0 ? own : 1;
}

int parts_device(const struct sim *whole, int member)
{
    const struct device_list *l = &whole->devices;
    return l->of[(member - whole->parts->first) * l->count / whole->parts->own];
}

static enum err load_part(struct sim *s, const struct setup *setup)
{
    (void)setup;
    const struct sim *whole = s->whole;
    const struct device_options o = {.device = parts_device(whole, s->member),
                                     .threads = threads_of(whole, s->member),
                                     .order = whole->config->order,
                                     .march = whole->config->march};
    omp_set_num_threads(o.threads);
    if (s->member > 0)
        log_mute_thread();
    TRY(s->backend->open(&s->device, &o));
    TRY(tiling_choose(s));
    TRY(alternation_inherit(s));
    sim_lay_out(s);
    TRY(observers_choose(s));
    TRY(initial_cut(&s->initial, whole->initial, &s->window, 0));
    return sim_load(s);
}

static enum err furnish_part(struct sim *s, const struct setup *setup)
{
    TRY(sim_furnish(s, setup));
    TRY(apron_create(s));
    TRY(halo_create(s));
    return boards_create(s);
}

struct creation {
    enum err (*step)(struct sim *s, const struct setup *setup);
    const struct setup *setup;
    int first; /* for the first part, which compiles; else for the others */
};

static enum err create_part(struct sim *s, void *context)
{
    const struct creation *c = context;
    return c->first == (s->member == 0) ? c->step(s, c->setup) : ERR_OK;
}

static enum err upload_part(struct sim *s, void *context)
{
    (void)context;
    return sim_upload(s);
}

static enum err connect_part(struct sim *s, void *context)
{
    (void)context;
    TRY(halo_connect(s));
    return boards_connect(s);
}

static enum err allocate_parts(struct sim *whole, int count)
{
    struct parts *p = whole->parts;
    p->sim = calloc((size_t)count, sizeof(struct sim *));
    p->speed = calloc((size_t)count, sizeof *p->speed);
    if (!p->sim || !p->speed)
        FAIL(MEMORY, "no memory for %d parts", count);
    for (int k = 0; k < count; k++) {
        p->sim[k] = calloc(1, sizeof *p->sim[k]);
        if (!p->sim[k])
            FAIL(MEMORY, "no memory for %d parts", count);
    }
    TRY(team_create(&p->team, p->own));
    if (p->ranks)
        team_decide_by_owner(p->team);
    return ERR_OK;
}

/* A part's array with the same name as the whole's. */
static void name_arrays(struct sim *whole, struct array *const from[][UNKNOWNS],
                        struct array *to[][UNKNOWNS], int n)
{
    for (int k = 0; k < n * UNKNOWNS; k++)
        if (from[k / UNKNOWNS][k % UNKNOWNS])
            to[k / UNKNOWNS][k % UNKNOWNS] =
                sim_find_array(whole, from[k / UNKNOWNS][k % UNKNOWNS]->name);
}

/* The whole has arrays without memory of its own, and copies of the first part's kernels. */
static void describe_whole(struct sim *whole)
{
    const struct sim *first = whole->parts->sim[whole->parts->first];
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
        whole->kernels[k].loaded = whole->kernels[k].unmapped = NULL;
    }
    whole->tracer.scale = first->tracer.scale;
}

/* The first part compiles; the others, in any process, find the results in the cache. */
static enum err first_alone(struct sim *whole, struct creation *c)
{
    unsigned long nothing = 0;
    c->first = 1;
    TRY(parts_do(whole, create_part, c));
    TRY(parts_largest(whole->parts, &nothing));
    c->first = 0;
    return parts_do(whole, create_part, c);
}

/* Between what compiles, all sample at once. */
static enum err create_all(struct sim *whole, const struct setup *setup)
{
    struct creation load = {.step = load_part, .setup = setup};
    struct creation furnish = {.step = furnish_part, .setup = setup};
    TRY(first_alone(whole, &load));
    TRY(parts_do(whole, upload_part, NULL));
    return first_alone(whole, &furnish);
}

/* From now on a process that does not answer in time counts as lost. */
static void begin_to_hurry(struct sim *whole)
{
    if (whole->parts->ranks)
        ranks_unhurried(whole->parts->ranks, 0);
}

enum err parts_create(struct sim *whole, const struct setup *setup)
{
    TRY(parts_same_problem(whole, setup));
    TRY(allocate_parts(whole, whole->parts->count));
    TRY(parts_describe(whole));
    TRY(create_all(whole, setup));
    TRY(loans_choose(whole));
    TRY(nccl_choose(whole));
    TRY(parts_do(whole, connect_part, NULL));
    TRY(parts_list_parcels(whole->parts));
    rounds_choose(whole);
    whole->parts->connected = 1;
    parts_tell_exchange(whole);
    describe_whole(whole);
    TRY(observers_create_whole(whole));
    begin_to_hurry(whole);
    return ERR_OK;
}

/* Before destroying any: their devices may still be working for each other. */
static enum err settle_part(struct sim *s, void *context)
{
    (void)context;
    if (s->device)
        s->backend->sync(s->device);
    return ERR_OK;
}

static enum err destroy_part(struct sim *s, void *context)
{
    (void)context;
    sim_release(s);
    return ERR_OK;
}

/* They may launch kernels of all parts. */
static void forget_graphs(const struct parts *p)
{
    for (int k = p->first; p->sim && k < p->first + p->own; k++) {
        struct sim *s = p->sim[k];
        if (s && s->graph)
            s->backend->graph_free(s->device, s->graph);
        if (s)
            s->graph = NULL;
    }
}

void parts_destroy(struct sim *whole)
{
    struct parts *p = whole->parts;
    if (!p)
        return;
    if (p->team) {
        parts_do(whole, settle_part, NULL);
        forget_graphs(p);
        parts_do(whole, destroy_part, NULL);
    }
    for (int k = 0; p->sim && k < p->count; k++)
        if (p->sim[k] && !(p->team && parts_here(p, k)))
            sim_release(p->sim[k]);
    for (int k = 0; p->sim && k < p->count; k++)
        free(p->sim[k]);
    team_destroy(p->team);
    pthread_mutex_destroy(&p->turn);
    free(p->parcel);
    free(p->staged);
    free(p->sim);
    free(p->speed);
    free(p);
    whole->parts = NULL;
}

/* A run of steps, in this process. */
struct run_here {
    const struct course *course;
    int (*progress)(const struct sim *);
};

static enum err step_part(struct sim *s, void *context)
{
    const struct run_here *r = context;
    s->now = s->whole->now;
    s->t_end = s->whole->t_end;
    s->passes = s->whole->passes;
    const enum err e = r->course->many ? sim_step_many(s, r->course->many)
                                       : sim_run(s, r->course->t_pause, r->progress);
    if (e)
        rounds_abandon(s->whole->parts, 1);
    if (e && e != ERR_BROKEN)
        __atomic_store_n(&s->whole->parts->nccl.failed, e, __ATOMIC_RELEASE);
    return e;
}

/* All parts have the same clock; their counters at the start of the last step are summed. */
enum err parts_step_here(struct sim *whole, const struct course *c,
                         int (*progress)(const struct sim *), struct course_end *end)
{
    struct parts *p = whole->parts;
    struct run_here r = {c, progress};
    p->stopped = p->agreed = 0;
    nccl_begin_steps(p);
    rounds_abandon(p, 0);
    for (int k = p->first; k < p->first + p->own; k++)
        p->sim[k]->wall = 0;
    const enum err e = parts_do(whole, step_part, &r);
    nccl_end_steps(p, e);
    *end = (struct course_end){.stopped = p->stopped};
    for (int k = p->first; k < p->first + p->own; k++) {
        end->wall = p->sim[k]->wall > end->wall ? p->sim[k]->wall : end->wall;
        for (int n = 0; n < COUNTERS; n++)
            end->counters[n] += p->sim[k]->now.start.counters[n];
    }
    whole->now = p->sim[p->first]->now;
    whole->passes = p->sim[p->first]->passes;
    if (e && e != ERR_BROKEN && !p->agreed && p->ranks)
        ranks_fail(p->ranks, e);
    return e;
}

static enum err step(struct sim *whole, double t_pause, long many,
                     int (*progress)(const struct sim *))
{
    const struct course c = {.now = whole->now,
                             .t_end = whole->t_end,
                             .t_pause = t_pause,
                             .passes = whole->passes,
                             .many = many,
                             .watched = progress != NULL};
    struct course_end end;
    TRY(orders_step(whole, &c));
    enum err e = parts_step_here(whole, &c, progress, &end);
    const enum err other = orders_stepped(whole, &end);
    e = e ? e : other;
    whole->wall += end.wall;
    whole->parts->stopped |= end.stopped;
    memcpy(whole->now.start.counters, end.counters, sizeof end.counters);
    return e == ERR_BROKEN ? breakdown_error(whole) : e;
}

enum err parts_run(struct sim *whole, double t_pause, int (*progress)(const struct sim *))
{
    TRY(step(whole, t_pause, 0, progress));
    if (whole->parts->stopped && whole->now.halt != AT_END)
        return sim_stopped(whole);
    return ERR_OK;
}

enum err parts_step_many(struct sim *whole, long passes)
{
    return step(whole, (double)INFINITY, passes, NULL);
}
