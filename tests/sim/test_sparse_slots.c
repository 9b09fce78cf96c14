/* What a sparse domain's slots hold: free ones, ghosts beside absent tiles, tiles that come back; and that the use of a
 * freed slot is found. */
#include "tests/support/test.h"

#include <math.h>

#include "core/problem/initial_state.h"
#include "core/sim/sim_parts.h"
#include "core/sim/sparse_parts.h"
#include "core/sim/tiling.h"
#include "tests/support/quiet.h"

enum { ACROSS = 13, UP = 7, SAMPLED = ACROSS * UP };

/* A copy of an array's slot. */
static float *image_of(struct sim *s, const struct array *a, int slot)
{
    const size_t bytes = tiling_slot_bytes(s);
    float *image = malloc(bytes);
    assert_non_null(image);
    fine(s->backend->download(s->device, image, (char *)a->memory + (size_t)slot * bytes, bytes));
    return image;
}

/* Do all free slots still hold what dropping a tile leaves in them? */
static int free_slots_are_poisoned(struct sim *s)
{
    int poisoned = 1;
    for (int k = 0; k < s->system->unknowns; k++)
        for (int n = 0; n < s->forest->slots; n++) {
            if (s->forest->tile[n] >= 0)
                continue;
            float *image = image_of(s, s->state[0][k], n);
            for (size_t b = 0; b < tiling_slot_bytes(s); b++)
                poisoned = poisoned && ((unsigned char *)image)[b] == 0xff;
            free(image);
        }
    return poisoned;
}

/* An unknown of the state that cell (x, y) of an absent tile is in. */
static float absent_value(struct sim *s, int unknown, int x, int y)
{
    float cells[8 * 8];
    const int there = tiles_of_cell(&s->tiles, x, y);
    const struct window w = tiles_window(&s->tiles, there);
    fine(sparse_cells(s, s->state[0][unknown], there, &w, cells));
    return cells[(y - w.j0) * w.nx + x - w.i0];
}

/* Of one tile, in one state; returns how many such ghosts there are. */
static long check_ghosts(struct sim *s, int which, int unknown, int stored)
{
    const struct window w = tiles_window(&s->tiles, stored);
    float *image = image_of(s, s->state[which][unknown], s->forest->slot[stored]);
    long n = 0;
    for (int j = -GHOSTS; j < w.ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < w.nx + GHOSTS; i++) {
            const int x = w.i0 + i, y = w.j0 + j;
            if (x < 0 || y < 0 || x >= NX || y >= NY ||
                s->forest->slot[tiles_of_cell(&s->tiles, x, y)] >= 0)
                continue;
            const float want = absent_value(s, unknown, x, y), have = image[tiling_cell(s, i, j)];
            if (memcmp(&have, &want, sizeof want) != 0)
                fail_msg("state %d, unknown %d: ghost %d, %d of tile %d holds %.9g, and the absent "
                         "tile there %.9g",
                         which, unknown, i, j, stored, (double)have, (double)want);
            n++;
        }
    free(image);
    return n;
}

static void with_each_scheme(struct scene s, void (*check)(struct sim *))
{
    static const char *const of[] = {"rk2", "rk2_fused"};
    for (int k = 0; k < 2; k++) {
        struct config c;
        configure(&c, of[k], F32);
        c.early_exit = EARLY_EXIT_AUTO;
        c.domain = DOMAIN_SPARSE;
        c.tile = (struct tile_size){8, 8};
        c.live = 1;
        configure_blocks(&c, (struct block){8, 8}, 0);
        struct sim *sim = create(&c, &s);
        check(sim);
        sim_destroy(sim);
    }
    scene_free(&s);
}

static void check_ghosts_as_it_runs(struct sim *sim)
{
    long seen = 0;
    for (int n = 1; n <= 10; n++) {
        fine(sim_run(sim, 0.05 * n, NULL));
        assert_true(free_slots_are_poisoned(sim));
        for (int t = 0; t < sim->forest->tiles; t++)
            for (int m = 0; sim->forest->slot[t] >= 0 && m < 3 * (1 + sim->scheme->stages); m++)
                seen += check_ghosts(sim, m / 3, m % 3, t);
    }
    assert_true(seen > 1000);
}

static void ghosts_beside_absent_tiles_hold_their_state(void **state)
{
    (void)state;
    with_each_scheme(scene(ROUGH, NX, NY, WALL, WALL, 0), check_ghosts_as_it_runs);
}

/* Land beside a lake with higher water in a corner. */
static struct scene a_shore(void)
{
    struct scene s = new_scene(NX, NY);
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++)
            s.bed[scene_corner(&s, i, j)] = i > NX / 2 ? 1 : -1;
    scene_level(&s, 0);
    scene_dam(&s, 0, 0, 4, 0.2);
    s.t_end = 3600;
    return s;
}

