/* The figures' data of blocks and kernels: of a made-up database, and of the one in git. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
    struct plot_table t;
    write_small_table();
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, 5);
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(row_at(&t, wanted[k][0], wanted[k][1]), k);
    ASSERT_NEAR(cell(&t, 1, "loss"), 20, 1e-7);
    ASSERT_NEAR(cell(&t, 1, "fraction"), 1 / 1.2, 1e-9);
    ASSERT_NEAR(cell(&t, 2, "loss"), 0, 0);
    ASSERT_NEAR(cell(&t, 2, "low_us"), 99.75, 1e-7);
    ASSERT_NEAR(cell(&t, 2, "high_us"), 100.25, 1e-7);
    ASSERT_NEAR(cell(&t, 2, "best") + cell(&t, 2, "default") + cell(&t, 1, "usual"), 3, 0);
    ASSERT_NEAR(cell(&t, 2, "tied") + cell(&t, 3, "tied"), 2, 0);
    ASSERT_NEAR(sum(&t, "best") + sum(&t, "default") + sum(&t, "usual"), 3, 0);
    ASSERT_NEAR(sum(&t, "tied"), 2, 0);
    ASSERT_NEAR(cell(&t, 2, "kept"), 49, 0);
    ASSERT_NEAR(cell(&t, 2, "sequence"), 32008, 0);
    assert_string_equal(text_at(&t, 4, "outcome"), "constraint");
    assert_string_equal(text_at(&t, 4, "reason"), "made up for a test");
    assert_string_equal(text_at(&t, 4, "loss"), "-");
    assert_string_equal(text_at(&t, 0, "session"), "0000000a");
    assert_string_equal(t.file, "made-up-9/" SOURCE "/" TABLE);
    assert_string_equal(t.session, "0000000a");
    frame_free(&t.frame);
}

static void a_kernel_has_one_row_with_what_default_usual_and_thesis_lose(void **state)
{
    (void)state;
    struct plot_table t;
    write_small_table();
    scratch_folder("db/published");
    scratch_folder("db/published/amundsen-2014");
    scratch_write("db/published/amundsen-2014/table-4.1.tsv", "w",
                  "# source: made up\nkernel\treference\tgtx480\nFGH0\t16x12\t?\n");
    assert_fine(READ(source_kernels, &t, "kernel", "flux_fgh0", "nx", "64"));
    assert_int_equal(t.frame.rows, 1);
    assert_string_equal(text_at(&t, 0, "best"), "32x8");
    assert_string_equal(text_at(&t, 0, "default"), "32x8");
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
                  {"constraint", 1},
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
    frame_free(&t.frame);
}

static void a_kernel_whose_blocks_all_failed_has_no_best(void **state)
{
    (void)state;
    struct db_row rows[] = {failed_row(32, 8, DB_LAUNCH), failed_row(16, 16, DB_WRONG_ANSWER)};
    struct plot_table t;
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_kernels, &t));
    assert_int_equal(t.frame.rows, 1);
    assert_string_equal(text_at(&t, 0, "best"), "-");
    assert_string_equal(text_at(&t, 0, "default_ratio"), "-");
    assert_string_equal(text_at(&t, 0, "within5"), "-");
    ASSERT_NEAR(cell(&t, 0, "launch") + cell(&t, 0, "wrong"), 2, 0);
    frame_free(&t.frame);
}

static void end_session(const char *session)
{
    char folder[PATH_LENGTH];
    scratch_path(folder, home);
    assert_fine(db_record_end(folder, session));
    scratch_path(folder, "db");
    use_device(folder, "made-up-9", SOURCE);
}

static void of_several_sessions_a_block_has_the_row_of_the_newest_that_ended(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(32, 8, 90)};
    struct plot_table t;
    strcpy(rows[1].session, "0000000b");
    rows[1].number[DB_KEPT] = 5;
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "median_us"), 90, 0);
    frame_free(&t.frame);
    end_session("0000000a");
    assert_fine(READ_ALL(source_blocks, &t));
    ASSERT_NEAR(cell(&t, 0, "median_us"), 100, 0);
    frame_free(&t.frame);
    end_session("0000000b");
    assert_fine(READ_ALL(source_blocks, &t));
    ASSERT_NEAR(cell(&t, 0, "median_us"), 90, 0);
    frame_free(&t.frame);
}

/* Of a space some blocks of which are tried, by the text of now and by another one. */
static void a_table_knows_its_texts_and_how_much_was_tried(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120)};
    struct plot_table t = {.texts = 0}, all = {.texts = 0};
    char names[256];
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.texts, 1);
    assert_string_equal(t.text[0].source, SOURCE);
    assert_int_equal(t.stale, 1);
    assert_true(t.listed > 100 && t.absent == t.listed - 2);
    plot_texts_add(&all, &t);
    frame_free(&t.frame);
    t = (struct plot_table){.texts = 0};
    hash_now(rows[0].source);
    strcpy(rows[1].source, rows[0].source);
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.stale, 0);
    assert_false(plot_texts_mixed(&t));
    plot_texts_add(&all, &t);
    frame_free(&t.frame);
    assert_int_equal(all.texts, 2);
    assert_true(plot_texts_mixed(&all) && all.stale);
    plot_texts_name(&all, names, sizeof names);
    ASSERT_HAS(names, "flux.cu " SOURCE ", flux.cu ");
}

