/* What `shoal verify` plans, and how it judges, tried on made-up runs. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/near.h"
#include "verification/run/verdict.h"

/* A case with two norms; a test fills in what it asks. */
static struct check asked[8];
static struct published others[2];
static struct verification verification;
static struct flow_case toy;

/* Runs of it at 10 and 20 cells and those on the other backend, with their outcomes. */
enum { COARSE, FINE, COARSE_TWIN, FINE_TWIN, JOBS };
static struct job jobs[JOBS];
static struct plan plan;
static struct job_outcome outcomes[JOBS];
static struct verdicts verdicts;

static int set_up(void **state)
{
    (void)state;
    memset(asked, 0, sizeof asked);
    memset(others, 0, sizeof others);
    memset(outcomes, 0, sizeof outcomes);
    verification =
        (struct verification){.checks = asked, .published = others, .ladder = {10, 20}, .usual = 2};
    toy = (struct flow_case){.name = "toy", .nx = 20, .ny = 20, .t_end = 8};
    toy.verify = &verification;
    plan = (struct plan){.count = JOBS, .job = jobs};
    for (int k = 0; k < JOBS; k++) {
        struct measured *m = &outcomes[k].measured;
        const enum backend_kind on = k < COARSE_TWIN ? CPU : CUDA;
        jobs[k] = (struct job){.kind = JOB_RUN, .needs = {-1, -1}};
        jobs[k].run = (struct run){.flow_case = &toy, .n = k % 2 ? 20 : 10, .kappa = (double)NAN};
        jobs[k].run.variant =
            (struct variant){.scheme = "rk2", .limiter = "minmod", .precision = F64, .backend = on};
        m->snapshots = 2;
        m->t[0] = 4;
        m->t[1] = 8;
        m->steady_at = (double)NAN;
        strcpy(m->digest, "same");
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    verdicts_free(&verdicts);
    return 0;
}

/* The first norm at both times. */
static void measured(int job, double first, double last)
{
    outcomes[job].measured.value[0][0] = first;
    outcomes[job].measured.value[0][1] = last;
}

static void ended(int job)
{
    outcomes[job].state = DONE;
}

static void judged(int job)
{
    ended(job);
    assert_int_equal(verdicts_judge(&verdicts, &plan, outcomes, job), ERR_OK);
}

static int lines(const char *what)
{
    int n = 0;
    for (int k = 0; k < verdicts.count; k++)
        n += strcmp(verdicts.line[k].what, what) == 0;
    return n;
}

/* The only line about it. */
static const struct line *line(const char *what)
{
    static const struct line none;
    const struct line *found = &none;
    for (int k = 0; k < verdicts.count; k++)
        found = strcmp(verdicts.line[k].what, what) == 0 ? &verdicts.line[k] : found;
    if (lines(what) != 1)
        fail_msg("%d lines are about '%s'", lines(what), what);
    return found;
}

static void again(void)
{
    tear_down(NULL);
    set_up(NULL);
}

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

static void a_run_that_failed_is_one_line_and_silences_the_rest(void **state)
{
    (void)state;
    asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .most = 1, .why = "-"};
    asked[1] = (struct check){.norm = &norm_l1_h, .n = 20, .order = 1, .why = "-"};
    outcomes[COARSE].err = ERR_BROKEN;
    strcpy(outcomes[COARSE].message, "first line\n\tsecond line");
    judged(COARSE);
    assert_int_equal(verdicts.count, 1);
    assert_int_equal(line("runs to its end")->verdict, VERDICT_FAIL);
    assert_string_equal(line("runs to its end")->why, "first line  second line");
    judged(FINE);
    judged(FINE_TWIN);
    assert_int_equal(lines("order of L1 h from 10"), 0);
    assert_int_equal(lines("L1 h"), 2); /* of the two that ran */
    assert_int_equal(verdicts_count(&verdicts, VERDICT_FAIL), 1);
    judged(COARSE_TWIN);
    assert_int_equal(lines("order of L1 h from 10"), 1); /* of the other backend */
    assert_int_equal(lines("differs from the CPU"), 1);
}

static void what_others_published_is_told_and_not_judged(void **state)
{
    (void)state;
    others[0] = (struct published){"another code", &norm_l1_h, LAST, 20, 1e-9};
    measured(FINE, 0, 1);
    measured(COARSE, 0, 1);
    judged(FINE);
    judged(COARSE);
    const struct line *l = line("L1 h");
    assert_int_equal(l->kind, LINE_PUBLISHED);
    assert_int_equal(l->verdict, VERDICT_NOTE);
    assert_string_equal(l->why, "another code");
    ASSERT_NEAR(l->limit, 1e-9, 0);
    assert_int_equal(verdicts_count(&verdicts, VERDICT_FAIL), 0);
}

static void mass_and_depth_hold_of_every_run(void **state)
{
    (void)state;
    outcomes[FINE].measured.mass_error = -1e-3;
    outcomes[COARSE].measured.mass_error = (double)NAN;
    outcomes[FINE].measured.least_depth = -1e-300;
    outcomes[COARSE].measured.least_depth = (double)NAN;
    judged(FINE);
    judged(COARSE);
    assert_int_equal(lines("mass error"), 2);
    assert_int_equal(lines("negative depth"), 2);
    assert_int_equal(verdicts_count(&verdicts, VERDICT_FAIL), 4);
    again();
    judged(FINE);
    assert_int_equal(verdicts_count(&verdicts, VERDICT_FAIL), 0);
}

