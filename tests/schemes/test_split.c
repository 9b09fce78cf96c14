/* Schemes with separate kernels for x and y: separate fluxes give the bits of joint ones; dimensional splitting ends
 * in the original orientation and is as accurate as it claims. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

static const double PI = 3.14159265358979323846;

/* Fronts that move over a rough bed with dry places. */
static struct scene rough(int nx, int ny, enum boundary we, enum boundary sn, double manning)
{
    struct scene s = new_scene(nx, ny);
    scene_edges(&s, we, sn);
    s.kappa = 0.05;
    s.manning = manning;
    scene_random_bed(&s, -1, 0.5, 71);
    scene_level(&s, 0.1);
    scene_dam(&s, 0.3 * nx, 0.4 * ny, 0.25 * ny, 1.4);
    scene_stir(&s, 0.3, 72);
    return s;
}

static void expect_same_balance(const struct config *c, const char *what,
                                const struct balance *want, const struct balance *have)
{
    if (memcmp(want, have, sizeof *want) != 0)
        fail_msg("%s: %s: inflow %.17g m3, clipped %.17g; not %.17g, %.17g", described(c), what,
                 have->inflow, have->clipped_in, want->inflow, want->clipped_in);
}

static void expect_same_outcome(const struct config *c, const char *what,
                                const struct outcome *want, const struct outcome *have)
{
    expect_same(c, what, &want->state, &have->state, 1);
    if (memcmp(&want->clock, &have->clock, sizeof want->clock) != 0)
        fail_msg("%s: %s: step %lu to %.17g s, not step %lu to %.17g s", described(c), what,
                 have->clock.steps, have->clock.t, want->clock.steps, want->clock.t);
    expect_same_balance(c, what, &want->balance, &have->balance);
}

static void for_every_split_scheme(void (*check)(const struct config *c))
{
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; schemes[k]->split && p < PRECISIONS; p++) {
            struct config c;
            configure(&c, schemes[k]->name, (enum precision)p);
            check(&c);
        }
}

static void separate_fluxes_in_x_and_y_give_the_bits_of_joint_ones(void **state)
{
    (void)state;
    for (int p = 0; p < PRECISIONS; p++)
        for (int edge = WALL; edge <= PERIODIC; edge++) {
            struct scene s = rough(53, 41, (enum boundary)edge, edge == OPEN ? OPEN : WALL,
                                   edge == OPEN ? 0.03 : 0);
            struct config joint, separate;
            configure(&joint, "rk2", (enum precision)p);
            joint.early_exit = EARLY_EXIT_OFF;
            separate = joint;
            snprintf(separate.scheme, sizeof separate.scheme, "srk2");
            struct outcome want = simulated_steps(&joint, &s, 60);
            struct outcome have = simulated_steps(&separate, &s, 60);
            expect_same_outcome(&separate, "not the bits of rk2", &want, &have);
            if (edge == OPEN)
                assert_true(fabs(want.balance.inflow) > 0);
            outcome_free(&want);
            outcome_free(&have);
            scene_free(&s);
        }
}

/* The same sweeps give another result with a split scheme, and only with one. */
static void expect_order_to_matter(const struct config *c, const struct scene *s,
                                   const struct scene *other)
{
    char text[256] = "the same bits";
    struct outcome o = simulated_steps(c, s, 25);
    const int differs = differ(other, &o.state, 0, text, sizeof text);
    if (differs != find_scheme(c->scheme)->split)
        fail_msg("%s: the order of the sweeps makes %s: %s", described(c),
                 differs ? "a difference" : "no difference", text);
    outcome_free(&o);
}

/* The problem with x and y exchanged, swept in the other order, is the same problem. */
static void check_sweep(const struct config *c)
{
    static const enum boundary edges[][2] = {
        {WALL, WALL}, {OPEN, WALL}, {PERIODIC, OPEN}, {WALL, PERIODIC}};
    struct config yx = *c;
    yx.sweep = SWEEP_YX;
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        struct scene s = rough(37, 22, edges[k][0], edges[k][1], k % 2 ? 0.03 : 0);
        struct scene t = new_view(&s, EXCHANGE);
        struct outcome want = simulated_steps(c, &s, 25), turned = simulated_steps(&yx, &t, 25);
        struct scene state = turned.state;
        turned.state = new_view(&state, EXCHANGE);
        expect_same_outcome(&yx, "transposed and swept the other way", &want, &turned);
        scene_free(&turned.state);
        turned.state = state;
        if (k == 0)
            expect_order_to_matter(c, &t, &state);
        outcome_free(&want);
        outcome_free(&turned);
        scene_free(&s);
        scene_free(&t);
    }
}

static void exchanging_x_and_y_and_the_sweeps_gives_the_transposed_result(void **state)
{
    (void)state;
    for_every_scheme(check_sweep);
}

