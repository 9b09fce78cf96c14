/* The tuning database: its rows, merging, winners and look-up. */
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/database.h"
#include "tests/support/near.h"

static const char environment_text[] = "backend=cuda\ncompute_capability=9.0\ndevice=Made Up 9\n"
                                       "driver=1.2\nnvrtc=13.0\nsm_count=4\n";

static void rows_read_back_as_they_were_written(void **state)
{
    (void)state;
    char path[PATH_LENGTH], first[DB_LINE + 1], second[DB_LINE + 1];
    struct db_row wanted[] = {row_of(16, 16, 120), row_of(32, 8, 100),
                              failed_row(64, 32, DB_CONSTRAINT)};
    struct db_table t;
    strcpy(wanted[2].session, "0000000b");
    scratch_path(path, inside(TABLE));
    assert_fine(db_read(path, NULL, NULL, &t));
    assert_int_equal(t.count, 3);
    for (int k = 0; k < 3; k++) {
        db_row_format(&wanted[k], first);
        db_row_format(&t.row[k], second);
        assert_string_equal(first, second);
    }
    db_free(&t);
}

/* Replaces column `k` (from 0) of a line. */
static void replace(const char *line, int column, const char *with, char out[2 * DB_LINE])
{
    const char *start = line;
    for (int k = 0; k < column; k++)
        start = strchr(start, '\t') + 1;
    snprintf(out, (size_t)2 * DB_LINE, "%.*s%s%s", (int)(start - line), line, with,
             start + strcspn(start, "\t"));
}

static void malformed_rows_are_named_and_refused(void **state)
{
    (void)state;
    static const struct {
        int column;
        const char *with, *message;
    } faults[] = {
        {0, "Fast", "flags"},
        {0, "", "flags"},
        {1, "0123", "source"},
        {1, "0123456789aX", "source"},
        {2, "0", "width"},
        {2, "2000", "width"},
        {2, "32.5", "width"},
        {2, "032", "not written"},
        {3, "-8", "height"},
        {4, "a", "session"},
        {5, "-", "binary"},
        {6, "fine", "outcome"},
        {6, "launch", "reason"},
        {7, "slow", "reason"},
        {8, "watch", "method"},
        {8, "-", "method"},
        {9, "4", "kept"},
        {9, "nan", "kept"},
        {9, "-", "kept"},
        {11, "1e99", "min_us"},
        {11, "105.000", "min_us"},
        {12, "inf", "q1_us"},
        {13, "0x64", "not written"},
        {13, "100", "not written"},
        {13, "100.0000", "not written"},
        {13, "+100.000", "not written"},
        {13, "", "median_us"},
        {13, "-5.000", "median_us"},
        {14, "99.000", "median_us"},
        {16, "200.000", "mean_us"},
        {17, "50.000", "spread_us"},
        {19, "40\t1", "columns"},
        {19, "4\r", "control"},
        {30, "-1", "sequence"},
    };
    char line[DB_LINE + 1], bad[2 * DB_LINE];
    struct db_row row = row_of(32, 8, 100);
    db_row_format(&row, line);
    assert_fine(db_row_parse(line, &row));
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        replace(line, faults[k].column, faults[k].with, bad);
        if (db_row_parse(bad, &row) != ERR_INPUT)
            fail_msg("accepted: %s", bad);
        ASSERT_HAS(err_message(), faults[k].message);
    }
    assert_int_equal(db_row_parse("", &row), ERR_INPUT);
    memset(bad, 'x', sizeof bad - 1);
    bad[sizeof bad - 1] = '\0';
    assert_int_equal(db_row_parse(bad, &row), ERR_INPUT);
}

/* Every prefix of a row is malformed, wherever it was cut. */
static void a_row_that_was_cut_is_refused(void **state)
{
    (void)state;
    char line[DB_LINE + 1];
    struct db_row row = row_of(32, 8, 100), got;
    db_row_format(&row, line);
    /* Missing digits of the last number, except the first, may go unnoticed here; the check sees the missing newline.
     * */
    const size_t last = (size_t)(strrchr(line, '\t') - line) + 1;
    for (size_t n = 0; n <= last; n++) {
        line[n] = '\0';
        assert_int_equal(db_row_parse(line, &got), ERR_INPUT);
        db_row_format(&row, line);
    }
}

