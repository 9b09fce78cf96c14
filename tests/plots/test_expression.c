/* Expressions: what they are worth, what is not known, and where mistakes are said to be. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/data/expression.h"

/* a is 2, b is 3, w is "rk2", u is not known. */
static enum err give_name(void *context, const char *name, struct value *v)
{
    (void)context;
    if (strcmp(name, "u") == 0)
        value_unknown(v);
    else if (strcmp(name, "w") == 0)
        value_set_cell(v, "rk2");
    else if (strcmp(name, "a") == 0 || strcmp(name, "b") == 0)
        value_set_number(v, *name == 'a' ? 2 : 3);
    else
        FAIL(USAGE, "no name '%s'", name);
    return ERR_OK;
}

static char asked[256];

static enum err give_query(void *context, const char *function, const char *inside, struct value *v)
{
    (void)context;
    snprintf(asked, sizeof asked, "%s:%s", function, inside);
    if (strcmp(inside, "bad") == 0)
        FAIL(USAGE, "no such column");
    value_set_number(v, 10);
    return ERR_OK;
}

static const struct expression_scope scope = {NULL, give_name, give_query};

static struct value value_of(const char *text)
{
    struct value v;
    if (expression_value(text, &scope, &v))
        fail_msg("%s", err_message());
    return v;
}

static void expect(const char *text, double number)
{
    const struct value v = value_of(text);
    if (!v.known || fabs(v.number - number) > 1e-15 * fabs(number))
        fail_msg("%s: %.17g (known: %d), not %.17g", text, v.number, v.known, number);
}

static void expect_unknown(const char *text)
{
    const struct value v = value_of(text);
    if (v.known || !isnan(v.number))
        fail_msg("%s is known: %g '%s'", text, v.number, v.text);
}

static void expect_wrong(const char *text, int character, const char *message)
{
    struct value v;
    char place[32];
    snprintf(place, sizeof place, "character %d: ", character);
    if (expression_value(text, &scope, &v) != ERR_USAGE)
        fail_msg("accepted: %s", text);
    if (!strstr(err_message(), place) || !strstr(err_message(), message))
        fail_msg("no '%s%s' in '%s'", place, message, err_message());
}

static void operators_bind_as_in_mathematics(void **state)
{
    (void)state;
    expect("1 + 2 * 3", 7);
    expect("(1 + 2) * 3", 9);
    expect("10 - 4 - 3", 3);
    expect("100 / 10 / 5", 2);
    expect("-2 ^ 2", -4);
    expect("2 ^ 3 ^ 2", 512);
    expect("2 ^ -1", 0.5);
    expect("2 * -3", -6);
    expect("--3", 3);
    expect("a+b*a^b", 26);
    expect("1 + 1 == 2", 1);
    expect("0 == 1 || 1", 1);
    expect("1 || 0 && 0", 1);
    expect("!0 + 1", 2);
    expect("!(a < b)", 0);
    expect("(1 < 2) == (3 < 4)", 1);
}

static void numbers_are_decimal(void **state)
{
    (void)state;
    expect("0.25", 0.25);
    expect(".5", 0.5);
    expect("2.", 2);
    expect("1.5e-3", 0.0015);
    expect("2e+2", 200);
    expect("1e3-1", 999);
    expect_unknown("1e999");
    expect_wrong("0x10", 1, "no number");
    expect_wrong("1 + 1.2.3", 5, "no number");
    expect_wrong("2a", 1, "no number");
    expect_wrong("1e", 1, "no number");
    expect_wrong(".", 1, "no number");
    expect_wrong("inf", 1, "no name");
}

static void comparisons_are_one_or_zero(void **state)
{
    (void)state;
    static const struct {
        const char *relation;
        int less, equal, more;
    } rules[] = {{"<", 1, 0, 0},  {"<=", 1, 1, 0}, {">", 0, 0, 1},
                 {">=", 0, 1, 1}, {"==", 0, 1, 0}, {"!=", 1, 0, 1}};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        char text[32];
        const int wanted[] = {rules[k].less, rules[k].equal, rules[k].more};
        for (int b = 1; b <= 3; b++) {
            snprintf(text, sizeof text, "a %s %d", rules[k].relation, b);
            expect(text, wanted[3 - b]);
        }
    }
    expect_wrong("1 < a < 3", 7, "second comparison");
}

static void functions_are_those_of_their_names(void **state)
{
    (void)state;
    expect("least(4, a, b)", 2);
    expect("most(4, a, b * 3)", 9);
    expect("least(-1)", -1);
    expect("abs(a - b)", 1);
    expect("sqrt(16) + log2(8) + log10(1000)", 10);
    expect("round(2.5) + floor(-0.5)", 2);
    expect("if(a < b, 7, 8)", 7);
    expect("if(a > b, 7, 8)", 8);
    expect_wrong("1 + sqrt(1, 2)", 5, "takes one operand");
    expect_wrong("if(1, 2)", 1, "a condition and two values");
    expect_wrong("cube(2)", 1, "no such function");
    expect_wrong("least()", 7, "a number, a name");
    expect_wrong("most(1 2)", 8, "a comma or a closing bracket");
    expect_wrong("least(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", 39, "more than 16");
}

static void nothing_is_known_that_rests_on_what_is_not(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "u",      "u + 1",  "2 * u",       "-u",     "!u",      "u ^ 2",     "2 ^ u",
        "u < 1",  "1 == u", "u != u",      "w == u", "sqrt(u)", "most(1,u)", "u && u",
        "u && 1", "0 || u", "if(u, 1, 1)", "u || u", "u || 0",  "1 && u",    "if(1,u,2)"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        expect_unknown(texts[k]);
}

