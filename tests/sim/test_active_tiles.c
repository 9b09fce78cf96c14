/* Early exit in tiles gives the bits of steps that compute all tiles, and computes as few as possible. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/active_tiles.h"
#include "core/sim/launch_room.h"
#include "tests/support/quiet.h"

/* The thinnest possible; thinner than a step reaches in one direction; of odd sizes. */
static const struct tile_size sizes[] = {{4, 4}, {13, 5}, {28, 17}, {60, 100}};
enum { SIZES = sizeof sizes / sizeof *sizes, STEPS = 30 };

/* One block for tiles of all sizes; otherwise each size would need kernels of its own to be compiled. */
static const struct block few_kernels = {12, 5};

static struct config in_tiles(const struct config *c, struct tile_size tile)
{
    struct config some = *c;
    some.tile = tile;
    some.early_exit = EARLY_EXIT_ON;
    configure_blocks(&some, few_kernels, c->order != 0);
    return some;
}

static void for_every_scheme_in_tiles(void (*check)(const struct config *c))
{
    FOR_SCHEMES_IN_TILES (k) {
        struct config c;
        configure(&c, schemes[k]->name, strcmp(schemes[k]->name, "srk2") == 0 ? F64 : F32);
        check(&c);
    }
}

static int computed(struct sim *sim)
{
    int n;
    fine(active_tiles_count(sim, &n));
    return n;
}

static void check_size(const struct config *c, struct tile_size tile, const struct scene *s,
                       const struct outcome *want)
{
    char what[64];
    struct config some = in_tiles(c, tile);
    snprintf(what, sizeof what, "in tiles of %d x %d", tile.w, tile.h);
    struct outcome have = simulated_steps(&some, s, STEPS);
    expect_equal(&some, what, want, &have);
    outcome_free(&have);
}

static void check_scenes(const struct config *c)
{
    static const enum boundary edges[SCENES][2] = {
        {OPEN, WALL}, {WALL, WALL}, {PERIODIC, WALL}, {PERIODIC, PERIODIC}};
    for (int which = 0; which < SCENES; which++) {
        struct scene s =
            scene(which, NX, NY, edges[which][0], edges[which][1], which >= CORNER ? 0 : 0.03);
        struct outcome want = full(c, &s, STEPS);
        for (int k = 0; k < SIZES; k++)
            if (k == which || (strcmp(c->scheme, "rk2_fused") == 0 && k == (which + 1) % SIZES))
                check_size(c, sizes[k], &s, &want);
        outcome_free(&want);
        scene_free(&s);
    }
}

static void tiles_of_any_size_give_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_in_tiles(check_scenes);
}

static void check_rest(const struct config *c)
{
    struct scene dry = new_scene(NX, NY), lake = new_scene(NX, NY);
    scene_random_bed(&dry, 0, 1, 3);
    scene_level(&dry, -1);
    scene_random_bed(&lake, -3, -1, 4);
    const struct scene *still[] = {&dry, &lake};
    for (int k = 0; k < 2; k++) {
        struct config some = in_tiles(c, sizes[k]);
        some.dt = 0.1;
        struct sim *sim = create(&some, still[k]);
        steps(&some, sim, 1);
        assert_int_equal(computed(sim), sim->tiles.columns * sim->tiles.rows);
        steps(&some, sim, 3);
        if (computed(sim) != 0)
            fail_msg("%s: %d tiles of %s are computed", described(&some), computed(sim),
                     k ? "a lake at rest" : "dry land");
        sim_destroy(sim);
    }
    scene_free(&dry);
    scene_free(&lake);
}

static void nothing_of_dry_land_or_a_lake_at_rest_is_computed(void **state)
{
    (void)state;
    for_every_scheme_in_tiles(check_rest);
}

/* A column of water in a corner of dry land: computed are the tiles that it wets, and those beside them. */
static void check_few(const struct config *c)
{
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct config some = in_tiles(c, (struct tile_size){8, 8});
    struct sim *sim = create(&some, &s);
    steps(&some, sim, 4);
    const int n = computed(sim), all = sim->tiles.columns * sim->tiles.rows;
    if (n < 4 || n > all / 2)
        fail_msg("%s: %d of %d tiles are computed", described(&some), n, all);
    sim_destroy(sim);
    scene_free(&s);
}

static void tiles_far_from_water_are_left_out(void **state)
{
    (void)state;
    for_every_scheme_in_tiles(check_few);
}

/* Launches have blocks for the tiles that are computed and some more; if water reaches more, the clock halts, and the run goes
 * on with others. */
static void check_growth(const struct config *c)
{
    enum { ACROSS = 260, UP = 210, PIECES = 12, EACH = 12 };
    struct scene s = new_scene(ACROSS, UP);
    scene_level(&s, -1);
    scene_dam(&s, ACROSS / 2, UP / 2, 6, 3);
    scene_edges(&s, WALL, WALL);
    const struct config some = in_tiles(c, (struct tile_size){8, 6});
    struct sim *want = create(c, &s), *have = create(&some, &s);
    const int all = tiles_count(&have->tiles);
    int first = 0, grown = 0;
    for (int k = 0; k < PIECES; k++) {
        const int before = tiles_launched(have);
        steps(c, want, EACH);
        steps(&some, have, EACH);
        struct outcome o = outcome_of(c, want, &s), own = outcome_of(&some, have, &s);
        expect_equal(&some, "with blocks for few tiles", &o, &own);
        outcome_free(&o);
        outcome_free(&own);
        const int now = tiles_launched(have);
        if (computed(have) > now)
            fail_msg("%s: %d tiles are computed, launches have blocks for %d", described(&some),
                     computed(have), now);
        first = k == 1 ? now : first;
        grown += k > 1 && now > before;
    }
    if (first >= all / 2 || grown == 0)
        fail_msg("%s: launches had blocks for %d of %d tiles, and for more %d times",
                 described(&some), first, all, grown);
    sim_destroy(want);
    sim_destroy(have);
    scene_free(&s);
}

