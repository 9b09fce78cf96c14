/* The report of `shoal verify`: what it must show, whatever is missing or broken around it. */
#include "tests/support/test.h"

#include "tests/support/report.h"
#include "verification/report/lines.h"

static void every_failing_line_stands_in_front(void **state)
{
    static const char *const failing[] = {"the first failure", "the second failure",
                                          "the third failure"};
    (void)state;
    without_gnuplot();
    char *text = written();
    const char *front = strstr(text, "\n## Cases\n");
    assert_non_null(front);
    for (size_t k = 0; k < sizeof failing / sizeof *failing; k++) {
        const char *one = strstr(text, failing[k]);
        assert_non_null(one);
        assert_true(one < front);
        expect(front, failing[k]);
    }
    assert_true(strstr(text, "a < b") > front);
    expect(text, "**3 of 5 checks fail.**");
    free(text);
}

static void numbers_have_four_digits(void **state)
{
    static const struct {
        double x;
        const char *text;
    } numbers[] = {
        {0.001234567, "0.001235"}, {1e-7, "1e-7"},       {1.5e-5, "1.5e-5"}, {0, "0"},
        {12345.6, "12346"},        {1234567, "1.235e6"}, {-2.5, "-2.5"},     {100, "100"},
        {(double)NAN, "-"}};
    char text[24];
    (void)state;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        assert_string_equal(number_text(numbers[k].x, text), numbers[k].text);
}

/* Is there a row with these cells, however blanks align them? */
static void expect_row(const char *text, const char *wanted)
{
    for (const char *s = text; (s = strstr(s, "\n|")); s++) {
        const char *a = s + 1, *b = wanted;
        while (*b && *a && *a != '\n') {
            a += strspn(a, " ");
            b += strspn(b, " ");
            if (!*b || *a != *b)
                break;
            a++, b++;
        }
        if (!*b)
            return;
    }
    fail_msg("there is no row: %s in:\n%.4000s", wanted, text);
}

static const char *section(const char *text, const char *heading)
{
    const char *at = strstr(text, heading);
    if (!at)
        fail_msg("there is no section: %s", heading);
    return at;
}

static void published_values_stand_with_how_many_times_they_are_ours(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    expect_row(section(text, "## Beside other codes"),
               "| [stoker](#stoker) | L1 h | 3 | 6 | minmod f64 | 0.001235 (× 0.31) | | 0.004 | "
               "Sea Code 9 |");
    free(text);
}

/* One row for each question, a column for each scheme; limits that differ stand with the values. */
static void schemes_stand_side_by_side(void **state)
{
    (void)state;
    without_gnuplot();
    add_line("stoker", "euler", 3, "L1 h", 0.0025, 0.003, LINE_ERROR, VERDICT_OK, line[0].why);
    add_line("stoker", "euler", 6, "L1 h", 0.7, 0.002, LINE_ERROR, VERDICT_FAIL, "x");
    char *text = written();
    const char *all = section(text, "#### All 6 lines of stoker, 3 failed");
    expect_row(all, "| what | cells | time (s) | with | rk2 | euler | limit | its reason |");
    expect_row(all, "| L1 h | 3 | 6 | minmod f64 | 0.001235 (≤ 0.002) | 0.0025 (≤ 0.003) | |");
    expect_row(all, "| L1 h | 6 | 6 | minmod f64 | **0.5 FAIL** | **0.7 FAIL** | ≤ 0.002 | "
                    "rk2: the first failure; euler: x |");
    free(text);
}

/* The finest grid, and its order with it. */
static void a_case_is_summed_up_by_its_finest_error_and_order(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    expect_row(section(text, "## Cases"), "| [stoker](#stoker) | L1 h | 6 | **0.5 FAIL** (order "
                                          "0.25 FAIL) | | 1 | **2** |");
    free(text);
}

/* The same, without links. */
static void a_terminal_gets_the_cases_and_what_failed(void **state)
{
    const struct reported what = {scratch, &plan, outcome, &verdicts, facts};
    char *text = NULL;
    size_t size;
    (void)state;
    without_gnuplot();
    FILE *terminal = open_memstream(&text, &size);
    assert_non_null(terminal);
    assert_int_equal(report_write(&what, terminal), ERR_OK);
    fclose(terminal);
    expect_row(text, "| stoker | L1 h | 6 | **0.5 FAIL** (order 0.25 FAIL) | | 1 | **2** |");
    expect_row(section(text, "## Failed: 3"),
               "| stoker | L1 h | 6 | 6 | minmod f64 | **0.5 FAIL**");
    expect(text, "\n- rk2: 1 checks hold, **3 fail**\n");
    assert_null(strstr(text, "]("));
    free(text);
}

