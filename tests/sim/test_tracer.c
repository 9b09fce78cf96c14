/* A tracer that the water carries: its numerics keep what they promise, in every scheme that declares it. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/simulate.h"

enum { C = 3 }; /* the unknown */

static struct scene stirred(int nx, int ny)
{
    struct scene s = new_rough(nx, ny);
    s.t_end = 2;
    return s;
}

static double *dye(const struct scene *s)
{
    return s->field[C];
}

static size_t cells(const struct scene *s)
{
    return (size_t)s->nx * (size_t)s->ny;
}

static void set_dye(struct scene *s, double c)
{
    for (size_t k = 0; k < cells(s); k++)
        dye(s)[k] = c;
    for (int e = 0; e < EDGES; e++)
        s->edge[e].c = c;
}

/* In f64 one of each kind. */
static void for_every_carrier(void (*check)(const struct config *c))
{
    int carriers = 0;
    scene_solve(find_system("tracer"));
    for (const struct scheme *const *s = schemes; *s; s++)
        for (int p = F32; p <= (answers_for_its_kind((*s)->name) ? F64 : F32) && (*s)->also; p++) {
            struct config c;
            configure(&c, (*s)->name, (enum precision)p);
            check(&c);
            carriers++;
        }
    scene_solve(NULL);
    assert_true(carriers >= (everything() ? 10 : 7));
}

static void expect_constant(const struct config *c, const struct outcome *o, double value)
{
    const double want = c->precision == F64 ? value : (double)(float)value;
    for (size_t m = 0; m < cells(&o->state); m++)
        if (o->depth[m] > 0 && dye(&o->state)[m] != want)
            fail_msg("%s: c of cell %zu, under %g m, is %.17g, not %.17g", described(c), m,
                     o->depth[m], dye(&o->state)[m], want);
}

