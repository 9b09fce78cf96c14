/* Strict mode gives the same bits for any block, number of threads, order of execution, compiler options and backend;
 * what would break that on a GPU is found on the CPU. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/need_gpu.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/simulate.h"
#include "tests/support/users_kernels.h"

enum { FORWARD, REVERSED, SHUFFLED };

/* Ways to divide a run; the first two shapes are tried with everything. */
struct cut {
    int w, h, threads;
};

static const struct cut cuts[] = {{16, 12, 1}, {7, 5, 2},  {32, 8, 1},
                                  {64, 1, 2},  {5, 40, 1}, {33, 3, 1}};
enum { CUTS = sizeof cuts / sizeof *cuts, FEW_CUTS = 2 };

/* Fronts that move over dry ground and, with friction, over sloping ground, and water that crosses edges, with
 * friction. */
enum { DAM, LAKE, EDGY, SCENES };

static struct scene scene(int which, int nx, int ny, double manning)
{
    static const char *const names[] = {[DAM] = "circular-dam-dry", [LAKE] = "lake"};
    struct scene s = which == EDGY ? new_scene(nx, ny) : new_of_case(names[which], nx, ny);
    if (which != DAM)
        s.manning = manning;
    if (which != EDGY)
        return s;
    scene_edges(&s, OPEN, PERIODIC);
    s.kappa = 0.05;
    scene_random_bed(&s, -1, 0.5, 31);
    scene_level(&s, 0.1);
    scene_dam(&s, 0.3 * nx, 0.4 * ny, 0.2 * ny, 1.4);
    scene_stir(&s, 0.3, 32);
    return s;
}

/* The block, or one like it, for all of the scheme's kernels that take one. */
static struct config cut_up(const struct config *c, const struct cut *cut, int order)
{
    struct config other = *c;
    configure_blocks(&other, (struct block){cut->w, cut->h}, order != FORWARD);
    other.threads = cut->threads;
    other.order = order;
    return other;
}

static void expect_equal_runs(const struct config *c, const struct scene *s, long steps,
                              const struct outcome *reference)
{
    struct outcome o = simulated_steps(c, s, steps);
    expect_same(c, "not the bits of the default blocks", &reference->state, &o.state, 1);
    if (memcmp(&o.clock, &reference->clock, sizeof o.clock) != 0)
        fail_msg("%s: the clock is at %.17g s, not %.17g s", described(c), o.clock.t,
                 reference->clock.t);
    if (memcmp(&o.balance, &reference->balance, sizeof o.balance) != 0)
        fail_msg("%s: clipped %.17g m3, inflow %.17g; not %.17g, %.17g", described(c),
                 o.balance.clipped_in, o.balance.inflow, reference->balance.clipped_in,
                 reference->balance.inflow);
    outcome_free(&o);
}

static struct outcome run_by_users(const struct config *c, const struct scene *s, long steps)
{
    char *kept = users_kernels();
    struct outcome o = simulated_steps(c, s, steps);
    usual_kernels(kept);
    return o;
}

/* Each scene needs its own kernels: with or without friction, for ground below the water or not. In f64 the default
 * scheme runs all scenes; the others, which share its text, run the one that exercises most, as do in f32 those for
 * which another one of their kind answers. */
static int is_asked(const struct config *c, int which)
{
    struct config usual;
    configure(&usual, NULL, F32);
    return which == EDGY || strcmp(c->scheme, usual.scheme) == 0 ||
           (c->precision == F32 && answers_for_its_kind(c->scheme));
}

/* Unless SHOAL_TEST_FULL, the shapes that a scheme runs in a scene: the first two in the scene that exercises most, in
 * f64 only the default scheme; one each in the other scenes; and the default scheme in f32 all in one of them. */
static int is_tried(const struct config *c, int which, int shape)
{
    struct config usual;
    configure(&usual, NULL, F32);
    const int is_usual = strcmp(c->scheme, usual.scheme) == 0;
    if (everything())
        return 1;
    if (which == LAKE && is_usual && c->precision == F32)
        return 1;
    if (which == EDGY && (is_usual || c->precision == F32))
        return shape < FEW_CUTS;
    return shape == (which != DAM);
}

/* Compiler options change no bit either: they are tried in the scene that exercises most, with the default scheme and in
 * f32 with one of each kind. */
static void check_cuts(const struct config *c)
{
    struct config usual;
    configure(&usual, NULL, F32);
    const int is_usual = strcmp(c->scheme, usual.scheme) == 0;
    for (int which = 0; which < SCENES; which++) {
        if (!is_asked(c, which))
            continue;
        const int by_users =
            which == EDGY && (is_usual || (c->precision == F32 && answers_for_its_kind(c->scheme)));
        struct scene s = scene(which, 67, 53, 0.03);
        struct outcome reference = by_users ? run_by_users(c, &s, 24) : simulated_steps(c, &s, 24);
        for (int k = 0; k < CUTS; k++) {
            if (!is_tried(c, which, k))
                continue;
            struct config other = cut_up(c, &cuts[k], FORWARD);
            expect_equal_runs(&other, &s, 24, &reference);
        }
        outcome_free(&reference);
        scene_free(&s);
    }
}