static void of_several_sources_the_present_one_counts_then_the_latest(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120)};
    struct plot_table t;
    strcpy(rows[1].source, OTHER_HASH);
    strcpy(rows[0].session, "0000000b");
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 32, 0);
    assert_string_equal(t.session, "0000000b");
    frame_free(&t.frame);
    hash_now(rows[1].source);
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 16, 0);
    frame_free(&t.frame);
}

static void rows_with_other_flags_count_only_where_they_are_asked_for(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 50)};
    struct plot_table t;
    strcpy(rows[1].flags, "strict");
    write_rows(TABLE, rows, 2);
    assert_fine(READ_ALL(source_blocks, &t));
    assert_int_equal(t.frame.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 32, 0);
    frame_free(&t.frame);
    assert_fine(READ(source_blocks, &t, "flags", "strict"));
    assert_int_equal(t.frame.rows, 1);
    ASSERT_NEAR(cell(&t, 0, "width"), 16, 0);
    frame_free(&t.frame);
}

static void kernel_size_and_precision_choose_tables(void **state)
{
    (void)state;
    struct db_row row = row_of(32, 8, 100);
    struct plot_table t;
    write_rows(TABLE, &row, 1);
    write_rows("flux_fgh0/circular-dam-256x256-f32.tsv", &row, 1);
    write_rows("flux_fgh0/circular-dam-1024x1024-f32.tsv", &row, 1);
    write_rows("flux_fgh0/circular-dam-64x64-f64.tsv", &row, 1);
    assert_fine(READ(source_kernels, &t, "kernel", "flux_fgh rk1"));
    assert_int_equal(t.frame.rows, 3);
    ASSERT_NEAR(cell(&t, 1, "nx"), 256, 0);
    ASSERT_NEAR(cell(&t, 2, "ny"), 1024, 0);
    frame_free(&t.frame);
    assert_fine(
        READ(source_kernels, &t, "nx", "1024 256", "nx.cuda", "64", "precision", "f32 f64"));
    assert_int_equal(t.frame.rows, 2);
    assert_string_equal(text_at(&t, 1, "precision"), "f64");
    frame_free(&t.frame);
    assert_fine(READ(source_blocks, &t, "kernel", "rk"));
    assert_int_equal(t.frame.rows, 0);
    assert_true(frame_column(&t.frame, "loss") > 0);
    assert_string_equal(t.file, "");
    frame_free(&t.frame);
}

static void what_cannot_be_meant_is_an_error_with_its_line(void **state)
{
    (void)state;
    static const struct {
        source_read *source;
        const char *key, *value, *message;
    } faults[] = {{source_blocks, "kernel", "flux_fhg", "did you mean 'flux_fgh'"},
                  {source_kernels, "kernel", "boundary", "boundary"},
                  {source_blocks, "nx", "64x64", "64x64"},
                  {source_predicted, "precision", "f16", "f32"},
                  {source_replay, "strategy", "gided", "gided"},
                  {source_replay, "repeats", "none", "none"}};
    struct plot_table t;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        assert_int_equal(READ(faults[k].source, &t, faults[k].key, faults[k].value), ERR_INPUT);
        ASSERT_HAS(err_message(), faults[k].message);
        ASSERT_HAS(err_message(), "made-up.ini:2");
        assert_null(t.frame.cell);
    }
}

static void a_malformed_row_is_an_error_with_file_and_line(void **state)
{
    (void)state;
    struct plot_table t;
    write_small_table();
    scratch_write(inside(TABLE), "a", "fast\tnonsense\n");
    assert_int_equal(READ_ALL(source_blocks, &t), ERR_INPUT);
    ASSERT_HAS(err_message(), TABLE ":7: ");
    ASSERT_HAS(err_message(), "columns");
}

static void the_thesis_s_blocks_are_those_of_its_table(void **state)
{
    (void)state;
    static const struct thesis_block wanted[] = {
        {"reference", {16, 12}}, {"Q1800M", {16, 13}}, {"GTX480", {32, 10}}, {"GTX435M", {32, 10}}};
    struct thesis_block b[8];
    char folder[PATH_LENGTH];
    assert_fine(paths_file("tuning_db", folder));
    assert_int_equal(thesis_blocks("flux_fgh0", folder, b, 8), 4);
    for (int k = 0; k < 4; k++) {
        assert_string_equal(b[k].gpu, wanted[k].gpu);
        assert_memory_equal(&b[k].block, &wanted[k].block, sizeof b[k].block);
    }
    assert_int_equal(thesis_blocks("flux_yblock1", folder, b, 8), 4);
    assert_true(b[1].block.w == 16 && b[1].block.h == 11);
    assert_int_equal(thesis_blocks("rk1_ee", folder, b, 2), 2);
    assert_true(b[1].block.w == 16 && b[1].block.h == 13);
    assert_int_equal(thesis_blocks("rkt_x0", folder, b, 8), 0);
    assert_int_equal(thesis_blocks("flux_fgh0", "/nowhere", b, 8), 0);
}