static void launches_have_blocks_for_the_tiles_that_are_computed(void **state)
{
    (void)state;
    for_every_scheme_in_tiles(check_growth);
}

/* Whether the last pass computed all tiles around that in a slot, with nothing beyond the domain. */
static int is_inside(const struct sim *sim, const int *list, int n, int slot)
{
    static const int all_around[] = {0, 0};
    int found = 0;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            const int beside = tiles_beside(&sim->tiles, all_around, slot, di, dj);
            for (int k = 0; k < n; k++)
                found += list[k] == beside;
        }
    return found == 9;
}

/* A wave from a corner: the tiles along its front, and those beside walls, come before those inside. */
static void tiles_along_shores_begin_first(void **state)
{
    (void)state;
    struct config c;
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0);
    configure(&c, "rk2_fused", F32);
    const struct config some = in_tiles(&c, (struct tile_size){6, 6});
    struct sim *sim = create(&some, &s);
    steps(&some, sim, STEPS);
    struct tile_counts counts;
    const size_t all = (size_t)(sim->tiles.columns * sim->tiles.rows);
    int *list = malloc(2 * all * sizeof *list);
    assert_non_null(list);
    fine(sim->backend->download(sim->device, &counts, sim_find_array(sim, "tile_counts")->memory,
                                sizeof counts));
    fine(sim->backend->download(sim->device, list, sim_find_array(sim, "tile_list")->memory,
                                2 * all * sizeof *list));
    const int n = counts.listed.count, *const own = list + counts.listed.first;
    assert_in_range(n, 12, all - 1);
    assert_false(is_inside(sim, own, n, own[0]));
    assert_true(is_inside(sim, own, n, own[n - 1]));
    free(list);
    sim_destroy(sim);
    scene_free(&s);
}

static void check_stream(const struct config *c)
{
    struct scene s = new_stream(c);
    struct config some = in_tiles(c, sizes[1]);
    struct outcome want = stream(c, &s), have = stream(&some, &s);
    expect_equal(&some, "a stream that friction slows down", &want, &have);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void water_that_only_friction_changes_is_not_at_rest(void **state)
{
    (void)state;
    for_every_scheme_in_tiles(check_stream);
}

/* A steady stream, in which only the dye changes. */
static void dye_in_a_steady_stream_is_carried_on(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    struct scene s = new_scene(NX, NY);
    scene_edges(&s, PERIODIC, PERIODIC);
    for (int k = 0; k < (NX + 1) * (NY + 1); k++)
        s.bed[k] = -1;
    for (int k = 0; k < NX * NY; k++) {
        s.field[1][k] = 0.5;
        s.field[3][k] = k % NX / 8 == 3 && k / NX / 8 == 2;
    }
    FOR_SCHEMES_IN_TILES (k) {
        struct config c;
        if (!schemes[k]->also || strcmp(schemes[k]->also, "tracer") != 0)
            continue;
        configure(&c, schemes[k]->name, F32);
        struct outcome want = full(&c, &s, STEPS);
        check_size(&c, (struct tile_size){8, 8}, &s, &want);
        outcome_free(&want);
    }
    scene_free(&s);
    scene_solve(NULL);
}

static void threads_in_any_order_and_parts_of_tiles_come_to_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "ssprk3", "rk2_fused"};
    struct scene s = scene(ROUGH, NX, NY, OPEN, WALL, 0.03);
    for (int k = 0; k < 3; k++) {
        struct config c;
        configure(&c, names[k], F32);
        struct outcome want = full(&c, &s, STEPS);
        c.order = 1 + k % 2;
        check_size(&c, (struct tile_size){28, 12}, &s, &want);
        c.order = 0;
        fine(shares_read("2x2", &c.parts));
        struct config some = in_tiles(&c, (struct tile_size){12, 9});
        struct outcome have = simulated_steps(&some, &s, STEPS);
        expect_equal(&some, "in parts", &want, &have);
        outcome_free(&want);
        outcome_free(&have);
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_of_any_size_give_the_bits_of_the_full_computation),
        cmocka_unit_test(nothing_of_dry_land_or_a_lake_at_rest_is_computed),
        cmocka_unit_test(tiles_far_from_water_are_left_out),
        cmocka_unit_test(launches_have_blocks_for_the_tiles_that_are_computed),
        cmocka_unit_test(tiles_along_shores_begin_first),
        cmocka_unit_test(water_that_only_friction_changes_is_not_at_rest),
        cmocka_unit_test(dye_in_a_steady_stream_is_carried_on),
        cmocka_unit_test(threads_in_any_order_and_parts_of_tiles_come_to_the_same),
    };
    return cmocka_run_group_tests_name("active tiles", tests, NULL, NULL);
}
