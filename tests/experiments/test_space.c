/* Spaces of blocks: what they contain, and what is pruned. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "experiments/tuner/search_parts.h"
#include "tests/support/blocks.h"

static void for_each_tuned(void (*check)(const struct kernel *k, enum backend_kind backend))
{
    for (int t = 0; kernel_tables[t]; t++)
        for (const struct kernel *k = kernel_tables[t]; k->name; k++)
            for (int b = 0; k->tuned && b < BACKENDS; b++)
                check(k, (enum backend_kind)b);
}

static void check_list(const struct kernel *k, enum backend_kind backend)
{
    struct blocks all;
    char why[SPACE_WHY];
    fine(space_list(k, backend, &all));
    if (!has(&all, k->block[backend]))
        fail_msg("%s: the default block is not in the space", k->name);
    if (has(&all, (struct block){16, 16}) != !k->threads)
        fail_msg("%s: 16x16 is in the space, or is not", k->name);
    for (int n = 1; n < all.count; n++) {
        const struct block a = all.at[n - 1], b = all.at[n];
        if (a.h > b.h || (a.h == b.h && a.w >= b.w))
            fail_msg("%s: %dx%d before %dx%d", k->name, a.w, a.h, b.w, b.h);
    }
    for (int n = 0; n < all.count; n++)
        if (space_breaks(k, backend, all.at[n], why, sizeof why)) {
            char threads[32];
            snprintf(threads, sizeof threads, "%d threads", block_threads(k, all.at[n]));
            assert_int_equal(backend, CUDA);
            assert_int_equal(k->threads, 0);
            assert_true(block_threads(k, all.at[n]) > 1024);
            assert_non_null(strstr(why, threads));
            assert_non_null(strstr(why, "1024"));
        }
    blocks_free(&all);
}

static void
a_space_is_in_order_has_the_usual_blocks_and_explains_those_that_cannot_run(void **state)
{
    (void)state;
    for_each_tuned(check_list);
}

/* 1024 + 512 + 341 + ...: as many as there are widths for each height. */
static void a_dense_space_has_every_width_and_height(void **state)
{
    const struct kernel *k = find_kernel("rk1");
    struct blocks all;
    char why[SPACE_WHY];
    int run = 0, wanted = 0;
    (void)state;
    fine(space_list_dense(k, CUDA, &all));
    for (int h = 1; h <= 1024; h++)
        wanted += 1024 / h;
    for (int n = 0; n < all.count; n++)
        run += !space_breaks(k, CUDA, all.at[n], why, sizeof why);
    assert_int_equal(run, wanted);
    assert_true(has(&all, (struct block){1, 1024}) && has(&all, (struct block){31, 33}));
    blocks_free(&all);
}

static int runnable[BACKENDS], broken[BACKENDS], largest[BACKENDS];

static void count_blocks(const struct kernel *k, enum backend_kind backend)
{
    struct blocks all;
    char why[SPACE_WHY];
    int able = 0;
    fine(space_list(k, backend, &all));
    for (int n = 0; n < all.count; n++)
        able += !space_breaks(k, backend, all.at[n], why, sizeof why);
    runnable[backend] += k->threads || k->takes->single ? 0 : able; /* the kernels of water */
    broken[backend] += all.count - able;
    largest[backend] = able > largest[backend] ? able : largest[backend];
    blocks_free(&all);
}

static void the_thesis_s_kernels_leave_room_for_the_winners_surroundings_below_3000(void **state)
{
    (void)state;
    for_each_tuned(count_blocks);
    assert_in_range(runnable[CUDA], 2000, 3000 - 20 * SPACE_AROUND + 30);
    assert_in_range(broken[CUDA], 1, 300);
    assert_int_equal(largest[CPU], 42);
    assert_int_equal(broken[CPU], 0);
}

/* Kernels that march over rows: whole warps on a GPU, whatever the height; any width on a CPU. */
static void kernels_with_threads_of_their_own_are_as_wide_as_these_can_be(void **state)
{
    (void)state;
    const struct kernel *k = find_kernel("fused1");
    struct block around[SPACE_AROUND];
    char why[SPACE_WHY];
    assert_false(space_breaks(k, CUDA, (struct block){28, 1}, why, sizeof why));
    assert_false(space_breaks(k, CUDA, (struct block){92, 1000}, why, sizeof why));
    assert_false(space_breaks(k, CPU, (struct block){33, 1000}, why, sizeof why));
    assert_true(space_breaks(k, CUDA, (struct block){32, 8}, why, sizeof why));
    assert_string_equal(why, "32 cells wide, and fused takes 28, and 32 more each");
    assert_true(space_breaks(k, CUDA, (struct block){16, 16}, why, sizeof why));
    assert_true(space_breaks(k, CUDA, (struct block){28, 2000}, why, sizeof why));
    const int count = space_around(k, CUDA, (struct block){60, 2}, around);
    assert_int_equal(count, 11);
    for (int n = 0; n < count; n++) {
        assert_false(space_breaks(k, CUDA, around[n], why, sizeof why));
        assert_true(around[n].w == 28 || around[n].w == 60 || around[n].w == 92);
    }
}

