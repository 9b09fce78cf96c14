/* Facts and claims: what rows say, what they do not, and where mistakes are said to be. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "plots/data/facts.h"
#include "tests/support/near.h"
#include "tests/support/tables.h"

static struct plot_tables tables;
static struct experiment x;
static struct facts facts;
static struct claims claims;

/* Medians of wall_s: ds1 at 0.5: 4, at 0.95: 2; ds2 at 0.5: 3, at 0.95: 1, at 1: 9. */
#define ROWS                   \
    "scheme,r,wall_s,blocks\n" \
    "ds1,0.5,4,16x16\n"        \
    "ds1,0.50,4.5,16x16\n"     \
    "ds1,0.95,2,16x16\n"       \
    "ds2,0.5,3,32x8\n"         \
    "ds2,0.95,1.5,32x8\n"      \
    "ds2,0.95,0.5,32x8\n"      \
    "ds2,0.95,1,32x8\n"        \
    "ds2,1,9,-\n"              \
    "rk2,-,7,-\n"              \
    "euler,0.5,-,-\n"

static int set_up(void **state)
{
    install(state);
    add_table(&tables, "data", ROWS);
    add_table(&tables, "other", "scheme,wall_s\nds2,20\nrk2,10\n");
    add_table(&tables, "none", "scheme,wall_s\n");
    add_table(&tables, "nothing", "scheme");
    frame_free(&tables.at[3].frame);
    return 0;
}

static int tear_down(void **state)
{
    claims_free(&claims);
    facts_free(&facts);
    experiment_free(&x);
    remove_tables(&tables);
    return uninstall(state);
}

#define WITH_TABLES(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static void evaluate(const char *lines)
{
    char text[4096];
    facts_free(&facts);
    experiment_free(&x);
    snprintf(text, sizeof text, "[facts]\n%s", lines);
    x = experiment_of(text);
    fine(facts_evaluate(&facts, &x, &tables));
}

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
    fine(facts_value(&facts, &tables, expression, &v));
    return v;
}

static void expect(const char *expression, double number)
{
    const struct value v = value_of(expression);
    if (!v.known || !(fabs(v.number - number) <= 1e-12))
        fail_msg("%s: %.17g (known: %d), not %.17g", expression, v.number, v.known, number);
}

static void statistics_are_of_the_rows_asked_for(void **state)
{
    (void)state;
    expect("median(wall_s | scheme=ds2 r=0.95)", 1);
    expect("median(wall_s)", 3); /* of 9 numbers */
    expect("median(wall_s | scheme=ds1)", 4);
    expect("median(wall_s | r=1 scheme=ds2|rk2)", 9);
    expect("min(wall_s|scheme=ds2)", 0.5);
    expect("max(wall_s|scheme=ds2 r<1)", 3);
    expect("sum(wall_s | scheme=ds2)", 15);
    expect("mean(wall_s | scheme=ds2)", 3);
    expect("median(wall_s | r=0.5 scheme=ds1)", 4.5); /* the upper one of two */
}

static void what_is_not_known_does_not_count(void **state)
{
    (void)state;
    expect("count(wall_s)", 9);
    expect("count(scheme)", 10);
    expect("count(blocks | scheme=ds2)", 4);
    expect("count(wall_s | scheme=euler)", 0);
    expect("count(wall_s | scheme=nobody)", 0);
    expect("min(wall_s | scheme=euler|ds1)", 2);
}

static void the_first_cell_is_a_number_or_a_word(void **state)
{
    (void)state;
    expect("first(wall_s | scheme=ds2)", 3);
    assert_string_equal(value_of("first(blocks | scheme=ds2)").text, "32x8");
    expect("first(blocks) == \"16x16\"", 1);
    assert_false(value_of("first(blocks | r=1)").known);
}

static void groups_are_compared_by_their_medians(void **state)
{
    (void)state;
    expect("where_least(r: wall_s | scheme=ds2)", 0.95);
    expect("where_most(r: wall_s | scheme=ds2)", 1);
    expect("where_least(r: wall_s | scheme=ds1)", 0.95);
    assert_string_equal(value_of("where_least(scheme: wall_s | r=0.5)").text, "ds2");
    assert_string_equal(value_of("where_most(scheme: wall_s)").text, "rk2");
    /* One run of 0.5 s would be the least, but not the median. */
    facts_free(&facts);
    fine(frame_set(&tables.at[0].frame, 2, 2, "0.75"));
    assert_string_equal(value_of("where_least(scheme: wall_s | r=0.95)").text, "ds1");
}