static void blocks_threads_and_options_do_not_change_a_bit(void **state)
{
    (void)state;
    for_every_scheme(check_cuts);
}

/* Reversed, with one of the shapes in f32 and with the other in f64; shuffled is part of every scheme's contract. Unless
 * SHOAL_TEST_FULL, in f64 the default scheme, as the order is that of the same text. */
static void check_orders(const struct config *c)
{
    struct config usual;
    configure(&usual, NULL, F32);
    const struct config other = cut_up(c, &cuts[c->precision == F32], REVERSED);
    if (c->precision == F64 && strcmp(c->scheme, usual.scheme) != 0 && !everything())
        return;
    for (int which = 0; which < SCENES; which++) {
        if (which == LAKE || !is_asked(c, which))
            continue;
        struct scene s = scene(which, 35, 27, 0);
        struct outcome reference = simulated_steps(c, &s, 8);
        expect_equal_runs(&other, &s, 8, &reference);
        outcome_free(&reference);
        scene_free(&s);
    }
}

static void the_order_of_threads_does_not_change_a_bit(void **state)
{
    (void)state;
    for_every_scheme(check_orders);
}

/* Where velocities are damped at the smallest depth that there is, dry cells divide by its fourth power, too. */
static void check_least_kappa(const struct config *c)
{
    static const char *const beds[] = {"kp", "audusse"};
    if (!is_asked(c, DAM))
        return;
    for (size_t b = 0; b < sizeof beds / sizeof *beds; b++) {
        struct config with = *c;
        struct scene s = scene(DAM, 35, 27, 0);
        snprintf(with.reconstruction, sizeof with.reconstruction, "%s", beds[b]);
        s.kappa = 1e-300;
        struct outcome o = simulated_steps(&with, &s, 8);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void the_smallest_kappa_is_large_enough(void **state)
{
    (void)state;
    for_every_scheme(check_least_kappa);
}

static void check_after_fast(const struct config *c)
{
    struct scene s = scene(DAM, 67, 53, 0);
    struct outcome before = simulated_steps(c, &s, 24);
    struct config fast = *c;
    fast.mode = FAST_MODE;
    struct outcome o = simulated_steps(&fast, &s, 24);
    char text[256];
    if (!differ(&before.state, &o.state, 1, text, sizeof text))
        fail_msg("%s: the same bits as in strict mode: are its flags used?", described(&fast));
    outcome_free(&o);
    expect_equal_runs(c, &s, 24, &before);
    volatile double tiny = 1e-310, tenth = tiny / 10;
    volatile float tiny_single = 1e-40f, tenth_single = tiny_single / 10;
    if (!(tenth > 0) || !(tenth_single > 0))
        fail_msg("%s: fast kernels switched this process to flush-to-zero", described(&fast));
    outcome_free(&before);
    scene_free(&s);
}

static void fast_kernels_leave_strict_ones_and_denormals_alone(void **state)
{
    (void)state;
    for_every_scheme(check_after_fast);
}

/* Compilers may not form fused multiply-adds; those that the text asks for (mul_add in real.h) the C library computes
 * for a processor that has none: the same, only more slowly. */
static void check_without_fma(const char *scheme)
{
    struct config c, plain;
    configure(&c, scheme, F32);
    struct scene s = scene(EDGY, 67, 53, 0.03);
    struct outcome reference = simulated_steps(&c, &s, 24);
    plain = c;
    snprintf(plain.march, sizeof plain.march, "x86-64");
    expect_equal_runs(&plain, &s, 24, &reference);
    outcome_free(&reference);
    scene_free(&s);
}

static void a_processor_without_fused_multiply_adds_gives_the_same_bits(void **state)
{
    (void)state;
#ifndef __x86_64__
    print_message("asks compilers for x86-64: not tried on another processor\n");
    skip();
#endif
    check_without_fma("rk2_fused");
    check_without_fma("hancock");
}

static void check_cuda(const struct config *c)
{
    for (int which = 0; which < SCENES; which++) {
        struct scene s = scene(which, 67, 53, 0.03);
        struct outcome reference = simulated_steps(c, &s, 24);
        struct config cuda = *c;
        snprintf(cuda.backend, sizeof cuda.backend, "cuda");
        expect_equal_runs(&cuda, &s, 24, &reference);
        outcome_free(&reference);
        scene_free(&s);
    }
}

/* Every limiter with the usual flux and every flux with the usual limiter; for the default scheme,
 * all of both: the schemes share one flux text. */
static void check_cuda_plugins(const struct config *c)
{
    struct config usual;
    configure(&usual, NULL, F32);
    const int all = strcmp(c->scheme, usual.scheme) == 0 && everything();
    for (int l = 0; limiters[l]; l++)
        for (int f = 0; fluxes[f]; f++) {
            const int odd_limiter = strcmp(limiters[l]->name, usual.limiter) != 0;
            const int odd_flux = strcmp(fluxes[f]->name, usual.flux) != 0;
            struct config with = *c;
            if (!all && odd_limiter + odd_flux > 0 && strcmp(c->scheme, usual.scheme) != 0)
                continue;
            if (!all && odd_limiter + odd_flux > 1)
                continue;
            snprintf(with.limiter, sizeof with.limiter, "%s", limiters[l]->name);
            snprintf(with.flux, sizeof with.flux, "%s", fluxes[f]->name);
            check_cuda(&with);
        }
}

static void the_gpu_gives_the_bits_of_the_cpu(void **state)
{
    (void)state;
    need_gpu("CPU and GPU are not compared");
    for_every_scheme(check_cuda_plugins);
}

/* Does this order show the planted mistake: other bits, or values that are no numbers? */
static int noticed(const char *scheme, int order, const struct cut *cut)
{
    struct config c;
    struct outcome reference, o;
    char text[256];
    configure(&c, scheme, F32);
    c.steps = 3;
    struct scene s = scene(DAM, 35, 27, 0);
    if (simulate(&c, &s, &reference))
        fail_msg("%s: %s", described(&c), err_message());
    c = cut_up(&c, cut, order);
    if (simulate(&c, &s, &o))
        fail_msg("%s: %s", described(&c), err_message());
    /* Memory that nothing has written may hold anything, and may break the order that the others are compared with,
     * too. */
    int found =
        reference.broken || o.broken || differ(&reference.state, &o.state, 1, text, sizeof text);
    outcome_free(&reference);
    outcome_free(&o);
    scene_free(&s);
    return found;
}

static void an_untouched_copy_of_the_kernels_is_fine(void **state)
{
    (void)state;
    assert_false(noticed(NULL, REVERSED, &cuts[1]));
    assert_false(noticed(NULL, SHUFFLED, &cuts[0]));
}

static void a_missing_barrier_is_found(void **state)
{
    (void)state;
    kernel_plant("flux.cu", "        SYNC;\n        UNROLL(1) FOR_TILE(i, j, 1, 0)",
                 "        UNROLL(1) FOR_TILE(i, j, 1, 0)");
    assert_true(noticed(NULL, REVERSED, &cuts[1]));
    assert_true(noticed(NULL, SHUFFLED, &cuts[0]));
}

static void a_missing_second_barrier_is_found(void **state)
{
    (void)state;
    kernel_plant("flux.cu", "SYNC;\n    }\n\n    /* The sums", "}\n\n    /* The sums");
    assert_true(noticed(NULL, REVERSED, &cuts[1]));
}

/* A cell that uses a value that its western neighbour may have stored already: no NaN there, only other numbers.
 * Schemes without stages update in place. */
static void a_dependency_within_a_phase_is_found(void **state)
{
    (void)state;
    kernel_plant("rk.cu", "from.eta = a.from.eta[k];",
                 "from.eta = REAL(0.5) * (a.from.eta[k] + a.from.eta[k - 1]);");
    FOR_SCHEMES_OF_WATER (k)
        if (schemes[k]->stages == 0)
            assert_true(noticed(schemes[k]->name, SHUFFLED, &cuts[0]));
}

static void a_tile_element_that_nobody_wrote_is_found(void **state)
{
    (void)state;
    kernel_plant("flux.cu", "FOR_TILE(i, j, 1, 0)", "FOR_TILE(i, j, 0, 0)");
    assert_true(noticed(NULL, REVERSED, &cuts[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_threads_and_options_do_not_change_a_bit),
        cmocka_unit_test(the_order_of_threads_does_not_change_a_bit),
        cmocka_unit_test(the_smallest_kappa_is_large_enough),
        cmocka_unit_test(fast_kernels_leave_strict_ones_and_denormals_alone),
        cmocka_unit_test(a_processor_without_fused_multiply_adds_gives_the_same_bits),
        cmocka_unit_test(the_gpu_gives_the_bits_of_the_cpu),
        ON_COPY(an_untouched_copy_of_the_kernels_is_fine),
        ON_COPY(a_missing_barrier_is_found),
        ON_COPY(a_missing_second_barrier_is_found),
        ON_COPY(a_dependency_within_a_phase_is_found),
        ON_COPY(a_tile_element_that_nobody_wrote_is_found),
    };
    return cmocka_run_group_tests_name("strict", tests, kernel_home_keep, NULL);
}
