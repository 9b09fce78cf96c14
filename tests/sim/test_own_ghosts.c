/* Kernels that fill the ghost cells of the states that they write (kernels/own_ghosts.h): no launch is left for that, the
 * bits are those of a run with such launches, and mistakes are noticed. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/own_ghosts.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/simulate.h"

/* Blocks of 12 x 7 cells: the last of 37 x 29 are a column wide and a row high, so another block has one of the cells that
 * their two ghost cells copy. */
enum { W = 12, WARP_W = 60, H = 7 };

struct shape {
    int nx, ny;
    enum boundary edge[EDGES];
};

static const struct shape shapes[] = {
    {37, 29, {WALL, WALL, WALL, WALL}},
    {37, 29, {OPEN, WALL, PERIODIC, PERIODIC}},
    {36, 30, {PERIODIC, PERIODIC, PERIODIC, PERIODIC}},
    {26, 15, {PERIODIC, PERIODIC, OPEN, WALL}},
    {1, 16, {WALL, OPEN, PERIODIC, PERIODIC}},
    {13, 1, {WALL, OPEN, PERIODIC, PERIODIC}},
    {2, 9, {PERIODIC, PERIODIC, WALL, OPEN}},
    {25, 2, {OPEN, OPEN, PERIODIC, PERIODIC}},
    {14, 1, {PERIODIC, PERIODIC, WALL, WALL}},
};

static struct scene new_flow(const struct shape *like)
{
    struct scene s = new_rough(like->nx, like->ny);
    scene_edges(&s, like->edge[WEST], like->edge[SOUTH]);
    memcpy(s.boundary, like->edge, sizeof s.boundary);
    return s;
}

static enum err count_fills(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    int *fills = context;
    (void)args, (void)bytes;
    *fills +=
        k->recipe.kernel == find_kernel("boundary") || k->recipe.kernel == find_kernel("corners");
    return ERR_OK;
}

/* Some passes, then more from a solution that the host has changed, and with a pause. */
static enum err step(struct sim *sim)
{
    const double nothing[37 * 30] = {0};
    TRY(sim_step_many(sim, 6));
    TRY(sim_write(sim, sim->state[0][1], NULL, nothing));
    TRY(sim_step_many(sim, 5));
    TRY(sim_run(sim, 1.5 * sim->now.t, NULL));
    return sim_run(sim, (double)INFINITY, NULL);
}

/* The outcome of a run, and how often it launched what fills ghost cells; false if it broke down. */
static int run(const struct config *as, const struct scene *s, int own, struct outcome *o,
               int *fills)
{
    struct config c = *as;
    snprintf(c.define, sizeof c.define, OWN_GHOSTS_SWITCH "=%d", own);
    if (own)
        configure_block(&c, find_scheme(c.scheme)->kernels[0], c.order ? WARP_W : W, H);
    if (own && strcmp(c.scheme, "rk2_fused") == 0)
        configure_block(&c, "fused1", c.order ? WARP_W : W, H);
    struct sim *sim = create(&c, s);
    assert_int_equal(sim->own_ghosts, own);
    *fills = 0;
    sim->hook = (struct launch_hook){count_fills, fills};
    const int ends = step(sim) == ERR_OK;
    if (ends)
        *o = outcome_of(&c, sim, s);
    sim_destroy(sim);
    return ends;
}

/* Does a run whose kernels fill the ghost cells end as another one? `redone` adds up steps that were redone. */
static int is_same(const struct config *c, const struct scene *s, unsigned long *redone)
{
    char text[256];
    int fills, own_fills;
    struct outcome want, have;
    assert_true(run(c, s, 0, &want, &fills));
    int same = run(c, s, 1, &have, &own_fills);
    if (same) {
        const int starts = strcmp(c->scheme, "hancock") == 0 ? 8 : 4;
        same = !differ(&want.state, &have.state, 1, text, sizeof text) &&
               memcmp(&want.clock, &have.clock, sizeof want.clock) == 0;
        if (own_fills != starts || fills < 2 * c->steps)
            fail_msg("%s: %d launches fill ghost cells, %d where kernels do: expected %d",
                     described(c), fills, own_fills, starts);
        outcome_free(&have);
    }
    *redone += want.clock.redone;
    outcome_free(&want);
    return same;
}

