/* Facts: what rows say, what they do not say, and where messages locate mistakes. */
#include "tests/support/test.h"

#include "tests/support/facts.h"
#include "tests/support/near.h"

static const struct fact *fact(const char *name)
{
    int k = 0;
    while (k < facts.count && strcmp(facts.fact[k].name, name) != 0)
        k++;
    assert_true(k < facts.count);
    return &facts.fact[k];
}

static struct value value_of(const char *expression)
{
    struct value v;
    fine(facts_value(&facts, database, expression, &v));
    return v;
}

static void expect(const char *expression, double number)
{
    const struct value v = value_of(expression);
    if (!v.known || !(fabs(v.number - number) <= 1e-12))
        fail_msg("%s: %.17g (known: %d), not %.17g", expression, v.number, v.known, number);
}

static void a_fact_is_a_query_or_an_expression(void **state)
{
    (void)state;
    expect("SELECT median(wall_s) FROM data WHERE scheme = 'ds2' AND r = 0.95", 1);
    expect("select max(wall_s) from data", 9);
    expect("WITH fast AS (SELECT min(wall_s) AS t FROM data) SELECT 2 * t FROM fast", 1);
    expect("100 * (1.5 / 1 - 1)", 50);
    expect("(SELECT max(wall_s) FROM other) / (SELECT count(*) FROM data)", 2);
    assert_string_equal(value_of("SELECT blocks FROM data WHERE scheme = 'ds2' LIMIT 1").text,
                        "32x8");
    assert_string_equal(value_of("SELECT scheme FROM data WHERE r = 0.95 GROUP BY scheme "
                                 "ORDER BY median(wall_s) LIMIT 1")
                            .text,
                        "ds2");
}

static void what_is_null_or_no_row_is_not_known(void **state)
{
    (void)state;
    assert_false(value_of("SELECT wall_s FROM data WHERE scheme = 'euler'").known);
    assert_false(value_of("SELECT wall_s FROM data WHERE scheme = 'nobody'").known);
    assert_false(value_of("SELECT median(wall_s) FROM data WHERE scheme = 'nobody'").known);
    assert_false(value_of("1 / 0").known);
    expect("SELECT count(wall_s) FROM data WHERE scheme = 'euler'", 0);
    expect("NULL AND 0", 0);
    expect("1 OR NULL", 1);
}

static void facts_stand_on_facts_above(void **state)
{
    (void)state;
    evaluate("best = SELECT r FROM data WHERE scheme = 'ds2' GROUP BY r ORDER BY median(wall_s) "
             "LIMIT 1\n"
             "who = SELECT scheme FROM data WHERE r = :best ORDER BY wall_s LIMIT 1\n"
             "fast = SELECT median(wall_s) FROM data WHERE scheme = :who AND r = :best\n"
             "slow = SELECT median(wall_s) FROM data WHERE scheme = :who AND r = 0.5\n"
             "spread = 100 * (:slow / :fast - 1)\n");
    assert_int_equal(facts.count, 5);
    ASSERT_NEAR(fact("best")->value.number, 0.95, 0);
    assert_string_equal(fact("who")->value.text, "ds2");
    ASSERT_NEAR(fact("fast")->value.number, 1, 0);
    ASSERT_NEAR(fact("spread")->value.number, 200, 1e-12);
    assert_string_equal(fact("spread")->missing, "");
}

static void why_a_fact_is_not_known_is_said(void **state)
{
    (void)state;
    evaluate("gone = SELECT median(wall_s) FROM data WHERE r = 0.7\n"
             "after = 2 * :gone\n"
             "inside = SELECT max(wall_s) FROM data WHERE r < :gone\n"
             "enough = 1 = 1 OR :gone\n");
    assert_string_equal(fact("gone")->missing, "no row answers it, or nothing was measured");
    assert_string_equal(fact("after")->missing, "gone: no row answers it, or nothing was measured");
    assert_string_equal(fact("inside")->missing, fact("after")->missing);
    assert_true(fact("enough")->value.known);
    assert_string_equal(fact("enough")->missing, "");
}

static void expect_interval(const char *name, double low, double high, int runs)
{
    const struct value *v = &fact(name)->value;
    if (!(fabs(v->low - low) <= 1e-9) || !(fabs(v->high - high) <= 1e-9) || v->runs != runs)
        fail_msg("%s: %.17g to %.17g of %d runs", name, v->low, v->high, v->runs);
}

/* ds2 at 0.95 has three runs, 0.5, 1 and 1.5; minus 2 they are not above 0, and their deviation is 0.5. */
static void what_stands_on_runs_has_an_interval(void **state)
{
    const double away = 0.5 * 5.64 / sqrt(3);
    (void)state;
    evaluate(
        "few = SELECT median(wall_s - 2), low(wall_s - 2), high(wall_s - 2), count(*) FROM data "
        "WHERE scheme = 'ds2' AND r = 0.95\n"
        "many_again = SELECT 10, 8, 12, 7\n"
        "ratio = :many_again / 2\n"
        "both = :many_again - :few\n"
        "exact = 4\n"
        "square = (:many_again - 9) * (:many_again - 9)\n"
        "one = SELECT median(wall_s), low(wall_s), high(wall_s), count(wall_s) FROM data "
        "WHERE scheme = 'rk2'\n"
        "after = 2 * :one\n"
        "gone = SELECT median(wall_s), low(wall_s), high(wall_s), count(wall_s) FROM data "
        "WHERE scheme = 'nobody'\n");
    expect_interval("few", -1 - away, -1 + away, 3);
    expect_interval("ratio", 4, 6, 7);
    expect_interval("both", 8 + 1 - away, 12 + 1 + away, 3);
    expect_interval("exact", 0, 0, 0);
    expect_interval("square", 0, 9, 7);
    assert_true(isinf(fact("one")->value.low) && isinf(fact("after")->value.high));
    assert_int_equal(fact("after")->value.runs, 1);
    assert_false(fact("gone")->value.known);
}

