/* A Manning's n for each cell: each acts in its own cell, and a uniform field equals a single number. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/need_gpu.h"
#include "tests/support/simulate.h"

static struct scene rough(double n, int per_cell)
{
    struct scene s = new_rough(37, 29);
    scene_mixed_edges(&s);
    s.manning = per_cell ? 0.5 : n; /* which is ignored then */
    s.per_cell = per_cell;
    for (size_t k = 0; k < scene_cell(&s, 0, s.ny); k++)
        s.rough[k] = n;
    return s;
}

static void expect_the_common_one(const struct config *c, const struct config *other)
{
    struct scene one = rough(0.03, 0), many = rough(0.03, 1);
    struct outcome want = simulated_steps(c, &one, 12), have = simulated_steps(other, &many, 12);
    expect_same(other, "the same n in every cell", &want.state, &have.state, 1);
    assert_memory_equal(&want.clock, &have.clock, sizeof want.clock);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&one);
    scene_free(&many);
}

/* f64 uses the same text: one scheme suffices. */
static void the_same_n_in_every_cell_gives_the_bits_of_the_common_one(void **state)
{
    (void)state;
    struct config c;
    FOR_SCHEMES_OF_WATER (k) {
        configure(&c, schemes[k]->name, F32);
        for (int sweep = SWEEP_XY; sweep <= (schemes[k]->split ? SWEEP_YX : SWEEP_XY); sweep++) {
            c.sweep = sweep;
            expect_the_common_one(&c, &c);
        }
    }
    configure(&c, NULL, F64);
    expect_the_common_one(&c, &c);
}

static void a_gpu_gives_the_bits_of_the_cpu(void **state)
{
    (void)state;
    need_gpu("fields of Manning's n on a GPU");
    FOR_SCHEMES_OF_WATER (k) {
        struct config c, cuda;
        configure(&c, schemes[k]->name, F32);
        cuda = c;
        snprintf(cuda.backend, sizeof cuda.backend, "cuda");
        expect_the_common_one(&c, &cuda);
    }
}

/* Where the flow is uniform only friction acts on it, apart from small differences that neighbours have already:
 * dq/dt = -g n^2 q |q| / h^(7/3). */
static void check_cells(const struct config *c)
{
    const double h = 1, q = 2, t = 1.0 / 1024;
    struct scene s = new_scene(19, 13);
    struct config brief = *c;
    brief.dt = t / 4;
    scene_edges(&s, PERIODIC, PERIODIC);
    scene_level(&s, h);
    s.per_cell = 1;
    s.t_end = t;
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++) {
            s.field[1][scene_cell(&s, i, j)] = q;
            s.rough[scene_cell(&s, i, j)] = 0.02 * (1 + i % 4) + 0.03 * (j % 3);
        }
    struct outcome o = simulated(&brief, &s);
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++) {
            const double n = s.rough[scene_cell(&s, i, j)], rate = 9.81 * n * n * q / h;
            const double lost = 1 - o.state.field[1][scene_cell(&s, i, j)] / q;
            if (!(fabs(lost - rate * t) <= 0.1 * rate * t + 3e-7))
                fail_msg("%s, sweep %d: with n = %g cell (%d, %d) loses %g of its momentum, not %g",
                         described(&brief), brief.sweep, n, i, j, lost, rate * t);
        }
    outcome_free(&o);
    scene_free(&s);
}

static void every_cell_feels_its_own_n(void **state)
{
    (void)state;
    struct config c;
    FOR_SCHEMES_OF_WATER (k) {
        configure(&c, schemes[k]->name, F32);
        for (int sweep = SWEEP_XY; sweep <= (schemes[k]->split ? SWEEP_YX : SWEEP_XY); sweep++) {
            c.sweep = sweep;
            check_cells(&c);
        }
    }
}

static void an_impossible_n_names_its_cell(void **state)
{
    (void)state;
    struct config c;
    struct sim *sim = NULL;
    struct scene s = rough(0.03, 1);
    configure(&c, NULL, F32);
    s.rough[scene_cell(&s, 5, 7)] = -0.03;
    assert_int_equal(simulation_create(&sim, &c, &s), ERR_INPUT);
    assert_non_null(strstr(err_message(), "cell (5, 7)"));
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_n_in_every_cell_gives_the_bits_of_the_common_one),
        cmocka_unit_test(every_cell_feels_its_own_n),
        cmocka_unit_test(an_impossible_n_names_its_cell),
        cmocka_unit_test(a_gpu_gives_the_bits_of_the_cpu),
    };
    return cmocka_run_group_tests_name("roughness", tests, NULL, NULL);
}
