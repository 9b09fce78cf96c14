/* How a scheme steps: what it remembers and launches, and that blocks and threads change
 * nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/contracts/scheme_runs.h"
#include "verification/run/simulate.h"

/* All wet, so that the dry threshold, which depends on the largest initial depth, does not
 * matter. */
static enum err wet_dam(const struct config *c, struct scene *s, const struct rung *g)
{
    if (!find_system(find_scheme(c->scheme)->system)->over_bed)
        return flow_between_walls(c, g, s);
    TRY(scene_create(s, g->nx, g->ny));
    s->kappa = 0.01;
    scene_random_bed(s, -1.5, -1, 3);
    scene_level(s, 0);
    scene_dam(s, 0.4 * g->nx, 0.5 * g->ny, 0.25 * fmax(g->nx, g->ny), 1);
    return ERR_OK;
}

/* A simulation at the start of a run that has the state of another one, and its number of steps, which
 * rounding follows (kernels/num/update.h). */
static enum err successor(struct sim **out, const struct config *c, const struct scene *s,
                          struct sim *before)
{
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    enum err e = ERR_OK;
    struct sim *sim = NULL;
    void *room = calloc(cells, sizeof(double));
    if (!room)
        FAIL(MEMORY, "no memory for a field of %zu cells", cells);
    TRY_OUT(simulation_create(&sim, c, s));
    for (int k = 0; k < sim->system->unknowns; k++) {
        TRY_OUT(sim_read(before, sim_unknown(before, k), NULL, room));
        TRY_OUT(sim_write(sim, sim_unknown(sim, k), NULL, room));
    }
    sim->now.steps = before->now.steps;
    TRY_OUT(sim->backend->upload(sim->device, sim->clock, &sim->now, sizeof sim->now));
    *out = sim;
    sim = NULL;
out:
    sim_destroy(sim);
    free(room);
    return e;
}

/* A run to `steps`, and another one from its state on, `more` steps further. */
static enum err run_in_two(const struct config *c, const struct scene *s, long steps, long more,
                           struct outcome *o)
{
    struct config first = *c, second = *c;
    struct sim *half = NULL, *rest = NULL;
    enum err e = ERR_OK;
    first.steps = steps;
    second.steps = steps + more;
    TRY(simulation_create(&half, &first, s));
    TRY_OUT(sim_run(half, (double)INFINITY, NULL));
    TRY_OUT(successor(&rest, &second, s, half));
    TRY_OUT(sim_run(rest, (double)INFINITY, NULL));
    TRY_OUT(simulation_outcome(rest, s, o));
out:
    sim_destroy(half);
    sim_destroy(rest);
    return e;
}

/* It must continue from its own state as if it had not stopped. */
static enum err remembers(const struct config *c, const struct rung *g, struct seen *seen)
{
    enum err e = ERR_OK;
    const struct scheme *scheme = find_scheme(c->scheme);
    const long steps = g->steps + g->steps % scheme->steps;
    struct scene s;
    struct outcome straight = {0}, again = {0};
    int ok;
    if (scheme->split || scheme->clock)
        return ERR_OK;
    TRY(wet_dam(c, &s, g));
    TRY_OUT(run_steps(c, &s, steps + scheme->steps, &straight, seen, &ok));
    if (!ok)
        goto out;
    TRY_OUT(run_in_two(c, &s, steps, scheme->steps, &again));
    if (fabs(straight.clock.dt - again.clock.dt) > 0)
        saw(seen, "step %ld takes %.9g s, and %.9g s from the same state at the start of a run",
            steps + 1, straight.clock.dt, again.clock.dt);
    else
        saw_gap(seen, &again.state, &straight.state);
    if (!(fabs(straight.clock.dt - again.clock.dt) > 0))
        seen->why = "continues differently from its own state in a new run: it remembers something "
                    "besides Q, and a restart would differ";
out:
    outcome_free(&straight);
    outcome_free(&again);
    scene_free(&s);
    return e;
}

enum { LAUNCHES = 48, PASSES = 12, ARGS = 512 };

