/* Kernels that fill the ghost cells of the states that they write, and move the clock on (kernels/own_ghosts.h): no launch
 * is left for that, the bits are those of a run with such launches, and mistakes are noticed. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/sim/own_ghosts.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/need_gpu.h"
#include "tests/support/simulate.h"

/* Blocks of 12 x 7 cells: the last of 37 x 29 are a column wide and a row high, so another block has one of the cells that
 * their two ghost cells copy. */
enum { W = 12, WARP_W = 60, H = 7 };

struct shape {
    int nx, ny;
    enum boundary edge[EDGES];
};

static const struct shape shapes[] = {
    {37, 29, {OPEN, WALL, PERIODIC, PERIODIC}},
    {26, 15, {PERIODIC, PERIODIC, OPEN, WALL}},
    {14, 16, {PERIODIC, PERIODIC, PERIODIC, PERIODIC}},
    {1, 16, {WALL, OPEN, PERIODIC, PERIODIC}},
    {13, 1, {WALL, OPEN, PERIODIC, PERIODIC}},
    {2, 9, {PERIODIC, PERIODIC, WALL, OPEN}},
    {25, 2, {OPEN, OPEN, PERIODIC, PERIODIC}},
    {14, 1, {PERIODIC, PERIODIC, WALL, WALL}},
    {13, 8, {WALL, WALL, WALL, WALL}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Water seeps away: where there is none, depths that fall below 0 are clipped. */
static struct scene new_flow(const struct shape *like)
{
    struct scene s = new_rough(like->nx, like->ny);
    scene_edges(&s, like->edge[WEST], like->edge[SOUTH]);
    memcpy(s.boundary, like->edge, sizeof s.boundary);
    scene_force(&s, -0.01, 0.2, 9);
    return s;
}

/* Launches that fill ghost cells, that move the clock on, by which hancock tries and settles steps, and that sum what crosses edges. */
struct launches {
    int fills, clocks, tries, stays, sums;
};

static enum err count_launches(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct launches *n = context;
    (void)args, (void)bytes;
    n->fills +=
        k->recipe.kernel == find_kernel("boundary") || k->recipe.kernel == find_kernel("corners");
    n->clocks += k->recipe.kernel == find_kernel("ahead");
    n->tries += k->recipe.kernel == find_kernel("hancock");
    n->stays += k->recipe.kernel == find_kernel("stay");
    n->sums += k->recipe.kernel == find_kernel("inflow");
    return ERR_OK;
}

/* Passes that follow each other however fast the machine is: before the end, and beyond it. */
enum { ROW = 11, BEYOND = 3 };

/* Some steps, then more from a solution that the host has changed, with a pause, and passes beyond the end, of which each
 * leaves the state to the next. A rejected step may take one pass or two. */
static enum err step(struct sim *sim)
{
    const double nothing[37 * 30] = {0};
    TRY(sim_run(sim, DBL_MIN, NULL));
    TRY(sim_run(sim, 5 * sim->now.t, NULL));
    TRY(sim_write(sim, sim->state[0][1], NULL, nothing));
    TRY(sim_run(sim, 1.5 * sim->now.t, NULL));
    TRY(sim_step_many(sim, ROW));
    TRY(sim_run(sim, (double)INFINITY, NULL));
    return sim_step_many(sim, BEYOND);
}

struct ending {
    struct outcome o;
    struct balance carried; /* of what the water carries, if anything */
    struct launches n;
};

static int is_fused(const struct config *c)
{
    return strcmp(c->scheme, "rk2_fused") == 0;
}

/* False if the run breaks down. Launches that are counted are not recorded. */
static int run(const struct config *as, const struct scene *s, int own, struct ending *e)
{
    struct config c = *as;
    const int counted = strcmp(c.backend, "cpu") == 0, w = c.order ? WARP_W : W;
    if (!own)
        snprintf(c.define, sizeof c.define, OWN_GHOSTS_SWITCH "=0");
    if (own && counted)
        configure_block(&c, is_fused(&c) ? "fused" : "hancock", w, H);
    struct sim *sim = create(&c, s);
    assert_int_equal(sim->own_ghosts, own);
    memset(e, 0, sizeof *e);
    if (counted)
        sim->hook = (struct launch_hook){count_launches, &e->n};
    const int ends = step(sim) == ERR_OK;
    if (ends)
        e->o = outcome_of(&c, sim, s);
    if (ends && sim->system->carried)
        fine(sim_balance_of(sim, 1, &e->carried));
    sim_destroy(sim);
    return ends;
}

static void check_launches(const struct config *c, const struct ending *want,
                           const struct ending *have)
{
    const int starts = is_fused(c) ? 6 : 12, clocks = !!strstr(c->define, OWN_CLOCK_SWITCH "=0");
    if (have->n.fills != starts || want->n.fills < 2 * c->steps)
        fail_msg("%s: %d launches fill ghost cells, %d where kernels do: expected %d", described(c),
                 want->n.fills, have->n.fills, starts);
    if (have->n.clocks != clocks * want->n.clocks)
        fail_msg("%s: %d launches move the clock on, %d where kernels do", described(c),
                 want->n.clocks, have->n.clocks);
    /* Passes judge each other, but the last of a row, and sum what crosses edges. */
    if (is_fused(c) || clocks)
        return;
    if (have->n.stays == 0 || have->n.tries - have->n.stays < ROW - 1 + BEYOND - 1 ||
        have->n.sums > 0)
        fail_msg("%s: %d launches try steps, %d settle them, %d sum flows", described(c),
                 have->n.tries, have->n.stays, have->n.sums);
}

/* Does a run whose kernels do the work of others end as another one? `redone` adds up steps that were redone. */
static int is_same(const struct config *c, const struct scene *s, unsigned long *redone)
{
    char text[256];
    struct ending want, have;
    assert_true(run(c, s, 0, &want));
    int same = run(c, s, 1, &have);
    if (same) {
        same = !differ(&want.o.state, &have.o.state, 1, text, sizeof text) &&
               memcmp(&want.o.clock, &have.o.clock, sizeof want.o.clock) == 0 &&
               memcmp(&want.o.balance, &have.o.balance, sizeof want.o.balance) == 0 &&
               memcmp(&want.carried, &have.carried, sizeof want.carried) == 0;
        if (strcmp(c->backend, "cpu") == 0)
            check_launches(c, &want, &have);
        outcome_free(&have.o);
    }
    *redone += want.o.clock.redone;
    outcome_free(&want.o);
    return same;
}

static struct config config_of(const char *scheme, enum precision p)
{
    struct config c;
    configure(&c, scheme, p);
    snprintf(c.define, sizeof c.define, OWN_GHOSTS_SWITCH "=1");
    c.steps = 24;
    return c;
}

/* In the first `n` shapes. */
static void expect_same_bits(const struct config *c, int n)
{
    unsigned long redone = 0;
    for (int k = 0; k < n; k++) {
        struct scene s = new_flow(&shapes[k]);
        if (!is_same(c, &s, &redone))
            fail_msg("%s, %d x %d: other bits where kernels fill ghost cells, or: %s", described(c),
                     s.nx, s.ny, err_message());
        scene_free(&s);
    }
    assert_true(redone > 0);
}

static void they_give_the_same_bits_without_launches_for_it(void **state)
{
    (void)state;
    struct config fused = config_of("rk2_fused", F32), hancock = config_of("hancock", F64);
    expect_same_bits(&fused, SHAPES);
    expect_same_bits(&hancock, SHAPES);
    snprintf(fused.define, sizeof fused.define, OWN_GHOSTS_SWITCH "=1," OWN_CLOCK_SWITCH "=0");
    expect_same_bits(&fused, 2);
}

/* As on a GPU: 32 threads a block, which store pairs. */
static void threads_of_a_block_share_the_cells(void **state)
{
    (void)state;
    struct config c = config_of("hancock", F32);
    c.order = 2;
    expect_same_bits(&c, 5);
}

static void what_the_water_carries_has_ghost_cells_too(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    const struct config c = config_of("rk2_fused", F64);
    expect_same_bits(&c, 3);
    scene_solve(find_system("shallow_water"));
}

static void expect_refused(const char *scheme, const struct scene *s, const char *define,
                           const char *why)
{
    struct config c = config_of(scheme, F32);
    struct sim *sim;
    snprintf(c.define, sizeof c.define, "%s", define);
    assert_int_equal(simulation_create(&sim, &c, s), ERR_USAGE);
    if (!strstr(err_message(), why))
        fail_msg("%s", err_message());
}

static void runs_where_kernels_cannot_are_refused(void **state)
{
    static const struct shape odd = {37, 29, {PERIODIC, PERIODIC, WALL, WALL}};
    (void)state;
    struct scene s = new_flow(&odd);
    expect_refused("rk2_fused", &s, "OWN_GHOSTS=1", "rows with an odd number of cells");
    scene_free(&s);
    s = new_flow(&shapes[0]);
    expect_refused("rk2", &s, "OWN_GHOSTS=1",
                   "kernels of scheme rk2 never fill ghost cells, those of");
    expect_refused("rk2", &s, "OWN_GHOSTS=0", "can: leave it out");
    scene_mixed_edges(&s);
    expect_refused("hancock", &s, "OWN_GHOSTS=1", "edges impose numbers");
    scene_free(&s);
}

static int is_noticed(const char *scheme)
{
    const struct config c = config_of(scheme, F64);
    unsigned long redone = 0;
    int same = 1;
    for (int k = 0; k < 3 && same; k++) {
        struct scene s = new_flow(&shapes[k]);
        same = is_same(&c, &s, &redone);
        scene_free(&s);
    }
    return !same;
}

/* In graphs, and with the blocks of a GPU. */
static void a_gpu_gives_the_same_bits(void **state)
{
    (void)state;
    need_gpu("kernels that do the work of others are not tried on a GPU");
    static const char *const schemes_tried[] = {"rk2_fused", "hancock"};
    for (int k = 0; k < 2 * PRECISIONS; k++) {
        struct config c = config_of(schemes_tried[k % 2], (enum precision)(k / 2));
        snprintf(c.backend, sizeof c.backend, "cuda");
        c.steps = 200;
        expect_same_bits(&c, SHAPES);
        c.mode = FAST_MODE;
        expect_same_bits(&c, SHAPES);
    }
}

static void planted_mistakes_are_noticed(void **state)
{
    static const struct {
        const char *scheme, *what, *file, *right, *wrong;
    } mistakes[] = {
        {"hancock", "a corner that is not filled", "hancock_ghosts.h", "k < 4;", "k < 3;"},
        {"hancock", "a wall that does not turn the rates", "hancock_ghosts.h", "s.turn ?", "0 ?"},
        {"hancock", "cells that the step began with", "fill_own.h", "a->to;", "a->q;"},
        {"hancock", "a mirrored row too few", "fill_own.h", "(one + two) *", "one *"},
        {"hancock", "a row near an edge, in the block before the last, that is left out",
         "fill_own.h", "> f->ny - GHOSTS", "> f->ny - 1"},
        {"rk2_fused", "a wave speed that is not forgotten", "own_clock.h", "& 1] = 0;",
         "& 1] *= 1;"},
        {"rk2_fused", "a step that is accepted at any speed", "own_clock.h",
         "(t->length <= rounded(limit))", "0"},
        {"rk2_fused", "a step that counts clipped water twice", "own_clock.h", "->counters[k] = 0;",
         "->counters[k] += 0;"},
        {"hancock", "a linked pass whose wave speed is not forgotten", "linked_clock.h",
         "& 3] = 0;", "& 3] *= 1;"},
        {"hancock", "a linked pass that makes its step at any speed", "linked_clock.h",
         "p->tried & accepts(&p->terms, before->speed, limit)", "p->tried"},
        {"hancock", "a linked pass that counts clipped water twice", "linked_clock.h",
         "clipped[k] = 0;", "clipped[k] += 0;"},
        {"hancock", "a pass behind a rejected step that makes one", "linked_clock.h",
         "RUNNING && !crossed", "RUNNING"},
        {"hancock", "a state that stays on the wrong side of the last pass", "linked_clock.h",
         "!was_made(&p) : !p.pass.crossed", "!was_made(&p) : 0"},
        {"hancock", "the flow through edges in a rejected step, which counts", "linked_clock.h",
         "if (was_made(&p))", "if (1)"},
        {"hancock", "a position of the rim in each share that no block sums", "linked_clock.h",
         ": most;", ": most - 1;"},
        {"hancock", "a linked pass that takes the length of the step before", "linked_clock.h",
         "length_to_try(t->factor, limit, t->before)", "t->length"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        kernel_copy(scratch);
        kernel_plant(mistakes[k].file, mistakes[k].right, mistakes[k].wrong);
        if (!is_noticed(mistakes[k].scheme))
            fail_msg("%s: not noticed", mistakes[k].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_give_the_same_bits_without_launches_for_it),
        cmocka_unit_test(threads_of_a_block_share_the_cells),
        cmocka_unit_test(what_the_water_carries_has_ghost_cells_too),
        cmocka_unit_test(runs_where_kernels_cannot_are_refused),
        cmocka_unit_test(a_gpu_gives_the_same_bits),
        ON_COPY(planted_mistakes_are_noticed),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("own_ghosts", tests, kernel_home_keep, NULL);
}