struct told {
    int count, line;
};

static void count_fault(void *context, const char *path, int line, const char *text)
{
    struct told *told = context;
    (void)path, (void)text;
    told->count++;
    told->line = line;
}

static void a_malformed_row_is_left_out_of_a_file(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    struct db_table t;
    struct told told = {0};
    scratch_write(inside(TABLE), "a", "<<<<<<< ours\n");
    scratch_path(path, inside(TABLE));
    assert_fine(db_read(path, count_fault, &told, &t));
    assert_int_equal(t.count, 3);
    assert_int_equal(told.count, 1);
    assert_int_equal(told.line, 5);
    db_free(&t);
    scratch_write("other.tsv", "w", "width\theight\n1\t2\n");
    scratch_path(path, "other.tsv");
    assert_int_equal(db_read(path, NULL, NULL, &t), ERR_INPUT);
    ASSERT_HAS(err_message(), "other.tsv:1");
}

enum { MERGED = 5 };

/* Rows that meet in every possible way: other blocks, another session, more timings, a wrong answer. */
static void merge_rows(struct db_row row[MERGED])
{
    row[0] = row_of(32, 8, 100);
    row[1] = row_of(32, 8, 101);
    row[1].number[DB_KEPT] = 200;
    row[2] = row_of(32, 8, 99);
    strcpy(row[2].session, "0000000b");
    row[3] = row_of(8, 8, 200);
    row[4] = failed_row(8, 8, DB_WRONG_ANSWER);
}

static void merge_in_order(const struct db_row *row, const int *order, char text[MOST_TEXT])
{
    char path[PATH_LENGTH];
    scratch_path(path, "merged.tsv");
    unlink(path);
    for (int k = 0; k < MERGED; k++) {
        struct db_row one = row[order[k]];
        const struct db_table t = {&one, 1};
        assert_fine(db_merge(path, &t));
    }
    program_read("merged.tsv", text);
}

static void merging_keeps_what_it_cannot_read(void **state)
{
    (void)state;
    static char text[MOST_TEXT], again[MOST_TEXT];
    struct db_row row[MERGED];
    char path[PATH_LENGTH];
    struct db_table all = {row, MERGED}, t;
    merge_rows(row);
    scratch_path(path, "merged.tsv");
    unlink(path);
    assert_fine(db_merge(path, &all));
    scratch_write("merged.tsv", "a", "a row\tof mine\ncut of");
    for (int k = 0; k < 2; k++) {
        assert_fine(db_merge(path, &all));
        program_read("merged.tsv", k ? again : text);
    }
    assert_string_equal(text, again);
    ASSERT_HAS(text, "\na row\tof mine\ncut of\n");
    assert_fine(db_read(path, NULL, NULL, &t));
    assert_int_equal(t.count, 3);
    db_free(&t);
}

static void merging_is_idempotent_and_free_of_order(void **state)
{
    (void)state;
    static char first[MOST_TEXT], again[MOST_TEXT];
    static const int orders[][MERGED] = {
        {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {1, 0, 4, 2, 3}, {3, 4, 1, 2, 0}, {2, 3, 0, 4, 1}};
    struct db_row row[MERGED];
    char path[PATH_LENGTH];
    struct db_table all = {row, MERGED}, t;
    merge_rows(row);
    merge_in_order(row, orders[0], first);
    for (size_t k = 1; k < sizeof orders / sizeof orders[0]; k++) {
        merge_in_order(row, orders[k], again);
        assert_string_equal(first, again);
    }
    scratch_path(path, "merged.tsv");
    assert_fine(db_merge(path, &all));
    program_read("merged.tsv", again);
    assert_string_equal(first, again);
    assert_fine(db_read(path, NULL, NULL, &t));
    assert_int_equal(t.count, 3); /* the wrong answer, the 200 timings, the other session */
    assert_int_equal(t.row[0].outcome, DB_WRONG_ANSWER);
    ASSERT_NEAR(t.row[1].number[DB_KEPT], 200, 0);
    assert_string_equal(t.row[2].session, "0000000b");
    db_free(&t);
}

/* One of two processes that write the same file; a failing test must not leave it running. */
static int merge_many(const char *path, int height)
{
    for (int w = 1; w <= 20; w++) {
        struct db_row row = row_of(w, height, 100);
        const struct db_table t = {&row, 1};
        if (db_merge(path, &t))
            return 1;
    }
    return 0;
}

static void two_writers_lose_nothing(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    struct db_table t;
    int status;
    scratch_path(path, "shared.tsv");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(merge_many(path, 1));
    const int mine = merge_many(path, 2);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && mine == 0);
    assert_fine(db_read(path, NULL, NULL, &t));
    assert_int_equal(t.count, 40);
    db_free(&t);
}