struct launch {
    const struct sim_kernel *kernel;
    size_t bytes;
    unsigned char args[ARGS];
};

/* What passes launched: the first two that count, one for each place of the states (change_places),
 * and the one under way. */
struct launches {
    struct launch at[3][LAUNCHES];
    int count, row;
};
enum { UNDER_WAY = 2 };

static enum err note_launch(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct launches *l = context;
    if (l->count < LAUNCHES) {
        struct launch *now = &l->at[l->row][l->count];
        now->kernel = k;
        now->bytes = bytes < ARGS ? bytes : ARGS;
        memcpy(now->args, args, now->bytes);
    }
    l->count++;
    return ERR_OK;
}

static void compare_passes(const struct launches *l, int pass, int turn, int first,
                           struct seen *seen)
{
    if (l->count != first) {
        saw(seen, "pass %d launches %d kernels, where pass 3 launched %d", pass, l->count, first);
        return;
    }
    for (int k = 0; k < l->count && k < LAUNCHES && !seen->broken; k++) {
        const struct launch *was = &l->at[turn][k], *is = &l->at[UNDER_WAY][k];
        const char *name = is->kernel->recipe.kernel->name;
        if (was->kernel != is->kernel)
            saw(seen, "launch %d of pass %d is %s, and in pass 3 it was %s", k + 1, pass, name,
                was->kernel->recipe.kernel->name);
        else if (was->bytes != is->bytes || memcmp(was->args, is->args, is->bytes) != 0)
            saw(seen, "pass %d launches %s with other arguments than pass 3 did", pass, name);
    }
}

/* The first passes may differ: a rejected one does not count. */
static enum err varies(const struct config *c, const struct rung *g, struct seen *seen)
{
    enum err e = ERR_OK;
    struct scene s;
    struct sim *sim = NULL;
    int first[2] = {0, 0};
    struct launches *l = calloc(1, sizeof *l);
    if (!l)
        FAIL(MEMORY, "no memory to note launches");
    TRY_OUT(wet_dam(c, &s, g));
    e = simulation_create(&sim, c, &s);
    scene_free(&s);
    TRY_OUT(e);
    sim->hook = (struct launch_hook){note_launch, l};
    for (int pass = 1; pass <= PASSES && !seen->broken; pass++) {
        l->count = 0;
        const int turn = sim->swapped, begins = pass == 3 || (pass > 3 && first[turn] == 0);
        l->row = begins ? turn : UNDER_WAY;
        TRY_OUT(sim_step_many(sim, 1));
        if (begins)
            first[turn] = l->count;
        else if (pass > 3)
            compare_passes(l, pass, turn, first[turn], seen);
    }
out:
    sim_destroy(sim);
    free(l);
    return e;
}

/* Blocks of an odd shape, with emulated GPU threads in `order`. */
static struct config cut_up(const struct config *c, int order)
{
    struct config other = *c;
    const struct scheme *scheme = find_scheme(c->scheme);
    for (int k = 0; scheme->kernels[k] && (!scheme->on_demand || k < scheme->on_demand); k++) {
        const struct kernel *kernel = find_kernel(scheme->kernels[k]);
        struct block_choice *b = &other.blocks[other.block_count++];
        snprintf(b->kernel, sizeof b->kernel, "%s", kernel->name);
        b->block = kernel->threads ? (struct block){28, 5} : (struct block){7, 5};
    }
    other.order = order;
    return other;
}

static int same_outcome(const struct outcome *a, const struct outcome *b)
{
    return !(scene_gap(&a->state, &b->state, 1).values > 0) &&
           memcmp(&a->clock, &b->clock, sizeof a->clock) == 0 &&
           memcmp(&a->balance, &b->balance, sizeof a->balance) == 0;
}

static void saw_difference(struct seen *seen, const struct outcome *want,
                           const struct outcome *have)
{
    saw_gap(seen, &want->state, &have->state);
    if (!seen->broken)
        saw(seen,
            "the cells agree, and clock or balance differ: clipped %.9g m3, not %.9g; t %.17g s, "
            "not %.17g",
            have->balance.clipped_in, want->balance.clipped_in, have->clock.t, want->clock.t);
}

