/* A sparse domain reaches the bits of a full one, and stores no more tiles than necessary. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>

#include "core/problem/initial_state.h"
#include "core/sim/maxima.h"
#include "core/sim/sparse_parts.h"
#include "core/sim/tiling.h"
#include "tests/support/everything.h"
#include "tests/support/quiet.h"

/* The thinnest possible; thinner than a step reaches in one direction; larger than the domain. */
static const struct tile_size sizes[] = {{6, 4}, {14, 5}, {28, 17}, {100, 12}};
enum { SIZES = sizeof sizes / sizeof *sizes, CELLS = NX * NY, PAUSES = 5 };

/* One block for tiles of all sizes; otherwise each size would need kernels of its own to be compiled. */
static const struct block few_kernels = {12, 5};

static struct config sparse_in_blocks(const struct config *c, struct tile_size tile, struct block b)
{
    struct config some = *c;
    some.tile = tile;
    some.domain = DOMAIN_SPARSE;
    configure_blocks(&some, b, c->order != 0);
    return some;
}

static struct config sparse(const struct config *c, struct tile_size tile)
{
    return sparse_in_blocks(c, tile, few_kernels);
}

static void configured(struct config *c, const char *scheme, enum precision p)
{
    configure(c, scheme, p);
    c->early_exit = EARLY_EXIT_AUTO;
    c->maxima = 1;
    c->maxima_every = 3;
}

static int stored(const struct sim *s)
{
    return s->forest->stored;
}

static int is_nan_pattern(const unsigned char *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (bytes[k] != 0xff)
            return 0;
    return 1;
}

/* What nothing may read is NaN. */
static void expect_free_slots_poisoned(struct sim *s)
{
    const size_t slot = tiling_slot_bytes(s);
    unsigned char *copy = malloc(slot * (size_t)s->forest->slots);
    assert_non_null(copy);
    for (int k = 0; k < s->system->unknowns; k++) {
        fine(s->backend->download(s->device, copy, s->state[0][k]->memory,
                                  slot * (size_t)s->forest->slots));
        for (int n = 0; n < s->forest->slots; n++)
            if (s->forest->tile[n] < 0 && !is_nan_pattern(copy + (size_t)n * slot, slot))
                fail_msg("unknown %d: slot %d is free and holds numbers", k, n);
    }
    free(copy);
}

static void expect_same_maxima(struct sim *a, struct sim *b, const char *what)
{
    static double want[CELLS], have[CELLS];
    for (int k = 0; k < MAXIMA; k++) {
        fine(maxima_download(a, (enum maximum)k, NULL, want));
        fine(maxima_download(b, (enum maximum)k, NULL, have));
        if (memcmp(want, have, CELLS * a->real_size) != 0)
            fail_msg("%s: maximum %d differs", what, k);
    }
}

/* Compares at several pauses, each between two steps, and the maxima at the last one. */
static void expect_same_run(const struct config *full, const struct config *c,
                            const struct scene *s, double t_end)
{
    char what[64];
    struct sim *a = create(full, s), *b = create(c, s);
    assert_non_null(b->forest);
    snprintf(what, sizeof what, "sparse, in tiles of %d x %d", c->tile.w, c->tile.h);
    for (int k = 1; k <= PAUSES; k++) {
        fine(sim_run(a, k * t_end / PAUSES, NULL));
        if (sim_run(b, k * t_end / PAUSES, NULL))
            fail_msg("%s %s: %s", described(c), what, err_message());
        struct outcome want = outcome_of(full, a, s), have = outcome_of(c, b, s);
        expect_equal(c, what, &want, &have);
        outcome_free(&want);
        outcome_free(&have);
        expect_free_slots_poisoned(b);
    }
    expect_same_maxima(a, b, what);
    sim_destroy(a);
    sim_destroy(b);
}

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

/* Copies as a checkpoint does. */
static void hand_over(struct sim *from, struct sim *to)
{
    static double cells[CELLS];
    for (int k = 0; k < from->system->unknowns; k++) {
        fine(sim_read(from, sim_unknown(from, k), NULL, cells));
        fine(sim_write(to, sim_unknown(to, k), NULL, cells));
    }
    for (int k = 0; k < from->array_count; k++) {
        const struct array *a = &from->array[k];
        if (!a->kept)
            continue;
        const struct array *b = sim_find_array(to, a->name);
        void *kept = malloc(sim_kept_bytes(from, a));
        assert_true(kept && sim_kept_bytes(to, b) == sim_kept_bytes(from, a));
        fine(sim_keep(from, a, kept));
        fine(sim_take(to, b, kept));
        free(kept);
    }
    sim_set_clock(to, &from->now, 0);
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
    expect_refused(c, &s, "rk2_fused");
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
    other.tile.w = 13;
    expect_refused(other, &s, "an even number of columns");
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
        cmocka_unit_test(every_scheme_comes_to_the_bits_of_a_full_domain),
        cmocka_unit_test(a_change_is_felt_in_the_next_tile),
        cmocka_unit_test(a_wide_front_is_felt_in_the_next_tile),
        cmocka_unit_test(water_that_comes_and_goes_gives_the_same_bits),
        cmocka_unit_test(threads_in_any_order_come_to_the_same),
        cmocka_unit_test(every_formula_comes_to_the_bits_of_a_full_domain),
        cmocka_unit_test(threads_that_share_the_making_of_tiles_make_the_same),
        cmocka_unit_test(tiles_are_made_before_water_comes_to_them),
        cmocka_unit_test(a_tracer_is_carried_to_new_tiles),
        cmocka_unit_test(a_lake_is_stored_where_it_moves),
        cmocka_unit_test(tiles_made_ahead_keep_the_wave_speed_of_their_water),
        cmocka_unit_test(a_restart_may_have_other_tiles_or_none),
        cmocka_unit_test(samples_show_all_cells),
        cmocka_unit_test(reading_samples_what_it_reads),
        cmocka_unit_test(the_usual_tile_goes_by_precision_and_backend),
        cmocka_unit_test(dry_land_is_not_stored),
        cmocka_unit_test(what_cannot_be_sparse_says_why),
        cmocka_unit_test(memory_that_ends_leaves_a_whole_state),
    };
    return cmocka_run_group_tests_name("sparse domains", tests, NULL, NULL);
}
