/* The memory of a sparse domain: what free slots and ghosts beside absent tiles hold, that the use of
 * a freed slot is found, and what is left when the device has no more. */
#include "tests/support/test.h"

#include <malloc.h>
#include <math.h>
#include <stdint.h>

#include "core/problem/initial_state.h"
#include "core/sim/sim_parts.h"
#include "core/sim/sparse_parts.h"
#include "core/sim/tiling.h"
#include "tests/support/everything.h"
#include "tests/support/quiet.h"
#include "tests/support/users_kernels.h"

enum { SMALL_X = 48, SMALL_Y = 40, ACROSS = 13, UP = 7, SAMPLED = ACROSS * UP };

static const struct tile_size tile = {8, 8};

static void configured(struct config *c, const char *scheme)
{
    configure(c, scheme, F32);
    c->early_exit = EARLY_EXIT_AUTO;
    c->domain = DOMAIN_SPARSE;
    c->tile = tile;
    configure_blocks(c, (struct block){8, 8}, 0);
}

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
        configured(&c, of[k]);
        c.live = 1;
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

/* The CPU's backend with a device whose memory ends at an allocation, counted from 0, and for good or
 * only for this one. */
static struct backend small;
static const struct backend *whole;
static int allocations, last_allocation, for_good;

static enum err alloc(struct device *dev, size_t bytes, void **p)
{
    const int n = allocations++;
    if (n == last_allocation || (for_good && n > last_allocation))
        FAIL(MEMORY, "no memory on the device");
    return whole->alloc(dev, bytes, p);
}

static enum err grow(struct device *dev, void *p, size_t bytes)
{
    const int n = allocations++;
    if (n == last_allocation || (for_good && n > last_allocation))
        FAIL(MEMORY, "no memory on the device");
    return whole->grow(dev, p, bytes);
}

static void use_small(struct sim *s, int last)
{
    whole = s->backend;
    small = *whole;
    small.alloc = alloc;
    small.grow = grow;
    s->backend = &small;
    allocations = 0;
    last_allocation = last;
}

static const struct device_info *little_memory(const struct device *dev)
{
    static struct device_info info;
    info = *whole->info(dev);
    info.memory_free = 1 << 16;
    return &info;
}

static void memory_is_counted_in_tiles(void **state)
{
    (void)state;
    struct config c;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    configured(&c, "rk2");
    struct sim *sim = create(&c, &s);
    fine(sim_check_memory(sim));
    use_small(sim, -1);
    small.info = little_memory;
    assert_int_equal(sim_check_memory(sim), ERR_MEMORY);
    char want[64];
    snprintf(want, sizeof want, "%d tiles of 8 x 8 cells are stored", sim->forest->stored);
    if (!strstr(err_message(), want) || !strstr(err_message(), "--tile"))
        fail_msg("%s", err_message());
    sim->backend = whole;
    sim_destroy(sim);
    scene_free(&s);
}

/* A full run of so many steps. */
static struct outcome full_run(const struct config *c, const struct scene *s, unsigned long steps)
{
    struct config plain = *c;
    plain.domain = DOMAIN_FULL;
    plain.tile = (struct tile_size){0};
    struct sim *full = create(&plain, s);
    full->now.step_limit = steps;
    if (steps)
        fine(sim_run(full, (double)INFINITY, NULL));
    const struct outcome o = outcome_of(&plain, full, s);
    sim_destroy(full);
    return o;
}

/* What a checkpoint would keep, and the volumes; `full` is kept from one call to the next. */
static void expect_state_of_full_run(const struct config *c, const struct scene *s, struct sim *sim,
                                     struct outcome *full)
{
    if (!full->depth || full->clock.steps != sim->now.steps) {
        outcome_free(full);
        *full = full_run(c, s, sim->now.steps);
    }
    struct outcome have = outcome_of(c, sim, s);
    expect_same(c, "when memory ends", &full->state, &have.state, 1);
    if (memcmp(&full->balance, &have.balance, sizeof have.balance) != 0)
        fail_msg("after allocation %d failed there are %.17g m3, and %.17g in a full domain",
                 last_allocation, have.balance.volume, full->balance.volume);
    outcome_free(&have);
}

/* A run in which an allocation fails, to its end or the error. Returns whether there was one. */
static int run_short_of_memory(const struct config *c, const struct scene *s, int last, int *ended,
                               struct outcome *full)
{
    struct sim *sim = create(c, s);
    use_small(sim, last);
    const enum err e = sim_run(sim, 0.5, NULL);
    const int failed = allocations > last;
    *ended = e != ERR_OK;
    if (e && (e != ERR_MEMORY || !strstr(err_message(), "tiles of 8 x 8 cells are needed") ||
              !strstr(err_message(), "there is memory for")))
        fail_msg("allocation %d failed, and it was said: %s", last, err_message());
    if (failed)
        expect_state_of_full_run(c, s, sim, full);
    sim_destroy(sim);
    return failed;
}

