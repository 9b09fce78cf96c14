/* The figures' data of predictions and replays, of made-up spaces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/registry/registry.h"
#include "experiments/tuner/replay.h"
#include "tests/support/kernel_sources.h"
#include "tests/support/landscape.h"

enum { MOST_ROWS = 512 };
static struct db_row stored[MOST_ROWS];

/* A row of every block that a kernel's space has; how many. */
static size_t whole_space(const char *name, unsigned seed)
{
    const struct kernel *k = find_kernel(name);
    const struct landscape l = landscape_of(k, seed);
    struct blocks all;
    size_t count = 0;
    char why[SPACE_WHY];
    assert_fine(space_list(k, CUDA, &all));
    assert_true(all.count <= MOST_ROWS);
    for (; count < (size_t)all.count; count++) {
        const struct block b = all.at[count];
        const double us = landscape_time(&l, b);
        if (space_breaks(k, CUDA, b, why, sizeof why))
            stored[count] = failed_row(b.w, b.h, DB_CONSTRAINT);
        else
            stored[count] = isinf(us) ? failed_row(b.w, b.h, DB_LAUNCH) : row_of(b.w, b.h, us);
    }
    blocks_free(&all);
    return count;
}

static void predictions_meet_the_measured_supports_and_choose_candidates(void **state)
{
    (void)state;
    struct plot_table t;
    double dearest = 0;
    int base = 0, supports = 0, candidates = 0;
    write_rows(TABLE, stored, whole_space("flux_fgh0", 1));
    assert_fine(READ_ALL(source_predicted, &t));
    assert_true(t.frame.rows > 100);
    ASSERT_NEAR(cell(&t, 0, "measured_ratio"), 1, 0);
    for (size_t k = 0; k < t.frame.rows; k++) {
        const double measured = cell(&t, k, "measured_ratio");
        const double predicted = cell(&t, k, "predicted_ratio");
        const char *role = text_at(&t, k, "role");
        ASSERT_NEAR(cell(&t, k, "rank"), (double)k + 1, 0);
        assert_true(k == 0 || measured >= cell(&t, k - 1, "measured_ratio"));
        base += strcmp(role, "base") == 0;
        supports += strcmp(role, "support") == 0;
        if (strcmp(role, "candidate") == 0) {
            dearest = fmax(dearest, predicted);
            candidates++;
        }
        /* The watch-dog cuts off only what takes twice as long as the best support. */
        if ((strcmp(role, "base") == 0 || strcmp(role, "support") == 0) && measured < 2)
            ASSERT_NEAR(predicted / measured, 1, 1e-7);
    }
    assert_int_equal(base, 1);
    assert_true(supports > 5 && candidates > 0 && candidates <= 5);
    for (size_t k = 0; k < t.frame.rows; k++)
        if (strcmp(text_at(&t, k, "role"), "other") == 0 && k != row_at(&t, 16, 16))
            assert_true(cell(&t, k, "predicted_ratio") >= dearest);
    frame_free(&t.frame);
    write_rows(TABLE, stored, whole_space("flux_fgh0", 1) - 20);
    assert_fine(READ_ALL(source_predicted, &t));
    assert_int_equal(t.frame.rows, 0);
    frame_free(&t.frame);
}

/* After a kernel has changed, a guided search for its best blocks does not take the place of a space. */
static void a_complete_space_counts_more_than_some_blocks_of_the_present_text(void **state)
{
    (void)state;
    struct plot_table t;
    const size_t whole = whole_space("flux_fgh0", 1);
    assert_true(whole < MOST_ROWS);
    stored[whole] = row_of(32, 8, 100);
    hash_now(stored[whole].source);
    write_rows(TABLE, stored, whole + 1);
    assert_fine(READ_ALL(source_predicted, &t));
    assert_true(t.frame.rows > 100);
    frame_free(&t.frame);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, whole);
    frame_free(&t.frame);
    assert_fine(READ(source_replay, &t, "strategy", "random"));
    assert_true(t.frame.rows > 0);
    frame_free(&t.frame);
    assert_fine(READ_ALL(source_kernels, &t));
    ASSERT_NEAR(cell(&t, 0, "tried"), 1, 0);
    frame_free(&t.frame);
    write_rows(TABLE, stored + 20, whole + 1 - 20);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, 1);
    frame_free(&t.frame);
}

