/* What parts and tiles have in common: cells that several compute are counted once, all parts enqueue as many passes,
 * and corners are filled, too. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "core/sim/balance.h"
#include "core/sim/parts.h"
#include "core/sim/tiling.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

/* Where a bed and a flux have steps water is clipped beside islands, and a tracer with it. */
static struct config clipping(void)
{
    struct config c;
    configure(&c, "rk2", F32);
    strcpy(c.reconstruction, "steps");
    strcpy(c.flux, "fwave");
    c.steps = STEPS;
    return c;
}

static void what_is_clipped_in_an_overlap_counts_once(void **state)
{
    (void)state;
    const struct config c = clipping();
    struct balance amount;
    scene_solve(find_system("tracer"));
    struct scene s = new_shore();
    struct sim *sim = create(&c, &s);
    fine(sim_run(sim, (double)INFINITY, NULL));
    fine(sim_balance_of(sim, 1, &amount));
    assert_true(amount.clipped_in > 0);
    sim_destroy(sim);
    expect_same_run(&c, &s, "2x2 every 2");
    scene_free(&s);
    scene_solve(NULL);
}

/* Threads that wait for their cores measure other times. */
static void parts_that_take_longer_enqueue_as_many_passes(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    struct scene s = new_shore();
    const struct config c = clipping(), other = in_parts(&c, "2x2");
    struct sim *plain = create(&c, &s), *cut = create(&other, &s);
    for (int k = 0; k < 4; k++)
        cut->parts->sim[k]->per_step = k == 2 ? 1 : 1e-6; /* s */
    fine(sim_run(plain, (double)INFINITY, NULL));
    fine(sim_run(cut, (double)INFINITY, NULL));
    struct outcome want = outcome_of(&c, plain, &s), have = outcome_of(&other, cut, &s);
    expect_same_outcome(&c, &want, &have, "2x2");
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(plain);
    sim_destroy(cut);
    scene_free(&s);
    scene_solve(NULL);
}

/* Corners of tiles whose ghost cells are not the cells of the tile there, after some steps. */
static int wrong_corners(void)
{
    static float level[CELLS];
    int wrong = 0, seen = 0;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c = in_parts(&c, "any in 12x9");
    struct sim *sim = create(&c, &s);
    fine(sim_run(sim, 0.05, NULL));
    fine(sim_read(sim, sim_unknown(sim, 0), NULL, level));
    const size_t bytes = tiling_slot_bytes(sim);
    for (int t = 0; t < tiles_count(&sim->tiles); t++) {
        const struct window w = tiles_window(&sim->tiles, t);
        const float *slot =
            (const float *)((char *)sim->state[0][0]->memory + (size_t)tiling_slot(sim, t) * bytes);
        for (int k = 0; k < 4; k++) {
            const int i = k % 2 ? w.nx : -1, j = k / 2 ? w.ny : -1;
            const int x = w.i0 + i, y = w.j0 + j;
            if (x < 0 || y < 0 || x >= NX || y >= NY)
                continue;
            seen++;
            wrong += memcmp(&slot[tiling_cell(sim, i, j)], &level[y * NX + x], sizeof(float)) != 0;
        }
    }
    assert_true(seen > 12);
    sim_destroy(sim);
    scene_free(&s);
    return wrong;
}

/* No scheme with tiles reads them; a predictor (kernels/num/predictor.h) does. */
static void a_corner_of_a_tile_that_is_not_filled_is_noticed(void **state)
{
    (void)state;
    assert_int_equal(wrong_corners(), 0);
    kernel_plant("tile_ghosts.cu", "if (from.slot < 0 ||",
                 "if (from.slot < 0 || (dx != 1 && dy != 1) ||");
    assert_true(wrong_corners() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_clipped_in_an_overlap_counts_once),
        cmocka_unit_test(parts_that_take_longer_enqueue_as_many_passes),
        ON_COPY(a_corner_of_a_tile_that_is_not_filled_is_noticed),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("overlap", tests, kernel_home_keep, NULL);
}
