/* The figures' data on predictions and replays, from made-up spaces. */
#include <math.h>
#include "tests/support/test.h"

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
    struct rowset t;
    double dearest = 0;
    int base = 0, supports = 0, candidates = 0;
    write_rows(TABLE, stored, whole_space("flux_fgh0", 1));
    t = ask("SELECT * FROM predicted ORDER BY rank");
    assert_true(t.rows > 100);
    ASSERT_NEAR(cell(&t, 0, "measured_ratio"), 1, 0);
    for (size_t k = 0; k < t.rows; k++) {
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
        /* The watch-dog stops only what takes twice as long as the best support. */
        if ((strcmp(role, "base") == 0 || strcmp(role, "support") == 0) && measured < 2)
            ASSERT_NEAR(predicted / measured, 1, 1e-7);
    }
    assert_int_equal(base, 1);
    assert_true(supports > 5 && candidates > 0 && candidates <= 5);
    for (size_t k = 0; k < t.rows; k++)
        if (strcmp(text_at(&t, k, "role"), "other") == 0 && k != row_at(&t, 16, 16))
            assert_true(cell(&t, k, "predicted_ratio") >= dearest);
    rowset_free(&t);
    write_rows(TABLE, stored, whole_space("flux_fgh0", 1) - 20);
    t = ask("SELECT * FROM predicted ORDER BY rank");
    assert_int_equal(t.rows, 0);
    rowset_free(&t);
}

/* After a kernel has changed, a guided search for its best blocks does not replace a space. */
static void a_complete_space_counts_more_than_some_blocks_of_the_present_text(void **state)
{
    (void)state;
    struct rowset t;
    const size_t whole = whole_space("flux_fgh0", 1);
    assert_true(whole < MOST_ROWS);
    stored[whole] = row_of(32, 8, 100);
    hash_now(stored[whole].source);
    write_rows(TABLE, stored, whole + 1);
    t = ask("SELECT * FROM predicted ORDER BY rank");
    assert_true(t.rows > 100);
    rowset_free(&t);
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, whole);
    rowset_free(&t);
    t = ask("SELECT * FROM replay_64 WHERE strategy = 'random'");
    assert_true(t.rows > 0);
    rowset_free(&t);
    t = ask("SELECT * FROM kernels");
    ASSERT_NEAR(cell(&t, 0, "tried"), 1, 0);
    rowset_free(&t);
    write_rows(TABLE, stored + 20, whole + 1 - 20);
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 1);
    rowset_free(&t);
}

/* The environment of a kernel's rows in `spaces`; "" if it has none. */
static const char *environment_of(const char *kernel, const char *precision)
{
    static char environment[DB_HASH + 1];
    struct rowset t = ask("SELECT kernel, precision, environment FROM spaces");
    *environment = '\0';
    for (size_t k = 0; k < t.rows; k++)
        if (strcmp(text_at(&t, k, "kernel"), kernel) == 0 &&
            strcmp(text_at(&t, k, "precision"), precision) == 0)
            snprintf(environment, sizeof environment, "%s", text_at(&t, k, "environment"));
    rowset_free(&t);
    return environment;
}

static void write_kernel(const char *kernel, const char *precision, size_t rows)
{
    char name[DB_FILE];
    snprintf(name, sizeof name, "%s/circular-dam-64x64-%s.tsv", kernel, precision);
    write_rows(name, stored, rows);
}

/* Another compiler makes another environment of a device. */
static void each_kernel_and_precision_of_a_device_has_its_own_environment(void **state)
{
    static const char earlier[] = SOURCE, later[] = "aaaaaaaaaaaa";
    (void)state;
    scratch_folder(inside("flux_fgh1"));
    write_kernel("flux_fgh1", "f32", whole_space("flux_fgh1", 1));
    write_kernel("flux_fgh0", "f32", whole_space("flux_fgh0", 1));
    snprintf(home, sizeof home, "db/made-up-9/%s", later);
    scratch_folder(home);
    scratch_folder(inside("flux_fgh0"));
    scratch_folder(inside("flux_fgh1"));
    scratch_write(inside("manifest.json"), "w", LATER_MANIFEST);
    for (size_t k = 0; k < MOST_ROWS; k++)
        strcpy(stored[k].session, "0000000c");
    write_kernel("flux_fgh0", "f32", 5);
    write_kernel("flux_fgh0", "f64", 5);
    assert_string_equal(environment_of("flux_fgh0", "f32"), earlier);
    assert_string_equal(environment_of("flux_fgh0", "f64"), later);
    assert_string_equal(environment_of("flux_fgh1", "f32"), earlier);
    const size_t whole = whole_space("flux_fgh0", 1);
    for (size_t k = 0; k < whole; k++)
        strcpy(stored[k].session, "0000000c");
    write_kernel("flux_fgh0", "f32", whole);
    assert_string_equal(environment_of("flux_fgh0", "f32"), later);
    assert_string_equal(environment_of("flux_fgh1", "f32"), earlier);
    write_kernel("flux_fgh1", "f32", 5);
    assert_string_equal(environment_of("flux_fgh1", "f32"), earlier);
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
    struct rowset t;
    const size_t count = whole_space("flux_fgh0", 2);
    write_rows(TABLE, stored, count);
    t = ask("SELECT strategy, evaluations, fraction AS median FROM replay_64 WHERE repeat = 1 AND "
            "strategy IN ('guided', 'random') ORDER BY strategy, evaluations");
    const size_t length = t.rows / 2;
    assert_true(length > 64 && t.rows == 2 * length);
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
    rowset_free(&t);
}

static void replays_of_several_kernels_have_the_same_evaluations(void **state)
{
    (void)state;
    char name[PATH_LENGTH];
    write_rows(TABLE, stored, whole_space("flux_fgh0", 1));
    snprintf(name, sizeof name, "%s/flux_fgh1", home);
    scratch_folder(name);
    write_rows("flux_fgh1/circular-dam-64x64-f32.tsv", stored, whole_space("flux_fgh1", 2));
    struct rowset t = ask("SELECT kernel, strategy, count(*) AS n, count(DISTINCT repeat) AS "
                          "repeats, max(evaluations) AS most FROM replay_64 "
                          "GROUP BY kernel, strategy");
    assert_int_equal(t.rows, 2 * (STRATEGIES - 1));
    for (size_t k = 0; k < t.rows; k++) {
        ASSERT_NEAR(cell(&t, k, "n"), cell(&t, 0, "n"), 0);
        ASSERT_NEAR(cell(&t, k, "most"), cell(&t, 0, "most"), 0);
        ASSERT_NEAR(cell(&t, k, "repeats"), 40, 0);
    }
    rowset_free(&t);
    t = ask("SELECT * FROM replay_128");
    assert_int_equal(t.rows, 0);
    rowset_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILT(a_complete_space_counts_more_than_some_blocks_of_the_present_text),
        BUILT(each_kernel_and_precision_of_a_device_has_its_own_environment),
        BUILT(predictions_meet_the_measured_supports_and_choose_candidates),
        BUILT(a_replay_rises_to_what_a_search_finds_and_when_it_does),
        BUILT(replays_of_several_kernels_have_the_same_evaluations),
    };
    log_quiet(1);
    return cmocka_run_group_tests_name("replay sources", tests, NULL, NULL);
}
