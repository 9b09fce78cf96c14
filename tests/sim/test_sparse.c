/* A sparse domain reaches the bits of a full one. */
#include "tests/support/test.h"

#include "tests/support/everything.h"
#include "tests/support/sparse_domain.h"

/* Fronts that advance over a rough bed and leave; a lake with an island and a wave; a wave that crosses a lake at
 * rest; a stream that flows everywhere. */
static void every_scheme_comes_to_the_bits_of_a_full_domain(void **state)
{
    (void)state;
    static const enum boundary edges[SCENES][2] = {
        {OPEN, WALL}, {WALL, WALL}, {WALL, WALL}, {PERIODIC, PERIODIC}};
    int turn = 0;
    FOR_SCHEMES_IN_TILES (k)
        for (int which = 0; which < SCENES; which++, turn++) {
            struct config c;
            const int fused = strcmp(schemes[k]->name, "rk2_fused") == 0;
            configured(&c, schemes[k]->name, turn % 3 ? F32 : F64);
            struct scene s =
                scene(which, NX, NY, edges[which][0], edges[which][1], which >= CORNER ? 0 : 0.03);
            for (int n = 0; n < SIZES; n++)
                if (fused || n == turn % SIZES) {
                    const struct config some = sparse(&c, sizes[n]);
                    expect_same_run(&c, &some, &s, 1);
                }
            scene_free(&s);
        }
}

/* A disturbance of one cell of a stream that is steady to the last bit advances as far as the stencil in a step,
 * wherever the borders of tiles are. */
static void a_change_is_felt_in_the_next_tile(void **state)
{
    (void)state;
    struct config c;
    configured(&c, "rk2_fused", F64);
    struct scene s = scene(SHEAR, NX, NY, PERIODIC, WALL, 0);
    for (int h = 16; h < 24; h++) {
        const struct config some = sparse(&c, (struct tile_size){2 * h - 14, h});
        expect_same_run(&c, &some, &s, 0.5);
    }
    scene_free(&s);
}

/* The same across a periodic edge, where the last tile is narrower than a step reaches; far from where the stream's speed
 * jumps, and with no pause before, as a step that a pause rejects leaves notes. */
static void a_change_is_felt_beyond_a_narrow_last_tile(void **state)
{
    (void)state;
    struct config c;
    configured(&c, "rk2_fused", F64);
    const struct config some = sparse(&c, sizes[1]);
    const int nx = 6 * some.tile.w + 2, ny = 7 * some.tile.h;
    struct scene s = new_scene(nx, ny);
    for (int k = 0; k < (nx + 1) * (ny + 1); k++)
        s.bed[k] = -1;
    for (int k = 0; k < nx * ny; k++)
        s.field[2][k] = (k % nx < nx / 2 ? k % nx : k % nx - nx) / 64.0;
    scene_edges(&s, PERIODIC, PERIODIC);
    s.t_end = 3600;
    scene_dam(&s, 11, ny / 2, 1, 0.25);
    expect_same_run(&c, &some, &s, 1.25);
    scene_free(&s);
}

/* Higher water in the south of a lake: its front, as wide as the lake, reaches all columns at once of a block as high as
 * a tile, whose cells a GPU (and `order`) then no longer compares. */
static void a_wide_front_is_felt_in_the_next_tile(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2_fused", "hancock"};
    struct scene s = scene(ISLAND, NX, NY, WALL, WALL, 0);
    scene_random_bed(&s, -2, -1, 93);
    scene_level(&s, 0);
    scene_dam(&s, NX / 2, -1000, 1005, 0.1);
    for (int k = 0; k < 2; k++) {
        struct config c;
        configured(&c, names[k], F32);
        c.order = 1;
        const struct tile_size tile = {28, 17};
        const struct config some = sparse_in_blocks(&c, tile, (struct block){tile.w, tile.h});
        expect_same_run(&c, &some, &s, 0.5);
    }
    scene_free(&s);
}

/* Water sloshes in a bowl: its shore advances and retreats. */
static void water_that_comes_and_goes_gives_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c;
        configured(&c, k ? "rk2" : "rk2_fused", F32);
        struct scene s = new_of_case("parabola-round", NX, NY);
        const struct config some = sparse(&c, sizes[k]);
        expect_same_run(&c, &some, &s, 3);
        scene_free(&s);
    }
}

static void threads_in_any_order_come_to_the_same(void **state)
{
    (void)state;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0.03);
    for (int k = 0; k < 4; k++) {
        struct config c;
        configured(&c, "rk2_fused", F32);
        c.order = k % 3;
        struct config some = sparse(&c, (struct tile_size){28, 12});
        some.threads = k == 3 ? 7 : 2;
        expect_same_run(&c, &some, &s, 0.2);
    }
    scene_free(&s);
}

