/* The figures' data on blocks and kernels, from a made-up database and from the one in git. */
#include <math.h>
#include "tests/support/test.h"

#include "core/db/record.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "tests/support/kernel_sources.h"

/* The winner and the default is 32x8; 64x4 is tied with it. */
static void write_small_table(void)
{
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120), row_of(64, 4, 100.2),
                            row_of(16, 12, 150), failed_row(64, 32, DB_CONSTRAINT)};
    write_rows(TABLE, rows, 5);
}

static void blocks_come_by_width_and_height_with_what_they_lose(void **state)
{
    (void)state;
    static const int wanted[5][2] = {{16, 12}, {16, 16}, {32, 8}, {64, 4}, {64, 32}};
    struct rowset t;
    write_small_table();
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 5);
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(row_at(&t, wanted[k][0], wanted[k][1]), k);
    ASSERT_NEAR(cell(&t, 1, "loss"), 20, 1e-7);
    ASSERT_NEAR(cell(&t, 1, "fraction"), 1 / 1.2, 1e-9);
    ASSERT_NEAR(cell(&t, 2, "loss"), 0, 0);
    ASSERT_NEAR(cell(&t, 2, "low_us"), 99.75, 1e-7);
    ASSERT_NEAR(cell(&t, 2, "high_us"), 100.25, 1e-7);
    ASSERT_NEAR(cell(&t, 2, "best") + cell(&t, 2, "is_default") + cell(&t, 1, "usual"), 3, 0);
    ASSERT_NEAR(cell(&t, 2, "tied") + cell(&t, 3, "tied"), 2, 0);
    ASSERT_NEAR(sum(&t, "best") + sum(&t, "is_default") + sum(&t, "usual"), 3, 0);
    ASSERT_NEAR(sum(&t, "tied"), 2, 0);
    ASSERT_NEAR(cell(&t, 2, "kept"), 49, 0);
    ASSERT_NEAR(cell(&t, 2, "sequence"), 32008, 0);
    assert_string_equal(text_at(&t, 4, "outcome"), "constraint");
    assert_string_equal(text_at(&t, 4, "reason"), "made up for a test");
    assert_string_equal(text_at(&t, 4, "loss"), "-");
    assert_string_equal(text_at(&t, 0, "session"), "0000000a");
    rowset_free(&t);
}

static void a_kernel_has_one_row_with_what_default_usual_and_thesis_lose(void **state)
{
    (void)state;
    struct rowset t;
    write_small_table();
    scratch_folder("db/published");
    scratch_folder("db/published/amundsen-2014");
    scratch_write("db/published/amundsen-2014/table-4.1.tsv", "w",
                  "# source: made "
                  "up\nkernel\treference\tq1800m\tgtx480\tgtx435m\nFGH0\t16x12\t?\t32x10\t-\n");
    t = ask("SELECT * FROM kernels WHERE kernel = 'flux_fgh0' AND nx = 64");
    assert_int_equal(t.rows, 1);
    assert_string_equal(text_at(&t, 0, "best"), "32x8");
    assert_string_equal(text_at(&t, 0, "default_block"), "32x8");
    static const struct {
        const char *column;
        double value;
    } wanted[] = {{"best_us", 100},
                  {"best_low", 99.75},
                  {"best_high", 100.25},
                  {"ties", 2},
                  {"tried", 5},
                  {"ok", 4},
                  {"failed", 1},
                  {"constrained", 1},
                  {"launch", 0},
                  {"time_out", 0},
                  {"default_ratio", 1},
                  {"default_low", 99.75 / 100.25},
                  {"usual_ratio", 1.2},
                  {"usual_low", 119.7 / 100.25},
                  {"usual_high", 120.3 / 99.75},
                  {"thesis_ratio", 1.5},
                  {"worst_ratio", 1.5},
                  {"within5", 0.5},
                  {"within10", 0.5},
                  {"registers", 40}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        ASSERT_NEAR(cell(&t, 0, wanted[k].column), wanted[k].value, 2e-8);
    assert_string_equal(text_at(&t, 0, "occupancy"), "-");
    assert_string_equal(text_at(&t, 0, "thesis_reference"), "16x12");
    assert_string_equal(text_at(&t, 0, "thesis_q1800m"), "-");
    assert_string_equal(text_at(&t, 0, "thesis_gtx480"), "32x10");
    rowset_free(&t);
}

static void a_kernel_whose_blocks_all_failed_has_no_best(void **state)
{
    (void)state;
    struct db_row rows[] = {failed_row(32, 8, DB_LAUNCH), failed_row(16, 16, DB_WRONG_ANSWER)};
    struct rowset t;
    write_rows(TABLE, rows, 2);
    t = ask("SELECT * FROM kernels");
    assert_int_equal(t.rows, 1);
    assert_string_equal(text_at(&t, 0, "best"), "-");
    assert_string_equal(text_at(&t, 0, "default_ratio"), "-");
    assert_string_equal(text_at(&t, 0, "within5"), "-");
    ASSERT_NEAR(cell(&t, 0, "launch") + cell(&t, 0, "wrong"), 2, 0);
    rowset_free(&t);
}

static void end_session(const char *session)
{
    char folder[PATH_LENGTH];
    scratch_path(folder, home);
    assert_fine(db_record_end(folder, session));
}

static void of_several_sessions_a_block_has_the_row_of_the_newest_that_ended(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(32, 8, 90)};
    struct rowset t;
    strcpy(rows[1].session, "0000000b");
    rows[1].number[DB_KEPT] = 5;
    write_rows(TABLE, rows, 2);
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "median_us"), 90, 0);
    rowset_free(&t);
    end_session("0000000a");
    t = ask(BLOCKS_IN_ORDER);
    ASSERT_NEAR(cell(&t, 0, "median_us"), 100, 0);
    rowset_free(&t);
    end_session("0000000b");
    t = ask(BLOCKS_IN_ORDER);
    ASSERT_NEAR(cell(&t, 0, "median_us"), 90, 0);
    rowset_free(&t);
}

