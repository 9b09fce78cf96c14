/* Tables in memory: cells, conditions, order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/data/frame.h"

#define ASSERT_FINE(call)                  \
    do {                                   \
        if (call)                          \
            fail_msg("%s", err_message()); \
    } while (0)

/* Rows as text, cells separated by blanks, rows by line ends, after the columns' names. */
static struct frame frame_of(const char *columns, const char *rows)
{
    struct frame f;
    char *text = strdup(rows), *next = text;
    ASSERT_FINE(frame_create(&f, columns));
    for (char *line = strsep(&next, "\n"); line && *line; line = strsep(&next, "\n")) {
        ASSERT_FINE(frame_add_row(&f));
        for (int k = 0; k < f.columns; k++)
            ASSERT_FINE(frame_set(&f, f.rows - 1, k, strsep(&line, " ")));
    }
    free(text);
    return f;
}

static void assert_text(const struct frame *f, const char *wanted)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    frame_write(f, to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, wanted);
    free(text);
}

static void cells_hold_what_was_set_and_a_dash_else(void **state)
{
    struct frame f = {0};
    int column;
    (void)state;
    ASSERT_FINE(frame_add_row(&f));
    ASSERT_FINE(frame_add_column(&f, "a", "x", &column));
    assert_int_equal(column, 0);
    ASSERT_FINE(frame_add_column(&f, "b", "-", NULL));
    ASSERT_FINE(frame_add_row(&f));
    ASSERT_FINE(frame_set_number(&f, 1, 0, 0.1));
    ASSERT_FINE(frame_set_number(&f, 1, 1, (double)NAN));
    assert_text(&f, "a\tb\nx\t-\n0.1\t-\n");
    ASSERT_FINE(frame_set(&f, 0, 0, ""));
    ASSERT_FINE(frame_set(&f, 0, 1, "a\tb\nc"));
    assert_text(&f, "a\tb\n-\ta b c\n0.1\t-\n");
    assert_int_equal(frame_add_column(&f, "b", "-", NULL), ERR_USAGE);
    assert_int_equal(frame_column(&f, "c"), -1);
    frame_free(&f);
    frame_free(&f);
}

static void only_decimal_numbers_are_numbers(void **state)
{
    struct frame f = frame_of("a", "12\n-1.5e3\n.5\n-\ninf\nnan\n0x10\n16x16\n1e999\n1-2");
    const double wanted[] = {12, -1500, 0.5};
    (void)state;
    for (size_t r = 0; r < f.rows; r++) {
        if (r < 3)
            assert_true(frame_number(&f, r, 0) == wanted[r]);
        else
            assert_true(isnan(frame_number(&f, r, 0)));
    }
    assert_true(isnan(frame_number(&f, 0, -1)));
    frame_free(&f);
}

static void a_table_grows_by_many_rows_columns_and_long_texts(void **state)
{
    enum { ROWS = 3000, LONG = 200000 };
    struct frame f = frame_of("a", "");
    char name[16], *text = malloc(LONG + 1);
    (void)state;
    assert_non_null(text);
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    for (int r = 0; r < ROWS; r++) {
        ASSERT_FINE(frame_add_row(&f));
        ASSERT_FINE(frame_set_number(&f, (size_t)r, 0, r));
    }
    for (int k = 0; k < 20; k++) {
        snprintf(name, sizeof name, "c%d", k);
        ASSERT_FINE(frame_add_column(&f, name, name, NULL));
    }
    ASSERT_FINE(frame_set(&f, 1, 20, text));
    for (int r = 0; r < ROWS; r++)
        assert_true(frame_number(&f, (size_t)r, 0) == r);
    assert_string_equal(frame_at(&f, ROWS - 1, 20), "c19");
    assert_string_equal(frame_at(&f, 1, 20), text);
    free(text);
    frame_free(&f);
}

