/* What a sparse domain knows of tiles that it does not store, and which it drops. */
#include "tests/support/test.h"

#include "core/problem/initial_state.h"
#include "tests/support/sparse_domain.h"

static struct config in_tiles(const char *scheme, const char *reconstruction)
{
    struct config c;
    configured(&c, scheme, F32);
    snprintf(c.reconstruction, sizeof c.reconstruction, "%s", reconstruction);
    return sparse(&c, (struct tile_size){8, 8});
}

/* A lake with a wave in one corner; a pit in another one limits the steps. */
static struct scene lake_with_a_pit(void)
{
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0);
    for (int j = 4; j <= 11; j++)
        for (int i = 51; i <= 60; i++)
            s.bed[scene_corner(&s, i, j)] = -30;
    return s;
}

/* Far from the wave and with it: the wave's trough lets steps grow. */
static void absent_water_limits_steps_as_long_as_it_is_absent(void **state)
{
    (void)state;
    struct scene s = lake_with_a_pit();
    const struct config some = in_tiles("rk2_fused", "kp");
    struct config all = some;
    all.domain = DOMAIN_FULL;
    all.tile = (struct tile_size){0, 0};
    struct sim *sim = create(&some, &s);
    fine(sim_run(sim, 0.5, NULL));
    const int pit = tiles_of_cell(&sim->tiles, 55, 7);
    assert_true(sim->forest->slot[pit] < 0 && sim->sparse->rest[pit] > 0);
    fine(sim_run(sim, 30, NULL));
    assert_true(sim->forest->slot[pit] >= 0);
    sim_destroy(sim);
    expect_same_run(&all, &some, &s, 30);
    scene_free(&s);
}

/* Those over the pit, which no step has computed, are stored, or absent. */
static void tiles_at_rest_limit_steps_after_a_restart(void **state)
{
    (void)state;
    static const char *const of[] = {"rk2", "rk2_fused", "hancock"};
    static unsigned char held[CELLS];
    static bits notes[CELLS];
    static float before[CELLS], after[CELLS];
    struct scene s = lake_with_a_pit();
    for (int k = 0; k < 6; k++) {
        const struct config c = in_tiles(of[k / 2], "audusse");
        struct sim *sim = create(&c, &s), *next = create(&c, &s);
        fine(sim_run(sim, 0.5, NULL));
        for (int n = 0; n < (k % 2 ? 4 : 0); n++) {
            const int tile = tiles_of_cell(&sim->tiles, 55 + n % 2, 7 + n / 2);
            assert_true(sim->forest->slot[tile] < 0);
            fine(sparse_store(sim, &tile, 1));
        }
        sparse_held(sim, held);
        fine(sparse_note(sim, notes));
        fine(sparse_prepare(next, &sim->tiles, held, notes));
        hand_over(sim, next);
        fine(sparse_take_notes(next, notes));
        fine(sim_run(sim, 1, NULL));
        fine(sim_run(next, 1, NULL));
        assert_true(next->now.steps == sim->now.steps && next->now.t - sim->now.t == 0);
        for (int u = 0; u < sim->system->unknowns; u++) {
            fine(sim_read(sim, sim_unknown(sim, u), NULL, before));
            fine(sim_read(next, sim_unknown(next, u), NULL, after));
            assert_memory_equal(before, after, sizeof before);
        }
        sim_destroy(sim);
        sim_destroy(next);
    }
    scene_free(&s);
}

/* Water comes to a tile east of which water was at the start, and is gone. That one is stored all the time; no step computes
 * it until the water is near, and so none stores its ghost cells in the new tile. */
static void a_new_tile_sees_what_its_neighbour_holds_now(void **state)
{
    (void)state;
    enum { W = 14, FROM = 4 * W };
    static float bed[CELLS], want[CELLS], have[CELLS];
    const struct window pool = {FROM, 0, NX - FROM, NY};
    struct config c;
    configured(&c, "rk2_fused", F32);
    const struct config some = sparse(&c, (struct tile_size){W, W});
    struct scene s = new_scene(NX, NY);
    scene_level(&s, -1);
    scene_dam(&s, 0, NY / 2, 6, 2);
    for (int k = 0; k < NX * NY; k++)
        s.field[0][k] = k % NX < FROM ? s.field[0][k] : 1;
    s.t_end = 3600;
    struct sim *full = create(&c, &s), *sim = create(&some, &s);
    for (int k = 0; k < pool.nx * pool.ny; k++)
        bed[k] = (float)initial_floor(sim->initial, FROM, 0);
    fine(sim_write(full, sim_unknown(full, 0), &pool, bed));
    fine(sim_write(sim, sim_unknown(sim, 0), &pool, bed));
    const int dry = tiles_of_cell(&sim->tiles, FROM, NY / 2);
    sim->sparse->pinned[dry] = 1;
    fine(sim_step_many(sim, 2));
    fine(sim_step_many(full, 2));
    fine(sparse_tidy(sim));
    assert_true(sim->forest->slot[dry - 1] < 0 && sim->forest->slot[dry] >= 0);
    for (int left = 12, k = 0; left > 0 && k < 400; k++) {
        fine(sim_step_many(full, 1));
        fine(sim_step_many(sim, 1));
        fine(sim_read(full, sim_unknown(full, 0), NULL, want));
        fine(sim_read(sim, sim_unknown(sim, 0), NULL, have));
        assert_memory_equal(want, have, sizeof want);
        left -= sim->forest->slot[dry - 1] >= 0;
    }
    assert_true(sim->forest->slot[dry - 1] >= 0);
    sim_destroy(full);
    sim_destroy(sim);
    scene_free(&s);
}

