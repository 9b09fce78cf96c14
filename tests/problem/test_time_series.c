/* Files of numbers that change with time: what is read, and the messages about what is refused. */
#include "tests/support/test.h"

#include <math.h>

#include "core/problem/time_series.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

static enum err parse(struct timeseries *s, const char *text)
{
    return timeseries_parse(s, text, strlen(text), "q.txt");
}

static int exactly(double a, double b)
{
    return !(a < b) && !(a > b);
}

static void separators_comments_titles_and_line_ends_do_not_matter(void **state)
{
    static const char *const same[] = {
        "0 1\n10 -2.5\n1e2 3\n",
        "0,1\n10,-2.5\n100,3",
        "0;1\r\n10;-2.5\r\n100;3\r\n",
        "\t0\t1 # the start\n\n# nothing\n  10 ,\t-2.5;\n100 3 #",
        "time Q\n0 1\n10 -2.5\n100 3\n",
        "# of a river\n\"t (s)\"; \"Q (m3/s)\"\n0;1;\n10;-2.5;\n100;3;\n",
        "\xef\xbb\xbf\x30 1\n10 -2.5\n100 3\n",
    };
    (void)state;
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        struct timeseries s;
        ASSERT_READ(parse(&s, same[k]));
        assert_int_equal(s.rows, 3);
        assert_true(exactly(s.time[0], 0) && exactly(s.time[1], 10) && exactly(s.time[2], 100));
        assert_true(exactly(s.value[0], 1) && exactly(s.value[1], -2.5) && exactly(s.value[2], 3));
        timeseries_free(&s);
    }
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
    static const char *const bad[][2] = {
        {"", "q.txt: 0 rows: expected two or more"},
        {"# nothing\n\n", "0 rows"},
        {"0 1\n", "1 row: expected two or more"},
        {"0 1\n10 2\n5 3\n", "q.txt:3: time 5 s comes after 10 s on line 2"},
        {"0 1\n# x\n0 2\n", "q.txt:3: time 0 s repeats 0 s on line 1"},
        {"0 1\n10 nan\n", "q.txt:2: 'nan' is not a finite number"},
        {"nan 1\n10 2\n", "q.txt:1: 'nan' is not a finite number"},
        {"0 1\n10 inf\n", "not a finite number"},
        {"0 1\n10 1e999\n", "not a finite number"},
        {"0 1\n10 high\n", "q.txt:2: 'high' is not a number"},
        {"time Q\ns m3/s\n0 1\n10 2\n", "q.txt:2: 's' is not a number"},
        {"0 1\n0:10 2\n", "'0:10' is not a number"},
        {"0 1\n10 2m\n", "'2m' is not a number"},
        {"0 1\n10\n", "q.txt:2: 1 column: expected two"},
        {"0 1\n10 2 3\n", "q.txt:2: 3 columns"},
        {"0;1,5\n10;2,5\n", "decimals begin with a point"},
        {"0 1e308\n1e-300 -1e308\n", "too steep"},
        {"0 0\n1e-320 1\n", "too steep"},
        {"0 1234567890123456789012345678901234567890123456789\n1 1\n",
         "'1234567890123456789012345678901234567890' is not a number"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct timeseries s;
        ASSERT_REFUSED(parse(&s, bad[k][0]), bad[k][1]);
        timeseries_free(&s);
    }
    struct timeseries s;
    ASSERT_REFUSED(timeseries_parse(&s, "0 1\n1\0 2\n", 10, "q.txt"), "not a text file");
    timeseries_free(&s);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    char path[PATH_LENGTH];
    struct timeseries s;
    (void)state;
    scratch_path(path, "absent.txt");
    ASSERT_REFUSED(timeseries_read(&s, path), "absent.txt: cannot be read: No such file");
    ASSERT_REFUSED(timeseries_read(&s, scratch), "Is a directory");
    scratch_write("one.txt", "w", "0 1\n60 2\n");
    scratch_path(path, "one.txt");
    ASSERT_READ(timeseries_read(&s, path));
    assert_string_equal(s.hash, "9e4884339b06"); /* printf '0 1\n60 2\n' | sha256sum */
    timeseries_free(&s);
}

static void a_run_must_lie_within_its_series(void **state)
{
    struct timeseries s;
    (void)state;
    ASSERT_READ(parse(&s, "10 1\n60 2\n"));
    ASSERT_READ(timeseries_covers(&s, 10, 60, "q.txt"));
    ASSERT_REFUSED(timeseries_covers(&s, 0, 60, "q.txt"),
                   "q.txt: the first row is at 10 s, but the run starts at 0 s: add a row");
    ASSERT_REFUSED(timeseries_covers(&s, 10, 60.5, "q.txt"),
                   "q.txt: the last row is at 60 s, but the run ends at 60.5 s: add a row");
    timeseries_free(&s);
}

static void an_integral_is_that_of_the_straight_lines(void **state)
{
    struct timeseries s;
    (void)state;
    ASSERT_READ(parse(&s, "0 0\n10 2\n20 2\n30 -4\n"));
    assert_true(exactly(timeseries_integral(&s, 0, 30), 10 + 20 - 10));
    assert_true(exactly(timeseries_integral(&s, 5, 15), 7.5 + 10));
    assert_true(exactly(timeseries_integral(&s, 12, 12), 0));
    timeseries_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_comments_titles_and_line_ends_do_not_matter),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(a_run_must_lie_within_its_series),
        cmocka_unit_test(an_integral_is_that_of_the_straight_lines),
    };
    return cmocka_run_group_tests_name("time_series", tests, scratch_setup, scratch_remove);
}