/* An error in debug order is a finding, not a failure to test. */
static enum err run_cut(const struct config *c, const struct scene *s, long steps,
                        struct outcome *o, struct seen *seen, int *ok)
{
    const enum err e = run_steps(c, s, steps, o, seen, ok);
    if (e != ERR_KERNEL || !c->order)
        return e;
    saw(seen, "%s", err_message());
    return ERR_OK;
}

static const char BLOCKS[] =
    "gives other bits for another block size: a block reads what another one writes in the same "
    "launch, or beyond its tile";
static const char BARRIER[] =
    "depends on the order of a block's threads: a SYNC is missing between two phases, or a phase "
    "reads what its other iterations write; a GPU would give random results";
static const char THREADS[] =
    "gives other bits with two threads: blocks write to the same place, or to something static";

/* With fibres for threads; where that differs, again without, to tell blocks from threads. */
static enum err depends_on_blocks(const struct config *c, const struct rung *g, struct seen *seen)
{
    enum err e = ERR_OK;
    struct scene s;
    struct outcome want = {0}, have = {0}, forward = {0};
    struct seen other = {0};
    const struct config shuffled = cut_up(c, 2), blocks = cut_up(c, 0);
    int ok, ok_too;
    TRY(flow_between_walls(c, g, &s));
    if (s.system->over_bed)
        s.boundary[WEST] = OPEN;
    TRY_OUT(run_steps(c, &s, g->steps, &want, seen, &ok));
    if (!ok)
        goto out;
    TRY_OUT(run_cut(&shuffled, &s, g->steps, &have, seen, &ok));
    if (ok && same_outcome(&want, &have))
        goto out;
    if (ok)
        saw_difference(seen, &want, &have);
    TRY_OUT(run_cut(&blocks, &s, g->steps, &forward, &other, &ok_too));
    seen->why = ok_too && same_outcome(&want, &forward) ? BARRIER : BLOCKS;
out:
    outcome_free(&want);
    outcome_free(&have);
    outcome_free(&forward);
    scene_free(&s);
    return e;
}

static enum err depends_on_threads(const struct config *c, const struct rung *g, struct seen *seen)
{
    enum err e = ERR_OK;
    struct scene s;
    struct outcome want = {0}, have = {0};
    struct config two = *c;
    int ok;
    two.threads = 2;
    TRY(flow_between_walls(c, g, &s));
    TRY_OUT(run_steps(c, &s, g->steps, &want, seen, &ok));
    if (ok)
        TRY_OUT(run_steps(&two, &s, g->steps, &have, seen, &ok));
    if (ok && !same_outcome(&want, &have))
        saw_difference(seen, &want, &have);
out:
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
    return e;
}

static const struct rung step_rungs[] = {{3, 1, 2}, {12, 9, 6}, {23, 17, 10}, {0, 0, 0}};
static const struct rung one_rung[] = {{12, 9, 1}, {0, 0, 0}};
static const struct rung block_rungs[] = {{9, 7, 2}, {35, 27, 8}, {0, 0, 0}};
/* Fewer cells are not distributed over threads. */
static const struct rung thread_rungs[] = {{240, 200, 3}, {0, 0, 0}};

const struct run_question scheme_step_questions[] = {
    {"past", step_rungs, remembers,
     "takes a time step that depends on the past: choose_time_step must follow the rate_of_change "
     "that finds the wave speeds of the current state",
     "it continues from its own state as if it had not stopped", 0},
    {"same launches", one_rung, varies,
     "launches other kernels, or other arguments, from pass to pass: every pass except a run's "
     "first must be the same, as a GPU replays a recording of it; a step may depend on s->passes "
     "only",
     "every pass launches the same kernels with the same arguments", 1},
    {"blocks", block_rungs, depends_on_blocks, BLOCKS,
     "blocks of another shape, their threads in another order, give the same bits", 0},
    {"threads", thread_rungs, depends_on_threads, THREADS, "two threads give the same bits", 0},
    {0},
};