static void check_first_step(const struct config *c)
{
    struct config euler = *c;
    snprintf(euler.scheme, sizeof euler.scheme, "euler");
    euler.early_exit = EARLY_EXIT_OFF;
    struct scene s = rough(31, 23, OPEN, PERIODIC, 0.03);
    struct outcome want = simulated_steps(&euler, &s, 1), have = simulated_steps(c, &s, 1);
    expect_same(c, "the first step is not Euler's", &want.state, &have.state, 1);
    expect_same_balance(c, "the first step is not Euler's", &want.balance, &have.balance);
    assert_true(want.clock.t - have.clock.t == 0 && have.clock.steps == 1);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void the_first_step_is_an_unsplit_one_by_euler(void **state)
{
    (void)state;
    for_every_split_scheme(check_first_step);
}

/* Short steps of any scheme give nearly the same; a transposed state would not. */
static void check_orientation(const struct config *c)
{
    struct config split = *c, euler;
    split.dt = 1e-4;
    euler = split;
    snprintf(euler.scheme, sizeof euler.scheme, "euler");
    struct scene s = rough(31, 9, WALL, OPEN, 0);
    for (long n = 1; n <= 5; n += find_scheme(c->scheme)->steps) {
        struct outcome o = simulated_steps(&split, &s, n), near = simulated_steps(&euler, &s, n);
        for (int k = 0; k < 3; k++)
            for (int at = 0; at < s.nx * s.ny; at++)
                if (!(fabs(o.state.field[k][at] - near.state.field[k][at]) < 1e-3))
                    fail_msg("%s: after %ld short steps %g is stored where euler has %g",
                             described(&split), n, o.state.field[k][at], near.state.field[k][at]);
        outcome_free(&o);
        outcome_free(&near);
    }
    scene_free(&s);
}

static void every_step_ends_in_the_original_orientation(void **state)
{
    (void)state;
    for_every_split_scheme(check_orientation);
}

/* Travelling vortex of Ricchiuto and Bollermann 2009 on the periodic unit square: v = Gamma r
 * (1 + cos(omega r)) within a radius of pi / omega, carried along the x-axis. */
static const double GAMMA = 15, OMEGA = 4 * 3.14159265358979323846, STREAM = 6;

static double vortex_potential(double x)
{
    return 2 * cos(x) + 2 * x * sin(x) + cos(2 * x) / 8 + x / 4 * sin(2 * x) + 0.75 * x * x;
}

static struct scene vortex(int n)
{
    struct scene s = new_scene(n, n);
    scene_edges(&s, PERIODIC, PERIODIC);
    s.dx = s.dy = 1.0 / n;
    s.t_end = 1 / STREAM;
    for (int k = 0; k < n * n; k++) {
        const int i = k % n, j = k / n;
        const double x = (i + 0.5) / n - 0.5, y = (j + 0.5) / n - 0.5;
        const double r = fmin(OMEGA * sqrt(x * x + y * y), PI), turn = GAMMA * (1 + cos(r));
        const double scale = GAMMA / OMEGA;
        const double h = 10 + scale * scale / 9.81 * (vortex_potential(r) - vortex_potential(PI));
        s.field[0][k] = h;
        s.field[1][k] = h * (STREAM - turn * y);
        s.field[2][k] = h * turn * x;
    }
    return s;
}

/* Mean difference of a field. */
static double mean_error(const struct scene *a, const struct scene *b, int field)
{
    double sum = 0;
    for (int k = 0; k < a->nx * a->ny; k++)
        sum += fabs(a->field[field][k] - b->field[field][k]);
    return sum / a->nx / a->ny;
}

/* After one period the vortex is back at its place. */
static void vortex_error(const struct config *c, int n, double error[3])
{
    struct scene s = vortex(n);
    struct outcome o = simulated(c, &s);
    for (int k = 0; k < 3; k++)
        error[k] = mean_error(&s, &o.state, k);
    outcome_free(&o);
    scene_free(&s);
}

/* Bands: the errors of an independent, unsplit implementation, plus one half. */
static void second_order_splitting_carries_a_vortex_as_well_as_no_splitting(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "ds2"};
    for (int k = 0; k < 2; k++) {
        struct config c;
        double coarse[3], fine[3];
        configure(&c, names[k], F64);
        vortex_error(&c, 50, coarse);
        vortex_error(&c, 100, fine);
        print_message(
            "vortex, %s: h %.3g, hu %.3g, hv %.3g with 100^2 cells, order %.2f %.2f %.2f\n",
            names[k], fine[0], fine[1], fine[2], log2(coarse[0] / fine[0]),
            log2(coarse[1] / fine[1]), log2(coarse[2] / fine[2]));
        if (!(fine[0] <= 3e-3) || !(fine[1] <= 0.16) || !(fine[2] <= 0.16))
            fail_msg("%s: a vortex changes by %g m, %g and %g m2/s", described(&c), fine[0],
                     fine[1], fine[2]);
    }
}