/* In both modes; in fast mode also over beds with steps. */
static void check_constant(const struct config *given)
{
    for (int k = 0; k < 3; k++) {
        struct config c = *given;
        struct scene s = stirred(37, 29);
        scene_mixed_edges(&s);
        strcpy(c.reconstruction, k == 2 ? "audusse" : "kp");
        c.mode = k ? FAST_MODE : STRICT;
        set_dye(&s, 0.7);
        struct outcome o = simulated(&c, &s);
        assert_true(flooded(&s, &o) > 10);
        expect_constant(&c, &o, 0.7);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void a_constant_stays_to_the_bit_in_every_wet_cell(void **state)
{
    (void)state;
    for_every_carrier(check_constant);
}

static void check_water(const struct config *c)
{
    struct scene s = stirred(37, 29);
    scene_mixed_edges(&s);
    struct outcome with = simulated(c, &s);
    s.system = find_system("shallow_water");
    struct outcome without = simulated(c, &s);
    with.state.system = s.system;
    expect_same(c, "water with and without a tracer", &without.state, &with.state, 1);
    assert_int_equal(with.clock.steps, without.clock.steps);
    outcome_free(&with);
    outcome_free(&without);
    scene_free(&s);
}

static void the_water_does_not_feel_it(void **state)
{
    (void)state;
    for_every_carrier(check_water);
}

static void check_bounds(const struct config *given)
{
    for (const struct plugin *const *l = limiters; *l; l++) {
        if (strcmp((*l)->name, given->limiter) != 0 &&
            !(strcmp(given->scheme, "rk2_fused") == 0 && given->precision == F32))
            continue;
        struct config c = *given;
        struct scene s = stirred(37, 29);
        const double ulp = 4 * (c.precision == F64 ? DBL_EPSILON : (double)FLT_EPSILON);
        strcpy(c.limiter, (*l)->name);
        scene_mixed_edges(&s);
        for (size_t k = 0; k < cells(&s); k++)
            dye(&s)[k] = k % 3 ? 1 : 0;
        struct outcome o = simulated(&c, &s);
        for (size_t k = 0; k < cells(&s) && ((*l)->properties & TVD); k++)
            if (!(dye(&o.state)[k] >= -ulp && dye(&o.state)[k] <= 1 + ulp))
                fail_msg("%s: c of cell %zu, under %g m, is %.17g, not between 0 and 1",
                         described(&c), k, o.depth[k], dye(&o.state)[k]);
        outcome_free(&o);
        scene_free(&s);
    }
}

static void it_stays_within_its_bounds(void **state)
{
    (void)state;
    for_every_carrier(check_bounds);
}

/* After subtracting what entered, what left, and what clipping added. */
static void check_amount(const struct config *c)
{
    struct scene s = stirred(37, 29);
    struct balance b;
    scene_mixed_edges(&s);
    struct sim *sim = create(c, &s);
    fine(sim_run(sim, (double)INFINITY, NULL));
    fine(sim_balance_of(sim, 1, &b));
    const double gained = b.volume - sim->total0[1] - b.inflow - b.clipped_in;
    if (!(b.in > 0.02 * sim->total0[1] && b.out > 0))
        fail_msg("%s: in %g, out %g of %g", described(c), b.in, b.out, sim->total0[1]);
    if (!(fabs(gained) <= (c->precision == F64 ? 1e-12 : 2e-5) * sim->total0[1]))
        fail_msg("%s: of %.9g came %.9g, in %.9g, out %.9g, clipped %.9g: gained %g", described(c),
                 sim->total0[1], b.volume, b.in, b.out, b.clipped_in, gained);
    sim_destroy(sim);
    scene_free(&s);
}

static void its_amount_closes_with_what_edges_and_clipping_book(void **state)
{
    (void)state;
    for_every_carrier(check_amount);
}

static void check_symmetry(const struct config *c)
{
    static const int views[] = {MIRROR_X, MIRROR_Y, EXCHANGE};
    struct scene s = stirred(37, 29);
    scene_mixed_edges(&s);
    struct outcome o = simulated(c, &s);
    for (int k = 0; k < 3; k++) {
        struct scene seen = new_view(&s, views[k]), expected = new_view(&o.state, views[k]);
        struct outcome other = simulated(c, &seen);
        expect_same(c, k < 2 ? "a mirror" : "x and y exchanged", &expected, &other.state, 0);
        outcome_free(&other);
        scene_free(&seen);
        scene_free(&expected);
    }
    outcome_free(&o);
    scene_free(&s);
}

static void mirrors_and_exchanging_x_and_y_do_the_same_to_it(void **state)
{
    (void)state;
    for_every_carrier(check_symmetry);
}

/* The sign of a discharge in the system's table, planted: whatever mirrors by it must show the mistake. */
static void a_wrong_sign_in_a_mirror_is_noticed(void **state)
{
    struct config c;
    (void)state;
    configure(&c, "rk2", F32);
    for (int k = 0; k < 4; k++) {
        struct system wrong = *find_system("tracer");
        struct unknown *u = &wrong.unknown[1 + k / 2];
        int *sign = k % 2 ? &u->mirror_y : &u->mirror_x;
        *sign = -*sign;
        scene_solve(&wrong);
        struct scene s = stirred(37, 29), seen = new_view(&s, k % 2 ? MIRROR_Y : MIRROR_X);
        struct outcome o = simulated_steps(&c, &s, 3), other = simulated_steps(&c, &seen, 3);
        struct scene expected = new_view(&o.state, k % 2 ? MIRROR_Y : MIRROR_X);
        char text[256];
        if (!differ(&expected, &other.state, 0, text, sizeof text))
            fail_msg("nobody notices that %s has the sign %d in a mirror", u->name, *sign);
        outcome_free(&o);
        outcome_free(&other);
        scene_free(&s);
        scene_free(&seen);
        scene_free(&expected);
        scene_solve(NULL);
    }
}

static struct outcome with_scheme(const char *scheme, enum precision p, const struct scene *s)
{
    struct config c;
    configure(&c, scheme, p);
    c.dt = 1.0 / 128;
    return simulated(&c, s);
}

static void three_ways_to_compute_rk2_agree_to_the_bit(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    for (int p = F32; p <= F64; p++) {
        struct scene s = stirred(41, 33);
        struct config c;
        configure(&c, "rk2", (enum precision)p);
        scene_mixed_edges(&s);
        s.t_end = 1;
        struct outcome rk2 = with_scheme("rk2", (enum precision)p, &s);
        struct outcome fused = with_scheme("rk2_fused", (enum precision)p, &s);
        struct outcome split = with_scheme("srk2", (enum precision)p, &s);
        expect_same(&c, "rk2 and rk2_fused", &rk2.state, &fused.state, 1);
        expect_same(&c, "rk2 and srk2", &rk2.state, &split.state, 1);
        outcome_free(&rk2);
        outcome_free(&fused);
        outcome_free(&split);
        scene_free(&s);
    }
    scene_solve(NULL);
}

/* A plateau that is dry but for its ponds, and a dam along x that breaks over both: all ground lies below the still
 * level, where GPUs look at the bed's corners instead of its centres, and whole rows of deep water lie beside dry
 * ones. Each cell has its own c. */
static struct scene plateau(int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    scene_random_bed(&s, -0.4, 0, 5);
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            if ((i / 7 + j / 9) % 2)
                s.bed[scene_corner(&s, i, j)] = 0;
    scene_level(&s, 0);
    for (size_t k = 0; k < cells(&s); k++)
        dye(&s)[k] = (double)(100 - k * 37 % 101) / 128;
    for (size_t k = 0; k < scene_cell(&s, 0, ny / 2); k++)
        s.field[0][k] = 1;
    s.t_end = 0.5;
    return s;
}

static void check_warps(const struct config *given)
{
    const int width = given->precision == F64 ? 28 : 60;
    if (strcmp(given->scheme, "rk2_fused") != 0)
        return;
    struct config c = *given;
    struct scene s = plateau(63, 20);
    if (given->precision == F64)
        scene_force(&s, 0.01, 0, 3);
    struct outcome want = simulated(&c, &s);
    assert_true(flooded(&s, &want) > 20);
    c.order = given->precision == F64 ? 2 : 1;
    configure_block(&c, "fused0", width, 16);
    configure_block(&c, "fused1", width, 16);
    struct outcome got = simulated(&c, &s);
    expect_same(&c, "warps and rows", &want.state, &got.state, 1);
    outcome_free(&want);
    outcome_free(&got);
    if (given->precision == F32) {
        c.mode = FAST_MODE;
        set_dye(&s, 0.7);
        got = simulated(&c, &s);
        expect_constant(&c, &got, 0.7);
        outcome_free(&got);
    }
    scene_free(&s);
}

static void warps_of_a_gpu_get_the_same_bits_beside_dry_ground(void **state)
{
    (void)state;
    for_every_carrier(check_warps);
}

/* 1/64 m/s of clean water into a depth of 1 m for a second. */
static void check_rain(const struct config *given)
{
    struct config c = *given;
    struct scene s = new_scene(12, 10);
    for (int k = 0; k < (s.nx + 1) * (s.ny + 1); k++)
        s.bed[k] = -1;
    scene_force(&s, 0, 0, 1);
    for (size_t k = 0; k < cells(&s); k++)
        s.force[0][k] = 1.0 / 64;
    set_dye(&s, 0.5);
    s.t_end = 1;
    c.dt = 1.0 / 64;
    struct outcome o = simulated(&c, &s);
    const double want = 0.5 / (1 + 1.0 / 64);
    for (size_t k = 0; k < cells(&s); k++)
        if (!(fabs(dye(&o.state)[k] - want) <= (c.precision == F64 ? 1e-14 : 1e-6)))
            fail_msg("%s: rain leaves c = %.17g, not %.17g", described(&c), dye(&o.state)[k], want);
    outcome_free(&o);
    scene_free(&s);
}

static void rain_dilutes_it(void **state)
{
    (void)state;
    for_every_carrier(check_rain);
}

static void split_schemes_refuse_it_and_say_which_do_not(void **state)
{
    (void)state;
    struct config c;
    struct sim *sim;
    scene_solve(find_system("tracer"));
    struct scene s = new_scene(12, 10);
    configure(&c, "ds1", F32);
    assert_int_equal(simulation_create(&sim, &c, &s), ERR_USAGE);
    assert_non_null(strstr(err_message(), "ds1 solves the system shallow_water"));
    assert_non_null(strstr(err_message(), "this run's is tracer"));
    assert_non_null(strstr(err_message(), "rk2_fused"));
    scene_free(&s);
    scene_solve(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_stays_to_the_bit_in_every_wet_cell),
        cmocka_unit_test(the_water_does_not_feel_it),
        cmocka_unit_test(it_stays_within_its_bounds),
        cmocka_unit_test(its_amount_closes_with_what_edges_and_clipping_book),
        cmocka_unit_test(mirrors_and_exchanging_x_and_y_do_the_same_to_it),
        cmocka_unit_test(a_wrong_sign_in_a_mirror_is_noticed),
        cmocka_unit_test(three_ways_to_compute_rk2_agree_to_the_bit),
        cmocka_unit_test(warps_of_a_gpu_get_the_same_bits_beside_dry_ground),
        cmocka_unit_test(rain_dilutes_it),
        cmocka_unit_test(split_schemes_refuse_it_and_say_which_do_not),
    };
    return cmocka_run_group_tests_name("tracer", tests, NULL, NULL);
}
