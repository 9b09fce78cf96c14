/* How much memory a sparse domain needs, and what is left when the device has no more. */
#include "tests/support/test.h"

#include <malloc.h>
#include <math.h>

#include "core/sim/sim_parts.h"
#include "core/sim/sparse_parts.h"
#include "tests/support/everything.h"
#include "tests/support/quiet.h"
#include "tests/support/users_kernels.h"

enum { SMALL_X = 48, SMALL_Y = 40 };

static void configured(struct config *c, const char *scheme)
{
    configure(c, scheme, F32);
    c->early_exit = EARLY_EXIT_AUTO;
    c->domain = DOMAIN_SPARSE;
    c->tile = (struct tile_size){8, 8};
    configure_blocks(c, (struct block){8, 8}, 0);
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
        cmocka_unit_test(a_flood_that_comes_and_goes_needs_no_more_memory),
        cmocka_unit_test(memory_is_counted_in_tiles),
        cmocka_unit_test(device_memory_that_ends_in_mid_run_leaves_a_whole_state),
    };
    return cmocka_run_group_tests_name("memory of sparse domains", tests, NULL, NULL);
}