/* Waves in both directions over a smooth bed, deep everywhere. */
static struct scene smooth(int n)
{
    struct scene s = new_scene(n, n);
    scene_edges(&s, PERIODIC, PERIODIC);
    s.dx = s.dy = 1.0 / n;
    s.t_end = 0.08;
    scene_smooth_bed(&s, -1.1, -0.9);
    for (int k = 0; k < n * n; k++) {
        const int i = k % n, j = k / n;
        const double x = 2 * PI * (i + 0.5) / n, y = 2 * PI * (j + 0.5) / n;
        s.field[0][k] = 0.1 * cos(x + y);
        s.field[1][k] = 0.5 + 0.2 * sin(y);
        s.field[2][k] = -0.4 + 0.2 * cos(x - y);
    }
    return s;
}

enum { CELLS = 40, FEWEST = 40 };

/* What halving the steps changes in the momentum. */
static double changed_by_halving(const struct config *c, int n, int steps)
{
    struct scene s = smooth(n);
    struct outcome o[2];
    for (int k = 0; k < 2; k++) {
        struct config fixed = *c;
        fixed.dt = s.t_end / (steps << k);
        o[k] = simulated(&fixed, &s);
    }
    const double d =
        mean_error(&o[0].state, &o[1].state, 1) + mean_error(&o[0].state, &o[1].state, 2);
    for (int k = 0; k < 2; k++)
        outcome_free(&o[k]);
    scene_free(&s);
    return d;
}

/* Where slopes lead to the middle of a step: on a grid twice as fine, in steps half as long. */
static double order_by_slopes(const struct config *c)
{
    return log2(changed_by_halving(c, CELLS, FEWEST) /
                changed_by_halving(c, 2 * CELLS, 2 * FEWEST));
}

/* On a fixed grid dt, dt/2 and dt/4 differ only by the error in time; returns the momentum's order. */
static double order_in_time(const struct config *c)
{
    enum { RUNS = 3 };
    struct scene s = smooth(CELLS);
    struct outcome o[RUNS];
    double difference[2];
    for (int k = 0; k < RUNS; k++) {
        struct config fixed = *c;
        fixed.dt = s.t_end / (FEWEST << k);
        o[k] = simulated(&fixed, &s);
    }
    for (int k = 0; k < 2; k++)
        difference[k] = mean_error(&o[k].state, &o[k + 1].state, 1) +
                        mean_error(&o[k].state, &o[k + 1].state, 2);
    for (int k = 0; k < RUNS; k++)
        outcome_free(&o[k]);
    scene_free(&s);
    return log2(difference[0] / difference[1]);
}

static void the_error_in_time_has_the_order_that_a_scheme_claims(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        configure(&c, schemes[k]->name, F64);
        const double claim = schemes[k]->order_time;
        const double order = schemes[k]->midpoint ? order_by_slopes(&c) : order_in_time(&c);
        print_message("order of %s in time, momentum: %.2f\n", schemes[k]->name, order);
        if (!(fabs(order - claim) <= 0.2))
            fail_msg("%s: order %g in time, %g claimed", described(&c), order, claim);
    }
}

/* --define changes how the transposing kernels use memory, and nothing else. */
static void check_switches(const struct config *c, const char *backend)
{
    struct scene s = rough(67, 45, OPEN, PERIODIC, 0.03);
    struct config with = *c, without;
    snprintf(with.backend, sizeof with.backend, "%s", backend);
    without = with;
    snprintf(without.define, sizeof without.define, "DIAGONAL=0,PADDING=0");
    struct outcome want = simulated_steps(&with, &s, 21);
    struct outcome have = simulated_steps(&without, &s, 21);
    expect_same_outcome(&without, "without diagonal order and padding", &want, &have);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void check_switches_everywhere(const struct config *c)
{
    char why[512];
    check_switches(c, "cpu");
    if (backend_cuda.available(c->device, why, sizeof why))
        check_switches(c, "cuda");
}

static void diagonal_order_and_padding_do_not_change_a_bit(void **state)
{
    (void)state;
    for_every_split_scheme(check_switches_everywhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_fluxes_in_x_and_y_give_the_bits_of_joint_ones),
        cmocka_unit_test(exchanging_x_and_y_and_the_sweeps_gives_the_transposed_result),
        cmocka_unit_test(the_first_step_is_an_unsplit_one_by_euler),
        cmocka_unit_test(every_step_ends_in_the_original_orientation),
        cmocka_unit_test(second_order_splitting_carries_a_vortex_as_well_as_no_splitting),
        cmocka_unit_test(the_error_in_time_has_the_order_that_a_scheme_claims),
        cmocka_unit_test(diagonal_order_and_padding_do_not_change_a_bit),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
