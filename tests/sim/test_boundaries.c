/* Edges that impose a discharge, a depth or a whole state. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/need_gpu.h"
#include "tests/support/simulate.h"

/* A flat bed 1 m below level 0, and the same discharges everywhere. */
static struct scene stream(int nx, int ny, double level, double hu, double hv)
{
    struct scene s = new_scene(nx, ny);
    for (int k = 0; k < (nx + 1) * (ny + 1); k++)
        s.bed[k] = -1;
    scene_level(&s, level);
    for (int k = 0; k < nx * ny; k++) {
        s.field[1][k] = hu;
        s.field[2][k] = hv;
    }
    return s;
}

static void set_edge(struct scene *s, enum edge e, enum boundary kind, struct edge_state given)
{
    s->boundary[e] = kind;
    s->edge[e] = given;
}

/* The flow runs from each edge to the opposite one in turn. */
static const int views[] = {0, MIRROR_X, EXCHANGE, MIRROR_X | EXCHANGE};

static void expect_steady(const struct config *c, const char *what, const struct scene *s)
{
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        struct config some = *c;
        char text[128];
        some.sweep = k == 1 || k == 2 ? SWEEP_YX : SWEEP_XY;
        struct scene seen = new_view(s, views[k]);
        struct outcome o = simulated_steps(&some, &seen, 25);
        snprintf(text, sizeof text, "%s, view %zu", what, k);
        expect_same(&some, text, &seen, &o.state, 0);
        outcome_free(&o);
        scene_free(&seen);
    }
}

static void check_uniform_flow(const struct config *c)
{
    struct scene s = stream(23, 7, 0, 0.5, 0.25);
    scene_edges(&s, OPEN, PERIODIC);
    set_edge(&s, WEST, STATE, (struct edge_state){.h = 1, .hu = 0.5, .hv = 0.25});
    expect_steady(c, "a state in the west, an open edge in the east", &s);
    scene_free(&s);
    s = stream(23, 7, 0, 0.5, 0);
    set_edge(&s, WEST, DISCHARGE, (struct edge_state){.hu = 0.5, .hv = 99});
    set_edge(&s, EAST, DEPTH, (struct edge_state){.h = 1, .hu = 99, .hv = 99});
    expect_steady(c, "a discharge in the west, a depth in the east", &s);
    set_edge(&s, WEST, DEPTH, (struct edge_state){.h = 1});
    set_edge(&s, EAST, DISCHARGE, (struct edge_state){.hu = 0.5});
    expect_steady(c, "a depth in the west, what leaves in the east", &s);
    scene_free(&s);
}

static void uniform_flow_between_edges_that_impose_it_stays_to_the_bit(void **state)
{
    (void)state;
    for_every_scheme(check_uniform_flow);
}

/* Relative to the volume at the end, as there may be none at the start. Long runs that come to rest round in the same
 * direction in every step. */
static void expect_balance(const struct config *c, const char *what, const struct outcome *o)
{
    const struct balance *b = &o->balance;
    const double eps = c->precision == F64 ? 1e-16 : 6e-8;
    const double limit = eps * (20 + (double)o->clock.steps / 10) * fmax(b->volume, o->volume0);
    const double lost = b->volume - o->volume0 - b->inflow - b->clipped_in;
    if (!(fabs(lost) <= limit))
        fail_msg("%s: %s: %.17g m3 after %.17g, inflow %.17g, clipped in %g: %g m3 are "
                 "unaccounted for",
                 described(c), what, b->volume, o->volume0, b->inflow, b->clipped_in, lost);
}

