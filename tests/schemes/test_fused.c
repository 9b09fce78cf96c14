/* Fused schemes and the plain ones that they replace: with a fixed time step the bits are the same. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/diagonal.h"
#include "tests/support/everything.h"
#include "tests/support/simulate.h"

enum { STEPS = 12 };

static struct config fused_config(enum precision p)
{
    struct config c;
    configure(&c, "rk2_fused", p);
    return c;
}

/* The plain scheme that corresponds to a fused run, with its default blocks. */
static struct config plain_config(const struct config *fused)
{
    struct config c = *fused;
    strcpy(c.scheme, "rk2");
    c.block_count = 0;
    c.order = 0;
    c.threads = 1;
    c.early_exit = EARLY_EXIT_OFF;
    return c;
}

static void expect_equal(const struct config *c, const char *what, const struct outcome *want,
                         const struct outcome *have)
{
    const struct clock *a = &want->clock, *b = &have->clock;
    const double times[2][4] = {{a->t, a->dt, a->dt_min, a->dt_max},
                                {b->t, b->dt, b->dt_min, b->dt_max}};
    expect_same(c, what, &want->state, &have->state, 1);
    if (a->steps != b->steps || a->overlong != b->overlong || a->halt != b->halt ||
        b->redone != 0 || memcmp(times[0], times[1], sizeof times[0]) != 0)
        fail_msg("%s: %s: %lu steps to %.17g s, %lu too long, %lu redone; not %lu to %.17g s, %lu",
                 described(c), what, b->steps, b->t, b->overlong, b->redone, a->steps, a->t,
                 a->overlong);
    if (memcmp(&want->balance, &have->balance, sizeof want->balance) != 0)
        fail_msg("%s: %s: inflow %.17g m3, clipped %.17g; not %.17g, %.17g", described(c), what,
                 have->balance.inflow, have->balance.clipped_in, want->balance.inflow,
                 want->balance.clipped_in);
}

/* The same steps by both schemes. */
static void expect_the_bits(const struct config *c, const char *what, const struct scene *s)
{
    const struct config plain = plain_config(c);
    struct outcome want = simulated(&plain, s), have = simulated(c, s);
    expect_equal(c, what, &want, &have);
    outcome_free(&want);
    outcome_free(&have);
}

/* Less than half of what the waves allow, or those that may arise if there are none; and a small part of the run. */
static double safe_step(const struct scene *s)
{
    double fastest = 0;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const size_t k = scene_cell(s, i, j);
            const double h = s->field[0][k] - scene_bed_centre(s, F64, i, j);
            const double q = hypot(s->field[1][k], s->field[2][k]);
            if (h > 1e-3)
                fastest = fmax(fastest, q / h + sqrt(9.81 * h));
        }
    const double to_come = 20; /* m/s */
    return fmin(0.1 * fmin(s->dx, s->dy) / (fastest > 0 ? fastest : to_come), s->t_end / 50);
}

static void check_scene(const struct config *c, const char *name, const struct scene *s)
{
    struct config some = *c;
    char what[128];
    snprintf(what, sizeof what, "%s, %d x %d cells: not the bits of rk2", name, s->nx, s->ny);
    some.dt = safe_step(s);
    some.steps = STEPS;
    expect_the_bits(&some, what, s);
}

/* At odd sizes a case's bed may differ by rounding where a periodic domain closes. */
static struct scene case_of(const char *name, int nx, int ny)
{
    struct scene s = new_of_case(name, nx, ny);
    const enum boundary east = s.boundary[EAST], north = s.boundary[NORTH];
    scene_edges(&s, s.boundary[WEST], s.boundary[SOUTH]);
    s.boundary[EAST] = east;
    s.boundary[NORTH] = north;
    return s;
}

/* One size for all, and then another one for each in turn. */
static void every_case_at_any_size_has_the_bits_of_the_plain_scheme(void **state)
{
    static const int sizes[][2] = {{29, 18}, {1, 9}, {9, 1}, {67, 9}, {2, 5}, {3, 3}, {1, 1}};
    const int others = sizeof sizes / sizeof *sizes - 1;
    int turn = 0;
    (void)state;
    for (int k = 0; cases[k]; k++)
        for (int p = 0; p < PRECISIONS && case_system(cases[k])->over_bed; p++)
            for (int n = 0; n < 2; n++) {
                const int *size = sizes[n ? 1 + turn++ % others : 0];
                const struct config c = fused_config((enum precision)p);
                struct scene s = case_of(cases[k]->name, size[0], size[1]);
                check_scene(&c, cases[k]->name, &s);
                scene_free(&s);
            }
}