static void groups_without_number_or_name_are_left_out(void **state)
{
    (void)state;
    fine(frame_set(&tables.at[0].frame, 8, 2, "0.001"));
    expect("where_least(r: wall_s)", 0.95);
    assert_false(value_of("where_least(r: wall_s | scheme=rk2)").known);
    assert_false(value_of("where_least(r: wall_s | scheme=euler)").known);
}

static void of_equal_groups_the_first_is_taken(void **state)
{
    (void)state;
    add_table(&tables, "equal", "name,x\nb,1\na,1\nc,1\nc,2\n");
    assert_string_equal(value_of("where_least(equal.name: x)").text, "b");
    assert_string_equal(value_of("where_most(equal.name: x | name!=c)").text, "b");
    assert_string_equal(value_of("where_most(equal.name: x)").text, "c");
}

static void other_tables_are_asked_by_their_names(void **state)
{
    (void)state;
    expect("median(other.wall_s | scheme=ds2) / median(data.wall_s | scheme=ds2 r=0.95)", 20);
    assert_string_equal(value_of("where_least(other.scheme: wall_s)").text, "rk2");
}

static void facts_stand_on_facts_above(void **state)
{
    (void)state;
    evaluate("best = where_least(r: wall_s | scheme=ds2)\n"
             "who = where_least(scheme: wall_s | r={best})\n"
             "fast = median(wall_s | scheme={who} r={best})\n"
             "slow = median(wall_s | scheme={who} r=0.5)\n"
             "spread = 100 * (slow / fast - 1)\n");
    assert_int_equal(facts.count, 5);
    ASSERT_NEAR(fact("best")->value.number, 0.95, 0);
    assert_string_equal(fact("who")->value.text, "ds2");
    ASSERT_NEAR(fact("fast")->value.number, 1, 0);
    ASSERT_NEAR(fact("spread")->value.number, 200, 1e-12);
    assert_string_equal(fact("spread")->missing, "");
}

/* 0.50 and 0.5 are the same number, a third is not cut. */
static void facts_in_conditions_match_by_number(void **state)
{
    (void)state;
    add_table(&tables, "thirds", "x,y\n0.333333333,5\n4096,6\n");
    evaluate("half = 1 / 2\nthird = 1 / 3\nlarge = 2 ^ 12\n");
    expect("count(wall_s | scheme=ds1 r={half})", 2);
    expect("first(thirds.y | x={third})", 5);
    expect("first(thirds.y | x={large})", 6);
    expect("count(wall_s | r>{half})", 5);
}

static void why_a_fact_is_not_known_is_said(void **state)
{
    (void)state;
    evaluate("gone = median(wall_s | scheme=ds2 r=0.7 r<2)\n"
             "alone = max(wall_s | scheme=kp)\n"
             "empty = first(none.wall_s | scheme=ds2)\n"
             "bare = count(nothing.wall_s)\n"
             "dashes = median(wall_s | scheme=euler)\n"
             "after = 2 * gone\n"
             "inside = count(wall_s | r={gone})\n"
             "limit = count(wall_s | r<{gone})\n"
             "infinite = 1 / (2 - 2)\n"
             "enough = 1 == 1 || gone\n");
    static const struct {
        const char *name, *why;
    } wanted[] = {
        {"gone", "no row of 'data' has r=0.7 among those for which the conditions before"},
        {"alone", "no row of 'data' has scheme=kp"},
        {"empty", "there are no rows in 'none'"},
        {"bare", "there are no rows in 'nothing'"},
        {"dashes", "wall_s is '-' in all rows of 'data'"},
        {"after", "gone: no row of 'data' has r=0.7"},
        {"inside", "gone: no row of 'data' has r=0.7"},
        {"limit", "gone: no row of 'data' has r=0.7"},
        {"infinite", "division by zero"}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        assert_false(fact(wanted[k].name)->value.known);
        if (!strstr(fact(wanted[k].name)->missing, wanted[k].why))
            fail_msg("%s: no '%s' in '%s'", wanted[k].name, wanted[k].why,
                     fact(wanted[k].name)->missing);
    }
    assert_null(strstr(fact("alone")->missing, "among"));
    assert_true(fact("enough")->value.known);
    assert_string_equal(fact("enough")->missing, "");
}

static void expect_fault(const char *lines, const char *message)
{
    char text[1024];
    snprintf(text, sizeof text, "[facts]\n%s", lines);
    experiment_free(&x);
    x = experiment_of(text);
    if (facts_evaluate(&facts, &x, &tables) != ERR_INPUT)
        fail_msg("accepted: %s", lines);
    assert_int_equal(facts.count, 0);
    assert_said(message);
}