static void check_filling(const struct config *c)
{
    for (int e = 0; e < EDGES; e++) {
        struct scene s = stream(e <= EAST ? 30 : 3, e <= EAST ? 3 : 30, -1, 0, 0);
        const double q = e == WEST || e == SOUTH ? 0.4 : -0.4;
        const double width = e <= EAST ? 3 * s.dy : 3 * s.dx;
        set_edge(&s, (enum edge)e, DISCHARGE, (struct edge_state){.hu = q, .hv = q});
        s.t_end = 20;
        struct outcome o = simulated(c, &s);
        const double wanted = 0.4 * width * s.t_end;
        if (!(fabs(o.balance.volume - wanted) <= 0.02 * wanted))
            fail_msg("%s: edge %d: %g m3 came in, not %g", described(c), e, o.balance.volume,
                     wanted);
        expect_balance(c, "a dry channel fills", &o);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void a_discharge_fills_a_dry_channel_and_the_balance_closes(void **state)
{
    (void)state;
    for_every_scheme(check_filling);
}

static void check_raising(const struct config *c)
{
    for (int e = 0; e < EDGES; e++) {
        struct scene s = stream(12, 10, 0, 0, 0);
        set_edge(&s, (enum edge)e, DEPTH, (struct edge_state){.h = 1.5});
        s.drag = 0.5;
        s.t_end = 60;
        struct outcome o = simulated(c, &s);
        for (int k = 0; k < s.nx * s.ny; k++)
            if (!(fabs(o.state.field[0][k] - 0.5) <= 1e-4))
                fail_msg("%s: edge %d: the level of cell %d is %g m, not 0.5", described(c), e, k,
                         o.state.field[0][k]);
        expect_balance(c, "a basin fills", &o);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void a_depth_at_an_edge_raises_a_basin_to_its_level(void **state)
{
    (void)state;
    for_every_scheme(check_raising);
}

/* Does it matter to the flow whether its end imposes a depth of 0.8 m or nothing? */
static int end_matters(const struct config *c, double hu, int how)
{
    char text[256];
    struct scene s = stream(23, 7, -0.5, hu, 0);
    set_edge(&s, WEST, STATE, (struct edge_state){.h = 0.5, .hu = hu});
    set_edge(&s, EAST, DEPTH, (struct edge_state){.h = 0.8});
    scene_dam(&s, 11, 3, 2, -0.4);
    struct scene imposed = new_view(&s, how);
    set_edge(&s, EAST, OPEN, (struct edge_state){0});
    struct scene free_end = new_view(&s, how);
    struct outcome a = simulated_steps(c, &imposed, 40), b = simulated_steps(c, &free_end, 40);
    const int differs = differ(&b.state, &a.state, 1, text, sizeof text);
    outcome_free(&a);
    outcome_free(&b);
    scene_free(&imposed);
    scene_free(&free_end);
    scene_free(&s);
    return differs;
}

static void check_supercritical(const struct config *c)
{
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        if (end_matters(c, 2.5, views[k]))
            fail_msg("%s: view %zu: a depth acts on water that leaves at 5 m/s", described(c), k);
        if (!end_matters(c, 0.5, views[k]))
            fail_msg("%s: view %zu: a depth does nothing to water that leaves at 1 m/s",
                     described(c), k);
    }
}

static void supercritical_outflow_ignores_the_depth_at_its_end(void **state)
{
    (void)state;
    for_every_scheme(check_supercritical);
}

/* A dam break over a rough bed with dry places, with every kind of edge on some side, friction and forcing. */
static struct scene rough(int nx, int ny, int first)
{
    static const enum boundary kinds[EDGES] = {DISCHARGE, DEPTH, STATE, OPEN};
    struct scene s = new_rough(nx, ny);
    s.manning = 0.03;
    s.drag = 0.1;
    scene_force(&s, 0.02, 0.1, 4);
    for (int e = 0; e < EDGES; e++)
        set_edge(&s, (enum edge)e, kinds[(e + first) % EDGES],
                 (struct edge_state){.h = 0.7, .hu = 0.3 - 0.1 * e, .hv = 0.15 * e - 0.2});
    return s;
}

/* Mirrored or exchanged before the run, or after it (`o`): the same result. */
static void expect_commutes(const struct config *c, const char *what, int how,
                            const struct scene *s, const struct outcome *o)
{
    struct config other = *c; /* where x and y are exchanged, so must be the order of the sweeps */
    other.sweep = how & EXCHANGE ? SWEEP_YX : SWEEP_XY;
    struct scene seen = new_view(s, how);
    struct outcome of_seen = simulated_steps(&other, &seen, 40);
    struct scene expected = new_view(&o->state, how);
    expect_same(c, what, &expected, &of_seen.state, 0);
    expect_balance(c, what, &of_seen);
    outcome_free(&of_seen);
    scene_free(&expected);
    scene_free(&seen);
}

static void check_mirrors(const struct config *c)
{
    for (int first = 0; first < EDGES; first++) {
        struct scene s = rough(33, 26, first);
        struct outcome o = simulated_steps(c, &s, 40);
        expect_commutes(c, "mirrored in x", MIRROR_X, &s, &o);
        expect_commutes(c, "mirrored in y", MIRROR_Y, &s, &o);
        expect_commutes(c, "transposed", EXCHANGE, &s, &o);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void mirroring_and_transposing_hold_to_the_bit_at_every_edge(void **state)
{
    (void)state;
    for_every_scheme(check_mirrors);
}

enum { EQUAL_STEPS = 7 };

static void expect_equal_runs(const struct config *c, const struct scene *s,
                              const struct outcome *want)
{
    struct outcome o = simulated_steps(c, s, EQUAL_STEPS);
    expect_same(c, "not the bits of the default blocks", &want->state, &o.state, 1);
    if (memcmp(&o.clock, &want->clock, sizeof o.clock) != 0 ||
        memcmp(&o.balance, &want->balance, sizeof o.balance) != 0)
        fail_msg("%s: the clock is at %.17g s, inflow %.17g m3; not %.17g, %.17g", described(c),
                 o.clock.t, o.balance.inflow, want->clock.t, want->balance.inflow);
    outcome_free(&o);
}

/* All schemes launch the same kernels for edges and forcing, so an unsplit, a fused and a split scheme suffice to try
 * the order of threads in them. */
static int stands_for_others(const char *scheme)
{
    return strcmp(scheme, "rk2") == 0 || strcmp(scheme, "rk2_fused") == 0 ||
           strcmp(scheme, "ds1") == 0;
}

/* Blocks of one row: those in the second row know of the edge by the cells beside them alone. */
static void check_blocks(const struct config *c)
{
    static const char *const marches[] = {"hancock", "fused0", "fused1"};
    enum { MARCHES = sizeof marches / sizeof *marches };
    struct scene s = rough(45, 33, 1);
    struct outcome want = simulated_steps(c, &s, EQUAL_STEPS);
    struct config cut = *c;
    configure_block(&cut, "boundary", 13, 1);
    configure_block(&cut, "forcing", 5, 3);
    for (int k = 0; k < MARCHES; k++)
        configure_block(&cut, marches[k], 20, 1);
    cut.threads = 2;
    expect_equal_runs(&cut, &s, &want);
    cut.order = c->precision == F64 ? 1 : 2; /* reversed, shuffled */
    for (int k = 0; k < MARCHES; k++)
        configure_block(&cut, marches[k], 28, 1);
    if (stands_for_others(c->scheme))
        expect_equal_runs(&cut, &s, &want);
    outcome_free(&want);
    scene_free(&s);
}

static void blocks_and_orders_do_not_change_a_bit(void **state)
{
    (void)state;
    for_every_scheme(check_blocks);
}

static void check_cuda(const struct config *c)
{
    struct scene s = rough(67, 53, 2);
    struct outcome want = simulated_steps(c, &s, EQUAL_STEPS);
    struct config cuda = *c;
    snprintf(cuda.backend, sizeof cuda.backend, "cuda");
    expect_equal_runs(&cuda, &s, &want);
    outcome_free(&want);
    scene_free(&s);
}

static void the_gpu_gives_the_bits_of_the_cpu(void **state)
{
    (void)state;
    need_gpu("edges on CPU and GPU are not compared");
    for_every_scheme(check_cuda);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_flow_between_edges_that_impose_it_stays_to_the_bit),
        cmocka_unit_test(a_discharge_fills_a_dry_channel_and_the_balance_closes),
        cmocka_unit_test(a_depth_at_an_edge_raises_a_basin_to_its_level),
        cmocka_unit_test(supercritical_outflow_ignores_the_depth_at_its_end),
        cmocka_unit_test(mirroring_and_transposing_hold_to_the_bit_at_every_edge),
        cmocka_unit_test(blocks_and_orders_do_not_change_a_bit),
        cmocka_unit_test(the_gpu_gives_the_bits_of_the_cpu),
    };
    return cmocka_run_group_tests_name("boundaries", tests, NULL, NULL);
}
