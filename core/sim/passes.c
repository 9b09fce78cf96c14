/* Enqueues steps: one by one, or many at once if the device can replay a recording of them. */
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "core/sim/active_tiles.h"
#include "core/sim/alternation.h"
#include "core/sim/apron.h"
#include "core/sim/launch_room.h"
#include "core/sim/observer.h"
#include "core/sim/own_ghosts.h"
#include "core/sim/parts.h"
#include "core/sim/rain.h"
#include "core/sim/sim_parts.h"
#include "core/sim/soil.h"
#include "core/sim/springs.h"
#include "core/sim/tiling.h"

/* Those of a run in parts; null where there are none. */
static struct parts *parts_of(const struct sim *s)
{
    return s->parts ? s->parts : s->whole ? s->whole->parts : NULL;
}

static int has_early_exit(const struct sim *s)
{
    return s->early_exit || active_tiles_timed(s) ||
           (s->parts && s->parts->sim && has_early_exit(s->parts->sim[s->parts->first]));
}

/* Why this run's passes cannot be recorded, and a remedy; NULL if they can, or it is not known yet. */
static const char *why_no_graphs(const struct sim *s)
{
    const struct parts *p = parts_of(s);
    if (!s->backend->record_begin)
        return "this backend has no graphs: choose --backend cuda";
    if (!s->backend->info(s->device)->graphs)
        return "the driver has no graphs: install that of CUDA 12 or later";
    if (p && p->connected && p->waiting == BY_THE_HOST)
        return "parts that exchange through the host wait for it in each step: choose --graphs off";
    if (has_early_exit(s))
        return "with early exit launches differ from step to step: choose --early-exit off";
    return NULL;
}

enum err sim_check_graphs(const struct sim *s)
{
    const char *why = s->config->graphs == GRAPHS_OFF ? NULL : why_no_graphs(s);
    if (why && s->config->graphs == GRAPHS_ON)
        FAIL(USAGE, "--graphs on: %s, or --graphs auto", why);
    return ERR_OK;
}

/* A caller wants to see each launch, of this part or another. */
static int is_watched(const struct sim *s)
{
    const struct parts *p = parts_of(s);
    int watched = s->profiling || s->hook.told;
    for (int k = 0; p && k < p->own; k++)
        watched |= p->sim[p->first + k]->profiling || p->sim[p->first + k]->hook.told;
    return watched;
}

/* Kernels wait for other parts, and a graph need not. */
static int has_own_graph(const struct sim *s)
{
    return !s->whole || s->whole->parts->waiting == IN_KERNELS ||
           s->whole->parts->waiting == BY_NCCL;
}

/* The owner of the graph: of parts that share one the first. */
static struct sim *keeper(struct sim *s)
{
    return has_own_graph(s) ? s : s->whole->parts->sim[s->whole->parts->first];
}

/* The scheme's steps, then rain, infiltration and sources, then observers. */
static enum err pass(struct sim *s)
{
    s->updates = 0;
    s->edges.chosen = 0;
    apron_pass(s);
    TRY(active_tiles_begin(s));
    TRY(s->alternation ? alternation_step(s) : s->scheme->step(s));
    TRY(active_tiles_end(s));
    TRY(sim_rain_fall(s));
    TRY(sim_springs_run(s));
    TRY(sim_soil_drink(s));
    TRY(tiling_added(s));
    return observers_pass(s);
}

/* As many, in a row if they may judge each other's steps. */
static enum err some_passes(struct sim *s, int n)
{
    const int row = passes_may_link(s) ? n : 1;
    enum err e = ERR_OK;
    for (int k = 0; k < n && !e; k++) {
        s->linked.place = k % row;
        s->linked.goes_on = k % row + 1 < row;
        e = pass(s);
    }
    s->linked.place = s->linked.goes_on = 0;
    return e;
}

/* A whole number of the periods in which observers look, and of the cycles in which parts
 * exchange. Where states change places in each pass it is even, so that they are back in theirs: such
 * a scheme may reject steps, so observers look after every pass, and only a cycle may be odd. */
int sim_graph_passes(const struct sim *s)
{
    const int period = observers_period(s), once = apron_cycle(s);
    const int cycle = once > 1 && once % 2 ? 2 * once : once;
    int both = period;
    while (both % cycle != 0)
        both += period;
    return both > GRAPH_PASSES ? both : GRAPH_PASSES - GRAPH_PASSES % both;
}

/* Passes are recorded and replayed from where one of both begins. */
static int is_between(const struct sim *s)
{
    return s->observer_phase > 0 || apron_phase(s) > 0;
}

/* Passes that are recorded do not run. Where the recording fails, what the host has counted of them is as before: arrays are in
 * their places, and no period or cycle has begun. */
struct before_recording {
    void *memory[SIM_ARRAYS];
    int swapped;
};

static struct before_recording before_recording(const struct sim *s)
{
    struct before_recording b = {.swapped = s->swapped};
    for (int k = 0; k < s->array_count; k++)
        b.memory[k] = s->array[k].memory;
    return b;
}

static void take_back(struct sim *s, const struct before_recording *b)
{
    for (int k = 0; k < s->array_count; k++)
        s->array[k].memory = b->memory[k];
    s->swapped = b->swapped;
    s->observer_phase = 0;
    apron_begin(s);
}

