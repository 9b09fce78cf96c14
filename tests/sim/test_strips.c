/* Tiles are computed in strips of any height, chosen by how many there are. */
#include "tests/support/test.h"

#include "core/sim/strips.h"
#include "core/sim/tiling.h"
#include "tests/support/quiet.h"

/* An H200, and fused.cu in f32: the times in core/sim/strips.c. */
static void expect_strips(long tiles, int blocks, int rows, int warps, int parts, int shrink)
{
    enum { UNITS = 132 };
    const struct strip_choice c = strips_best(tiles * blocks, rows, UNITS * warps);
    if (c.parts != parts || c.shrink != shrink)
        fail_msg("%ld tiles in blocks of %d rows: %d strips (shrink: %d), expected %d (%d)", tiles,
                 rows, c.parts, c.shrink, parts, shrink);
}

static void few_tiles_take_low_strips(void **state)
{
    (void)state;
    expect_strips(4489, 2, 62, 12, 1, 0); /* 8192 x 8192 cells */
    expect_strips(618, 2, 62, 12, 3, 1);
    expect_strips(10, 2, 62, 12, 6, 0);
    expect_strips(300, 1, 60, 21, 6, 0);
    expect_strips(1045, 1, 92, 12, 3, 1);
    expect_strips(2237, 1, 60, 21, 3, 1);
    expect_strips(8209, 1, 60, 21, 2, 1);
    expect_strips(18769, 1, 60, 21, 1, 0);
    assert_int_equal(strips_best(1000, 62, 0).parts, 1);
}

/* As many strips of a tile as there is room for records of, the last no higher than any other, and none without rows. */
static void expect_cut(int rows, int high, struct strip_choice c)
{
    struct sim s = {.backend = &backend_cuda, .mapped = 1, .tiles = {.h = rows}, .strips = c};
    const struct sim_kernel k = {.recipe = {.kernel = find_kernel("fused0"), .block = {60, high}}};
    struct tiling t = {0};
    strips_tell(&s, &k, &t);
    const int n = strips_up(&t, rows), last = rows - rows_before_strip(&t, n - 1);
    if (n > t.up || last < 1 || last > rows_of_strip(&t, n - 1) || rows_of_strip(&t, n - 1) < 1)
        fail_msg("%d rows by %d, %d strips (shrink: %d): %d of up to %d, from %d rows to %d", rows,
                 high, c.parts, c.shrink, n, t.up, t.strip, last);
    if (c.shrink && rows >= 8 * c.parts && high >= rows && c.parts > 1 && 2 * last > t.strip)
        fail_msg("%d rows by %d, %d strips: from %d rows to %d", rows, high, c.parts, t.strip,
                 last);
}

static void strips_of_any_heights_cover_a_tile(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 300; rows++)
        for (int n = 0; n < 2 * STRIP_PARTS; n++) {
            const struct strip_choice c = {n / 2 + 1, n % 2};
            expect_cut(rows, rows, c);
            expect_cut(rows, rows > 62 ? 62 : rows, c);
            expect_cut(rows, 5, c);
        }
}

/* Blocks that are not launched now record nothing: in the tile that moves first, of one block or of up to STRIP_PARTS. */
static void expect_no_record(struct sim *sim, int kernels)
{
    const struct array *a = sim_find_array(sim, "tile_map");
    const int slots = tiling_slots(sim);
    const int slot = tiling_slot(sim, tiles_of_cell(&sim->tiles, 0, NY - 1));
    unsigned *map = malloc(a->bytes);
    assert_true(map && a->bytes == (size_t)(kernels * slots * STRIP_PARTS) * sizeof *map);
    fine(sim->backend->download(sim->device, map, a->memory, a->bytes));
    for (int k = 0; k < kernels; k++) {
        const unsigned *own = map + (k * slots + slot) * STRIP_PARTS;
        unsigned any = 0;
        for (int n = 0; n < sim->strips.parts; n++)
            any |= own[n];
        assert_true(any != 0);
        for (int n = sim->strips.parts; n < STRIP_PARTS; n++)
            if (own[n])
                fail_msg("kernel %d: strip %d is not computed, and its record is %u", k, n, own[n]);
    }
    free(map);
}

/* A wave that becomes slower as it spreads, from a corner, in strips of changing height: the same bits and steps. */
static void check(const char *scheme, int kernels, int domain)
{
    enum { CHANGES = 9, EACH = 3 };
    static const int parts[CHANGES] = {3, 1, 2, 6, 2, 1, 3, 1, 2};
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0.03);
    struct config c;
    configure(&c, scheme, F32);
    c.tile = (struct tile_size){28, 30};
    c.order = 1; /* as on a GPU */
    c.domain = domain;
    c.early_exit = domain == DOMAIN_SPARSE ? EARLY_EXIT_AUTO : EARLY_EXIT_ON;
    struct sim *high = create(&c, &s), *any = create(&c, &s);
    for (int k = 0; k < CHANGES; k++) {
        any->strips = (struct strip_choice){parts[k], k % 4 < 2};
        steps(&c, high, EACH);
        steps(&c, any, EACH);
        expect_no_record(any, kernels);
    }
    struct outcome want = outcome_of(&c, high, &s), have = outcome_of(&c, any, &s);
    expect_equal(&c, "in strips of changing height", &want, &have);
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(high);
    sim_destroy(any);
    scene_free(&s);
}

static void strips_may_change_their_height(void **state)
{
    (void)state;
    check("rk2_fused", 2, DOMAIN_FULL);
    check("rk2_fused", 2, DOMAIN_SPARSE);
    check("hancock", 1, DOMAIN_SPARSE);
}

/* Rows beyond a block's own take time, and so does each block. */
static void blocks_of_a_cpu_keep_their_cells_in_a_tile(void **state)
{
    static const struct config forward;
    static const struct {
        const char *kernel;
        int side;
        struct block block;
    } tried[] = {{"fused0", 28, {28, 28}},    {"fused0", 60, {60, 60}},
                 {"fused0", 124, {124, 62}},  {"rk0", 60, {60, 15}},
                 {"flux_fgh0", 60, {60, 30}}, {"fused0", 1000, {252, 32}}};
    (void)state;
    for (size_t n = 0; n < sizeof tried / sizeof *tried; n++) {
        const int side = tried[n].side;
        const struct sim s = {
            .backend = &backend_cpu, .config = &forward, .tiles = {.w = side, .h = side}};
        const struct kernel *const k = find_kernel(tried[n].kernel);
        const struct block want = tried[n].block, have = tiling_block(&s, k, k->block[CPU]);
        if (have.w != want.w || have.h != want.h)
            fail_msg("%s in tiles of %d: block %dx%d, expected %dx%d", k->name, side, have.w,
                     have.h, want.w, want.h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_a_cpu_keep_their_cells_in_a_tile),
        cmocka_unit_test(few_tiles_take_low_strips),
        cmocka_unit_test(strips_of_any_heights_cover_a_tile),
        cmocka_unit_test(strips_may_change_their_height),
    };
    return cmocka_run_group_tests_name("strips", tests, NULL, NULL);
}