static void appended_rows_are_matched_by_the_names_of_columns(void **state)
{
    struct frame f = frame_of("a\tb", "1 2"), more = frame_of("c\ta", "3 4\n5 6"), none = {0};
    (void)state;
    ASSERT_FINE(frame_append(&f, &more));
    assert_text(&f, "a\tb\tc\n1\t2\t-\n4\t-\t3\n6\t-\t5\n");
    ASSERT_FINE(frame_append(&none, &more));
    assert_text(&none, "c\ta\n3\t4\n5\t6\n");
    frame_free(&f);
    frame_free(&more);
    frame_free(&none);
}

static void rows_are_sorted_as_numbers_or_texts_and_equal_ones_stay(void **state)
{
    struct frame f = frame_of("a\tb", "10 x\n9 y\n- z\n1e1 w\n-1 v"),
                 g = frame_of("a\tb", "10 x\n9 y\nz z\n9 w");
    (void)state;
    ASSERT_FINE(frame_sort(&f, 0));
    assert_text(&f, "a\tb\n-1\tv\n9\ty\n10\tx\n1e1\tw\n-\tz\n");
    ASSERT_FINE(frame_sort(&g, 0));
    assert_text(&g, "a\tb\n10\tx\n9\ty\n9\tw\nz\tz\n");
    frame_free(&f);
    frame_free(&g);
}

static void conditions_choose_rows(void **state)
{
    static const struct {
        const char *conditions, *kept;
    } wanted[] = {
        {"", "rk2 euler ds1 -"},
        {"scheme=rk2", "rk2"},
        {" scheme=rk2|ds1  ", "rk2 ds1"},
        {"scheme!=rk2|ds1", "euler -"},
        {"r=0.5", "rk2 euler"},
        {"r=.50 scheme!=rk2", "euler"},
        {"r!=0.50", "ds1 -"},
        {"r<0.95", "rk2 euler"},
        {"r<=0.95", "rk2 euler ds1"},
        {"r>0.5", "ds1"},
        {"r>=0.5", "rk2 euler ds1"},
        {"scheme=-", "-"},
        {"scheme>=1", ""},
        {"scheme=rk", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        struct frame f = frame_of("scheme\tr", "rk2 0.5\neuler 0.50\nds1 0.95\n- -");
        char kept[64] = "";
        ASSERT_FINE(frame_keep(&f, wanted[k].conditions));
        for (size_t r = 0; r < f.rows; r++) {
            strcat(kept, r ? " " : "");
            strcat(kept, frame_at(&f, r, 0));
        }
        assert_string_equal(kept, wanted[k].kept);
        frame_free(&f);
    }
}

static void what_is_no_condition_is_refused(void **state)
{
    static const struct {
        const char *conditions, *message;
    } wanted[] = {
        {"scheme", "'scheme' is no condition"},
        {"=rk2", "no condition"},
        {"scheme=", "no condition"},
        {"scheme==rk2", "no condition"},
        {"scheme<>rk2", "no condition"},
        {"r<many", "a number is wanted"},
        {"schema=rk2", "unknown column 'schema': did you mean 'scheme'?"},
        {"r=1 r=1 r=1 r=1 r=1 r=1 r=1 r=1 r=1 r=1 r=1 r=1 r=1", "12 conditions"},
    };
    struct frame f = frame_of("scheme\tr", "rk2 0.5");
    (void)state;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        assert_int_equal(frame_keep(&f, wanted[k].conditions), ERR_USAGE);
        if (!strstr(err_message(), wanted[k].message))
            fail_msg("'%s' is not in '%s'", wanted[k].message, err_message());
        assert_int_equal(f.rows, 1);
    }
    frame_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_hold_what_was_set_and_a_dash_else),
        cmocka_unit_test(only_decimal_numbers_are_numbers),
        cmocka_unit_test(a_table_grows_by_many_rows_columns_and_long_texts),
        cmocka_unit_test(appended_rows_are_matched_by_the_names_of_columns),
        cmocka_unit_test(rows_are_sorted_as_numbers_or_texts_and_equal_ones_stay),
        cmocka_unit_test(conditions_choose_rows),
        cmocka_unit_test(what_is_no_condition_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