/* Ends the recording even if a pass fails half-way. */
static enum err record_alone(struct sim *s)
{
    const struct before_recording before = before_recording(s);
    TRY(s->backend->record_begin(s->device));
    enum err e = some_passes(s, sim_graph_passes(s));
    if (e)
        s->backend->record_end(s->device, NULL);
    else
        e = s->backend->record_end(s->device, &s->graph);
    if (e)
        take_back(s, &before);
    return e;
}

static enum err look_for_graphs(void *context)
{
    struct parts *p = context;
    p->recorded = 1;
    for (int k = p->first; k < p->first + p->own; k++)
        p->recorded &= p->sim[k]->graph != NULL;
    return ERR_OK;
}

/* All parts have a graph of their own, or none. None is recorded or made while kernels of another part
 * wait: a driver may have to wait for these. `failed` is the result of the recording. */
static enum err record_apart(struct sim *s, enum err *failed)
{
    struct parts *p = s->whole->parts;
    TRY(s->backend->sync(s->device));
    TRY(parts_meet(s, NULL, NULL));
    *failed = record_alone(s);
    TRY(parts_meet(s, look_for_graphs, p));
    if (p->recorded)
        return ERR_OK;
    s->backend->graph_free(s->device, s->graph);
    s->graph = NULL;
    s->graph_failed = 1;
    return ERR_OK;
}

/* The first part begins and ends the recording; the others' devices join it by the events that they
 * wait for. `failed` is its result. */
static enum err record_together(struct sim *s, enum err *failed)
{
    struct parts *p = s->whole->parts;
    const int first = s == keeper(s);
    parts_take_turns(s, 1);
    if (first) {
        *failed = s->backend->record_begin(s->device);
        p->recorded = !*failed;
    }
    enum err e = parts_follow_first(s);
    for (int k = 0; k < sim_graph_passes(s) && p->recorded && !e; k++)
        e = pass(s);
    if (!e)
        e = parts_precede_first(s);
    if (first && p->recorded && e)
        s->backend->record_end(s->device, NULL);
    else if (first && p->recorded)
        *failed = s->backend->record_end(s->device, &s->graph);
    if (first)
        s->graph_failed = !s->graph;
    parts_take_turns(s, 0);
    return e ? e : parts_meet(s, NULL, NULL);
}

static struct graph_basis basis_of(const struct sim *s)
{
    return (struct graph_basis){s->moves, tiling_slots(s), s->inland, tiles_launched(s), s->strips};
}

void sim_forget_graph(struct sim *s)
{
    const struct graph_basis now = basis_of(s), *const then = &s->graph_basis;
    if (!s->graph ||
        (now.moves == then->moves && now.slots == then->slots && now.inland == then->inland &&
         now.launched == then->launched && now.strips.parts == then->strips.parts &&
         now.strips.shrink == then->strips.shrink))
        return;
    s->backend->graph_free(s->device, s->graph);
    s->graph = NULL;
}

/* Records a graph if there is none and it is possible. All passes but the first are alike: see
 * core/registry/scheme.h. */
enum err sim_prepare_graph(struct sim *s)
{
    struct sim *own = keeper(s);
    enum err e = ERR_OK;
    if (s->config->graphs == GRAPHS_OFF || own->graph || own->graph_failed || s->passes == 0 ||
        is_between(s) || is_watched(s) || why_no_graphs(s))
        return ERR_OK;
    if (s == own)
        s->graph_swapped = s->swapped, s->graph_basis = basis_of(s);
    if (!s->whole)
        e = record_alone(s);
    else if (has_own_graph(s))
        TRY(record_apart(s, &e));
    else
        TRY(record_together(s, &e));
    if (s != own || (!e && s->graph_failed))
        return ERR_OK;
    if (!e) {
        log_info("graphs: launches %d passes of %s at once", sim_graph_passes(s), s->scheme->name);
        return ERR_OK;
    }
    s->graph_failed = 1;
    if (s->config->graphs == GRAPHS_ON) {
        err_context("--graphs on");
        return e;
    }
    log_warning("launches steps one by one, because recording them failed: %s", err_message());
    return ERR_OK;
}

/* A graph that is not a part's own has the passes of all. */
static enum err replay(struct sim *s)
{
    if (has_own_graph(s))
        return s->backend->replay(s->device, s->graph);
    TRY(parts_precede_first(s));
    if (s == keeper(s))
        TRY(s->backend->replay(s->device, s->graph));
    return parts_follow_first(s);
}

/* One pass, or as many as may judge each other; the first of a run alone, as its step is rejected where it is tried. */
static enum err enqueue_few(struct sim *s, long wanted, long *done)
{
    const int most = s->passes > 0 && passes_may_link(s) ? sim_graph_passes(s) : 1;
    *done = wanted < most ? wanted : most;
    TRY(some_passes(s, (int)*done));
    s->passes = 1;
    return ERR_OK;
}

/* A graph's passes, if as many are requested, or few. */
static enum err enqueue_next(struct sim *s, long wanted, long *done)
{
    const int many = sim_graph_passes(s);
    if (wanted < many || s->passes == 0)
        return enqueue_few(s, wanted, done);
    TRY(sim_prepare_graph(s));
    if (!keeper(s)->graph || s->swapped != keeper(s)->graph_swapped || is_between(s) ||
        is_watched(s))
        return enqueue_few(s, wanted, done);
    *done = many;
    return replay(s);
}

enum err sim_enqueue(struct sim *s, long passes)
{
    for (long done; passes > 0; passes -= done) {
        nccl_note(s, seconds()); /* the device's queue may be full */
        const enum err e = enqueue_next(s, passes, &done);
        nccl_note(s, 0);
        TRY(e);
    }
    return ERR_OK;
}
