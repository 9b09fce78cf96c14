/* A sparse domain stores no more tiles than necessary, makes them in time and of what it must, and says what it cannot
 * do. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>

#include "core/problem/initial_state.h"
#include "tests/support/sparse_domain.h"

/* What nobody else determines: the slots, and the bytes of all pools. */
static void expect_same_pools(struct sim *a, struct sim *b)
{
    const size_t bytes = (size_t)a->forest->slots * tiling_slot_bytes(a);
    unsigned char *have[2] = {malloc(bytes), malloc(bytes)};
    assert_true(have[0] && have[1] && a->forest->slots == b->forest->slots);
    assert_memory_equal(a->forest->tile, b->forest->tile,
                        (size_t)a->forest->slots * sizeof *a->forest->tile);
    for (int k = 0; k < a->array_count; k++) {
        if (a->array[k].layout == ARRAY_FLAT)
            continue;
        fine(a->backend->download(a->device, have[0], a->array[k].memory, bytes));
        fine(b->backend->download(b->device, have[1], b->array[k].memory, bytes));
        if (memcmp(have[0], have[1], bytes) != 0)
            fail_msg("pool '%s' differs", a->array[k].name);
    }
    free(have[0]);
    free(have[1]);
}

static void threads_that_share_the_making_of_tiles_make_the_same(void **state)
{
    (void)state;
    static const int numbers[] = {1, 2, 7};
    const int usual = omp_get_max_threads();
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config c;
    configured(&c, "rk2", F32);
    const struct config some = sparse(&c, sizes[0]);
    struct sim *sim[3];
    for (int k = 0; k < 3; k++) {
        omp_set_num_threads(numbers[k]);
        sim[k] = create(&some, &s);
        fine(sim_run(sim[k], 0.5, NULL));
        fine(sim_run(sim[k], 1, NULL));
    }
    omp_set_num_threads(usual);
    print_message("%ld tiles in %ld halts\n", sim[0]->sparse->made, sim[0]->sparse->halts);
    assert_true(sim[0]->sparse->made > 10 * sim[0]->sparse->halts);
    for (int k = 1; k < 3; k++)
        expect_same_pools(sim[0], sim[k]);
    for (int k = 0; k < 3; k++)
        sim_destroy(sim[k]);
    scene_free(&s);
}

/* A halt stores all that the next ones would wait for; where there is no room, only what it waits for. */
static void tiles_are_made_before_water_comes_to_them(void **state)
{
    (void)state;
    static const char *const of[] = {"rk2", "rk2_fused"};
    for (int k = 0; k < 2; k++) {
        struct config c;
        struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
        configured(&c, of[k], F32);
        const struct config all = sparse(&c, sizes[0]);
        struct config some = all;
        struct sim *ahead = create(&all, &s);
        some.tiles_most = stored(ahead);
        fine(sim_run(ahead, 1, NULL));
        struct sim *bare = create(&some, &s);
        while (sim_run(bare, 1, NULL) == ERR_MEMORY) {
            sim_destroy(bare);
            some.tiles_most++;
            bare = create(&some, &s);
        }
        print_message("%s: %ld and %ld halts, %d and %d tiles\n", of[k], ahead->sparse->halts,
                      bare->sparse->halts, stored(ahead), stored(bare));
        if (2 * ahead->sparse->halts > bare->sparse->halts)
            fail_msg("%s: %ld halts, and %ld where no tile is made ahead", of[k],
                     ahead->sparse->halts, bare->sparse->halts);
        assert_true(stored(bare) < stored(ahead));
        assert_int_equal(ahead->now.steps, bare->now.steps);
        sim_destroy(ahead);
        sim_destroy(bare);
        scene_free(&s);
    }
}

/* Each takes memory; where pools grow in place, that copies nothing. */
static void few_slots_wait_for_tiles(void **state)
{
    (void)state;
    enum { MANY = 200, FEW = 8 };
    int tile[MANY], n = 0;
    struct config c;
    struct scene s = scene(ROUGH, 5 * NX, 5 * NY, WALL, WALL, 0);
    configured(&c, "rk2_fused", F32);
    const struct config some = sparse(&c, sizes[0]);
    struct sim *sim = create(&some, &s);
    assert_in_range(sim->forest->slots, stored(sim), stored(sim) + 1);
    for (int k = 0; k < sim->forest->tiles && n < MANY; k++)
        if (sim->forest->slot[k] < 0)
            tile[n++] = k;
    assert_int_equal(n, MANY);
    fine(sparse_store(sim, tile, MANY - FEW));
    for (int k = MANY - FEW; k < MANY; k++) {
        fine(sparse_store(sim, &tile[k], 1));
        assert_in_range(sim->forest->slots, stored(sim), stored(sim) * 65 / 64);
    }
    sim_destroy(sim);
    scene_free(&s);
}

