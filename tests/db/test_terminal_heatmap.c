/* The heat map: what it marks, and that it fits a terminal. */
#include "tests/support/test.h"

#include "core/db/terminal_heatmap.h"
#include "tests/support/database.h"

static char drawn[MOST_TEXT];

/* Draws the group of a table's rows. */
static void draw(struct db_row *row, size_t count, struct block usual, int colour)
{
    struct db_table t = {row, count};
    struct db_group g;
    size_t next = 0;
    db_sort(&t);
    assert_fine(db_group_next(&t, &next, &g));
    FILE *f = fmemopen(drawn, sizeof drawn, "w");
    assert_non_null(f);
    heatmap_print(f, &g, usual, colour);
    assert_int_equal(fclose(f), 0);
    db_group_free(&g);
}

static size_t longest_line(void)
{
    size_t longest = 0;
    for (const char *line = drawn; *line;) {
        const size_t n = strcspn(line, "\n");
        longest = n > longest ? n : longest;
        line += n + (line[n] == '\n');
    }
    return longest;
}

static void winner_ties_default_and_failures_are_marked(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(8, 1, 100),
                            row_of(16, 1, 100.1),
                            row_of(32, 1, 115),
                            row_of(128, 1, 100000),
                            failed_row(8, 2, DB_CONSTRAINT),
                            failed_row(16, 2, DB_COMPILE),
                            failed_row(32, 2, DB_LAUNCH),
                            failed_row(64, 2, DB_WRONG_ANSWER),
                            failed_row(128, 2, DB_TIME_OUT),
                            row_of(8, 4, 130),
                            row_of(16, 4, 104)};
    draw(rows, sizeof rows / sizeof *rows, (struct block){8, 4}, 0);
    ASSERT_HAS(drawn, "h \\ w          1\n"
                      "         1 3 6 2\n"
                      "       8 6 2 4 8\n"
                      "    1 @*@=##  ..\n"
                      "    2 c k l w t \n"
                      "    4 +d@@      \n");
    ASSERT_HAS(drawn, "* winner 8x1, = tied with it, d default 8x4 (D: tied)\n");
    ASSERT_HAS(drawn, "failed: c constraint, k compile, l launch, w wrong-answer, t time-out\n");
    draw(rows, sizeof rows / sizeof *rows, (struct block){16, 1}, 0);
    ASSERT_HAS(drawn, "    1 @*@D##  ..\n");
    draw(rows, sizeof rows / sizeof *rows, (struct block){8, 1}, 0);
    ASSERT_HAS(drawn, "* winner and default 8x1, = tied with it\n");
    draw(rows, sizeof rows / sizeof *rows, (struct block){7, 7}, 0);
    ASSERT_HAS(drawn, "d default 7x7 (D: tied): not tried\n");
    assert_true(longest_line() <= 80);
}

static void it_has_escapes_only_where_colour_is_wanted(void **state)
{
    (void)state;
    struct db_row rows[] = {row_of(8, 1, 100), row_of(8, 2, 150), failed_row(8, 3, DB_LAUNCH)};
    draw(rows, 3, (struct block){8, 1}, 0);
    assert_null(strchr(drawn, '\033'));
    draw(rows, 3, (struct block){8, 1}, 1);
    ASSERT_HAS(drawn, "\033[48;5;226;38;5;16m@*\033[0m\n");
    ASSERT_HAS(drawn, "    3 l \n");
}

/* Widths 4 to 4 n, one height. */
static void draw_widths(int n)
{
    enum { MOST = 256 };
    struct db_row rows[MOST];
    assert_true(n <= MOST);
    for (int k = 0; k < n; k++)
        rows[k] = row_of(4 * (k + 1), 1, 100 + 100 * k);
    draw(rows, (size_t)n, (struct block){4, 1}, 0);
    assert_true(longest_line() <= 80);
}

static void many_widths_make_narrow_cells_and_then_bands(void **state)
{
    (void)state;
    draw_widths(37);
    ASSERT_HAS(drawn, "    1 @*--....");
    draw_widths(38);
    ASSERT_HAS(drawn, "    1 *-......");
    draw_widths(256);
    int bands = 0;
    for (const char *p = drawn; (p = strstr(p, "h \\ w")); p++)
        bands++;
    assert_int_equal(bands, 4);
}

static void nothing_but_failures_can_be_drawn(void **state)
{
    (void)state;
    struct db_row rows[] = {failed_row(8, 1, DB_LAUNCH), failed_row(16, 1, DB_TIME_OUT)};
    draw(rows, 2, (struct block){8, 1}, 1);
    ASSERT_HAS(drawn, "    1 l t \n");
    assert_null(strstr(drawn, "winner"));
}

static void show_draws_it_plainly_into_a_file(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    if (program_find())
        fail_msg("build/shoal is not there: run make");
    scratch_path(path, "db");
    assert_int_equal(setenv("SHOAL_DB", path, 1), 0);
    SHOAL("db", "show", "flux_fgh0", "--heatmap", "--device", "made-up-9");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "    8   @*  \n");
    ASSERT_HAS(result.out, "   32     c \n");
    SHOAL("db", "show", "flux_fgh0");
    ASSERT_STATUS(0);
    assert_null(strstr(result.out, "time/best"));
    SHOAL("db", "show", "flux_fgh0", "--heatmop");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "heatmap");
    assert_int_equal(unsetenv("SHOAL_DB"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winner_ties_default_and_failures_are_marked),
        cmocka_unit_test(it_has_escapes_only_where_colour_is_wanted),
        cmocka_unit_test(many_widths_make_narrow_cells_and_then_bands),
        cmocka_unit_test(nothing_but_failures_can_be_drawn),
        IN_SCRATCH(show_draws_it_plainly_into_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