static struct replay_result replayed(size_t count, enum strategy strategy)
{
    const struct kernel *k = find_kernel("flux_fgh0");
    const struct search_setup setup = {
        .kernel = k, .backend = CUDA, .strategy = strategy, .random = 1};
    const struct db_group g = {stored, count, count};
    struct replay_space space;
    struct replay_result r;
    assert_fine(replay_load(&space, k, CUDA, &g));
    assert_fine(replay_search(&space, &setup, &r));
    replay_free(&space);
    return r;
}

static void a_replay_rises_to_what_a_search_finds_and_when_it_does(void **state)
{
    (void)state;
    struct plot_table t;
    const size_t count = whole_space("flux_fgh0", 2);
    write_rows(TABLE, stored, count);
    assert_fine(READ(source_replay, &t, "repeats", "1", "strategy", "guided random"));
    const size_t length = t.frame.rows / 2;
    assert_true(length > 64 && t.frame.rows == 2 * length);
    for (size_t s = 0; s < 2; s++) {
        const enum strategy strategy = s ? SEARCH_RANDOM : SEARCH_GUIDED;
        const struct replay_result r = replayed(count, strategy);
        const size_t first = s * length, near = first + (size_t)r.near - 1;
        assert_string_equal(text_at(&t, first, "strategy"), strategy_names[strategy]);
        ASSERT_NEAR(cell(&t, first + length - 1, "median"), r.fraction, 1e-5);
        assert_true(r.near > 1 && r.near <= 64);
        ASSERT_NEAR(cell(&t, near, "evaluations"), r.near, 0);
        assert_true(cell(&t, near, "median") >= 1 / 1.0501);
        assert_true(cell(&t, near - 1, "median") < 1 / 1.0499);
        for (size_t k = first + 1; k < first + length; k++)
            assert_true(cell(&t, k, "median") >= cell(&t, k - 1, "median"));
    }
    ASSERT_NEAR(cell(&t, 63, "evaluations"), 64, 0);
    ASSERT_NEAR(cell(&t, 64, "evaluations"), 96, 0);
    frame_free(&t.frame);
}

static void replays_of_several_kernels_are_pooled_as_well(void **state)
{
    (void)state;
    struct plot_table t;
    char name[PATH_LENGTH];
    write_rows(TABLE, stored, whole_space("flux_fgh0", 1));
    snprintf(name, sizeof name, "%s/flux_fgh1", home);
    scratch_folder(name);
    write_rows("flux_fgh1/circular-dam-64x64-f32.tsv", stored, whole_space("flux_fgh1", 2));
    assert_fine(READ(source_replay, &t, "repeats", "1"));
    const size_t each = t.frame.rows / 3;
    assert_int_equal(t.frame.rows, 3 * each);
    assert_true(each / 4 > 64);
    for (size_t k = 0; k < each; k++) {
        const double one = cell(&t, k, "median"), other = cell(&t, each + k, "median");
        const double low = fmin(one, other), high = fmax(one, other);
        assert_string_equal(text_at(&t, each + k, "kernel"), "flux_fgh1");
        assert_string_equal(text_at(&t, 2 * each + k, "kernel"), "all");
        ASSERT_NEAR(cell(&t, 2 * each + k, "q1"), low + 0.25 * (high - low), 2e-9);
        ASSERT_NEAR(cell(&t, 2 * each + k, "median"), 0.5 * (low + high), 2e-9);
        ASSERT_NEAR(cell(&t, 2 * each + k, "q3"), low + 0.75 * (high - low), 2e-9);
    }
    assert_string_equal(t.file, "made-up-9/" SOURCE "/*/circular-dam-64x64-f32.tsv");
    frame_free(&t.frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILT(a_complete_space_counts_more_than_some_blocks_of_the_present_text),
        BUILT(predictions_meet_the_measured_supports_and_choose_candidates),
        BUILT(a_replay_rises_to_what_a_search_finds_and_when_it_does),
        BUILT(replays_of_several_kernels_are_pooled_as_well),
    };
    log_quiet(1);
    return cmocka_run_group_tests_name("replay sources", tests, NULL, NULL);
}
