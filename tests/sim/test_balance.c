/* The balance of a run: the volume inside, and what crossed the edges. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/paths.h"
#include "core/problem/initial_state.h"
#include "tests/support/need_gpu.h"
#include "tests/support/simulate.h"

static double volume_of(struct sim *sim)
{
    double volume;
    fine(sim_total(sim, 0, &volume));
    return volume;
}

static double read_eta(const void *eta, enum precision p, size_t k)
{
    return p == F64 ? ((const double *)eta)[k] : (double)((const float *)eta)[k];
}

/* In arithmetic with 64 bits of mantissa. */
static double added_up(const struct config *c, struct sim *sim, const struct scene *s)
{
    void *eta = malloc((size_t)s->nx * (size_t)s->ny * sizeof(double));
    long double sum = 0;
    assert_non_null(eta);
    fine(sim_read(sim, sim_unknown(sim, 0), NULL, eta));
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            sum += (long double)read_eta(eta, (enum precision)c->precision, scene_cell(s, i, j)) -
                   (long double)initial_floor(sim->initial, i, j);
    free(eta);
    return (double)sum * s->dx * s->dy;
}

/* Some centimetres of water high in the mountains: the volume is a small part of the levels. */
static struct scene mountains(void)
{
    struct scene s = new_scene(67, 41);
    scene_random_bed(&s, 1500, 1500.3, 5);
    scene_level(&s, 1500.2);
    s.t_end = 0.5;
    return s;
}

static void the_volume_is_the_sum_of_what_is_stored(void **state)
{
    (void)state;
    for (int p = 0; p < PRECISIONS; p++) {
        struct scene scenes[] = {new_rough(67, 41), mountains()};
        struct config c;
        configure(&c, "rk2", (enum precision)p);
        for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
            struct sim *sim = create(&c, &scenes[k]);
            const double expected = added_up(&c, sim, &scenes[k]), got = volume_of(sim);
            if (!(fabs(got / expected - 1) < 1e-15))
                fail_msg("%s: the volume is %.17g, not %.17g", described(&c), got, expected);
            assert_true(sim->total0[0] == got);
            sim_destroy(sim);
            scene_free(&scenes[k]);
        }
    }
}

static void the_volume_does_not_depend_on_blocks_or_threads(void **state)
{
    (void)state;
    static const int blocks[][2] = {{256, 16}, {1, 1}, {67, 3}};
    struct scene s = mountains();
    double first = 0;
    for (int k = 0; k < 3; k++) {
        struct config c;
        configure(&c, "rk2", F32);
        configure_block(&c, "volume", blocks[k][0], blocks[k][1]);
        c.threads = 1 + k;
        struct sim *sim = create(&c, &s);
        const double volume = volume_of(sim);
        assert_true(k == 0 || volume == first);
        first = volume;
        sim_destroy(sim);
    }
    scene_free(&s);
}

static void a_level_that_is_not_finite_makes_no_number(void **state)
{
    (void)state;
    const float wrong[] = {(float)NAN, (float)INFINITY};
    struct scene s = new_rough(19, 13);
    struct config c;
    configure(&c, "rk2", F32);
    for (int k = 0; k < 2; k++) {
        struct sim *sim = create(&c, &s);
        fine(sim->backend->upload(sim->device, array_first(sim, sim_unknown(sim, 0), PLAIN),
                                  &wrong[k], sizeof wrong[k]));
        assert_true(isnan(volume_of(sim)));
        sim_destroy(sim);
    }
    scene_free(&s);
}

/* What enters in the west and leaves in the east. */
static void what_enters_and_what_leaves_are_told_apart(void **state)
{
    (void)state;
    const char *const names[] = {"rk2", "ds2"};
    for (int k = 0; k < 2; k++) {
        struct scene s = new_scene(64, 2);
        struct config c;
        struct balance b;
        scene_level(&s, 1);
        scene_edges(&s, OPEN, PERIODIC);
        s.boundary[WEST] = DISCHARGE;
        s.edge[WEST].hu = 0.5;
        for (int m = 0; m < s.nx * s.ny; m++)
            s.field[1][m] = 0.5;
        for (int m = 0; m < s.nx; m++) /* it circulates: that is no inflow */
            s.field[2][m] = s.field[2][m + s.nx] = 0.25;
        s.t_end = 4;
        configure(&c, names[k], F64);
        struct sim *sim = create(&c, &s);
        fine(sim_run(sim, (double)INFINITY, NULL));
        fine(sim_balance(sim, &b));
        const double width = s.ny * s.dy, through = 0.5 * width * s.t_end;
        if (!(fabs(b.in / through - 1) < 1e-12 && fabs(b.out / through - 1) < 1e-12))
            fail_msg("%s: in %.17g, out %.17g, not %.17g m3", names[k], b.in, b.out, through);
        assert_true(fabs(b.inflow) < 1e-12);
        sim_destroy(sim);
        scene_free(&s);
    }
}

/* Waves cross an open edge in both directions: inflow and outflow do not follow from the net sum. */
static void the_balance_closes_where_water_comes_and_goes(void **state)
{
    (void)state;
    const char *const names[] = {"rk2", "ds2", "rk2_fused"};
    for (int k = 0; k < 3; k++) {
        struct scene s = new_rough(45, 37);
        struct config c;
        struct balance b;
        scene_mixed_edges(&s);
        s.t_end = 3;
        configure(&c, names[k], F64);
        struct sim *sim = create(&c, &s);
        fine(sim_run(sim, (double)INFINITY, NULL));
        fine(sim_balance(sim, &b));
        const double unexplained = b.volume - sim->total0[0] - b.in + b.out - b.clipped_in;
        if (!(b.in > 0.01 * sim->total0[0] && b.out > 0))
            fail_msg("%s: in %g, out %g of %g m3", names[k], b.in, b.out, sim->total0[0]);
        if (!(fabs(unexplained) < 1e-13 * sim->total0[0]))
            fail_msg("%s: %g of %g m3 are not explained", names[k], unexplained, sim->total0[0]);
        assert_true(fabs(b.in - b.out - b.inflow) < 1e-12 * sim->total0[0]);
        sim_destroy(sim);
        scene_free(&s);
    }
}

static void a_gpu_adds_up_the_same_bits(void **state)
{
    (void)state;
    need_gpu("volumes on a GPU");
    for (int p = 0; p < PRECISIONS; p++) {
        struct scene s = mountains();
        struct config c;
        configure(&c, "rk2", (enum precision)p);
        struct sim *on_cpu = create(&c, &s);
        snprintf(c.backend, sizeof c.backend, "cuda");
        struct sim *on_gpu = create(&c, &s);
        assert_true(volume_of(on_cpu) == volume_of(on_gpu));
        sim_destroy(on_cpu);
        sim_destroy(on_gpu);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_volume_is_the_sum_of_what_is_stored),
        cmocka_unit_test(the_volume_does_not_depend_on_blocks_or_threads),
        cmocka_unit_test(a_level_that_is_not_finite_makes_no_number),
        cmocka_unit_test(what_enters_and_what_leaves_are_told_apart),
        cmocka_unit_test(the_balance_closes_where_water_comes_and_goes),
        cmocka_unit_test(a_gpu_adds_up_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
