/* Replays of searches over spaces in a made-up database, and the seeds they begin with. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "experiments/tuner/replay.h"
#include "experiments/tuner/seeds.h"
#include "tests/support/database.h"
#include "tests/support/landscape.h"
#include "tests/support/near.h"
#include "tests/support/printed.h"

#define OTHER "flux_fgh0/circular-dam-128x128-f32.tsv"

static const struct kernel *kernel(void)
{
    return find_kernel("flux_fgh0");
}

/* Adds a row for every block of the kernel's space; returns how many. Blocks that cannot run have rows, too. */
static size_t whole_space(unsigned device, struct db_row *row)
{
    const struct landscape l = landscape_of(kernel(), device);
    struct blocks all;
    char why[SPACE_WHY];
    assert_fine(space_list(kernel(), CUDA, &all));
    const size_t count = (size_t)all.count;
    for (size_t k = 0; k < count; k++) {
        const struct block b = all.at[k];
        const double us = landscape_time(&l, b);
        if (space_breaks(kernel(), CUDA, b, why, sizeof why))
            row[k] = failed_row(b.w, b.h, DB_CONSTRAINT);
        else if (isinf(us))
            row[k] = failed_row(b.w, b.h, DB_LAUNCH);
        else
            row[k] = row_of(b.w, b.h, us);
        if (row[k].outcome == DB_OK) {
            row[k].number[DB_COMPILE_COST] = 100;
            row[k].number[DB_LOAD_COST] = 5.5;
            row[k].number[DB_MEASURE_COST] = 44.5;
        }
    }
    blocks_free(&all);
    return count;
}

enum { MOST_ROWS = 512 };
static struct db_row stored[MOST_ROWS];

static int build_spaces(void **state)
{
    char path[PATH_LENGTH];
    build_database(state);
    write_rows(TABLE, stored, whole_space(1, stored));
    write_rows(OTHER, stored, whole_space(1, stored));
    scratch_path(path, "db");
    assert_int_equal(setenv("SHOAL_DB", path, 1), 0);
    return 0;
}

static int remove_spaces(void **state)
{
    unsetenv("SHOAL_DB");
    return scratch_remove(state);
}

/* The first group of a table. */
static void load(struct replay_space *space, const char *table)
{
    struct db_table t;
    struct db_group g;
    size_t next = 0;
    char path[PATH_LENGTH];
    scratch_path(path, inside(table));
    assert_fine(db_read(path, NULL, NULL, &t));
    db_sort(&t);
    assert_fine(db_group_next(&t, &next, &g));
    assert_fine(replay_load(space, kernel(), CUDA, &g));
    db_group_free(&g);
    db_free(&t);
}

static struct replay_result replayed(const struct replay_space *space, enum strategy strategy,
                                     const struct block *seeds, int count)
{
    const struct search_setup setup = {.kernel = kernel(),
                                       .backend = CUDA,
                                       .strategy = strategy,
                                       .seeds = seeds,
                                       .seed_count = count,
                                       .random = 7};
    struct replay_result r;
    assert_fine(replay_search(space, &setup, &r));
    return r;
}

static void an_exhaustive_replay_counts_every_stored_block_and_what_it_cost(void **state)
{
    (void)state;
    struct replay_space space;
    const size_t count = whole_space(1, stored);
    size_t ok = 0, constraint = 0;
    double best = (double)INFINITY;
    for (size_t k = 0; k < count; k++) {
        ok += stored[k].outcome == DB_OK;
        constraint += stored[k].outcome == DB_CONSTRAINT;
        if (stored[k].outcome == DB_OK)
            best = fmin(best, stored[k].number[DB_MEDIAN]);
    }
    assert_true(constraint > 0 && ok > 100);
    load(&space, TABLE);
    assert_true(replay_complete(&space));
    ASSERT_NEAR(space.best, best, 5e-4);
    const struct replay_result r = replayed(&space, SEARCH_EXHAUSTIVE, NULL, 0);
    ASSERT_NEAR(r.evaluations, (double)(count - constraint), 0);
    ASSERT_NEAR(r.seconds, 0.15 * (double)ok, 1e-9);
    ASSERT_NEAR(r.fraction, 1, 0);
    assert_true(r.near >= 1 && r.near < r.evaluations && r.near_seconds <= r.seconds);
    assert_true(r.unknown > 0); /* the blocks around the winner */
    replay_free(&space);
}