/* Fronts over dry ground, friction, water through two edges. */
static struct scene dam(int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    s.kappa = 0.05;
    s.manning = 0.03;
    s.t_end = 60;
    scene_edges(&s, OPEN, PERIODIC);
    scene_random_bed(&s, -1, 0.5, 41);
    scene_level(&s, 0.1);
    scene_dam(&s, 0.3 * nx, 0.4 * ny, 0.3 * ny, 1.4);
    scene_stir(&s, 0.3, 42);
    return s;
}

/* In f32 each limiter with another flux and reconstruction in turn: the texts are the same in every kernel, and their
 * contracts test f64. Without friction, as other tests compile them. With SHOAL_TEST_FULL all combinations in both. */
static void every_plugin_has_the_bits_of_the_plain_scheme(void **state)
{
    struct scene s = dam(41, 23);
    const double manning = s.manning;
    const int all = everything();
    const int l_count = plugin_count(limiters), f_count = plugin_count(fluxes),
              r_count = plugin_count(reconstructions);
    (void)state;
    for (int p = 0; p < (all ? PRECISIONS : 1); p++)
        for (int l = 0; limiters[l]; l++)
            for (int f = 0; fluxes[f]; f++)
                for (int r = 0; reconstructions[r]; r++) {
                    struct config c = fused_config((enum precision)p);
                    if (!all && !(on_diagonal(l, l_count, f, f_count) &&
                                  on_diagonal(l, l_count, r, r_count)))
                        continue;
                    snprintf(c.limiter, sizeof c.limiter, "%s", limiters[l]->name);
                    snprintf(c.flux, sizeof c.flux, "%s", fluxes[f]->name);
                    snprintf(c.reconstruction, sizeof c.reconstruction, "%s",
                             reconstructions[r]->name);
                    s.manning = all ? manning : 0;
                    check_scene(&c, "dam", &s);
                }
    scene_free(&s);
}

/* In f64 only every third one. */
static void any_block_and_number_of_threads_has_the_bits_of_the_plain_scheme(void **state)
{
    static const struct block blocks[] = {{1, 1},  {2, 3},  {7, 5},   {28, 1},
                                          {60, 8}, {64, 2}, {5, 100}, {500, 4}};
    struct scene s = dam(131, 37);
    (void)state;
    for (int p = 0; p < PRECISIONS; p++)
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k += p == F64 ? 3 : 1) {
            struct config c = fused_config((enum precision)p);
            configure_blocks(&c, blocks[k], 0);
            c.threads = 1 + (int)(k / 2 % 2);
            check_scene(&c, "dam", &s);
        }
    scene_free(&s);
}

/* As a GPU's warps may run, one ahead of another: each block in one of the orders in f32, in the other in f64. */
static void any_order_of_threads_has_the_bits_of_the_plain_scheme(void **state)
{
    static const struct block blocks[] = {{28, 5}, {60, 3}, {92, 16}};
    struct scene s = dam(71, 19);
    (void)state;
    for (int p = 0; p < PRECISIONS; p++)
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            struct config c = fused_config((enum precision)p);
            configure_blocks(&c, blocks[k], 1);
            c.order = 1 + (int)(k + (size_t)p) % 2;
            check_scene(&c, "dam", &s);
        }
    scene_free(&s);
}

enum { EDGE_SCENES = 6 };
static const char *const edge_names[EDGE_SCENES] = {
    "walls", "open edges", "periodic edges", "imposed states", "forcing", "forced and open"};

/* `which` is one of edge_names. */
static struct scene edges(int which, int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    s.kappa = 0.05;
    s.t_end = 60;
    s.manning = which % 2 ? 0.05 : 0;
    s.drag = which == 2 ? 0.2 : 0;
    if (which == 3) {
        scene_level(&s, 0.6);
        scene_mixed_edges(&s);
    } else {
        const enum boundary edge = which == 0 || which == 4 ? WALL : which == 2 ? PERIODIC : OPEN;
        scene_random_bed(&s, -1, 0.5, 43);
        scene_edges(&s, edge, edge);
        scene_level(&s, 0.2);
    }
    scene_stir(&s, 0.2, 44);
    if (which >= 4)
        scene_force(&s, 0.01, 0.05, 45);
    return s;
}