/* However often the run pauses: at pauses tiles at rest are dropped. */
static void a_tile_made_ahead_is_kept_for_the_water_that_comes(void **state)
{
    (void)state;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config some = in_tiles("rk2", "kp");
    some.tile = sizes[0];
    struct sim *once = create(&some, &s), *often = create(&some, &s);
    fine(sim_run(once, 1, NULL));
    for (int k = 1; k <= 40; k++)
        fine(sim_run(often, k / 40.0, NULL));
    assert_true(once->sparse->made > 10);
    assert_int_equal(often->sparse->made, once->sparse->made);
    sim_destroy(once);
    sim_destroy(often);
    scene_free(&s);
}

/* The level of the stored state of one cell. */
static float level_of(struct sim *s, int i, int j)
{
    const struct window w = {i, j, 1, 1};
    float eta;
    fine(sim_read(s, sim_unknown(s, 0), &w, &eta));
    return eta;
}

static void put_level(struct sim *s, int i, int j, float eta)
{
    const struct window w = {i, j, 1, 1};
    fine(sim_write(s, sim_unknown(s, 0), &w, &eta));
}

/* After a step that finds them at rest. */
static void settle(struct sim *s)
{
    fine(sparse_tidy(s));
    fine(sim_step_many(s, 2));
    fine(sparse_tidy(s));
}

/* On land above a lake at rest lies a film, too thin to move, in one cell after another along the rim of a tile. As long as it
 * lies there the tile is stored, and no other. */
static void a_tile_is_dropped_only_if_it_is_as_at_the_start_in_every_cell(void **state)
{
    (void)state;
    static const int at[][2] = {{0, 0}, {7, 0}, {0, 7}, {7, 7}, {7, 3}, {3, 7}};
    const struct config some = in_tiles("rk2_fused", "audusse");
    struct scene s = new_scene(NX, NY);
    for (int k = 0; k < (NX + 1) * (NY + 1); k++)
        s.bed[k] = 1;
    scene_level(&s, 0);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i <= 8; i++)
            s.bed[scene_corner(&s, i, j)] = -1;
    struct sim *sim = create(&some, &s);
    fine(sim_step_many(sim, 1));
    settle(sim);
    assert_int_equal(stored(sim), 0);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        const int i = 40 + at[k][0], j = 24 + at[k][1];
        const float dry = level_of(sim, i, j), film = dry + (float)sim->initial->dry / 4;
        assert_true(film > dry);
        put_level(sim, i, j, film);
        settle(sim);
        settle(sim);
        assert_true(level_of(sim, i, j) - film == 0);
        assert_int_equal(stored(sim), 1);
        put_level(sim, i, j, dry);
        settle(sim);
        assert_int_equal(stored(sim), 0);
    }
    sim_destroy(sim);
    scene_free(&s);
}

/* Of a lake at rest, which was stored at the start. */
static void what_observers_found_is_read_from_any_cell_on(void **state)
{
    (void)state;
    static float all[CELLS], some[CELLS];
    const struct config c = in_tiles("rk2_fused", "audusse");
    struct scene s = new_of_case("lake", NX, NY);
    struct sim *sim = create(&c, &s);
    fine(sim_run(sim, 0.5, NULL));
    fine(sparse_tidy(sim));
    assert_int_equal(stored(sim), 0);
    fine(maxima_download(sim, (enum maximum)0, NULL, all));
    for (int n = 0; n < 8; n++) {
        const struct window w = {3 * n, 2 * n + 1, 20, 9};
        fine(maxima_download(sim, (enum maximum)0, &w, some));
        for (int j = 0; j < w.ny; j++)
            assert_memory_equal(some + j * w.nx, all + (w.j0 + j) * NX + w.i0,
                                (size_t)w.nx * sizeof *some);
    }
    sim_destroy(sim);
    scene_free(&s);
}

/* By kernels of which several keep a map. */
static void what_kernels_have_noted_outlasts_the_growth_of_pools(void **state)
{
    (void)state;
    static bits before[CELLS], after[CELLS];
    const struct config c = in_tiles("ssprk3", "kp");
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct sim *sim = create(&c, &s);
    fine(sim_step_many(sim, 5));
    fine(sparse_note(sim, before));
    const int slots = sim->forest->slots, n = sim->forest->tiles;
    int *all = malloc((size_t)n * sizeof *all), absent = 0, noted = 0;
    assert_non_null(all);
    for (int k = 0; k < n; k++)
        if (sim->forest->slot[k] < 0)
            all[absent++] = k;
        else
            noted += before[k] != 0;
    assert_true(noted > 4);
    fine(sparse_store(sim, all, absent));
    assert_true(sim->forest->slots > slots);
    fine(sparse_note(sim, after));
    for (int k = 0; k < absent; k++)
        before[all[k]] = 0;
    assert_memory_equal(before, after, (size_t)n * sizeof *before);
    free(all);
    sim_destroy(sim);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_water_limits_steps_as_long_as_it_is_absent),
        cmocka_unit_test(tiles_at_rest_limit_steps_after_a_restart),
        cmocka_unit_test(a_new_tile_sees_what_its_neighbour_holds_now),
        cmocka_unit_test(a_tile_made_ahead_is_kept_for_the_water_that_comes),
        cmocka_unit_test(a_tile_is_dropped_only_if_it_is_as_at_the_start_in_every_cell),
        cmocka_unit_test(what_kernels_have_noted_outlasts_the_growth_of_pools),
        cmocka_unit_test(what_observers_found_is_read_from_any_cell_on),
    };
    return cmocka_run_group_tests_name("absent tiles", tests, NULL, NULL);
}