/* What `name` chooses; the names are those of a list. */
static void expect_same_with(size_t offset, const char *name)
{
    struct config c;
    struct scene s = scene(ROUGH, NX, NY, OPEN, WALL, 0);
    configured(&c, "rk2_fused", F32);
    snprintf((char *)&c + offset, sizeof c.limiter, "%s", name);
    const struct config some = sparse(&c, sizes[1]);
    expect_same_run(&c, &some, &s, 0.5);
    scene_free(&s);
}

/* By default one whose rest is exact in another way, as each needs kernels of its own. */
static void every_formula_comes_to_the_bits_of_a_full_domain(void **state)
{
    (void)state;
    expect_same_with(offsetof(struct config, reconstruction), "chen_noelle");
    if (!everything())
        return;
    for (int k = 0; limiters[k]; k++)
        expect_same_with(offsetof(struct config, limiter), limiters[k]->name);
    for (int k = 0; fluxes[k]; k++)
        expect_same_with(offsetof(struct config, flux), fluxes[k]->name);
    for (int k = 0; reconstructions[k]; k++)
        expect_same_with(offsetof(struct config, reconstruction), reconstructions[k]->name);
}

static void a_tracer_is_carried_to_new_tiles(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0.03);
    struct config c;
    configured(&c, "rk2_fused", F32);
    const struct config some = sparse(&c, sizes[1]);
    expect_same_run(&c, &some, &s, 1);
    scene_free(&s);
    scene_solve(NULL);
}

/* From a sparse domain to one with other tiles, to a full one, and back. */
static void a_restart_may_have_other_tiles_or_none(void **state)
{
    (void)state;
    struct scene s = scene(ISLAND, NX, NY, WALL, WALL, 0.03);
    struct config c;
    configured(&c, "rk2_fused", F32);
    const struct config all[] = {sparse(&c, sizes[0]), sparse(&c, sizes[2]), c,
                                 sparse(&c, sizes[1])};
    struct sim *straight = create(&c, &s), *sim = create(&all[0], &s);
    for (int k = 0; k < 4; k++) {
        fine(sim_run(straight, 0.2 * (k + 1), NULL));
        fine(sim_run(sim, 0.2 * (k + 1), NULL));
        struct sim *next = create(&all[(k + 1) % 4], &s);
        hand_over(sim, next);
        sim_destroy(sim);
        sim = next;
    }
    struct outcome want = outcome_of(&c, straight, &s), have = outcome_of(&c, sim, &s);
    expect_equal(&c, "restarted", &want, &have);
    expect_same_maxima(straight, sim, "restarted");
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(straight);
    sim_destroy(sim);
    scene_free(&s);
}

/* A picture shows absent tiles as well. */
static void samples_show_all_cells(void **state)
{
    (void)state;
    enum { ACROSS = 13, UP = 7, SAMPLED = ACROSS * UP };
    static float level[2][SAMPLED], bed[2][SAMPLED];
    static double room[2 * SAMPLED];
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config c;
    configured(&c, "rk2", F32);
    c.live = 1;
    const struct config some = sparse(&c, sizes[1]);
    struct sim *a = create(&c, &s), *b = create(&some, &s);
    fine(sim_run(a, 0.2, NULL));
    fine(sim_run(b, 0.2, NULL));
    assert_true(stored(b) < b->forest->tiles);
    fine(sim_sample(a, ACROSS, UP, room, level[0], bed[0]));
    fine(sim_sample(b, ACROSS, UP, room, level[1], bed[1]));
    assert_memory_equal(level[0], level[1], sizeof level[0]);
    assert_memory_equal(bed[0], bed[1], sizeof bed[0]);
    sim_destroy(a);
    sim_destroy(b);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_comes_to_the_bits_of_a_full_domain),
        cmocka_unit_test(a_change_is_felt_in_the_next_tile),
        cmocka_unit_test(a_change_is_felt_beyond_a_narrow_last_tile),
        cmocka_unit_test(a_wide_front_is_felt_in_the_next_tile),
        cmocka_unit_test(water_that_comes_and_goes_gives_the_same_bits),
        cmocka_unit_test(threads_in_any_order_come_to_the_same),
        cmocka_unit_test(every_formula_comes_to_the_bits_of_a_full_domain),
        cmocka_unit_test(a_tracer_is_carried_to_new_tiles),
        cmocka_unit_test(a_restart_may_have_other_tiles_or_none),
        cmocka_unit_test(samples_show_all_cells),
    };
    return cmocka_run_group_tests_name("sparse domains", tests, NULL, NULL);
}
