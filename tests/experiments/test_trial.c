/* Trials: the statistics of timings, and rows of the database that read back unchanged. */
#include "tests/support/test.h"

#include <math.h>

#include "core/db/private_text.h"
#include "experiments/tuner/trial.h"
#include "tests/support/near.h"

#define BINARY "ba9876543210"

static const struct kernel kernel = {.name = "rk0"};
static const struct trial_names names = {"fast", "0123456789ab", "0000000a"};

static struct trial trial_of(const double *us, int count)
{
    struct trial t = {.us = {0}};
    const struct recipe r = {.kernel = &kernel, .block = {32, 8}};
    trial_start(&t, &r, 7);
    strcpy(t.binary, BINARY);
    strcpy(t.method, "clock");
    t.measure_ms = 12.34;
    t.timings = count;
    for (int k = 0; k < count; k++)
        t.us[k] = (float)us[k];
    return t;
}

/* The trial's row, which must read back unchanged. */
static struct db_row row_of(const struct trial *t)
{
    char line[DB_LINE + 1];
    struct db_row row, again;
    trial_row(t, &names, &row);
    db_row_format(&row, line);
    if (db_row_parse(line, &again))
        fail_msg("%s: %s", line, err_message());
    for (int k = 0; k < DB_NUMBERS; k++)
        assert_true(row.number[k] == again.number[k] ||
                    (isnan(row.number[k]) && isnan(again.number[k])));
    return row;
}

static void statistics_are_those_of_all_timings(void **state)
{
    (void)state;
    const double us[] = {60, 10, 30, 50, 20, 40};
    const struct trial t = trial_of(us, 6);
    const struct db_row row = row_of(&t);
    ASSERT_NEAR(row.number[DB_MIN], 10, 0);
    ASSERT_NEAR(row.number[DB_Q1], 22.5, 0);
    ASSERT_NEAR(row.number[DB_MEDIAN], 35, 0);
    ASSERT_NEAR(row.number[DB_Q3], 47.5, 0);
    ASSERT_NEAR(row.number[DB_MAX], 60, 0);
    ASSERT_NEAR(row.number[DB_MEAN], 35, 0);
    ASSERT_NEAR(row.number[DB_SPREAD], 18.708, 0); /* sqrt(1750 / 5) */
    ASSERT_NEAR(row.number[DB_KEPT], 6, 0);
    ASSERT_NEAR(row.number[DB_DROPPED], 0, 0);
    ASSERT_NEAR(row.number[DB_MEASURE_COST], 12.3, 0);
    ASSERT_NEAR(row.number[DB_SEQUENCE], 7, 0);
    ASSERT_NEAR(trial_median(&t), 35, 0);
    assert_int_equal(row.block.w, 32);
    assert_string_equal(row.binary, BINARY);
    assert_string_equal(row.reason, "-");
}

static void timings_beyond_three_standard_deviations_are_dropped(void **state)
{
    (void)state;
    double us[50];
    for (int k = 0; k < 50; k++)
        us[k] = k % 2 ? 101 : 99;
    us[17] = 1000;
    us[31] = 110; /* within three deviations, which the other outlier inflates: one pass */
    const struct trial t = trial_of(us, 50);
    const struct db_row row = row_of(&t);
    ASSERT_NEAR(row.number[DB_KEPT], 49, 0);
    ASSERT_NEAR(row.number[DB_DROPPED], 1, 0);
    ASSERT_NEAR(row.number[DB_MAX], 1000, 0);
    ASSERT_NEAR(row.number[DB_MEAN], (25 * 99 + 23 * 101 + 110) / 49., 0.0005);
    /* One far below is dropped, too. */
    us[17] = 0.5;
    us[31] = 101;
    const struct trial below = trial_of(us, 50);
    ASSERT_NEAR(row_of(&below).number[DB_DROPPED], 1, 0);
}

static void rows_of_any_timings_read_back(void **state)
{
    (void)state;
    const double tiny[] = {1e-6, 0, 2e-5, 1e-7, 1e-6}, huge[] = {1e12, 2e9, 1e9, 3e9, 1e10};
    const double equal[] = {0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625};
    const double near[] = {1.0004996, 1.0004999, 1.0005001, 1.0005004, 1.0005007};
    const struct trial trials[] = {trial_of(tiny, 5), trial_of(huge, 5), trial_of(equal, 7),
                                   trial_of(near, 5)};
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++)
        row_of(&trials[k]);
    ASSERT_NEAR(row_of(&trials[0]).number[DB_MEDIAN], 0.001, 0);
    unsigned x = 1;
    for (int n = LEAST_TIMINGS; n <= MOST_TIMINGS; n += 13) {
        double us[MOST_TIMINGS];
        for (int k = 0; k < n; k++) {
            x = x * 1664525u + 1013904223u;
            us[k] = exp(20 * (x >> 8) / 16777216. - 9);
        }
        const struct trial t = trial_of(us, n);
        row_of(&t);
    }
}