static struct config config_of(const char *scheme, enum precision p)
{
    struct config c;
    configure(&c, scheme, p);
    c.steps = 24;
    return c;
}

static void expect_same_bits(const struct config *c)
{
    unsigned long redone = 0;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct scene s = new_flow(&shapes[k]);
        if (!is_same(c, &s, &redone))
            fail_msg("%s, %d x %d: other bits where kernels fill ghost cells, or: %s", described(c),
                     s.nx, s.ny, err_message());
        scene_free(&s);
    }
    assert_true(redone > 5);
}

static void they_give_the_same_bits_without_launches_for_it(void **state)
{
    (void)state;
    const struct config fused = config_of("rk2_fused", F32), hancock = config_of("hancock", F64);
    expect_same_bits(&fused);
    expect_same_bits(&hancock);
}

/* As on a GPU: 32 threads a block, which store pairs. */
static void threads_of_a_block_share_the_cells(void **state)
{
    (void)state;
    struct config c = config_of("hancock", F32);
    c.order = 2;
    expect_same_bits(&c);
}

static void what_the_water_carries_has_ghost_cells_too(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    const struct config c = config_of("rk2_fused", F64);
    expect_same_bits(&c);
    scene_solve(find_system("shallow_water"));
}

static void expect_refused(const char *scheme, const struct scene *s, const char *why)
{
    struct config c = config_of(scheme, F32);
    struct sim *sim;
    snprintf(c.define, sizeof c.define, OWN_GHOSTS_SWITCH "=1");
    assert_int_equal(simulation_create(&sim, &c, s), ERR_USAGE);
    if (!strstr(err_message(), why))
        fail_msg("%s", err_message());
}

static void runs_where_kernels_cannot_are_refused(void **state)
{
    static const struct shape odd = {37, 29, {PERIODIC, PERIODIC, WALL, WALL}};
    (void)state;
    struct scene s = new_flow(&odd);
    expect_refused("rk2_fused", &s, "rows with an odd number of cells");
    scene_free(&s);
    s = new_flow(&shapes[0]);
    expect_refused("rk2", &s, "OWN_GHOSTS");
    scene_mixed_edges(&s);
    expect_refused("hancock", &s, "edges impose numbers");
    scene_free(&s);
}

static int is_noticed(void)
{
    const struct config c = config_of("hancock", F64);
    unsigned long redone = 0;
    int same = 1;
    for (size_t k = 0; k < 4 && same; k++) {
        struct scene s = new_flow(&shapes[k]);
        same = is_same(&c, &s, &redone);
        scene_free(&s);
    }
    return !same;
}

static void planted_mistakes_are_noticed(void **state)
{
    static const struct {
        const char *what, *file, *right, *wrong;
    } mistakes[] = {
        {"a corner that is not filled", "hancock_ghosts.h", "k < 4;", "k < 3;"},
        {"a wall that does not turn the rates", "hancock_ghosts.h", "s.turn ?", "0 ?"},
        {"cells that the step began with", "hancock_ghosts.h", "a->to;", "a->q;"},
        {"a mirrored row too few", "fill_own.h", "(one + two) *", "one *"},
        {"a row near an edge, in the block before the last, that is left out", "fill_own.h",
         "> f->ny - GHOSTS", "> f->ny - 1"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        kernel_copy(scratch);
        kernel_plant(mistakes[k].file, mistakes[k].right, mistakes[k].wrong);
        if (!is_noticed())
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
        ON_COPY(planted_mistakes_are_noticed),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("own_ghosts", tests, kernel_home_keep, NULL);
}
