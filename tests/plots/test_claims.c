/* Claims: their verdicts, the dates of their rules, and where messages locate mistakes. */
#include "tests/support/test.h"

#include "tests/support/facts.h"

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
             "s = 1\n" CLAIM("one", "compares = runs\nholds = :r + :s < 1\nsince = %s %s\n"), rest,
             digest);
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