/* The file's first fact is on line 6. */
static void mistakes_name_file_line_and_place(void **state)
{
    (void)state;
    expect_fault("a = 1 +\n", "experiments/text.ini:6: a: '1 +', character 4: ");
    expect_fault("a = 1\nb = a + c\nc = 1\n",
                 "text.ini:7: b: 'a + c', character 5: 'c' is no fact");
    expect_fault("a = 1 + median(wall | r=1)\n",
                 "text.ini:6: a: '1 + median(wall | r=1)', character 5: unknown column 'wall'");
    expect_fault("a = median(wall_s | s=1)\n", "unknown column 's'");
    expect_fault("a = median(wall_s | r)\n", "'r' is no condition");
    expect_fault("a = median(wall_s | r={b})\n", "'{b}' is no {fact}");
    expect_fault("b = 1\na = median(wall_s | r={b)\n", "'{b' is no {fact}");
    expect_fault("a = median(third.wall_s)\n", "no section [data] has 'name = third'");
    expect_fault("a = min(wall_s, 2)\n", "least(a, b)");
    expect_fault("a = median(scheme)\n", "scheme of 'data' holds 'ds1', which is no number");
    expect_fault("a = where_least(r | scheme=ds2)\n", "COLUMN: BY | conditions");
    expect_fault("a = median(r: wall_s)\n", "COLUMN | conditions");
    expect_fault("a = where_least(r: wall)\n", "unknown column 'wall'");
    expect_fault("a = where_least(q: wall_s)\n", "unknown column 'q'");
    expect_fault("a = where_least(r: scheme)\n", "which is no number");
    expect_fault("a = median()\n", "COLUMN | conditions");
}