static void a_guided_replay_asks_for_less_and_says_what_was_not_stored(void **state)
{
    (void)state;
    struct replay_space space;
    load(&space, TABLE);
    const struct replay_result r = replayed(&space, SEARCH_GUIDED, NULL, 0);
    assert_true(r.evaluations + r.unknown <= 40 && r.evaluations > 10);
    assert_true(r.fraction > 0.9 && r.fraction <= 1);
    replay_free(&space);
}

static void a_seed_that_is_the_best_is_found_at_once(void **state)
{
    (void)state;
    struct replay_space space;
    struct block seed[MOST_SEEDS];
    int count;
    const struct seeds_query q = {.kernel = kernel(),
                                  .backend = CUDA,
                                  .device = "made-up-9",
                                  .capability = "9.0",
                                  .nx = 64,
                                  .ny = 64,
                                  .except = inside(TABLE) + 3};
    char folder[PATH_LENGTH];
    scratch_path(folder, "db");
    assert_fine(seeds_find(folder, &q, seed, &count));
    assert_int_equal(count, 3);
    load(&space, TABLE);
    const struct replay_result r = replayed(&space, SEARCH_SEEDED, seed, count);
    ASSERT_NEAR(r.near, 1, 0);
    ASSERT_NEAR(r.fraction, 1, 0);
    replay_free(&space);
}

static void blocks_that_were_ended_or_failed_are_not_the_best(void **state)
{
    (void)state;
    struct replay_space space;
    size_t count = whole_space(1, stored), fastest = 0;
    for (size_t k = 1; k < count; k++)
        if (stored[k].outcome == DB_OK &&
            !(stored[k].number[DB_MEDIAN] >= stored[fastest].number[DB_MEDIAN]))
            fastest = k;
    const double best = stored[fastest].number[DB_MEDIAN];
    stored[fastest].outcome = DB_TIME_OUT;
    strcpy(stored[fastest].reason, "made up for a test");
    write_rows(TABLE, stored, count);
    load(&space, TABLE);
    assert_true(space.best > best);
    const struct replay_result r = replayed(&space, SEARCH_RANDOM, NULL, 0);
    ASSERT_NEAR(r.fraction, 1, 0);
    replay_free(&space);
}

static void a_space_with_holes_is_not_complete(void **state)
{
    (void)state;
    struct replay_space space;
    const size_t count = whole_space(1, stored);
    write_rows(TABLE, stored, count - 3);
    load(&space, TABLE);
    assert_true(space.absent > 0 && replay_complete(&space));
    replay_free(&space);
    whole_space(1, stored);
    write_rows(TABLE, stored, count - 20);
    load(&space, TABLE);
    assert_false(replay_complete(&space));
    replay_free(&space);
}