/* Table 4.1, and the neighbours of a few. */
static void the_thesis_s_winners_are_in_the_spaces_with_the_blocks_around_them(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        struct block b[8];
    } known[] = {
        {"flux_fgh0", {{16, 13}, {32, 10}, {16, 12}, {28, 9}, {36, 11}, {12, 14}}},
        {"flux_fgh1", {{16, 13}, {32, 10}}},
        {"flux_fgh0_ee", {{16, 13}, {32, 10}}},
        {"rk1_ee", {{16, 13}, {32, 10}}},
        {"flux_yblock0", {{16, 11}, {32, 7}, {16, 16}, {36, 7}, {20, 12}}},
        {"flux_fx0", {{128, 1}, {256, 1}, {64, 1}}},
        {"flux_fx1", {{336, 1}, {320, 1}, {352, 2}}},
        {"flux_fy1", {{128, 1}, {144, 1}, {160, 2}}},
        {"rk0", {{16, 16}, {64, 2}, {32, 6}, {68, 3}, {36, 5}}},
        {"rk1", {{32, 14}, {64, 2}, {28, 15}}},
        {"srk0", {{32, 8}, {64, 2}, {64, 3}}},
        {"srk1", {{32, 8}, {64, 2}, {64, 3}, {60, 4}}},
    };
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        struct blocks all;
        fine(space_list(find_kernel(known[n].kernel), CUDA, &all));
        for (int k = 0; known[n].b[k].w; k++)
            if (!has(&all, known[n].b[k]))
                fail_msg("%s has no %dx%d", known[n].kernel, known[n].b[k].w, known[n].b[k].h);
        blocks_free(&all);
    }
}

/* Kernels that share a list of blocks to visit must have one block, found in one space. */
static void kernels_with_early_exit_have_the_same_space(void **state)
{
    (void)state;
    static const char *const names[] = {"flux_fgh1_ee", "rk0_ee", "rk1_ee"};
    for (int b = 0; b < BACKENDS; b++)
        for (int n = 0; n < 3; n++) {
            struct blocks one, other;
            fine(space_list(find_kernel("flux_fgh0_ee"), (enum backend_kind)b, &one));
            fine(space_list(find_kernel(names[n]), (enum backend_kind)b, &other));
            assert_int_equal(one.count, other.count);
            for (int k = 0; k < one.count; k++)
                assert_true(same(one.at[k], other.at[k]));
            blocks_free(&one);
            blocks_free(&other);
        }
}

static void the_thesis_s_rules_say_which_blocks_are_pruned(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        struct block kept, pruned;
    } rules[] = {
        {"flux_fgh0", {16, 6}, {12, 6}}, {"flux_fgh0", {16, 6}, {16, 4}},
        {"flux_fx0", {64, 1}, {48, 1}},  {"flux_yblock0", {16, 11}, {12, 1}},
        {"rk0", {16, 1}, {12, 4}},       {"rk0", {20, 4}, {20, 1}},
        {"rkt_x0", {16, 16}, {32, 16}},
    };
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++) {
        const struct kernel *k = find_kernel(rules[n].kernel);
        assert_true(space_keeps(k, CUDA, rules[n].kept));
        assert_false(space_keeps(k, CUDA, rules[n].pruned));
        assert_true(space_keeps(k, CPU, rules[n].pruned));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_space_is_in_order_has_the_usual_blocks_and_explains_those_that_cannot_run),
        cmocka_unit_test(a_dense_space_has_every_width_and_height),
        cmocka_unit_test(the_thesis_s_kernels_leave_room_for_the_winners_surroundings_below_3000),
        cmocka_unit_test(kernels_with_threads_of_their_own_are_as_wide_as_these_can_be),
        cmocka_unit_test(the_thesis_s_winners_are_in_the_spaces_with_the_blocks_around_them),
        cmocka_unit_test(kernels_with_early_exit_have_the_same_space),
        cmocka_unit_test(the_thesis_s_rules_say_which_blocks_are_pruned),
    };
    return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
