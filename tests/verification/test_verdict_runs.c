/* What `shoal verify` says of every run and how it puts lines in order, tried on made-up runs. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/near.h"
#include "tests/support/verdicts.h"

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
    const struct CMUnitTest tests[] = {
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