/* Nearer tables come first, and each gives its winner before any gives its second. */
static void seeds_come_from_similar_tables_and_never_from_the_table_itself(void **state)
{
    (void)state;
    struct db_row near[] = {row_of(32, 8, 100), row_of(16, 16, 120), row_of(64, 8, 130)};
    struct db_row far[] = {row_of(48, 8, 90), row_of(32, 8, 91)};
    struct block seed[MOST_SEEDS];
    int count;
    char folder[PATH_LENGTH], name[PATH_LENGTH];
    write_rows("flux_fgh0/circular-dam-60x60-f32.tsv", near, 3);
    write_rows("flux_fgh0/circular-dam-512x512-f32.tsv", far, 2);
    scratch_path(name, inside(OTHER));
    assert_int_equal(remove(name), 0);
    scratch_path(folder, "db");
    struct seeds_query q = {.kernel = kernel(),
                            .backend = CUDA,
                            .device = "made-up-9",
                            .nx = 64,
                            .ny = 64,
                            .except = inside(TABLE) + 3};
    assert_fine(seeds_find(folder, &q, seed, &count));
    const struct block wanted[] = {{32, 8}, {48, 8}, {16, 16}, {64, 8}};
    assert_int_equal(count, 4);
    assert_memory_equal(seed, wanted, sizeof wanted);
    q.nx = q.ny = 500;
    assert_fine(seeds_find(folder, &q, seed, &count));
    assert_true(seed[0].w == 48 && seed[1].w == 32);
    q.except = NULL;
    assert_fine(seeds_find(folder, &q, seed, &count));
    assert_true(count > 4);
    q.backend = CPU;
    assert_fine(seeds_find(folder, &q, seed, &count));
    assert_int_equal(count, 0);
}

extern const struct command db_action_replay;

static int lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void the_command_reports_each_space_and_all_of_them(void **state)
{
    (void)state;
    const char *const words[] = {"flux_fgh0", "--repeats", "5", NULL};
    assert_fine(run_action(&db_action_replay, words));
    const char *text = result.out;
    assert_non_null(strstr(text, "flux_fgh0 circular-dam 64x64 f32"));
    assert_non_null(strstr(text, "flux_fgh0 circular-dam 128x128 f32"));
    assert_non_null(strstr(text, "all 2 spaces"));
    for (int k = 0; k < STRATEGIES; k++)
        assert_non_null(strstr(text, strategy_names[k]));
    assert_int_equal(lines(text), 3 * (3 + STRATEGIES));
}

static void the_command_writes_a_table_for_figures(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    const char *const words[] = {"--tsv", "--repeats=3", "--device", "made-up-9", NULL};
    assert_fine(run_action(&db_action_replay, words));
    strcpy(text, result.out);
    assert_fine(run_action(&db_action_replay, words));
    assert_string_equal(text, result.out);
    assert_int_equal(lines(text), 1 + 2 * STRATEGIES);
    int columns = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        int tabs = 0;
        for (const char *c = line; *c != '\n'; c++)
            tabs += *c == '\t';
        columns = columns ? columns : tabs;
        assert_int_equal(tabs, columns);
    }
    assert_int_equal(columns, 18);
}

static void the_command_says_what_is_wrong_with_its_words(void **state)
{
    (void)state;
    static const struct {
        const char *words[4];
        enum err e;
        const char *message;
    } faults[] = {
        {{"flux_fgh9"}, ERR_USAGE, "flux_fgh9"},
        {{"--strategy", "gided"}, ERR_USAGE, "guided"},
        {{"--device", "nobody"}, ERR_USAGE, "nobody"},
        {{"--repeats", "0"}, ERR_USAGE, "repeats"},
        {{"rk0"}, ERR_INPUT, "exhaustive"},
    };
    for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) {
        assert_int_equal(run_action(&db_action_replay, faults[n].words), faults[n].e);
        if (!strstr(err_message(), faults[n].message))
            fail_msg("'%s' does not say '%s'", err_message(), faults[n].message);
    }
}

#define IN_SPACES(test) cmocka_unit_test_setup_teardown(test, build_spaces, remove_spaces)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SPACES(an_exhaustive_replay_counts_every_stored_block_and_what_it_cost),
        IN_SPACES(a_guided_replay_asks_for_less_and_says_what_was_not_stored),
        IN_SPACES(a_seed_that_is_the_best_is_found_at_once),
        IN_SPACES(blocks_that_were_ended_or_failed_are_not_the_best),
        IN_SPACES(a_space_with_holes_is_not_complete),
        IN_SPACES(seeds_come_from_similar_tables_and_never_from_the_table_itself),
        IN_SPACES(the_command_reports_each_space_and_all_of_them),
        IN_SPACES(the_command_writes_a_table_for_figures),
        IN_SPACES(the_command_says_what_is_wrong_with_its_words),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