/* All water is gone. */
static void pour_out(struct sim *s)
{
    static float floor_of[NX * NY], none[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            floor_of[j * NX + i] = (float)initial_floor(s->initial, i, j);
    for (int k = 0; k < s->system->unknowns; k++)
        fine(sim_write(s, sim_unknown(s, k), NULL, k ? none : floor_of));
}

/* Levels as pictures show them. */
static void sample(struct sim *s, float level[SAMPLED])
{
    static double room[2 * SAMPLED];
    static float bed[SAMPLED];
    fine(sim_sample(s, ACROSS, UP, room, level, bed));
}

static void check_that_dry_tiles_stay_dry(struct sim *s)
{
    static float shown[2][SAMPLED];
    static float before[3][NX * NY], after[NX * NY];
    int dry = 0, first = -1;
    long seen = 0;
    fine(sim_step_many(s, 4));
    pour_out(s);
    fine(sim_step_many(s, 1));
    fine(sparse_tidy(s));
    for (int k = 0; k < s->forest->tiles; k++) {
        dry += s->forest->state[k] == TILE_DRY;
        if (first < 0 && k % s->tiles.columns > 0 && s->forest->state[k] != TILE_DRY &&
            s->forest->state[k - 1] == TILE_DRY)
            first = k;
    }
    assert_true(dry > 0 && first >= 0 && s->forest->stored == 0);
    for (int k = 0; k < 3; k++)
        fine(sim_read(s, sim_unknown(s, k), NULL, before[k]));
    sample(s, shown[0]);
    fine(sparse_store(s, &first, 1)); /* beside one that was wet at the start */
    for (int m = 0; m < 3 * (1 + s->scheme->stages); m++)
        seen += check_ghosts(s, m / 3, m % 3, first);
    assert_true(seen > 0);
    for (int k = 0; k < s->forest->tiles; k++)
        if (k != first)
            fine(sparse_store(s, &k, 1));
    for (int k = 0; k < 3; k++) {
        fine(sim_read(s, sim_unknown(s, k), NULL, after));
        assert_memory_equal(before[k], after, sizeof after);
    }
    sample(s, shown[1]);
    assert_memory_equal(shown[0], shown[1], sizeof shown[0]);
}

static void a_tile_that_was_dropped_dry_comes_back_dry(void **state)
{
    (void)state;
    with_each_scheme(a_shore(), check_that_dry_tiles_stay_dry);
}

/* The mistake: to a tile whose eastern neighbour is stored, this is in a slot that was freed. */
static void mistake_a_freed_slot(struct sim *s)
{
    enum { EASTWARD = 3 + 2 };
    int slot = 0;
    while (slot < s->forest->slots && s->forest->tile[slot] >= 0)
        slot++;
    assert_in_range(slot, 0, s->forest->slots - 1);
    for (int n = 0; n < s->forest->slots; n++) {
        struct tile_neighbour beside;
        struct tile_neighbour *at =
            (struct tile_neighbour *)(uintptr_t)s->tile_neighbour + n * TILE_SIDES + EASTWARD;
        fine(s->backend->download(s->device, &beside, at, sizeof beside));
        if (beside.slot < 0)
            continue;
        beside.slot = slot;
        fine(s->backend->upload(s->device, at, &beside, sizeof beside));
    }
}

/* Its NaN break down a run that reads it; one that writes to it leaves numbers in it. */
static void check_a_freed_slot(struct sim *sim)
{
    fine(sim_step_many(sim, 4));
    for (int k = 0; k < sim->forest->tiles; k++)
        if (sim->forest->slot[k] < 0)
            fine(sparse_store(sim, &k, 1));
    fine(sparse_tidy(sim));
    assert_true(sim->forest->stored < sim->forest->slots && free_slots_are_poisoned(sim));
    mistake_a_freed_slot(sim);
    sim->now.step_limit = sim->now.steps + 3;
    const enum err e = sim_run(sim, (double)INFINITY, NULL);
    if (e ? !strstr(err_message(), "the solution broke down") : free_slots_are_poisoned(sim))
        fail_msg("%s used a freed slot, and it was said: %s", sim->scheme->name,
                 e ? err_message() : "nothing");
}

static void a_slot_that_is_used_after_it_was_freed_is_found(void **state)
{
    (void)state;
    with_each_scheme(scene(ROUGH, NX, NY, WALL, WALL, 0), check_a_freed_slot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ghosts_beside_absent_tiles_hold_their_state),
        cmocka_unit_test(a_tile_that_was_dropped_dry_comes_back_dry),
        cmocka_unit_test(a_slot_that_is_used_after_it_was_freed_is_found),
    };
    return cmocka_run_group_tests_name("slots of sparse domains", tests, NULL, NULL);
}
