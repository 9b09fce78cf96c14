/* Early exit gives the bits of steps that compute all blocks. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/need_gpu.h"
#include "tests/support/quiet.h"

static void expect_bits_of_full(const struct config *c, const char *what,
                                const struct outcome *want, const struct scene *s, long n)
{
    struct outcome have = simulated_steps(c, s, n);
    expect_equal(c, what, want, &have);
    assert_int_equal(have.clock.early_exits, n);
    outcome_free(&have);
}

struct shape {
    int w, h;
};

/* Blocks whose last ones are one cell wide or high; smaller than the reach of a step; rows; higher than wide. */
static const struct shape shapes[] = {{16, 12}, {3, 2}, {65, 1}, {5, 40}, {1, 7}};
enum { SHAPES = sizeof shapes / sizeof *shapes, FEW_SHAPES = 2, STEPS = 60 };
static const char *const scene_name[] = {[ROUGH] = "a rough dry bed",
                                         [ISLAND] = "a lake with an island",
                                         [CORNER] = "a wave into a lake at rest",
                                         [SHEAR] = "a sheared stream"};

/* The scheme with the most kernels takes all shapes in f32; the others share their text. */
static void check_shapes(const struct config *c)
{
    const int all = c->precision == F32 && find_scheme(c->scheme)->on_demand == 4;
    for (int which = 0; which < SCENES; which++) {
        struct scene s = scene(which, NX, NY, WALL, WALL, 0);
        struct outcome want = full(c, &s, STEPS);
        for (int k = 0; k < (all ? SHAPES : FEW_SHAPES); k++) {
            struct config some = cut(c, shapes[k].w, shapes[k].h);
            expect_bits_of_full(&some, scene_name[which], &want, &s, STEPS);
        }
        if (all)
            expect_bits_of_full(c, scene_name[which], &want, &s, STEPS);
        outcome_free(&want);
        scene_free(&s);
    }
}

static void blocks_of_any_shape_give_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_shapes);
}

/* Water comes back at periodic edges, and leaves at open ones. */
static void check_edges(const struct config *c)
{
    static const enum boundary edges[][2] = {
        {OPEN, OPEN}, {PERIODIC, PERIODIC}, {WALL, PERIODIC}, {OPEN, WALL}};
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
        for (int which = ROUGH; which <= CORNER; which += CORNER - ROUGH) {
            struct scene s = scene(which, NX, NY, edges[k][0], edges[k][1], k % 2 ? 0.03 : 0);
            struct config some = cut(c, shapes[k % 2].w, shapes[k % 2].h);
            struct outcome want = full(&some, &s, STEPS);
            expect_bits_of_full(&some, scene_name[which], &want, &s, STEPS);
            outcome_free(&want);
            scene_free(&s);
        }
}

static void edges_of_any_kind_and_friction_give_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_edges);
}

static void check_stream(const struct config *c)
{
    struct scene s = new_stream(c);
    struct config off = *c, some = cut(c, shapes[1].w, shapes[1].h);
    off.early_exit = EARLY_EXIT_OFF;
    struct outcome want = stream(&off, &s), have = stream(&some, &s);
    expect_equal(&some, "a stream that friction slows down", &want, &have);
    const int middle = NX * (NY / 2) + NX / 2;
    assert_true(fabs(want.state.field[1][middle]) < fabs(s.field[1][middle]));
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void water_that_only_friction_changes_is_not_at_rest(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_stream);
}

/* Threads in another order, with blocks for a GPU. */
static void check_orders(const struct config *c)
{
    struct scene s = scene(ROUGH, 37, 29, OPEN, WALL, 0);
    struct outcome want = full(c, &s, 12);
    for (int order = 1; order <= 2; order++) {
        const int k = (order == 1) ^ (c->precision == F64);
        struct config some = cut(c, shapes[k].w, shapes[k].h);
        some.order = order;
        expect_bits_of_full(&some, "another order of threads", &want, &s, 12);
    }
    outcome_free(&want);
    scene_free(&s);
}

static void the_order_of_threads_does_not_matter(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_orders);
}

static void check_cuda(const struct config *c)
{
    for (int which = 0; which < SCENES; which++)
        for (int k = -1; k < FEW_SHAPES; k++) {
            struct scene s = scene(which, NX, NY, which == ROUGH ? OPEN : WALL, WALL, 0.03);
            struct config cuda = k < 0 ? *c : cut(c, shapes[k].w, shapes[k].h);
            snprintf(cuda.backend, sizeof cuda.backend, "cuda");
            struct outcome want = full(c, &s, STEPS);
            expect_bits_of_full(&cuda, scene_name[which], &want, &s, STEPS);
            outcome_free(&want);
            scene_free(&s);
        }
}

static void the_gpu_gives_the_bits_of_the_cpus_full_computation(void **state)
{
    (void)state;
    need_gpu("early exit on a GPU");
    for_every_scheme_that_has_it(check_cuda);
}

/* A pause rejects the steps that the host had already enqueued, including the first one. */
static void check_pauses(const struct config *c)
{
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    s.t_end = 1.2;
    struct config off = *c, some = cut(c, shapes[0].w, shapes[0].h);
    off.early_exit = EARLY_EXIT_OFF;
    struct outcome want = simulated(&off, &s);
    struct sim *sim = create(&some, &s);
    for (int n = 0; n <= 6; n++)
        if (sim_run(sim, 0.2 * n, NULL))
            fail_msg("%s: %s", described(&some), err_message());
    if (sim_run(sim, (double)INFINITY, NULL))
        fail_msg("%s: %s", described(&some), err_message());
    struct outcome have = outcome_of(&some, sim, &s);
    have.clock.t_pause = want.clock.t_pause;
    expect_equal(&some, "with pauses", &want, &have);
    sim_destroy(sim);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void a_run_with_pauses_gives_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_pauses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_any_shape_give_the_bits_of_the_full_computation),
        cmocka_unit_test(edges_of_any_kind_and_friction_give_the_bits_of_the_full_computation),
        cmocka_unit_test(water_that_only_friction_changes_is_not_at_rest),
        cmocka_unit_test(the_order_of_threads_does_not_matter),
        cmocka_unit_test(the_gpu_gives_the_bits_of_the_cpus_full_computation),
        cmocka_unit_test(a_run_with_pauses_gives_the_bits_of_the_full_computation),
    };
    return cmocka_run_group_tests_name("early exit", tests, NULL, NULL);
}
