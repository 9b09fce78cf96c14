/* More tiles than the grid of a launch has rows on a GPU, which is stood in for. */
#include "tests/support/test.h"

#include "core/sim/tiling.h"
#include "tests/support/quiet.h"
#include "tests/support/stand_in.h"

static int use_gpu(void **state)
{
    (void)state;
    return stand_in_use();
}

static void they_all_get_their_ghost_cells(void **state)
{
    enum { ACROSS = 8, UP = 4 * 32770, SIDE = 4, ROWS = 65535 };
    (void)state;
    struct scene s = new_rough(ACROSS, UP);
    scene_edges(&s, WALL, PERIODIC);
    struct config plain, c;
    configure(&plain, "rk2_fused", F32);
    plain.steps = 2;
    c = plain;
    c.tile = (struct tile_size){SIDE, SIDE};
    strcpy(c.backend, "cuda");
    struct sim *want = create(&plain, &s), *have = create(&c, &s);
    assert_true(tiling_slots(have) > ROWS);
    steps(&plain, want, 2);
    steps(&c, have, 2);
    struct outcome o = outcome_of(&plain, want, &s), own = outcome_of(&c, have, &s);
    expect_equal(&c, "many tiles", &o, &own);
    outcome_free(&o);
    outcome_free(&own);
    sim_destroy(want);
    sim_destroy(have);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(they_all_get_their_ghost_cells, use_gpu, scratch_remove),
    };
    return cmocka_run_group_tests_name("many tiles", tests, NULL, NULL);
}