/* A space of which some blocks were tried, with the present text or with another one. */
static void rows_say_their_text_and_how_much_was_tried(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120)};
    for (int present = 0; present < 2; present++) {
        write_rows(TABLE, rows, 2);
        struct rowset t = ask(BLOCKS_IN_ORDER);
        assert_string_equal(text_at(&t, 0, "file"), "flux.cu");
        assert_memory_equal(text_at(&t, 0, "source"), present ? digests_now().code : SOURCE,
                            DB_HASH);
        assert_true(sum(&t, "present") == 2 * present);
        assert_true(cell(&t, 0, "listed") > 100);
        assert_true(cell(&t, 0, "absent") == cell(&t, 0, "listed") - 2);
        assert_true(sum(&t, "complete") == 0);
        rowset_free(&t);
        hash_now(rows[0].source);
        strcpy(rows[1].source, rows[0].source);
    }
}

/* Comments of a text have changed since its rows were measured, and between them. */
static void rows_of_the_same_code_are_of_one_source(void **state)
{
    (void)state;
    char manifest[2048];
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120), row_of(16, 8, 130)};
    strcpy(rows[1].source, OTHER_HASH);
    hash_now(rows[2].source);
    snprintf(manifest, sizeof manifest, "{\"codes\": {\"%s\": \"%s\"},\n%s", SOURCE,
             digests_now().code, strchr(RUN_MANIFEST, '\n'));
    scratch_write(inside("manifest.json"), "w", manifest);
    write_rows(TABLE, rows, 3);
    struct rowset t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 2); /* not that of another code */
    assert_true(sum(&t, "present") == 2);
    assert_string_equal(text_at(&t, 0, "source"), text_at(&t, 1, "source"));
    rowset_free(&t);
    t = ask("SELECT text FROM kernel_rows WHERE width = 32");
    assert_string_equal(text_at(&t, 0, "text"), SOURCE);
    rowset_free(&t);
}

static void of_several_sources_the_present_one_counts_then_the_latest(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120)};
    struct rowset t;
    strcpy(rows[1].source, OTHER_HASH);
    strcpy(rows[0].session, "0000000b");
    write_rows(TABLE, rows, 2);
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 32, 0);
    assert_string_equal(text_at(&t, 0, "session"), "0000000b");
    rowset_free(&t);
    hash_now(rows[1].source);
    write_rows(TABLE, rows, 2);
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 16, 0);
    rowset_free(&t);
}

static void rows_with_other_flags_are_in_kernel_rows_alone(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 50)};
    struct rowset t;
    strcpy(rows[1].flags, "strict");
    write_rows(TABLE, rows, 2);
    t = ask(BLOCKS_IN_ORDER);
    assert_int_equal(t.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 32, 0);
    rowset_free(&t);
    t = ask("SELECT * FROM kernel_rows WHERE flags = 'strict'");
    assert_int_equal(t.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 16, 0);
    rowset_free(&t);
}