static void what_is_not_plausible_is_not_known(void **state)
{
    (void)state;
    const double us[] = {1, 2, 3, 4, 5};
    struct trial t = trial_of(us, 5);
    t.clock_mhz = 0;
    t.occupancy = 0;
    t.registers = 64;
    t.celsius = -0.2;
    t.load_ms = (double)INFINITY;
    t.throttle = 5;
    const struct db_row row = row_of(&t);
    assert_true(isnan(row.number[DB_CLOCK]) && isnan(row.number[DB_OCCUPANCY]) &&
                isnan(row.number[DB_LOAD_COST]) && isnan(row.number[DB_SENTINEL]));
    ASSERT_NEAR(row.number[DB_REGISTERS], 64, 0);
    ASSERT_NEAR(row.number[DB_THROTTLE], 5, 0);
    assert_false(signbit(row.number[DB_TEMPERATURE]));
}

static void failures_keep_what_is_known_and_have_no_times(void **state)
{
    (void)state;
    const double us[] = {1, 2, 3};
    struct trial t = trial_of(us, 3);
    t.compile_ms = 250;
    trial_fail(&t, DB_WRONG_ANSWER, "w differs by %g", 0.5);
    struct db_row row = row_of(&t);
    assert_int_equal(row.outcome, DB_WRONG_ANSWER);
    assert_string_equal(row.reason, "w differs by 0.5");
    assert_string_equal(row.method, "-");
    assert_true(isnan(row.number[DB_MEDIAN]) && isnan(row.number[DB_KEPT]));
    ASSERT_NEAR(row.number[DB_COMPILE_COST], 250, 0);
    assert_true(isinf(trial_median(&t)));
    trial_fail(&t, DB_TIME_OUT, "more than 0.5 us");
    row = row_of(&t);
    ASSERT_NEAR(row.number[DB_MEDIAN], 2, 0);
    assert_string_equal(row.method, "clock");
    t.timings = 1;
    row = row_of(&t);
    assert_true(isnan(row.number[DB_SPREAD]));
    t.timings = 0;
    row = row_of(&t);
    assert_true(isnan(row.number[DB_MEDIAN]));
    assert_true(isinf(trial_median(&t)));
}

static void a_trial_of_nothing_but_a_recipe_can_fail(void **state)
{
    (void)state;
    struct trial t;
    const struct recipe r = {.kernel = &kernel, .block = {64, 32}};
    trial_start(&t, &r, 0);
    assert_int_equal(t.outcome, DB_OK);
    assert_true(isinf(trial_median(&t)));
    trial_fail(&t, DB_CONSTRAINT, "expected at most 1024 threads, got 2048");
    const struct db_row row = row_of(&t);
    assert_string_equal(row.binary, "-");
    for (int k = 0; k < DB_SEQUENCE; k++)
        assert_true(isnan(row.number[k]));
}

static void reasons_are_one_line_that_names_no_folder_and_no_host(void **state)
{
    (void)state;
    static const struct {
        const char *given, *kept;
    } reasons[] = {
        {"", "no reason was given"},
        {"a\tb\nc\n", "a b c"},
        {"/usr/share/x/flux.cu:12:3: error: in '/opt/y.h'", "flux.cu:12:3: error: in 'y.h'"},
        {"(/a/b, \"/c/d\")", "(b, \"d\")"},
        {"1 / 2 and kernels/flux.cu", "1 / 2 and kernels/flux.cu"},
        {"no member a.bed.nx here", "no member a bed.nx here"},
        {"some@where", "some where"},
    };
    char what[PRIVATE_ROOM], long_text[1000];
    struct trial t = trial_of(NULL, 0);
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
        trial_fail(&t, DB_COMPILE, "%s", reasons[k].given);
        assert_string_equal(t.reason, reasons[k].kept);
        assert_false(db_private(t.reason, what));
        row_of(&t);
    }
    for (size_t k = 0; k + 1 < sizeof long_text; k++)
        long_text[k] = "\xe2\x80\x98"[k % 3];
    long_text[sizeof long_text - 1] = '\0';
    trial_fail(&t, DB_COMPILE, "%s", long_text);
    assert_int_equal(strlen(t.reason), DB_REASON / 3 * 3);
    row_of(&t);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_those_of_all_timings),
        cmocka_unit_test(timings_beyond_three_standard_deviations_are_dropped),
        cmocka_unit_test(rows_of_any_timings_read_back),
        cmocka_unit_test(what_is_not_plausible_is_not_known),
        cmocka_unit_test(failures_keep_what_is_known_and_have_no_times),
        cmocka_unit_test(a_trial_of_nothing_but_a_recipe_can_fail),
        cmocka_unit_test(reasons_are_one_line_that_names_no_folder_and_no_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