/* Wherever it ends while pools grow: the state is whole, and the message says what fits. If memory is
 * short only for tiles that would be made ahead, the run goes on. SHOAL_TEST_FULL: at each allocation,
 * not at every second one. */
static void device_memory_that_ends_in_mid_run_leaves_a_whole_state(void **state)
{
    (void)state;
    struct config c;
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    struct outcome full = {0};
    configured(&c, "rk2");
    const int stride = everything() ? 1 : 2;
    for (for_good = 0; for_good < 2; for_good++) {
        int last = 0, ends = 0, ended;
        for (; run_short_of_memory(&c, &s, last, &ended, &full); last += stride)
            ends += ended;
        print_message("%d allocations, %s: %d runs ended\n", last,
                      for_good ? "and all later" : "one", ends);
        assert_true(last > 8 && (for_good ? ends > 0 : ends == 0));
    }
    outcome_free(&full);
    scene_free(&s);
}

struct memory {
    size_t device, host; /* bytes */
    int arrays, slots;
};

/* The host's is 0 where malloc does not tell. */
static struct memory memory_of(const struct sim *s)
{
    struct memory m = {0, 0, s->array_count, s->forest->slots};
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 host = mallinfo2();
    m.host = host.uordblks + host.hblkhd;
#endif
#endif
    for (int k = 0; k < s->array_count; k++)
        m.device += s->array[k].bytes;
    return m;
}

/* The water is back where it was at the start. */
static void flow_back(struct sim *sim, const struct sim *begun)
{
    static float cells[SMALL_X * SMALL_Y];
    struct sim *from = (struct sim *)(uintptr_t)begun;
    for (int k = 0; k < sim->system->unknowns; k++) {
        fine(sim_read(from, sim_unknown(from, k), NULL, cells));
        fine(sim_write(sim, sim_unknown(sim, k), NULL, cells));
    }
}

/* By kernels that take a sixth of the time; SHOAL_TEST_FULL: a million steps. */
static void a_flood_that_comes_and_goes_needs_no_more_memory(void **state)
{
    enum { FLOOD = 400 }; /* passes */
    const unsigned long wanted = everything() ? 1000000 : 6000;
    struct config c;
    struct memory early = {0};
    int most = 0, least = 1 << 30;
    (void)state;
    configured(&c, "rk2_fused");
    c.tile = (struct tile_size){6, 4};
    struct scene s = scene(ROUGH, SMALL_X, SMALL_Y, WALL, WALL, 0);
    s.t_end = 1e9;
    char *kept = users_kernels();
    struct sim *begun = create(&c, &s), *sim = create(&c, &s);
    usual_kernels(kept);
    long floods = 0;
    for (unsigned long last = 0; sim->now.steps < wanted; floods++) {
        fine(sim_step_many(sim, FLOOD));
        assert_true(sim->now.steps >= last + FLOOD / 2);
        last = sim->now.steps;
        most = sim->forest->stored > most ? sim->forest->stored : most;
        flow_back(sim, begun);
        fine(sim_step_many(sim, 1));
        fine(sparse_tidy(sim));
        least = sim->forest->stored < least ? sim->forest->stored : least;
        if (sim->now.steps >= wanted / 10 && !early.device)
            early = memory_of(sim);
    }
    const struct memory late = memory_of(sim);
    if (late.device != early.device || late.arrays != early.arrays || late.slots != early.slots)
        fail_msg("after %ld floods %zu bytes in %d arrays, %d slots; after a tenth %zu, %d, %d",
                 floods, late.device, late.arrays, late.slots, early.device, early.arrays,
                 early.slots);
    if (late.host > early.host + 4096)
        fail_msg("after %ld floods the host holds %zu bytes, after a tenth %zu", floods, late.host,
                 early.host);
    print_message("%lu steps, %ld halts: %d to %d tiles\n", sim->now.steps, sim->sparse->halts,
                  least, most);
    assert_true(least < most && sim->sparse->halts > floods);
    sim_destroy(sim);
    sim_destroy(begun);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ghosts_beside_absent_tiles_hold_their_state),
        cmocka_unit_test(a_tile_that_was_dropped_dry_comes_back_dry),
        cmocka_unit_test(a_slot_that_is_used_after_it_was_freed_is_found),
        cmocka_unit_test(a_flood_that_comes_and_goes_needs_no_more_memory),
        cmocka_unit_test(memory_is_counted_in_tiles),
        cmocka_unit_test(device_memory_that_ends_in_mid_run_leaves_a_whole_state),
    };
    return cmocka_run_group_tests_name("memory of sparse domains", tests, NULL, NULL);
}
