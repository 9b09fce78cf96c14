/* The limits and orders of `shoal verify`, tried on made-up runs. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/near.h"
#include "tests/support/verdicts.h"

static void a_limit_may_be_met_but_not_passed(void **state)
{
    static const struct {
        double value;
        enum verdict verdict;
    } tries[] = {{0.5, VERDICT_OK},
                 {0.25, VERDICT_OK},
                 {0.5000001, VERDICT_FAIL},
                 {(double)INFINITY, VERDICT_FAIL},
                 {(double)NAN, VERDICT_FAIL}};
    (void)state;
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        again();
        asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .most = 0.5, .why = "reason"};
        measured(FINE, 0, tries[k].value);
        judged(FINE);
        const struct line *l = line("L1 h");
        assert_int_equal(l->verdict, tries[k].verdict);
        assert_int_equal(l->kind, LINE_ERROR);
        assert_string_equal(l->why, "reason");
        assert_string_equal(l->time, "8");
        assert_int_equal(verdicts_count(&verdicts, VERDICT_FAIL), tries[k].verdict == VERDICT_FAIL);
    }
}

/* The limit of a scheme where the check has factors, and where it has none. */
static double limit_of(const struct scheme *s, enum precision p, int factors)
{
    again();
    asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .most = 1, .why = "-"};
    asked[0].most_f32 = factors ? 7 : 0;
    asked[0].first = factors ? 3 : 0;
    asked[0].split = factors ? 5 : 0;
    strcpy(jobs[FINE].run.variant.scheme, s->name);
    jobs[FINE].run.variant.precision = p;
    judged(FINE);
    return line("L1 h")->limit;
}

static void limits_widen_for_schemes_and_precisions_that_cannot_do_more(void **state)
{
    static const double factor_first[] = {1, 3}, factor_split[] = {1, 5};
    int kinds[2][2] = {{0}};
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        const int first = schemes[k]->order_time < 2, split = schemes[k]->split != 0;
        const double wanted = factor_first[first] * factor_split[split];
        ASSERT_NEAR(limit_of(schemes[k], F64, 0), 1, 0);
        ASSERT_NEAR(limit_of(schemes[k], F32, 0), 1, 0);
        ASSERT_NEAR(limit_of(schemes[k], F64, 1), wanted, 1e-15);
        ASSERT_NEAR(limit_of(schemes[k], F32, 1), 7 * wanted, 1e-14);
        kinds[first][split]++;
    }
    assert_true(kinds[0][0] && kinds[0][1] && kinds[1][0] && kinds[1][1]);
}

static void checks_for_f64_are_not_asked_in_f32(void **state)
{
    (void)state;
    asked[0] = (struct check){
        .norm = &norm_l1_h, .n = 20, .most = 1, .f64_only = 1, .why = "rounding decides"};
    asked[1] = (struct check){
        .norm = &norm_l1_h, .n = 20, .order = 1, .f64_only = 1, .why = "rounding decides"};
    jobs[FINE].run.variant.precision = jobs[COARSE].run.variant.precision = F32;
    judged(FINE);
    judged(COARSE);
    assert_int_equal(lines("L1 h") + lines("order of L1 h from 10"), 0);
    jobs[FINE].run.variant.precision = jobs[COARSE].run.variant.precision = F64;
    judged(FINE);
    assert_int_equal(lines("L1 h"), 1);
    assert_int_equal(lines("order of L1 h from 10"), 1);
}

/* Whichever of the two ends first, and also when both have ended before either is judged. */
static void an_order_is_decided_once(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        again();
        asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .order = 1.5, .why = "smooth"};
        measured(COARSE, 9, 0.4);
        measured(FINE, 9, 0.1);
        if (how >= 2) {
            ended(COARSE);
            ended(FINE);
        }
        judged(how % 2 ? FINE : COARSE);
        assert_int_equal(lines("order of L1 h from 10"), 0);
        judged(how % 2 ? COARSE : FINE);
        const struct line *l = line("order of L1 h from 10");
        ASSERT_NEAR(l->value, 2, 1e-12);
        ASSERT_NEAR(l->limit, 1.5, 0);
        assert_int_equal(l->n, 20);
        assert_int_equal(l->kind, LINE_ORDER);
        assert_int_equal(l->verdict, VERDICT_OK);
        assert_int_equal(l->job, FINE);
    }
}