static void a_flow_that_should_become_steady_must(void **state)
{
    (void)state;
    judged(FINE);
    assert_int_equal(lines("steady at"), 0);
    again();
    verification.steady = 1e-6;
    outcomes[FINE].measured.steady_at = 7;
    judged(FINE);
    assert_int_equal(line("steady at")->verdict, VERDICT_OK);
    again();
    verification.steady = 1e-6;
    judged(FINE);
    assert_int_equal(line("steady at")->verdict, VERDICT_FAIL);
}

static void backends_must_give_the_same_bits_in_strict_mode(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        again();
        strcpy(outcomes[FINE_TWIN].measured.digest, how < 2 ? "same" : "other");
        ended(FINE);
        ended(FINE_TWIN);
        judged(how % 2 ? FINE : FINE_TWIN);
        judged(how % 2 ? FINE_TWIN : FINE);
        const struct line *l = line("differs from the CPU");
        assert_int_equal(l->verdict, how < 2 ? VERDICT_OK : VERDICT_FAIL);
        assert_int_equal(l->variant.backend, CUDA);
        assert_int_equal(l->job, FINE_TWIN);
    }
    again();
    for (int k = 0; k < JOBS; k++)
        jobs[k].run.variant.mode = FAST_MODE;
    judged(FINE);
    judged(FINE_TWIN);
    assert_int_equal(lines("differs from the CPU"), 0);
}

static void lines_stand_in_the_order_of_the_plan(void **state)
{
    static char first[64][200];
    (void)state;
    for (int how = 0; how < 24; how++) {
        int left[JOBS] = {COARSE, FINE, COARSE_TWIN, FINE_TWIN}, n = how;
        again();
        asked[0] = (struct check){.norm = &norm_l1_h, .n = 20, .order = 1, .why = "-"};
        asked[1] = (struct check){.norm = &norm_l1_h, .n = 20, .most = 1, .why = "-"};
        asked[2] = (struct check){.norm = &norm_l1_q, .n = 20, .order = 1, .why = "-"};
        others[0] = (struct published){"another code", &norm_l1_q, LAST, 20, 1};
        for (int k = JOBS; k > 0; n /= k, k--) {
            judged(left[n % k]);
            left[n % k] = left[k - 1];
        }
        verdicts_sort(&verdicts);
        assert_in_range(verdicts.count, 10, 64);
        for (int k = 0; k < verdicts.count; k++) {
            const struct line *l = &verdicts.line[k];
            char text[200];
            snprintf(text, sizeof text, "%d %d %s", l->variant.backend, l->n, l->what);
            if (how == 0)
                strcpy(first[k], text);
            assert_string_equal(text, first[k]);
        }
    }
}

/* A limiter that is not symmetric lets water through walls: that is reported; a larger loss is a failure. */
static void a_leak_through_walls_is_noted_where_a_plugin_is_not_symmetric(void **state)
{
    const struct plugin *odd = NULL;
    (void)state;
    for (int k = 0; limiters[k]; k++)
        odd = limiters[k]->properties & SYMMETRIC ? odd : limiters[k];
    if (!odd) {
        skip();
        return; /* for analysers */
    }
    toy.boundary[EAST] = WALL;
    snprintf(jobs[COARSE].run.variant.limiter, NAME_LENGTH, "%s", odd->name);
    for (int large = 0; large < 2; large++) {
        outcomes[COARSE].measured.mass_error = large ? 0.1 : 1e-4;
        verdicts_free(&verdicts);
        assert_int_equal(verdicts_judge(&verdicts, &plan, outcomes, COARSE), ERR_OK);
        int mass = 0;
        while (mass < verdicts.count && strcmp(verdicts.line[mass].what, "mass error") != 0)
            mass++;
        assert_true(mass < verdicts.count);
        assert_int_equal(verdicts.line[mass].verdict, large ? VERDICT_FAIL : VERDICT_NOTE);
        assert_true(large || strstr(verdicts.line[mass].why, "not SYMMETRIC") != NULL);
    }
}

int main(void)
{
#define JUDGING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        JUDGING(a_limit_may_be_met_but_not_passed),
        JUDGING(limits_widen_for_schemes_and_precisions_that_cannot_do_more),
        JUDGING(checks_for_f64_are_not_asked_in_f32),
        JUDGING(an_order_is_decided_once),
        JUDGING(an_order_that_is_missed_or_not_a_number_fails),
        JUDGING(orders_are_those_that_a_scheme_claims),
        JUDGING(an_order_may_skip_rungs),
        JUDGING(snapshots_are_taken_one_by_one_or_together),
        JUDGING(a_run_that_failed_is_one_line_and_silences_the_rest),
        JUDGING(what_others_published_is_told_and_not_judged),
        JUDGING(mass_and_depth_hold_of_every_run),
        JUDGING(a_flow_that_should_become_steady_must),
        JUDGING(backends_must_give_the_same_bits_in_strict_mode),
        JUDGING(lines_stand_in_the_order_of_the_plan),
        JUDGING(a_leak_through_walls_is_noted_where_a_plugin_is_not_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