static void when_nothing_fails_the_report_says_so(void **state)
{
    (void)state;
    without_gnuplot();
    for (int k = 0; k < verdicts.count; k++)
        if (line[k].verdict == VERDICT_FAIL)
            line[k].verdict = VERDICT_NOTE;
    char *text = written();
    expect(text, "\nAll 2 checks hold.\n");
    assert_null(strstr(text, "Failed"));
    assert_null(strstr(text, "FAIL"));
    free(text);
}

static void a_verification_that_was_stopped_is_no_success(void **state)
{
    (void)state;
    without_gnuplot();
    add_fact("complete", "no: 3 of 65 jobs");
    char *text = written();
    expect(text, "\n**Stopped: 3 of 65 jobs done, 3 of 5 checks fail.**\n");
    free(text);
    verdicts.count = 1;
    text = written();
    expect(text, "\n**Stopped: 3 of 65 jobs done, 0 of 1 checks fail.**\n");
    assert_null(strstr(text, "checks hold."));
    free(text);
}

static void what_is_not_there_has_no_sentence(void **state)
{
    (void)state;
    without_gnuplot();
    add_fact("complete", "yes");
    verdicts.count = 0;
    plan.count = 0;
    char *text = written();
    expect(text, "**Nothing was judged.**");
    assert_null(strstr(text, "with  in"));
    assert_null(strstr(text, "; ;"));
    assert_null(strstr(text, "0 cases"));
    assert_null(strstr(text, "| complete"));
    free(text);
    text = scratch_read("report.html", NULL);
    assert_balanced(text);
    free(text);
}

static void runs_show_kappa_and_the_dry_depth(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    const char *table = section(text, "#### How stoker was run: 2 runs");
    expect_row(table, "| scheme | limiter | flux | reconstruction | precision | on | nx | ny | "
                      "kappa (m) | dry below (m) | least dt (s) |");
    for (int n = 3; n <= 6; n += 3) {
        char cells[200];
        snprintf(
            cells, sizeof cells,
            "| rk2 | minmod | central_upwind | kp | f64 | cpu | %d | 1 | 1e-5 | 1e-12 | 0.01 | ",
            n);
        expect_row(table, cells);
    }
    free(text);
}

/* A line that exceeds the limit, but by no more than rounding can explain. */
static void what_is_only_noted_is_marked_and_says_why(void **state)
{
    (void)state;
    without_gnuplot();
    add_line("stoker", "rk2", 3, "mass error", 2e-13, 5e-12, LINE_INVARIANT, VERDICT_NOTE,
             "but rounding");
    add_line("stoker", "euler", 3, "mass error", 2e-16, 1e-13, LINE_INVARIANT, VERDICT_OK,
             "none is lost");
    char *text = written();
    expect_row(text, "| mass error | 3 | - | minmod f64 | 2e-13 (≤ 5e-12, noted) | 2e-16 (≤ 1e-13) "
                     "| | rk2: but rounding; euler: none is lost |");
    expect(text, "3 of 6 checks fail.");
    expect(text, "- mass error in f64: at most - in 3 runs; beyond the limit, but within rounding, "
                 "in 1; **too much**\n");
    free(text);
}

/* Results come in the order in which workers finish. */
static void rows_of_a_case_are_shown_together(void **state)
{
    (void)state;
    without_gnuplot();
    add_line("stoker", "rk2", 12, "L1 h", 0.0001, 1, LINE_ERROR, VERDICT_OK, "late");
    char *text = written();
    const char *first = section(text, "\n## stoker\n");
    assert_null(strstr(first + 1, "\n## stoker\n"));
    const char *late = strstr(first, " late "), *next = strstr(first + 1, "\n## ");
    assert_non_null(late);
    assert_true(late < next);
    free(text);
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(every_failing_line_stands_in_front),
        FRESH(numbers_have_four_digits),
        FRESH(published_values_stand_with_how_many_times_they_are_ours),
        FRESH(schemes_stand_side_by_side),
        FRESH(a_case_is_summed_up_by_its_finest_error_and_order),
        FRESH(a_terminal_gets_the_cases_and_what_failed),
        FRESH(when_nothing_fails_the_report_says_so),
        FRESH(a_verification_that_was_stopped_is_no_success),
        FRESH(what_is_not_there_has_no_sentence),
        FRESH(runs_show_kappa_and_the_dry_depth),
        FRESH(what_is_only_noted_is_marked_and_says_why),
        FRESH(rows_of_a_case_are_shown_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
