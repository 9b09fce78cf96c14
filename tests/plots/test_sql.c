/* SQL queries: what they may do, how long they may take, what they have besides SQLite's functions, and the messages
 * about mistakes. */
#include "tests/support/test.h"

#include <math.h>

#include "plots/data/sql.h"

static struct sql *s;

/* t: a word and a number; not known in the last row. */
static int set_up(void **state)
{
    (void)state;
    if (sql_open(&s) == ERR_ABSENT) {
        print_message("skipped: %s\n", err_message());
        exit(0);
    }
    fine(sql_run(s, "CREATE TABLE t (name, x); INSERT INTO t VALUES ('a', 4.0), ('a', 1.0), "
                    "('b', 3.0), ('b', 2.0), ('a', NULL)"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sql_close(s);
    return 0;
}

static double number_of(const char *query)
{
    struct rowset a;
    fine(sql_ask(s, query, NULL, &a));
    assert_int_equal(a.rows, 1);
    const double x = rowset_number(&a, 0, 0);
    rowset_free(&a);
    return x;
}

static void refuses(const char *query, const char *message)
{
    struct rowset a;
    if (sql_ask(s, query, NULL, &a) != ERR_USAGE)
        fail_msg("accepted: %s", query);
    if (!strstr(err_message(), message))
        fail_msg("%s: no '%s' in '%s'", query, message, err_message());
    assert_null(a.cell);
}

static void an_answer_has_names_texts_and_numbers(void **state)
{
    struct rowset a;
    (void)state;
    fine(sql_ask(s, "SELECT name, x, x / 3 AS third, 1e12 AS large FROM t ORDER BY rowid", NULL,
                 &a));
    assert_int_equal(a.columns, 4);
    assert_int_equal(a.rows, 5);
    assert_string_equal(a.name[2], "third");
    assert_string_equal(rowset_at(&a, 0, 0), "a");
    assert_string_equal(rowset_at(&a, 0, 1), "4");
    assert_string_equal(rowset_at(&a, 0, 2), "1.33333333");
    assert_string_equal(rowset_at(&a, 0, 3), "1000000000000");
    assert_string_equal(rowset_at(&a, 4, 1), "-");
    assert_true(isnan(rowset_number(&a, 0, 0)) && isnan(rowset_number(&a, 4, 1)));
    assert_true(rowset_has(&a, "name", "b") && !rowset_has(&a, "name", "c"));
    rowset_free(&a);
}

static void nothing_but_reading_is_allowed(void **state)
{
    static const char *const forbidden[][2] = {
        {"ATTACH ':memory:' AS other", "ATTACH is not allowed"},
        {"ATTACH '/tmp/shoal-attached' AS other", "ATTACH is not allowed"},
        {"DETACH main", "ATTACH is not allowed"},
        {"PRAGMA database_list", "PRAGMA is not allowed"},
        {"PRAGMA writable_schema = 1", "PRAGMA is not allowed"},
        {"SELECT * FROM pragma_database_list", "not allowed"},
        {"SELECT load_extension('x')", "load_extension is not allowed"},
        {"SELECT fts3_tokenizer('simple')", "fts3_tokenizer is not allowed"},
        {"INSERT INTO t VALUES (1, 2)", "anything else is not allowed"},
        {"UPDATE t SET x = 0", "anything else is not allowed"},
        {"DELETE FROM t", "anything else is not allowed"},
        {"DROP TABLE t", "anything else is not allowed"},
        {"CREATE TABLE u (x)", "anything else is not allowed"},
        {"CREATE TEMP TABLE u (x)", "anything else is not allowed"},
        {"CREATE VIEW u AS SELECT 1", "anything else is not allowed"},
        {"ALTER TABLE t RENAME TO u", "anything else is not allowed"},
        {"BEGIN", "anything else is not allowed"},
        {"VACUUM INTO '/tmp/shoal-vacuum'", "queries only read"},
        {"REINDEX", "queries only read"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof forbidden / sizeof *forbidden; k++)
        refuses(forbidden[k][0], forbidden[k][1]);
    assert_true(number_of("SELECT count(*) FROM t") == 5);
    assert_true(number_of("SELECT count(*) FROM sqlite_schema WHERE name = 't'") == 1);
    assert_true(number_of("WITH one AS (SELECT 1 AS x) SELECT x FROM one") == 1);
}

static void one_question_is_asked_at_a_time(void **state)
{
    (void)state;
    refuses("SELECT 1; SELECT 2", "expected one query, got another: ' SELECT 2'");
    refuses("SELECT 1; DROP TABLE t", "expected one query");
    refuses("", "expected a query");
    refuses("-- nothing", "expected a query");
    assert_true(number_of("SELECT 1; ") == 1);
    assert_true(number_of("SELECT 1 -- so\n + 1") == 2);
}

static void what_does_not_end_is_ended(void **state)
{
    (void)state;
    sql_limit(s, 1000000);
    refuses(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "the query was stopped after 1 million steps");
    assert_true(number_of("SELECT max(x) FROM t") == 4);
    refuses("SELECT length(zeroblob(100000000))", "string or blob too big");
}

static void the_median_is_the_upper_one_of_two(void **state)
{
    (void)state;
    assert_true(number_of("SELECT median(x) FROM t") == 3);
    assert_true(number_of("SELECT median(x) FROM t WHERE x < 4") == 2);
    assert_true(number_of("SELECT median(x) FROM t WHERE name = 'a'") == 4);
    assert_true(isnan(number_of("SELECT median(x) FROM t WHERE x > 4")));
    assert_true(number_of("SELECT median(x) FILTER (WHERE name = 'b') FROM t") == 3);
    refuses("SELECT median(name) FROM t", "expect numbers, got a word");
}

/* -1, 0, 1, 2: mean 0.5, deviation sqrt(5 / 3); 3.90 sqrt(5 / 12) = 2.5174. 2, 4, 8, 16: the same for the logarithms.
 * */
static void a_median_has_an_interval(void **state)
{
    const double away = 3.9 * sqrt(5.0 / 12);
    (void)state;
    assert_true(fabs(number_of("SELECT low(x - 2) FROM t") - (0.5 - away)) < 1e-12);
    assert_true(fabs(number_of("SELECT high(x - 2) FROM t") - (0.5 + away)) < 1e-12);
    assert_true(fabs(log2(number_of("SELECT low(1 << x) FROM t")) - (2.5 - away)) < 1e-12);
    assert_true(fabs(log2(number_of("SELECT high(1 << x) FROM t")) - (2.5 + away)) < 1e-12);
    assert_true(isnan(number_of("SELECT low(x) FROM t WHERE x = 2")));
    assert_true(isnan(number_of("SELECT high(x) FROM t WHERE x = 2")));
    assert_true(number_of("SELECT low(a.x + b.x) FROM t a, t b") == 4);
    assert_true(number_of("SELECT high(a.x + b.x) FROM t a, t b") == 6);
    assert_true(fabs(number_of("SELECT low(2) FROM t") - 2) < 1e-12);
    assert_true(
        number_of("SELECT high(x) FROM (SELECT 1 AS x UNION ALL SELECT 1 UNION ALL SELECT 1 "
                  "UNION ALL SELECT 1 UNION ALL SELECT 1 UNION ALL SELECT 9)") == 9);
    assert_true(isnan(number_of("SELECT low(x) FROM t WHERE x > 4")));
    refuses("SELECT low(name) FROM t", "expect numbers, got a word");
}

/* Of 1, 2, ... n the interval is k + 1 to n - k, with the largest k for which k heads or fewer of n tosses, and as few
 * tails, are no more probable than six equal tosses: counted exactly here. */
static void more_numbers_narrow_the_interval(void **state)
{
    (void)state;
    for (int n = 6; n <= 60; n++) {
        char query[256];
        double ways = 1, within = 1;
        int k = 0;
        for (; 32 * (within + ways * (n - k) / (k + 1)) * 2 <= ldexp(1, n); k++) {
            ways = ways * (n - k) / (k + 1);
            within += ways;
        }
        snprintf(query, sizeof query,
                 "WITH RECURSIVE i(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM i WHERE x < %d) "
                 "SELECT low(x) + 1000 * high(x) FROM i",
                 n);
        assert_int_equal((int)number_of(query), k + 1 + 1000 * (n - k));
    }
    assert_true(
        number_of("WITH RECURSIVE i(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM i WHERE x < 3000) "
                  "SELECT low(x) FROM i") == 1441);
}

/* A quarter of 1, 2, 3, 4 lies at 1.75: 0.25 x 3 places from the first. */
static void quantiles_are_interpolated(void **state)
{
    (void)state;
    assert_true(number_of("SELECT quantile(x, 0.25) FROM t") == 1.75);
    assert_true(number_of("SELECT quantile(x, 0.5) FROM t") == 2.5);
    assert_true(number_of("SELECT quantile(x, 0) FROM t") == 1);
    assert_true(number_of("SELECT quantile(x, 1) FROM t") == 4);
    assert_true(number_of("SELECT quantile(x, 0.3) FROM t WHERE x = 2") == 2);
    assert_true(number_of("SELECT quantile(x, 0.5) FROM (SELECT 1.0 AS x UNION ALL SELECT 2.0 "
                          "UNION ALL SELECT 9e999)") == 2);
    refuses("SELECT quantile(x, 25) FROM t", "a share from 0 to 1");
}

static void medians_stand_beside_rows_too(void **state)
{
    struct rowset a;
    static const char *const wanted[] = {"-", "0.25", "1", "1", "1.5"};
    (void)state;
    fine(sql_ask(s,
                 "SELECT x / median(x) FILTER (WHERE x <> 3) OVER (PARTITION BY name) FROM t "
                 "ORDER BY name, x",
                 NULL, &a));
    for (size_t row = 0; row < 5; row++)
        assert_string_equal(rowset_at(&a, row, 0), wanted[row]);
    rowset_free(&a);
    /* A sliding window that rows leave: each of 1, 2, 3, 4 with the one before. */
    assert_true(number_of("SELECT sum(m) FROM (SELECT median(x) OVER (ORDER BY x ROWS 1 PRECEDING) "
                          "AS m FROM t WHERE x > 0)") == 1 + 2 + 3 + 4);
}

static void a_mistyped_column_is_told_the_ones_there_are(void **state)
{
    (void)state;
    refuses("SELECT nam FROM t", "no such column: nam at 'nam FROM t'; the columns of t: name x");
    refuses("SELECT \"nam\" FROM t", "the columns of t: name x");
    refuses("SELECT * FROM tt", "no such table: tt; did you mean 't'?; `shoal db sql --tables`");
    refuses("SELECT case FROM t", "is an SQL keyword in double quotes: \"case\"");
    refuses("SELECT x, name AS x FROM t", "two columns are called 'x'");
    refuses("SELECT x FROM t WHERE x = :y", "':y' has no value here");
    refuses("SELECT x FROM t WHERE x = ?", "has no value here");
}

static void a_mistake_has_its_place(void **state)
{
    struct rowset a;
    (void)state;
    assert_int_equal(sql_ask(s, "SELECT x\nFROM t\nWHERE y = 1", NULL, &a), ERR_USAGE);
    assert_int_equal(sql_place(s), strlen("SELECT x\nFROM t\nWHERE "));
}

static enum err find_name(void *context, const char *name, struct sql_value *v)
{
    (void)context;
    if (strcmp(name, "word") == 0)
        v->text = "b";
    else if (strcmp(name, "number") == 0)
        v->number = 3;
    else if (strcmp(name, "nothing") != 0)
        FAIL(USAGE, "no %s", name);
    return ERR_OK;
}

static void names_stand_for_values(void **state)
{
    const struct sql_names names = {NULL, find_name};
    struct rowset a;
    (void)state;
    fine(sql_ask(s, "SELECT count(*), :nothing IS NULL FROM t WHERE name = :word AND x < :number",
                 &names, &a));
    assert_true(rowset_number(&a, 0, 0) == 1 && rowset_number(&a, 0, 1) == 1);
    rowset_free(&a);
    assert_int_equal(sql_ask(s, "SELECT :other", &names, &a), ERR_USAGE);
    assert_string_equal(err_message(), "no other");
}

#define ASKED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ASKED(an_answer_has_names_texts_and_numbers),
        ASKED(nothing_but_reading_is_allowed),
        ASKED(one_question_is_asked_at_a_time),
        ASKED(what_does_not_end_is_ended),
        ASKED(the_median_is_the_upper_one_of_two),
        ASKED(a_median_has_an_interval),
        ASKED(more_numbers_narrow_the_interval),
        ASKED(quantiles_are_interpolated),
        ASKED(medians_stand_beside_rows_too),
        ASKED(a_mistyped_column_is_told_the_ones_there_are),
        ASKED(a_mistake_has_its_place),
        ASKED(names_stand_for_values),
    };
    return cmocka_run_group_tests_name("sql", tests, NULL, NULL);
}
