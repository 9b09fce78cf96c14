/* The arrays that a simulation has on its device, by name, and the one function that gives access to them. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/sim/array.h"
#include "tests/support/simulate.h"

enum { NX = 23, NY = 14 };

/* Some steps of a dam break, with maxima. */
static struct sim *some_steps(const char *scheme, int sweep, struct scene *s, struct config *c)
{
    configure(c, scheme, F32);
    *s = new_rough(NX, NY);
    c->sweep = sweep;
    c->maxima = 1;
    struct sim *sim = create(c, s);
    fine(sim_step_many(sim, 5));
    return sim;
}

static void a_window_is_a_part_of_the_whole_whichever_way_the_problem_lies(void **state)
{
    (void)state;
    static const struct window windows[] = {
        {0, 0, NX, NY}, {3, 2, 7, 5}, {NX - 1, NY - 1, 1, 1}, {0, 4, NX, 1}};
    for (int sweep = SWEEP_XY; sweep <= SWEEP_YX; sweep++) {
        struct config c;
        struct scene s;
        struct sim *sim = some_steps("rk2", sweep, &s, &c);
        for (int k = 0; k < sim->system->unknowns; k++) {
            float all[NY][NX], part[NY * NX];
            fine(sim_read(sim, sim_unknown(sim, k), NULL, all));
            for (size_t n = 0; n < sizeof windows / sizeof *windows; n++) {
                const struct window w = windows[n];
                fine(sim_read(sim, sim_unknown(sim, k), &w, part));
                for (int m = 0; m < w.nx * w.ny; m++)
                    assert_memory_equal(&part[m], &all[w.j0 + m / w.nx][w.i0 + m % w.nx],
                                        sizeof *part);
            }
        }
        sim_destroy(sim);
        scene_free(&s);
    }
}

static void what_is_written_is_what_is_read(void **state)
{
    (void)state;
    for (int sweep = SWEEP_XY; sweep <= SWEEP_YX; sweep++) {
        struct config c;
        struct scene s;
        struct sim *sim = some_steps("rk2", sweep, &s, &c);
        float wrote[NX * NY], other[NX * NY], got[NX * NY];
        for (int k = 0; k < NX * NY; k++)
            wrote[k] = (float)k + 0.25f;
        fine(sim_read(sim, sim_unknown(sim, 1), NULL, other));
        fine(sim_write(sim, sim_unknown(sim, 2), NULL, wrote));
        fine(sim_read(sim, sim_unknown(sim, 2), NULL, got));
        assert_memory_equal(got, wrote, sizeof got);
        fine(sim_read(sim, sim_unknown(sim, 1), NULL, got));
        assert_memory_equal(got, other, sizeof got);
        sim_destroy(sim);
        scene_free(&s);
    }
}

static void each_has_a_name_of_its_own(void **state)
{
    (void)state;
    struct config c;
    struct scene s;
    void *p;
    struct sim *sim = some_steps("rk2_fused", SWEEP_XY, &s, &c);
    for (int k = 0; k < sim->array_count; k++)
        assert_ptr_equal(sim_find_array(sim, sim->array[k].name), &sim->array[k]);
    assert_null(sim_find_array(sim, "nothing"));
    assert_int_equal(sim_memory(sim, &(struct array){"clock", .bytes = 8}, &p), ERR_USAGE);
    assert_non_null(strstr(err_message(), "'clock'"));
    sim_destroy(sim);
    scene_free(&s);
}

/* The solution, and what the next pass needs, for any scheme. */
static void checkpoints_keep_what_a_pass_leaves_for_the_next(void **state)
{
    (void)state;
    static const char *const kept[] = {"counters",  "clock",    "ahead",   "h_max",
                                       "speed_max", "flux_max", "arrival", "duration"};
    struct config c;
    struct scene s;
    struct sim *sim = some_steps("rk2_fused", SWEEP_XY, &s, &c);
    size_t count = 0;
    for (int k = 0; k < sim->array_count; k++)
        count += sim->array[k].kept != 0;
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        assert_true(sim_find_array(sim, kept[k]) && sim_find_array(sim, kept[k])->kept);
    assert_int_equal(count, sizeof kept / sizeof *kept);
    sim_destroy(sim);
    scene_free(&s);
}

/* So many rows that each of the threads samples some bands of them. */
static void threads_that_share_the_start_leave_none_of_it_out(void **state)
{
    (void)state;
    enum { WIDTH = 7, HEIGHT = 5000 };
    const struct window all = {0, 0, WIDTH, HEIGHT};
    const int threads = omp_get_max_threads();
    struct config c;
    struct initial *cut;
    configure(&c, "rk2", F32);
    struct scene s = new_rough(WIDTH, HEIGHT);
    float *got = malloc(WIDTH * HEIGHT * sizeof *got);
    omp_set_num_threads(3);
    struct sim *sim = create(&c, &s);
    omp_set_num_threads(threads);
    assert_non_null(got);
    fine(initial_cut(&cut, sim->initial, &all, INITIAL_FIELDS));
    for (int k = -1; k < sim->system->unknowns; k++) {
        const struct array *a = k < 0 ? sim_find_array(sim, "bed") : sim_unknown(sim, k);
        const float *want = k < 0 ? cut->centre : cut->field[k];
        fine(sim_read(sim, a, NULL, got));
        for (int j = 0; j < HEIGHT; j++)
            assert_memory_equal(got + (size_t)j * WIDTH, want + (j + GHOSTS) * cut->pitch + MARGIN,
                                WIDTH * sizeof *got);
    }
    initial_destroy(cut);
    sim_destroy(sim);
    scene_free(&s);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_is_a_part_of_the_whole_whichever_way_the_problem_lies),
        cmocka_unit_test(what_is_written_is_what_is_read),
        cmocka_unit_test(each_has_a_name_of_its_own),
        cmocka_unit_test(checkpoints_keep_what_a_pass_leaves_for_the_next),
        cmocka_unit_test(threads_that_share_the_start_leave_none_of_it_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