/* With audusse a lake around an island is at rest, and nothing of it is stored; with kp its shore moves. */
static void a_lake_is_stored_where_it_moves(void **state)
{
    (void)state;
    static const char *const reconstructions_of[] = {"audusse", "kp"};
    for (int k = 0; k < 2; k++) {
        struct config c;
        configured(&c, "rk2_fused", F32);
        snprintf(c.reconstruction, sizeof c.reconstruction, "%s", reconstructions_of[k]);
        struct scene s = new_of_case("lake", NX, NY);
        const struct config some = sparse(&c, sizes[0]);
        expect_same_run(&c, &some, &s, 0.4);
        struct sim *sim = create(&some, &s);
        fine(sim_run(sim, 0.1, NULL));
        fine(sim_run(sim, 0.2, NULL));
        if (k == 0 ? stored(sim) != 0 : stored(sim) == 0)
            fail_msg("%s: %d tiles are stored", some.reconstruction, stored(sim));
        sim_destroy(sim);
        scene_free(&s);
    }
}

/* A step is as long as in a full domain, whose deepest water is at rest and stored, and which no step
 * computes. */
static void tiles_made_ahead_keep_the_wave_speed_of_their_water(void **state)
{
    (void)state;
    struct config c;
    configured(&c, "rk2_fused", F32);
    snprintf(c.reconstruction, sizeof c.reconstruction, "audusse");
    struct scene s = new_of_case("lake", NX, NY);
    const struct config some = sparse(&c, sizes[1]);
    struct sim *full = create(&c, &s), *sim = create(&some, &s);
    for (int k = 1; k <= 4; k++) {
        fine(sim_run(full, 0.1 * k, NULL));
        fine(sim_run(sim, 0.1 * k, NULL));
        assert_true(k < 2 || stored(sim) == 0);
        for (int tile = 0; k == 2 && tile < sim->forest->tiles; tile++)
            fine(sparse_store(sim, &tile, 1));
    }
    assert_int_equal(sim->now.steps, full->now.steps);
    assert_memory_equal(&sim->now.dt_x, &full->now.dt_x, sizeof sim->now.dt_x);
    sim_destroy(full);
    sim_destroy(sim);
    scene_free(&s);
}

static long samples;
static struct flow (*water_of_scene)(const void *context, int i, int j);

static struct flow counted_water(const void *context, int i, int j)
{
#pragma omp atomic
    samples++;
    return water_of_scene(context, i, j);
}

/* A row of a map needs no more of absent tiles than this row and the ghosts around it. */
static void reading_samples_what_it_reads(void **state)
{
    (void)state;
    static float row[NX];
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config c;
    configured(&c, "rk2", F32);
    const struct config some = sparse(&c, (struct tile_size){8, 24});
    struct sim *sim = create(&some, &s);
    assert_true(stored(sim) < sim->forest->tiles);
    water_of_scene = sim->initial->setup.source.water;
    sim->initial->setup.source.water = counted_water;
    for (int j = 0; j < NY; j++) {
        samples = 0;
        fine(sim_read(sim, sim_unknown(sim, 0), &(struct window){0, j, NX, 1}, row));
        assert_in_range(samples, 0, (1 + 2 * GHOSTS) * (NX + 2 * GHOSTS * sim->tiles.columns));
    }
    sim_destroy(sim);
    scene_free(&s);
}

/* In f64 a GPU's kernels by rows have strips of 28 columns. */
static void the_usual_tile_goes_by_precision_and_backend(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct config c = {.precision = k % 2 ? F64 : F32};
        const struct sim s = {.config = &c, .backend = k / 2 ? &backend_cuda : &backend_cpu};
        const struct tile_size t = tiling_usual(&s);
        assert_true(t.w == (k == 3 ? 4 * 28 : 60) && t.h == t.w);
    }
}

static void dry_land_is_not_stored(void **state)
{
    (void)state;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config c;
    configured(&c, "rk2_fused", F32);
    const struct config some = sparse(&c, (struct tile_size){8, 8});
    struct sim *sim = create(&some, &s);
    const int begun = stored(sim), all = sim->forest->tiles;
    assert_true(begun > 0 && begun < all / 2);
    assert_true(sim->field_bytes < (size_t)all * tiling_slot_bytes(sim) * 2 / 3);
    fine(sim_run(sim, 1, NULL));
    assert_true(stored(sim) > begun);
    sim_destroy(sim);
    scene_free(&s);
}

