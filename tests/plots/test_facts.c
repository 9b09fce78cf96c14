/* Facts and claims: what rows say, what they do not say, and where messages locate mistakes. */
#include "tests/support/test.h"

#include "plots/data/facts.h"
#include "tests/support/near.h"
#include "tests/support/tables.h"

static struct database *database;
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
    database = open_without_devices();
    keep_table(database, "data", ROWS);
    keep_table(database, "other", "scheme,wall_s\nds2,20\nrk2,10\n");
    return 0;
}

static int tear_down(void **state)
{
    claims_free(&claims);
    facts_free(&facts);
    experiment_free(&x);
    database_close(database);
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
    fine(facts_evaluate(&facts, &x, database));
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

#define CLAIM(id, rest)                                                                    \
    "[claim]\nid = " id "\nwhere = 3.1\nclaim = It is so.\npublished = 0.95\nours = {r}\n" \
    "remark = It is {r:.1f}.\n" rest

static void judge(const char *sections)
{
    char text[4096];
    claims_free(&claims);
    snprintf(text, sizeof text, "r = 0.5\ngone = SELECT max(wall_s) FROM data WHERE r = 7\n%s",
             sections);
    evaluate(text);
    fine(claims_judge(&claims, &x, &facts, database, "2014-05-15T12:00:00Z"));
}

static void claims_hold_partly_or_not(void **state)
{
    (void)state;
    static const struct {
        const char *rest;
        enum verdict verdict;
    } cases[] = {{"holds = :r < 1\n", VERDICT_HOLDS},
                 {"holds = :r < 1\npartly = 0\n", VERDICT_HOLDS},
                 {"holds = :r < 1\npartly = :gone > 1\n", VERDICT_HOLDS},
                 {"holds = :r > 1\npartly = :r > 0\n", VERDICT_PARTLY},
                 {"holds = :r > 1\npartly = :r > 2\n", VERDICT_FAILS},
                 {"holds = :r > 1\n", VERDICT_FAILS},
                 {"holds = :r > 1 AND :gone > 1\n", VERDICT_FAILS},
                 {"holds = SELECT median(wall_s) = 3 FROM data WHERE scheme = 'ds2' AND r = :r\n",
                  VERDICT_HOLDS},
                 {"holds = :gone > 1\n", VERDICT_UNKNOWN},
                 {"holds = :gone > 1\npartly = 1\n", VERDICT_UNKNOWN},
                 {"holds = :r > 1\npartly = :gone > 1\n", VERDICT_UNKNOWN}};
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

/* wide is 2, from 1 to 3; alone is 5, from one run. */
#define RUNS                                                                                     \
    "wide = SELECT 2, 1, 3, 6\nfew = SELECT 2, 1, 3, 4\nalone = SELECT 5, NULL AS low, NULL AS " \
    "high, 1\n"

static void a_claim_is_undecided_where_an_interval_covers_its_bar(void **state)
{
    (void)state;
    static const struct {
        const char *rest;
        enum verdict verdict;
        int runs;
    } cases[] = {{"holds = :wide > 0.9\n", VERDICT_HOLDS, 6},
                 {"holds = :wide > 1.5\n", VERDICT_UNDECIDED, 6},
                 {"holds = :wide > 2.9\n", VERDICT_UNDECIDED, 6},
                 {"holds = :wide > 3.1\n", VERDICT_FAILS, 6},
                 {"holds = :wide > 3.1\npartly = :few > 0.5\n", VERDICT_PARTLY, 4},
                 {"holds = :wide > 3.1\npartly = :few > 1.5\n", VERDICT_UNDECIDED, 4},
                 {"holds = :wide > 2.4 AND :wide < 2.6\n", VERDICT_UNDECIDED, 6},
                 {"holds = :few + :wide > 1.9\n", VERDICT_HOLDS, 4},
                 {"holds = :alone > 1\n", VERDICT_UNDECIDED, 1},
                 {"holds = :alone > 1 OR :r < 1\n", VERDICT_HOLDS, 1},
                 {"holds = :r < 1\n", VERDICT_HOLDS, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        snprintf(text, sizeof text, RUNS CLAIM("one", "%s"), cases[k].rest);
        judge(text);
        if (claims.claim[0].verdict != cases[k].verdict || claims.claim[0].runs != cases[k].runs)
            fail_msg("%s: %s of %d runs", cases[k].rest, claim_verdicts[claims.claim[0].verdict],
                     claims.claim[0].runs);
    }
    judge(RUNS "[claim]\nid = a\nwhere = b\nclaim = c\npublished = d\n"
               "ours = {wide:.0f}, {alone:.0f}, {r}\nholds = 1\n");
    assert_string_equal(claims.claim[0].ours, "2 (1 to 3), 5 (one run), 0.5");
}

static void a_note_has_no_rule_and_no_verdict(void **state)
{
    (void)state;
    judge(CLAIM("one", "kind = note\n")
              CLAIM("two", "kind = own\nholds = 1\n") "[claim]\nid = a\n"
                                                      "kind = note\nwhere = b\nclaim = "
                                                      "c\npublished = d\nours = {gone}\n");
    assert_int_equal(claims.claim[0].verdict, VERDICT_NOTE);
    assert_string_equal(claims.claim[0].fault, "");
    assert_int_equal(claims.claim[0].kind, CLAIM_NOTE);
    assert_int_equal(claims.claim[1].kind, CLAIM_OWN);
    assert_int_equal(claims.claim[2].verdict, VERDICT_UNKNOWN);
}

/* The text after "write 'since = " and the time. */
static const char *digest_wanted(const char *sections)
{
    static char digest[9];
    judge(sections);
    const char *since = strstr(claims.claim[0].fault, "'since = ");
    assert_non_null(since);
    snprintf(digest, sizeof digest, "%s", strchr(since + 9, ' ') + 1);
    return digest;
}

static void expect_fault_of_rule(const char *rest, const char *digest, const char *fault)
{
    char text[2048];
    snprintf(text, sizeof text,
             CLAIM("one", "compares = runs\nholds = :r + :s < 1\nsince = %s %s\n"), rest, digest);
    memmove(text + 6, text, strlen(text) + 1);
    memcpy(text, "s = 1\n", 6);
    judge(text);
    if (*fault ? !strstr(claims.claim[0].fault, fault) : *claims.claim[0].fault != '\0')
        fail_msg("no '%s' in '%s'", fault, claims.claim[0].fault);
}

/* The sessions of the tests began on 2014-05-15 at noon. */
static void a_rule_has_a_date_that_goes_with_its_text(void **state)
{
    static char digest[9], other[9];
    (void)state;
    strcpy(digest, digest_wanted("s = 1\n" CLAIM("one", "holds = :r + :s < 1\n")));
    assert_int_equal(strlen(digest), 8);
    expect_fault_of_rule("2014-05-15T11:59Z", digest, "");
    assert_false(claims.claim[0].younger);
    assert_string_equal(claims.claim[0].since, "2014-05-15T11:59Z");
    expect_fault_of_rule("2014-05-15T12:01Z", digest, "");
    assert_true(claims.claim[0].younger);
    expect_fault_of_rule("2014-05-15", digest,
                         "expected the time when the rule was written; write 'since = ");
    expect_fault_of_rule("yesterday", digest, "expected the time when the rule was written");
    expect_fault_of_rule("2014-05-15T12:01Z", "00000000", "is no longer that of 2014-05-15T12:01Z");
    strcpy(other, digest_wanted("s =  1\n" CLAIM("one", "holds = :r +  :s<1\n")));
    assert_string_equal(digest, other);
    strcpy(other, digest_wanted("unused = 1\ns = 1\n" CLAIM("one", "holds = :r + :s < 1\n")));
    assert_string_equal(digest, other);
    strcpy(other, digest_wanted("s = 2\n" CLAIM("one", "holds = :r + :s < 1\n")));
    assert_string_not_equal(digest, other);
    strcpy(other, digest_wanted("t = 1\ns = :t\n" CLAIM("one", "holds = :r + :s < 1\n")));
    strcpy(digest, digest_wanted("t = 2\ns = :t\n" CLAIM("one", "holds = :r + :s < 1\n")));
    assert_string_not_equal(digest, other);
    strcpy(other, digest_wanted(CLAIM("one", "holds = :r < 1\npartly = 1\n")));
    strcpy(digest, digest_wanted(CLAIM("one", "holds = :r < 1\npartly = 0\n")));
    assert_string_not_equal(digest, other);
    strcpy(other, digest_wanted("s = SELECT max(wall_s) FROM data\n" CLAIM(
                      "one", "holds = :s < 1\n") "[data]\nsql = SELECT 1\n"));
    strcpy(digest, digest_wanted("s = SELECT max(wall_s) FROM data\n" CLAIM(
                       "one", "holds = :s < 1\n") "[data]\nsql = SELECT 2\n"));
    assert_string_not_equal(digest, other);
    strcpy(digest, digest_wanted("s = SELECT max(wall_s) FROM data\n" CLAIM(
                       "one", "holds = :s < 1\n") "[data]\nsql = SELECT 1\n[data]\nname = more\n"
                                                  "sql = SELECT 2\n"));
    assert_string_equal(digest, other);
}

static void a_rule_says_what_it_compares(void **state)
{
    char text[1024];
    (void)state;
    const char *digest = digest_wanted(CLAIM("one", "holds = :r < 1\n"));
    snprintf(text, sizeof text, CLAIM("one", "holds = :r < 1\nsince = 2014-05-15T12:01Z %s\n"),
             digest);
    judge(text);
    assert_non_null(strstr(claims.claim[0].fault, "expected 'compares = ...'"));
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
    assert_string_equal(claims.claim[1].remark, "It is 0.5.");
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
    if (claims_judge(&claims, &x, &facts, database, "") != ERR_INPUT)
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
    expect_no_claim(CLAIM("one", "holds = x\n"), "text.ini:14: holds: no such column: x");
    expect_no_claim(CLAIM("one", "holds = 1\npartly = 1 <\n"), "text.ini:15: partly: near ");
    expect_no_claim(CLAIM("one", "holds = 'yes'\n"), "text.ini:14: holds: 'yes' is a word");
    expect_no_claim("[claim]\nid = a\nwhere = b\nclaim = c\npublished = d\nours = {q}\n",
                    "text.ini:12: ours: {q}: 'q' is not a fact");
    expect_no_claim(CLAIM("one", "holds = 1\n") CLAIM("one", "holds = 1\n"),
                    "text.ini:16: id: another claim is called 'one'");
    expect_no_claim(CLAIM("one", "kind = ours\nholds = 1\n"),
                    "text.ini:14: kind: expected published, own or note, got 'ours'");
    expect_no_claim(CLAIM("one", "kind = note\nholds = 1\n"), "a note has no rule");
    expect_no_claim(CLAIM("on_e", "holds = 1\n"),
                    "text.ini:8: id: expected lower-case letters, digits and hyphens, got 'on_e'");
}

static void an_experiment_needs_no_facts_and_no_claims(void **state)
{
    (void)state;
    x = experiment_of("[measure]\nkind = runs\n");
    fine(facts_evaluate(&facts, &x, database));
    fine(claims_judge(&claims, &x, &facts, database, "2014-05-15T12:00:00Z"));
    assert_int_equal(facts.count, 0);
    assert_int_equal(claims.count, 0);
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
        WITH_TABLES(claims_hold_partly_or_not),
        WITH_TABLES(a_claim_is_undecided_where_an_interval_covers_its_bar),
        WITH_TABLES(a_note_has_no_rule_and_no_verdict),
        WITH_TABLES(a_rule_has_a_date_that_goes_with_its_text),
        WITH_TABLES(a_rule_says_what_it_compares),
        WITH_TABLES(claims_keep_their_order_and_texts),
        WITH_TABLES(mistakes_in_claims_name_file_and_line),
        WITH_TABLES(an_experiment_needs_no_facts_and_no_claims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