static void of_a_long_expression_the_place_is_shown(void **state)
{
    char lines[512] = "a = 0";
    (void)state;
    for (int k = 0; k < 200; k++)
        strcat(lines, k == 150 ? "+q" : "+1");
    strcat(lines, "\n");
    expect_fault(lines, "text.ini:6: a: '...");
    expect_fault(lines, "+1+q+1");
    expect_fault(lines, "...', character 303: 'q' is no fact");
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
    evaluate("x = 1234.5678\nsmall = -0.001\nword = first(scheme)\ngone = max(wall_s | r=7)\n");
    expect_filled("no facts }", "no facts }");
    expect_filled("{x}, {x:.2f}{x:.0f}|{x:.1e}", "1.23e+03, 1234.571235|1.2e+03");
    expect_filled("{x:+.1f} {small:+.0f}", "+1234.6 0");
    expect_filled("{small:.2f} {small:g}", "0.00 -0.001");
    expect_filled("{word:.2f} is {word}", "ds1 is ds1");
    expect_filled("it took {gone:.3f} s", "it took not measured s");
    expect_filled("{{x} {{{x:.0f}", "{x} {1235");
    expect_filled("", "");
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
    expect_no_filling("a {y} b", 64, "'y' is no fact");
    expect_no_filling("a {} b", 64, "is no fact");
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

#define CLAIM(id, rest)                                                                    \
    "[claim]\nid = " id "\nwhere = 3.1\nclaim = It is so.\npublished = 0.95\nours = {r}\n" \
    "finding = It is {r:.1f}.\n" rest

static void judge(const char *sections)
{
    char text[4096];
    claims_free(&claims);
    snprintf(text, sizeof text, "r = 0.5\ngone = max(wall_s | r=7)\n%s", sections);
    evaluate(text);
    fine(claims_judge(&claims, &x, &facts, &tables));
}

static void claims_hold_partly_or_not(void **state)
{
    (void)state;
    static const struct {
        const char *rest;
        enum verdict verdict;
    } cases[] = {{"holds = r < 1\n", VERDICT_HOLDS},
                 {"holds = r < 1\npartly = 0\n", VERDICT_HOLDS},
                 {"holds = r < 1\npartly = gone > 1\n", VERDICT_HOLDS},
                 {"holds = r > 1\npartly = r > 0\n", VERDICT_PARTLY},
                 {"holds = r > 1\npartly = r > 2\n", VERDICT_FAILS},
                 {"holds = r > 1\n", VERDICT_FAILS},
                 {"holds = r > 1 && gone > 1\n", VERDICT_FAILS},
                 {"holds = median(wall_s | scheme=ds2 r={r}) == 3\n", VERDICT_HOLDS},
                 {"holds = gone > 1\n", VERDICT_UNKNOWN},
                 {"holds = gone > 1\npartly = 1\n", VERDICT_UNKNOWN},
                 {"holds = r > 1\npartly = gone > 1\n", VERDICT_UNKNOWN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        snprintf(text, sizeof text, CLAIM("one", "%s"), cases[k].rest);
        judge(text);
        assert_int_equal(claims.count, 1);
        if (claims.claim[0].verdict != cases[k].verdict)
            fail_msg("%s: %s, not %s", cases[k].rest, claim_verdicts[claims.claim[0].verdict],
                     claim_verdicts[cases[k].verdict]);
    }
}

static void claims_keep_their_order_and_texts(void **state)
{
    (void)state;
    judge(CLAIM("one", "holds = 1\n") CLAIM("two", "holds = 0\n"));
    assert_int_equal(claims.count, 2);
    assert_string_equal(claims.claim[0].id, "one");
    assert_string_equal(claims.claim[1].id, "two");
    assert_string_equal(claims.claim[1].where, "3.1");
    assert_string_equal(claims.claim[1].text, "It is so.");
    assert_string_equal(claims.claim[1].published, "0.95");
    assert_string_equal(claims.claim[1].ours, "0.5");
    assert_string_equal(claims.claim[1].finding, "It is 0.5.");
    judge("[claim]\nid = a\nwhere = b\nclaim = c\npublished = {r:.2f}\nours = d\nholds = 1\n");
    assert_string_equal(claims.claim[0].published, "0.50");
    judge(CLAIM("one", "holds = 1\n") CLAIM("two", "holds = 0\n"));
    assert_string_equal(claim_verdicts[claims.claim[0].verdict], "holds");
    assert_string_equal(claim_verdicts[claims.claim[1].verdict], "does not hold");
    assert_string_equal(claim_verdicts[VERDICT_PARTLY], "partly");
    assert_string_equal(claim_verdicts[VERDICT_UNKNOWN], "not measured");
}

static void expect_no_claim(const char *sections, const char *message)
{
    char text[2048];
    snprintf(text, sizeof text, "r = 0.5\n%s", sections);
    evaluate(text);
    if (claims_judge(&claims, &x, &facts, &tables) != ERR_INPUT)
        fail_msg("accepted: %s", sections);
    assert_int_equal(claims.count, 0);
    assert_said(message);
}

/* The first [claim] is on line 7, its `ours` on line 12, what follows the six lines on line 14. */
static void mistakes_in_claims_name_file_and_line(void **state)
{
    (void)state;
    expect_no_claim(CLAIM("one", ""), "text.ini:7: [claim] must have 'holds = ...'");
    expect_no_claim("[claim]\nid = a\n", "text.ini:7: [claim] must have 'where = ...'");
    expect_no_claim(CLAIM("one", "holds = x\n"), "text.ini:14: holds: 'x', character 1: ");
    expect_no_claim(CLAIM("one", "holds = 1\npartly = 1 <\n"), "text.ini:15: partly: '1 <', ");
    expect_no_claim(CLAIM("one", "holds = \"yes\"\n"), "text.ini:14: holds: 'yes' is a word");
    expect_no_claim("[claim]\nid = a\nwhere = b\nclaim = c\npublished = d\nours = {q}\n",
                    "text.ini:12: ours: {q}: 'q' is no fact");
    expect_no_claim(CLAIM("one", "holds = 1\n") CLAIM("one", "holds = 1\n"),
                    "text.ini:16: id: another claim is called 'one'");
    expect_no_claim(CLAIM("on_e", "holds = 1\n"), "text.ini:8: id: 'on_e' has more than small");
}

static void an_experiment_needs_no_facts_and_no_claims(void **state)
{
    (void)state;
    x = experiment_of("[measure]\nkind = runs\n");
    fine(facts_evaluate(&facts, &x, &tables));
    fine(claims_judge(&claims, &x, &facts, &tables));
    assert_int_equal(facts.count, 0);
    assert_int_equal(claims.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TABLES(statistics_are_of_the_rows_asked_for),
        WITH_TABLES(what_is_not_known_does_not_count),
        WITH_TABLES(the_first_cell_is_a_number_or_a_word),
        WITH_TABLES(groups_are_compared_by_their_medians),
        WITH_TABLES(groups_without_number_or_name_are_left_out),
        WITH_TABLES(of_equal_groups_the_first_is_taken),
        WITH_TABLES(other_tables_are_asked_by_their_names),
        WITH_TABLES(facts_stand_on_facts_above),
        WITH_TABLES(facts_in_conditions_match_by_number),
        WITH_TABLES(why_a_fact_is_not_known_is_said),
        WITH_TABLES(mistakes_name_file_line_and_place),
        WITH_TABLES(of_a_long_expression_the_place_is_shown),
        WITH_TABLES(texts_are_filled_in),
        WITH_TABLES(texts_that_cannot_be_filled_in_are_refused),
        WITH_TABLES(claims_hold_partly_or_not),
        WITH_TABLES(claims_keep_their_order_and_texts),
        WITH_TABLES(mistakes_in_claims_name_file_and_line),
        WITH_TABLES(an_experiment_needs_no_facts_and_no_claims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