/* Of `shoal db show KERNEL`: has a paragraph about this table all these parts? */
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

/* A row of `kernels` against what the program shows, and against the rows of `blocks`. */
static void check_row(const struct plot_table *t, size_t k)
{
    char head[256], best[256], ties[64], tried[64];
    const char *kernel = text_at(t, k, "kernel"), *precision = text_at(t, k, "precision");
    const char *const part[3] = {best, ties, tried};
    struct plot_table blocks;
    snprintf(head, sizeof head, "%s %s: %s circular-dam %sx%s %s", device.device,
             device.environment, kernel, text_at(t, k, "nx"), text_at(t, k, "ny"), precision);
    snprintf(best, sizeof best, "\n  best     %s: %.3f us (%.3f to %.3f),", text_at(t, k, "best"),
             cell(t, k, "best_us"), cell(t, k, "best_low"), cell(t, k, "best_high"));
    snprintf(ties, sizeof ties, "\n  ties     %s:", text_at(t, k, "ties"));
    snprintf(tried, sizeof tried, "\n  blocks   %s:", text_at(t, k, "tried"));
    if (!shown(result.out, head, part))
        fail_msg("'%s' with %s%s%s\nis not in: %s", head, best, ties, tried, result.out);
    assert_fine(READ(source_blocks, &blocks, "kernel", kernel, "nx", text_at(t, k, "nx"),
                     "precision", precision));
    /* Of a kernel that has changed `blocks` has its older, complete space. */
    assert_true(blocks.frame.rows >= (size_t)cell(t, k, "tried"));
    if (blocks.frame.rows == (size_t)cell(t, k, "tried"))
        ASSERT_NEAR(sum(&blocks, "tied"), cell(t, k, "ties"), 0);
    ASSERT_NEAR(sum(&blocks, "best"), 1, 0);
    frame_free(&blocks.frame);
}

static void winners_and_ties_of_the_database_in_git_are_those_that_db_show_prints(void **state)
{
    (void)state;
    static const char *const kernels[] = {"flux_fgh0", "rk1", "flux_fx0", "srk1", "rkt_y0"};
    char folder[PATH_LENGTH];
    struct db_list list;
    struct db_place place;
    struct plot_table t;
    int rows = 0;
    assert_fine(paths_file("tuning_db", folder));
    assert_int_equal(setenv("SHOAL_DB", folder, 1), 0);
    assert_fine(db_list_read(folder, &list));
    scratch_create();
    for (size_t n = 0; n < list.count; n++) {
        db_place_parse(list.path[n], &place);
        if (place.kind != DB_MANIFEST)
            continue;
        use_device(folder, place.device, place.environment);
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
            SHOAL("db", "show", kernels[k]);
            ASSERT_STATUS(0);
            assert_fine(READ(source_kernels, &t, "kernel", kernels[k], "precision", "f32 f64"));
            for (size_t row = 0; row < t.frame.rows; row++, rows++)
                check_row(&t, row);
            frame_free(&t.frame);
        }
    }
    assert_true(rows >= 30);
    db_list_free(&list);
    unsetenv("SHOAL_DB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILT(blocks_come_by_width_and_height_with_what_they_lose),
        BUILT(a_kernel_has_one_row_with_what_default_usual_and_thesis_lose),
        BUILT(a_kernel_whose_blocks_all_failed_has_no_best),
        BUILT(of_several_sessions_a_block_has_the_row_of_the_newest_that_ended),
        BUILT(of_several_sources_the_present_one_counts_then_the_latest),
        BUILT(a_table_knows_its_texts_and_how_much_was_tried),
        BUILT(rows_with_other_flags_count_only_where_they_are_asked_for),
        BUILT(kernel_size_and_precision_choose_tables),
        BUILT(what_cannot_be_meant_is_an_error_with_its_line),
        BUILT(a_malformed_row_is_an_error_with_file_and_line),
        cmocka_unit_test(the_thesis_s_blocks_are_those_of_its_table),
        cmocka_unit_test_teardown(
            winners_and_ties_of_the_database_in_git_are_those_that_db_show_prints, destroy),
    };
    log_quiet(1);
    if (program_find() != 0)
        return 1;
    return cmocka_run_group_tests_name("kernel sources", tests, NULL, NULL);
}