/* One wet cell in the middle tile: a step reaches the neighbours from cells that are at most FARTHEST away. */
static void what_a_step_reaches_is_stored_at_the_start(void **state)
{
    (void)state;
    enum { W = 20, H = 16, MIDDLE = 4 };
    struct config c;
    configured(&c, "rk2", F32);
    const struct config some = sparse(&c, (struct tile_size){W, H});
    for (int k = 0; k < W; k++) {
        struct scene s = new_scene(3 * W, 3 * H);
        const int j = k < H ? k : H / 2, across = 1 + (k < FARTHEST) + (k >= W - FARTHEST);
        const int up = 1 + (j < FARTHEST) + (j >= H - FARTHEST);
        scene_level(&s, -1);
        s.field[0][(H + j) * 3 * W + W + k] = 1;
        struct sim *sim = create(&some, &s);
        assert_int_equal(stored(sim), across * up);
        assert_true(sim->forest->slot[MIDDLE] >= 0);
        sim_destroy(sim);
        scene_free(&s);
    }
}

static void expect_refused(struct config c, const struct scene *s, const char *word)
{
    struct sim *sim = NULL;
    assert_int_equal(simulation_create(&sim, &c, s), ERR_USAGE);
    if (!strstr(err_message(), word))
        fail_msg("'%s' is not in: %s", word, err_message());
}

static void what_cannot_be_sparse_says_why(void **state)
{
    (void)state;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config c, other;
    configured(&c, "ds1", F32);
    c = sparse(&c, sizes[1]);
    FOR_SCHEMES_IN_TILES (k)
        expect_refused(c, &s, schemes[k]->name);
    configured(&c, "rk2", F32);
    c = sparse(&c, sizes[1]);
    other = c;
    fine(shares_read("2", &other.parts));
    expect_refused(other, &s, "--ranks");
    other = c;
    other.early_exit = EARLY_EXIT_OFF;
    expect_refused(other, &s, "--early-exit");
    other = c;
    other.tiles_most = 2;
    expect_refused(other, &s, "give at least ");
    other = c;
    other.tile = (struct tile_size){13, 9};
    expect_refused(other, &s, "give --tile 12x9");
    other.tile = (struct tile_size){3, 3};
    expect_refused(other, &s, "give --tile 6x4");
    other.tile = (struct tile_size){6, 4};
    sim_destroy(create(&other, &s));
    other.tiles_most = 2;
    other.domain = DOMAIN_FULL;
    expect_refused(other, &s, "--domain sparse");
    scene_free(&s);
}

static void memory_that_ends_leaves_a_whole_state(void **state)
{
    (void)state;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config c;
    configured(&c, "rk2_fused", F32);
    struct config some = sparse(&c, (struct tile_size){8, 8});
    struct sim *first = create(&some, &s);
    some.tiles_most = stored(first) + 1;
    sim_destroy(first);
    struct sim *sim = create(&some, &s), *full_one = create(&c, &s);
    assert_int_equal(sim_run(sim, 10, NULL), ERR_MEMORY);
    if (!strstr(err_message(), "tiles of 8 x 8 cells are needed"))
        fail_msg("%s", err_message());
    const unsigned long n = sim->now.steps;
    full_one->now.step_limit = n;
    fine(sim_run(full_one, (double)INFINITY, NULL));
    struct outcome have = outcome_of(&some, sim, &s), want = outcome_of(&c, full_one, &s);
    expect_same(&some, "when memory ends", &want.state, &have.state, 1);
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(sim);
    sim_destroy(full_one);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_share_the_making_of_tiles_make_the_same),
        cmocka_unit_test(tiles_are_made_before_water_comes_to_them),
        cmocka_unit_test(few_slots_wait_for_tiles),
        cmocka_unit_test(a_lake_is_stored_where_it_moves),
        cmocka_unit_test(tiles_made_ahead_keep_the_wave_speed_of_their_water),
        cmocka_unit_test(reading_samples_what_it_reads),
        cmocka_unit_test(the_usual_tile_goes_by_precision_and_backend),
        cmocka_unit_test(dry_land_is_not_stored),
        cmocka_unit_test(what_a_step_reaches_is_stored_at_the_start),
        cmocka_unit_test(what_cannot_be_sparse_says_why),
        cmocka_unit_test(memory_that_ends_leaves_a_whole_state),
    };
    return cmocka_run_group_tests_name("tiles of sparse domains", tests, NULL, NULL);
}