static void an_order_that_is_missed_or_not_a_number_fails(void **state)
{
    static const double pairs[][2] = {{0.2, 0.1}, {(double)NAN, 0.1}, {0.2, (double)NAN}, {0, 0.1},
                                      {0, 0},     {0.1, 0.2}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        again();
        asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .order = 1.01, .why = "smooth"};
        measured(COARSE, 1, pairs[k][0]);
        measured(FINE, 1, pairs[k][1]);
        judged(COARSE);
        judged(FINE);
        assert_int_equal(line("order of L1 h from 10")->verdict, VERDICT_FAIL);
    }
}

/* No scheme is asked for more than it claims. */
static void orders_are_those_that_a_scheme_claims(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        const struct scheme *s = schemes[k];
        const double claim = fmin(s->order_space, s->order_time);
        again();
        asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .order = CLAIMED, .why = "-"};
        asked[1] = (struct check){.norm = &norm_l1_q, .n = 20, .order = 1.5, .why = "-"};
        strcpy(jobs[COARSE].run.variant.scheme, s->name);
        strcpy(jobs[FINE].run.variant.scheme, s->name);
        judged(COARSE);
        judged(FINE);
        ASSERT_NEAR(line("order of L1 h from 10")->limit, claim - 0.1, 1e-15);
        ASSERT_NEAR(line("order of L1 q from 10")->limit, fmin(1.5, claim), 1e-15);
    }
}

static void an_order_may_skip_rungs(void **state)
{
    (void)state;
    verification.ladder[0] = 10;
    verification.ladder[1] = 15;
    verification.ladder[2] = 20;
    asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .from = 10, .order = 1, .why = "-"};
    asked[1] = (struct check){.norm = &norm_l1_h, .n = 20, .order = 1, .why = "-"};
    measured(COARSE, 0, 4);
    measured(FINE, 0, 1);
    judged(FINE);
    judged(COARSE);
    ASSERT_NEAR(line("order of L1 h from 10")->value, 2, 1e-12);
    assert_int_equal(lines("order of L1 h from 15"), 0); /* that run is not planned */
}

static void snapshots_are_taken_one_by_one_or_together(void **state)
{
    static const struct {
        int at;
        double first, last, value;
        const char *time;
    } tries[] = {{LAST, 3, 1, 1, "8"},
                 {1, 3, 1, 3, "4"},
                 {2, 3, 1, 1, "8"},
                 {7, 3, 1, 1, "8"}, /* it became steady before */
                 {MEAN, 3, 1, 2, "mean"},
                 {LARGEST, 3, 1, 3, "max"},
                 {LARGEST, 1, 3, 3, "max"},
                 {LARGEST, (double)NAN, 3, (double)NAN, "max"},
                 {LARGEST, 3, (double)NAN, (double)NAN, "max"},
                 {MEAN, (double)NAN, 3, (double)NAN, "mean"}};
    (void)state;
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        again();
        asked[0] =
            (struct check){.norm = &norm_l1_h, .at = tries[k].at, .n = 20, .most = 99, .why = "-"};
        measured(FINE, tries[k].first, tries[k].last);
        judged(FINE);
        const struct line *l = line("L1 h");
        assert_string_equal(l->time, tries[k].time);
        if (isnan(tries[k].value))
            assert_int_equal(l->verdict, VERDICT_FAIL);
        else
            ASSERT_NEAR(l->value, tries[k].value, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        JUDGING(a_limit_may_be_met_but_not_passed),
        JUDGING(limits_widen_for_schemes_and_precisions_that_cannot_do_more),
        JUDGING(checks_for_f64_are_not_asked_in_f32),
        JUDGING(an_order_is_decided_once),
        JUDGING(an_order_that_is_missed_or_not_a_number_fails),
        JUDGING(orders_are_those_that_a_scheme_claims),
        JUDGING(an_order_may_skip_rungs),
        JUDGING(snapshots_are_taken_one_by_one_or_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