static void what_cannot_be_told_apart_is_a_tie(void **state)
{
    (void)state;
    /* Half-widths: 1.57 (1 % of the median) / sqrt(50) = 0.222 %, so the floor of 0.25 % rules. */
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 100.4), row_of(8, 8, 100.6),
                            row_of(64, 4, 100), failed_row(4, 4, DB_LAUNCH)};
    struct db_table t = {rows, 5};
    struct db_group g;
    size_t next = 0;
    double low, high;
    db_sort(&t);
    assert_fine(db_group_next(&t, &next, &g));
    assert_int_equal(next, 5);
    assert_int_equal(g.count, 5);
    assert_int_equal(g.ok, 4);
    assert_int_equal(g.row[0].block.w, 32); /* as fast as 64x4, and squarer */
    assert_int_equal(g.row[1].block.w, 64);
    assert_true(db_tied(&g.row[0], &g.row[2]));
    assert_false(db_tied(&g.row[0], &g.row[3]));
    struct db_row wide = g.row[3];
    wide.number[DB_Q3] = 110; /* quartiles 10 apart: +- 2.2 us */
    assert_true(db_tied(&g.row[0], &wide));
    db_interval(&wide, &low, &high);
    ASSERT_NEAR(high - low, 2 * 1.57 * (110 - 100.6 * 0.995) / sqrt(50), 1e-9);
    db_group_free(&g);
    assert_fine(db_group_next(&t, &next, &g));
    assert_int_equal(g.count, 0);
}

static void one_lucky_session_does_not_win(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(32, 8, 100), row_of(32, 8, 50), row_of(16, 16, 90)};
    struct db_table t = {rows, 3};
    struct db_group g;
    size_t next = 0;
    strcpy(rows[1].session, "0000000b");
    rows[1].number[DB_KEPT] = 5;
    db_sort(&t);
    assert_fine(db_group_next(&t, &next, &g));
    assert_int_equal(g.count, 2);
    assert_int_equal(g.row[0].block.w, 16);
    ASSERT_NEAR(g.row[1].number[DB_MEDIAN], 100, 0);
    db_group_free(&g);
}

static struct {
    const char *device, *capability;
} asker;

static void look_up(const struct db_query *q, enum db_match match, int w)
{
    char folder[PATH_LENGTH];
    struct db_found found;
    struct db_view *view;
    scratch_path(folder, "db");
    assert_fine(db_view_open(&view, folder, asker.device, asker.capability, 0));
    assert_fine(db_view_find(view, q, 1, &found));
    db_view_close(view);
    assert_int_equal(found.match, match);
    if (match != DB_NO_MATCH)
        assert_int_equal(found.row.block.w, w);
}

