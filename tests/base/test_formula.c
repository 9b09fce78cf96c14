/* Formulas: what they may contain, and the messages about wrong ones. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/formula.h"

static const char *const names[] = {"x", "y", "bed", NULL};
static const double at[] = {3, -2, 0.5};

static void a_formula_has_the_value_that_it_has_on_paper(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1},
        {" .5e1 ", 5},
        {"x", 3},
        {"bed + y", -1.5},
        {"1 - 2 - 3", -4},
        {"8 / 4 / 2", 1},
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"2 ^ 3 ^ 2", 512},
        {"-2 ^ 2", -4},
        {"2 ^ -1", 0.5},
        {"- - x", 3},
        {"+x", 3},
        {"x < 3", 0},
        {"x <= 3", 1},
        {"x > y", 1},
        {"x >= 4", 0},
        {"x = 3", 1},
        {"x == 3", 1},
        {"x <> 3", 0},
        {"x != 4", 1},
        {"x < 20 and y < 0", 1},
        {"x > 20 or y > 0", 0},
        {"x > 20 or y < 0 and not x = 4", 1},
        {"not not 5", 1},
        {"iif(x < 20, 1, 0)", 1},
        {"IIF(X < 2, 1, Y * 2)", -4},
        {"iif(x < 1, 1, iif(x < 4, 2, 3))", 2},
        {"min(x, y)", -2},
        {"max(x, max(y, 7))", 7},
        {"abs(y)", 2},
        {"sqrt(x * x)", 3},
        {"floor(2.7) + round(2.7)", 5},
        {"hypot(3, 4)", 5},
        {"sin(pi / 2) + cos(0) + tan(0) + tanh(0)", 2},
        {"atan2(0, 1) + log(exp(2))", 2},
    };
    struct formula f;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (formula_read(&f, cases[k].text, names))
            fail_msg("%s: %s", cases[k].text, err_message());
        if (!(fabs(formula_value(&f, at) - cases[k].value) <= 1e-12))
            fail_msg("%s is %.17g", cases[k].text, formula_value(&f, at));
    }
}

static void what_is_wrong_is_marked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"iif(z < 20, 1, 0)", "unknown name 'z'; expected one of x y bed pi iif"},
        {"iif(z < 20, 1, 0)", "in column 5:\n  iif(z < 20, 1, 0)\n      ^"},
        {"", "expected a value, in column 1"},
        {"1 +", "expected a value, in column 4"},
        {"(1", "expected a closing parenthesis, in column 3"},
        {"1)", "expected an operator or the end of the formula, in column 2"},
        {"1 2", "in column 3"},
        {"iif(1, 2)", "iif takes 3 values in parentheses"},
        {"sqrt 2", "sqrt takes 1 value in parentheses"},
        {"2x", "not a number, in column 1"},
        {"xy", "unknown name 'xy'"},
        {"1 = = 2", "expected a value, in column 5"},
        {"x & y", "in column 3"},
        {"1,5", "in column 2"},
        {"orx", "unknown name 'orx'"},
    };
    struct formula f;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        if (formula_read(&f, wrong[k].text, names) != ERR_USAGE)
            fail_msg("'%s' is accepted", wrong[k].text);
        if (!strstr(err_message(), wrong[k].says))
            fail_msg("'%s': '%s' is not in '%s'", wrong[k].text, wrong[k].says, err_message());
    }
}

/* A formula that is too deep for the stack or has too many steps is an error. */
static void size_has_its_limits(void **state)
{
    (void)state;
    static const char *const parts[] = {"(", "-", "not ", "1+(", "2^", "min(1,", "1+", "iif(1,"};
    struct formula f;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int n = 1; n < 600; n += 1 + n / 8) {
            char text[8192] = "";
            for (int m = 0; m < n; m++)
                strcat(text, parts[k]);
            strcat(text, "x");
            formula_read(&f, text, names);
            for (int m = 0; m < n; m++)
                strcat(text, ")");
            if (formula_read(&f, text, names) == ERR_OK)
                formula_value(&f, at);
        }
    assert_int_equal(formula_read(&f, "((((((((((x))))))))))", names), ERR_OK);
    assert_true(formula_value(&f, at) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_has_the_value_that_it_has_on_paper),
        cmocka_unit_test(what_is_wrong_is_marked),
        cmocka_unit_test(size_has_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