static void expect_fault(const char *lines, const char *message)
{
    char text[1024];
    snprintf(text, sizeof text, "[facts]\n%s", lines);
    experiment_free(&x);
    x = experiment_of(text);
    if (facts_evaluate(&facts, &x, database) != ERR_INPUT)
        fail_msg("accepted: %s", lines);
    assert_int_equal(facts.count, 0);
    assert_said(message);
}

/* The file's first fact is on line 6. */
static void mistakes_name_file_line_and_place(void **state)
{
    (void)state;
    expect_fault("a = 1 +\n", "experiments/text.ini:6: a: near \")\": syntax error");
    expect_fault("a = 1\nb = :a + :c\nc = 1\n", "text.ini:7: b: ':c' is not a fact above this one");
    expect_fault("a = SELECT median(wall) FROM data\n",
                 "text.ini:6: a: no such column: wall at 'wall) FROM data'; the columns of data: "
                 "scheme r wall_s blocks");
    expect_fault("a = SELECT wall_s FROM third\n", "no such table: third");
    expect_fault("a = SELECT median(scheme) FROM data\n", "expect numbers, got a word");
    expect_fault("a = SELECT wall_s FROM data\n", "got 10 rows of 1 columns");
    expect_fault("a = SELECT min(r), max(r) FROM data\n", "got 1 rows of 2 columns");
    expect_fault("a = word\n", "no such column: word");
    expect_fault("a = DELETE FROM data\n", "text.ini:6: a: ");
    expect_fault("a = SELECT 1, 2, 3, 6\n", "expected a value, its interval around it");
    expect_fault("a = SELECT 2, 1, 3, 0\n", "and the number of runs");
}

static void expect_filled(const char *text, const char *wanted)
{
    char filled[256];
    fine(facts_fill(&facts, text, filled, sizeof filled));
    assert_string_equal(filled, wanted);
}

static void texts_are_filled_in(void **state)
{
    (void)state;
    evaluate("x = 1234.5678\nsmall = -0.001\nword = SELECT scheme FROM data LIMIT 1\n"
             "gone = SELECT max(wall_s) FROM data WHERE r = 7\n");
    expect_filled("no facts }", "no facts }");
    expect_filled("{x}, {x:.2f}{x:.0f}|{x:.1e}", "1.23e+03, 1234.571235|1.2e+03");
    expect_filled("{x:+.1f} {small:+.0f}", "+1234.6 0");
    expect_filled("{small:.2f} {small:g}", "0.00 -0.001");
    expect_filled("{word:.2f} is {word}", "ds1 is ds1");
    expect_filled("it took {gone:.3f} s", "it took not measured s");
    expect_filled("{{x} {{{x:.0f}", "{x} {1235");
    expect_filled("", "");
}

static void a_text_may_show_ranges(void **state)
{
    char filled[256];
    (void)state;
    evaluate("x = SELECT 1.5, 1.25, 2, 6\nnarrow = SELECT 1.5, 1.49, 1.51, 6\nexact = 3\n"
             "one = SELECT median(3), low(3), high(3), count(3)\n");
    fine(facts_fill_ranges(&facts, "{x:.2f} {narrow:.1f} {exact:.1f} {one:.0f} %", filled,
                           sizeof filled));
    assert_string_equal(filled, "1.50 (1.25 to 2.00) 1.5 3.0 3 (one run) %");
    expect_filled("{x:.2f} {one:.0f}", "1.50 3");
}

static void expect_no_filling(const char *text, size_t room, const char *message)
{
    char filled[64];
    assert_int_equal(facts_fill(&facts, text, filled, room), ERR_INPUT);
    assert_said(message);
}

static void texts_that_cannot_be_filled_in_are_refused(void **state)
{
    (void)state;
    evaluate("x = 1\n");
    expect_no_filling("a {y} b", 64, "'y' is not a fact");
    expect_no_filling("a {} b", 64, "is not a fact");
    expect_no_filling("a {x b", 64, "not closed");
    expect_no_filling("{x:.2s}", 64, "a printf format");
    expect_no_filling("{x:s}", 64, "a printf format");
    expect_no_filling("{x:%.2f}", 64, "a printf format");
    expect_no_filling("{x:.f}", 64, "a printf format");
    expect_no_filling("{x:}", 64, "a printf format");
    expect_no_filling("{x:.2fn}", 64, "a printf format");
    expect_no_filling("12345", 5, "longer than 4");
    char filled[6];
    fine(facts_fill(&facts, "1234{x}", filled, sizeof filled));
    assert_string_equal(filled, "12341");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TABLES(a_fact_is_a_query_or_an_expression),
        WITH_TABLES(what_is_null_or_no_row_is_not_known),
        WITH_TABLES(facts_stand_on_facts_above),
        WITH_TABLES(what_stands_on_runs_has_an_interval),
        WITH_TABLES(a_text_may_show_ranges),
        WITH_TABLES(why_a_fact_is_not_known_is_said),
        WITH_TABLES(mistakes_name_file_line_and_place),
        WITH_TABLES(texts_are_filled_in),
        WITH_TABLES(texts_that_cannot_be_filled_in_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