static void what_is_decided_does_not_need_the_unknown(void **state)
{
    (void)state;
    expect("0 && u", 0);
    expect("u && 0", 0);
    expect("1 || u", 1);
    expect("u || 1", 1);
    expect("if(a < b, 5, u)", 5);
    expect("if(a > b, u, 6)", 6);
}

static void what_has_no_finite_result_is_not_known(void **state)
{
    (void)state;
    expect_unknown("1 / 0");
    expect_unknown("0 / 0");
    expect_unknown("a / (b - 3)");
    expect_unknown("sqrt(-1)");
    expect_unknown("log2(0)");
    expect_unknown("(-8) ^ 0.5");
    expect_unknown("10 ^ 400");
    expect_unknown("1 / 0 + 1");
    expect_unknown("1e200 * 1e200");
}

static void zero_has_no_sign(void **state)
{
    (void)state;
    assert_false(signbit(value_of("-0").number));
    assert_false(signbit(value_of("round(-0.2)").number));
}

static void words_can_only_be_equal_or_not(void **state)
{
    (void)state;
    expect("w == \"rk2\"", 1);
    expect("w != \"rk2\"", 0);
    expect("w == \"RK2\"", 0);
    expect("\"a b\" == \"a b\" && 1", 1);
    assert_string_equal(value_of("if(1, w, 2)").text, "rk2");
    assert_string_equal(value_of("\"ds1\"").text, "ds1");
    assert_true(value_is_word(&(struct value){.known = 1, .number = (double)NAN}));
    expect_wrong("w < 1", 3, "== and != only");
    expect_wrong("1 + w", 3, "== and != only");
    expect_wrong("w && 1", 3, "== and != only");
    expect_wrong("-w", 1, "a word where a number");
    expect_wrong("!w", 1, "a word where a number");
    expect_wrong("2 ^ w", 3, "a word where a number");
    expect_wrong("sqrt(w)", 1, "a word where a number");
    expect_wrong("if(w, 1, 2)", 1, "a word where a number");
    expect_wrong("1 + \"rk2", 5, "quote is not closed");
}

static void a_word_that_is_a_number_equals_it(void **state)
{
    (void)state;
    expect("\"2.0\" == a", 1);
    expect("a != \"2\"", 0);
    expect("w == 2", 0);
    expect("w != 2", 1);
}

static void cells_are_numbers_words_or_not_known(void **state)
{
    struct value v;
    (void)state;
    value_set_cell(&v, "-");
    assert_false(v.known);
    value_set_cell(&v, "-1.5e2");
    assert_true(v.known && v.number == -150);
    value_set_cell(&v, "16x16");
    assert_true(value_is_word(&v));
    assert_string_equal(v.text, "16x16");
    value_set_cell(&v, "inf");
    assert_true(value_is_word(&v));
}

static void queries_get_what_stands_in_their_brackets(void **state)
{
    (void)state;
    expect("2 * median( t.x | a=(b) c<2 ) + 1", 21);
    assert_string_equal(asked, "median: t.x | a=(b) c<2 ");
    expect("where_least(a: b | c=\")\")", 10);
    assert_string_equal(asked, "where_least:a: b | c=\")\"");
    expect("if(0, 1, count(x))", 10);
    expect_wrong("1 + max(bad)", 5, "no such column");
    expect_wrong("1 + max(x", 8, "not closed");
    struct value v;
    const struct expression_scope without = {NULL, give_name, NULL};
    assert_int_equal(expression_value("min(x)", &without, &v), ERR_USAGE);
    assert_non_null(strstr(err_message(), "no rows to ask"));
}

static void mistakes_are_said_with_their_place(void **state)
{
    (void)state;
    expect_wrong("", 1, "is wanted");
    expect_wrong("1 +", 4, "is wanted");
    expect_wrong("1 2", 3, "an operator is wanted");
    expect_wrong("(1 + 2", 7, "closing bracket");
    expect_wrong("1 + 2)", 6, "an operator is wanted");
    expect_wrong("a + missing * 2", 5, "no name 'missing'");
    expect_wrong("a = 2", 3, "an operator is wanted");
    expect_wrong("a & b", 3, "an operator is wanted");
    expect_wrong("if(0, missing, 1)", 7, "no name 'missing'");
    expect_wrong("0 && missing", 6, "no name 'missing'");
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    static const char repeated[] = "(-!";
    char text[2001];
    for (const char *c = repeated; *c; c++) {
        struct value v;
        memset(text, *c, sizeof text - 1);
        text[sizeof text - 1] = '\0';
        assert_int_equal(expression_value(text, &scope, &v), ERR_USAGE);
        assert_non_null(strstr(err_message(), "more than 64 levels"));
    }
    for (size_t k = 0; k + 1 < sizeof text; k++)
        text[k] = k % 2 ? '^' : '2';
    struct value v;
    assert_int_equal(expression_value(text, &scope, &v), ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(numbers_are_decimal),
        cmocka_unit_test(comparisons_are_one_or_zero),
        cmocka_unit_test(functions_are_those_of_their_names),
        cmocka_unit_test(nothing_is_known_that_rests_on_what_is_not),
        cmocka_unit_test(what_is_decided_does_not_need_the_unknown),
        cmocka_unit_test(what_has_no_finite_result_is_not_known),
        cmocka_unit_test(zero_has_no_sign),
        cmocka_unit_test(words_can_only_be_equal_or_not),
        cmocka_unit_test(a_word_that_is_a_number_equals_it),
        cmocka_unit_test(cells_are_numbers_words_or_not_known),
        cmocka_unit_test(queries_get_what_stands_in_their_brackets),
        cmocka_unit_test(mistakes_are_said_with_their_place),
        cmocka_unit_test(depth_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