static void every_kind_of_edge_friction_and_forcing_has_the_bits_of_the_plain_scheme(void **state)
{
    static const int sizes[][2] = {{33, 21}, {2, 7}, {7, 2}};
    (void)state;
    for (int p = 0; p < PRECISIONS; p++)
        for (int which = 0; which < EDGE_SCENES; which++)
            for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
                struct config c = fused_config((enum precision)p);
                struct scene s = edges(which, sizes[n][0], sizes[n][1]);
                configure_blocks(&c, (struct block){6, 8}, 0);
                check_scene(&c, edge_names[which], &s);
                scene_free(&s);
            }
}

static void a_wish_for_early_exit_changes_nothing(void **state)
{
    (void)state;
    struct config c = fused_config(F32);
    struct scene s = dam(41, 23);
    c.early_exit = EARLY_EXIT_ON;
    check_scene(&c, "dam", &s);
    scene_free(&s);
}

/* One longer than the run, one that does not divide it, one that ends with it. */
static void a_fixed_step_is_cut_to_meet_the_end(void **state)
{
    static const double steps[] = {100, 0.005, 0.006, 0.012};
    (void)state;
    for (int p = 0; p < PRECISIONS; p++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            struct config c = fused_config((enum precision)p);
            struct scene s = dam(41, 23);
            s.t_end = 0.012;
            c.dt = steps[k];
            expect_the_bits(&c, "a step that is cut", &s);
            scene_free(&s);
        }
}

/* Pauses twice, the second time at an end that is then moved. */
static struct outcome interrupted(const struct config *c, const struct scene *s, double pause,
                                  double end)
{
    struct sim *sim = create(c, s);
    if (sim_run(sim, pause, NULL) || sim->now.halt != AT_PAUSE ||
        sim_run(sim, (double)INFINITY, NULL) || sim->now.halt != AT_END)
        fail_msg("%s: %s", described(c), err_message());
    if (!(sim->now.t - s->t_end == 0))
        fail_msg("%s: ended at %.17g s, not %.17g s", described(c), sim->now.t, s->t_end);
    sim_extend(sim, end);
    if (sim_run(sim, (double)INFINITY, NULL) || !(sim->now.t - end == 0))
        fail_msg("%s: ended at %.17g s, not %.17g s", described(c), sim->now.t, end);
    struct outcome o = outcome_of(c, sim, s);
    sim_destroy(sim);
    return o;
}

static void pauses_and_a_later_end_leave_the_bits_of_the_plain_scheme(void **state)
{
    (void)state;
    for (int p = 0; p < PRECISIONS; p++) {
        struct config c = fused_config((enum precision)p);
        c.dt = 0.007;
        const struct config plain = plain_config(&c);
        struct scene s = dam(41, 23);
        s.t_end = 0.1;
        struct outcome want = interrupted(&plain, &s, 0.03, 0.25);
        struct outcome have = interrupted(&c, &s, 0.03, 0.25);
        expect_equal(&c, "with a pause and a later end", &want, &have);
        outcome_free(&want);
        outcome_free(&have);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_at_any_size_has_the_bits_of_the_plain_scheme),
        cmocka_unit_test(every_plugin_has_the_bits_of_the_plain_scheme),
        cmocka_unit_test(any_block_and_number_of_threads_has_the_bits_of_the_plain_scheme),
        cmocka_unit_test(any_order_of_threads_has_the_bits_of_the_plain_scheme),
        cmocka_unit_test(every_kind_of_edge_friction_and_forcing_has_the_bits_of_the_plain_scheme),
        cmocka_unit_test(a_wish_for_early_exit_changes_nothing),
        cmocka_unit_test(a_fixed_step_is_cut_to_meet_the_end),
        cmocka_unit_test(pauses_and_a_later_end_leave_the_bits_of_the_plain_scheme),
    };
    return cmocka_run_group_tests_name("fused", tests, NULL, NULL);
}