static void all_measurements_are_there_and_the_newest_of_each_block(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(32, 8, 90), row_of(16, 16, 120)};
    strcpy(rows[1].session, "0000000b");
    write_rows(TABLE, rows, 3);
    struct rowset t = ask("SELECT (SELECT count(*) FROM kernel_rows) AS all_rows, count(*) AS n, "
                          "min(median_us) AS least FROM newest_kernel_rows");
    ASSERT_NEAR(cell(&t, 0, "all_rows"), 3, 0);
    ASSERT_NEAR(cell(&t, 0, "n"), 2, 0);
    ASSERT_NEAR(cell(&t, 0, "least"), 90, 0);
    rowset_free(&t);
}

static void each_size_and_precision_has_its_rows(void **state)
{
    (void)state;
    struct db_row row = row_of(32, 8, 100);
    write_rows(TABLE, &row, 1);
    write_rows("flux_fgh0/circular-dam-256x256-f32.tsv", &row, 1);
    write_rows("flux_fgh0/circular-dam-1024x1024-f32.tsv", &row, 1);
    write_rows("flux_fgh0/circular-dam-64x64-f64.tsv", &row, 1);
    struct rowset t = ask("SELECT nx, ny, precision FROM kernels ORDER BY nx, precision");
    assert_int_equal(t.rows, 4);
    ASSERT_NEAR(cell(&t, 2, "nx"), 256, 0);
    ASSERT_NEAR(cell(&t, 3, "ny"), 1024, 0);
    assert_string_equal(text_at(&t, 1, "precision"), "f64");
    rowset_free(&t);
}

static void a_malformed_row_is_an_error_with_file_and_line(void **state)
{
    (void)state;
    struct rowset t;
    write_small_table();
    scratch_write(inside(TABLE), "a", "fast\tnonsense\n");
    assert_int_equal(try_query(BLOCKS_IN_ORDER, &t), ERR_INPUT);
    ASSERT_HAS(err_message(), TABLE ":7: ");
    ASSERT_HAS(err_message(), "columns");
}

/* The database in git, which does not change: read once. */
static struct plot_devices in_git;

static int read_git(void **state)
{
    char folder[PATH_LENGTH];
    (void)state;
    return paths_file("tuning_db", folder) || setenv("SHOAL_DB", folder, 1) ||
           plot_devices_read(&in_git, "") || unsetenv("SHOAL_DB");
}

static int free_git(void **state)
{
    (void)state;
    plot_devices_free(&in_git);
    return 0;
}

static struct rowset ask_git(const char *query)
{
    struct rowset t;
    assert_fine(database_ask(in_git.database, query, NULL, &t));
    return t;
}

static void the_thesis_s_blocks_are_those_of_its_table(void **state)
{
    static const char *const wanted[] = {"R 16 12", "Q 16 13", "G 32 10", "L 32 10"};
    char text[64];
    (void)state;
    struct rowset t = ask_git("SELECT letter, width, height FROM thesis_blocks "
                              "WHERE kernel = 'flux_fgh0'");
    assert_int_equal(t.rows, 4);
    for (size_t k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "%s %s %s", rowset_at(&t, k, 0), rowset_at(&t, k, 1),
                 rowset_at(&t, k, 2));
        assert_string_equal(text, wanted[k]);
    }
    rowset_free(&t);
    t = ask_git("SELECT block FROM thesis_blocks WHERE kernel = 'flux_yblock1' AND gpu = 'Q1800M'");
    assert_string_equal(text_at(&t, 0, "block"), "16x11");
    rowset_free(&t);
    t = ask_git("SELECT block FROM thesis_blocks WHERE kernel = 'rkt_x0'");
    assert_int_equal(t.rows, 0);
    rowset_free(&t);
}

/* Does a paragraph of `shoal db show KERNEL` about this table have all these parts? */
static int shown(const char *text, const char *head, const char *const part[3])
{
    for (const char *p = strstr(text, head); p; p = strstr(p + 1, head)) {
        const char *end = strstr(p, "\nnvidia"), *other = strstr(p, "\namd");
        end = other && (!end || other < end) ? other : end;
        char *copy = strndup(p, end ? (size_t)(end - p) : strlen(p));
        const int all = strstr(copy, part[0]) && strstr(copy, part[1]) && strstr(copy, part[2]);
        free(copy);
        if (all)
            return 1;
    }
    return 0;
}