static void look_up_goes_from_the_same_to_the_similar(void **state)
{
    (void)state;
    struct db_row larger[] = {row_of(48, 4, 900)}, sessions[] = {row_of(20, 4, 90)};
    struct db_query q = {.kernel = "flux_fgh0", .nx = 64, .ny = 64};
    asker.device = "Made Up 9";
    asker.capability = "9.0";
    write_rows("flux_fgh0/circular-dam-256x256-f32.tsv", larger, 1);
    look_up(&q, DB_SAME_SIZE, 32);
    q.nx = 200; /* 12800 cells: 3.1 times 4096, a fifth of 65536 */
    look_up(&q, DB_OTHER_SIZE, 32);
    q.ny = 200;
    look_up(&q, DB_OTHER_SIZE, 48);
    asker.device = "Made Up 10";
    look_up(&q, DB_SAME_CAPABILITY, 48);
    asker.capability = "8.0";
    look_up(&q, DB_NO_MATCH, 0);
    asker.capability = NULL;
    look_up(&q, DB_NO_MATCH, 0);
    asker.device = "Made Up 9";
    q.precision = F64;
    look_up(&q, DB_NO_MATCH, 0);
    q = (struct db_query){.kernel = "flux_fgh0", .nx = 64, .ny = 64};
    q.flags = FLAGS_TEXT;
    look_up(&q, DB_SAME_SIZE, 32);
    q.flags = "mode=strict";
    look_up(&q, DB_NO_MATCH, 0);
    q.flags = NULL;
    q.kernel = "rk0";
    look_up(&q, DB_NO_MATCH, 0);
    /* The same size of two cases: the later session's row, or the one whose source is requested. */
    q.kernel = "flux_fgh0";
    strcpy(sessions[0].session, "0000000b");
    strcpy(sessions[0].source, "fedcba987654");
    write_rows("flux_fgh0/sine-64x64-f32.tsv", sessions, 1);
    look_up(&q, DB_SAME_SIZE, 20);
    q.source = SOURCE;
    q.code = "none";
    look_up(&q, DB_SAME_SIZE, 32);
    /* A present text whose code is that of a text with rows. */
    q.source = "ba9876543210";
    look_up(&q, DB_SAME_SIZE, 20);
    scratch_write(inside("manifest.json"), "w",
                  "{\n  \"format\": 1,\n  \"codes\": {\"" SOURCE
                  "\": \"a code\"},\n" ENVIRONMENT FLAGS SOURCES SESSIONS "}\n");
    look_up(&q, DB_SAME_SIZE, 20);
    q.code = "a code";
    look_up(&q, DB_SAME_SIZE, 32);
}

static void look_up_passes_over_files_it_cannot_read(void **state)
{
    (void)state;
    const struct db_query q = {.kernel = "flux_fgh0", .nx = 64, .ny = 64};
    asker.device = "Made Up 9";
    scratch_write(inside("flux_fgh0/bend-64x64-f32.tsv"), "w", "not a table\n");
    look_up(&q, DB_SAME_SIZE, 32);
    scratch_write(inside("manifest.json"), "w", "{");
    look_up(&q, DB_NO_MATCH, 0);
}

static void the_hash_of_an_environment_is_that_of_its_lines(void **state)
{
    (void)state;
    char command[PATH_LENGTH], hash[DB_HASH + 1], got[DB_HASH + 1] = "";
    hash_manifest(hash);
    scratch_write("lines", "w", environment_text);
    snprintf(command, sizeof command, "sha256sum %s/lines", scratch);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_int_equal(fread(got, 1, DB_HASH, f), DB_HASH);
    assert_int_equal(pclose(f), 0);
    assert_string_equal(hash, got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(rows_read_back_as_they_were_written),
        IN_SCRATCH(malformed_rows_are_named_and_refused),
        IN_SCRATCH(a_row_that_was_cut_is_refused),
        IN_SCRATCH(a_malformed_row_is_left_out_of_a_file),
        IN_SCRATCH(merging_keeps_what_it_cannot_read),
        IN_SCRATCH(merging_is_idempotent_and_free_of_order),
        IN_SCRATCH(two_writers_lose_nothing),
        IN_SCRATCH(what_cannot_be_told_apart_is_a_tie),
        IN_SCRATCH(one_lucky_session_does_not_win),
        IN_SCRATCH(look_up_goes_from_the_same_to_the_similar),
        IN_SCRATCH(look_up_passes_over_files_it_cannot_read),
        IN_SCRATCH(the_hash_of_an_environment_is_that_of_its_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