/* A row of `kernels`, compared with what the program shows. */
static void check_row(const struct rowset *t, size_t k)
{
    char head[256], best[256], ties[64], tried[64];
    const char *const part[3] = {best, ties, tried};
    snprintf(head, sizeof head, "%s %s: %s circular-dam %sx%s %s", text_at(t, k, "device"),
             text_at(t, k, "environment"), text_at(t, k, "kernel"), text_at(t, k, "nx"),
             text_at(t, k, "ny"), text_at(t, k, "precision"));
    snprintf(best, sizeof best, "\n  best     %s: %.3f us (%.3f to %.3f),", text_at(t, k, "best"),
             cell(t, k, "best_us"), cell(t, k, "best_low"), cell(t, k, "best_high"));
    snprintf(ties, sizeof ties, "\n  ties     %s:", text_at(t, k, "ties"));
    snprintf(tried, sizeof tried, "\n  blocks   %s:", text_at(t, k, "tried"));
    if (!shown(result.out, head, part))
        fail_msg("'%s' with %s%s%s\nis not in: %s", head, best, ties, tried, result.out);
}

static void winners_and_ties_of_the_database_in_git_are_those_that_db_show_prints(void **state)
{
    (void)state;
    static const char *const kernels[] = {"flux_fgh0", "rk1", "flux_fx0", "srk1", "rkt_y0"};
    char folder[PATH_LENGTH];
    int rows = 0;
    assert_fine(paths_file("tuning_db", folder));
    assert_int_equal(setenv("SHOAL_DB", folder, 1), 0);
    scratch_create();
    struct rowset t = ask_git("SELECT * FROM kernels ORDER BY kernel");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        SHOAL("db", "show", kernels[k]);
        ASSERT_STATUS(0);
        for (size_t row = 0; row < t.rows; row++)
            if (strcmp(text_at(&t, row, "kernel"), kernels[k]) == 0) {
                check_row(&t, row);
                rows++;
            }
    }
    assert_true(rows >= 25);
    rowset_free(&t);
}

static void each_kernel_has_one_best_block_and_its_ties(void **state)
{
    (void)state;
    struct rowset t =
        ask_git("SELECT s.kernel, s.ties, s.tried, b.n, b.best, b.tied FROM spaces s JOIN "
                "(SELECT device, kernel, nx, ny, precision, count(*) AS n, sum(best) AS best, "
                "sum(tied) AS tied FROM blocks GROUP BY device, kernel, nx, ny, precision) b "
                "USING (device, kernel, nx, ny, precision)");
    assert_true(t.rows > 200);
    for (size_t row = 0; row < t.rows; row++) {
        ASSERT_NEAR(cell(&t, row, "best"), 1, 0);
        ASSERT_NEAR(cell(&t, row, "tied"), cell(&t, row, "ties"), 0);
        ASSERT_NEAR(cell(&t, row, "n"), cell(&t, row, "tried"), 0);
    }
    rowset_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILT(blocks_come_by_width_and_height_with_what_they_lose),
        BUILT(a_kernel_has_one_row_with_what_default_usual_and_thesis_lose),
        BUILT(a_kernel_whose_blocks_all_failed_has_no_best),
        BUILT(of_several_sessions_a_block_has_the_row_of_the_newest_that_ended),
        BUILT(of_several_sources_the_present_one_counts_then_the_latest),
        BUILT(rows_say_their_text_and_how_much_was_tried),
        BUILT(rows_of_the_same_code_are_of_one_source),
        BUILT(rows_with_other_flags_are_in_kernel_rows_alone),
        BUILT(all_measurements_are_there_and_the_newest_of_each_block),
        BUILT(each_size_and_precision_has_its_rows),
        BUILT(a_malformed_row_is_an_error_with_file_and_line),
        cmocka_unit_test(the_thesis_s_blocks_are_those_of_its_table),
        cmocka_unit_test(each_kernel_has_one_best_block_and_its_ties),
        cmocka_unit_test_teardown(
            winners_and_ties_of_the_database_in_git_are_those_that_db_show_prints, destroy),
    };
    log_quiet(1);
    if (program_find() != 0)
        return 1;
    return cmocka_run_group_tests_name("kernel sources", tests, read_git, free_git);
}
