/* What `shoal verify` computes for a request, and what cases must ask so that it makes sense. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "verification/run/plan.h"

static struct plan plan;

static struct selection everything(enum effort effort)
{
    return (struct selection){.precision = -1, .backend = {[CPU] = 1}, .effort = effort};
}

static void planned(const struct selection *s)
{
    plan_free(&plan);
    if (plan_create(&plan, s))
        fail_msg("%s", err_message());
}

static int rungs_of(const struct flow_case *c)
{
    int n = 0;
    while (n < LADDER && c->verify->ladder[n])
        n++;
    return n;
}

/* Runs of a case by one variant; each of the coarsest ones of its ladder once. */
static int climbed(const struct flow_case *c, const char *scheme, enum precision p,
                   enum backend_kind on)
{
    struct config usual;
    int n = 0, all = 0;
    config_case_defaults(&usual);
    struct run r = {.flow_case = c, .kappa = (double)NAN};
    r.variant = (struct variant){.precision = p, .backend = on};
    strcpy(r.variant.scheme, scheme);
    strcpy(r.variant.limiter, usual.limiter);
    for (int k = 0; k < plan.count; k++) {
        const struct job *j = &plan.job[k];
        const struct variant *v = &j->run.variant;
        all += j->kind == JOB_RUN && !j->sweep && j->run.flow_case == c && v->precision == p &&
               v->backend == on && strcmp(v->scheme, scheme) == 0 && variant_has_default_plugins(v);
    }
    for (; n < rungs_of(c); n++) {
        r.n = c->verify->ladder[n];
        if (plan_find(&plan, &r) < 0)
            break;
    }
    assert_int_equal(n, all);
    return n;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int wanted(const struct verification *v, int primary, int effort, int all)
{
    if (effort == FULL)
        return all;
    if (effort == QUICK)
        return primary ? v->quick : 0;
    return primary ? v->usual : least(v->usual, 2);
}

/* Whether the scheme runs the case. */
static int runs(const struct scheme *s, const struct flow_case *c)
{
    return scheme_solves(s, case_system(c)) && (s->bounded || !c->verify->bounded);
}

static void climb_all(const struct flow_case *c, int effort)
{
    for (int m = 0; schemes[m]; m++)
        for (int p = 0; p < PRECISIONS && runs(schemes[m], c); p++) {
            const int primary = strcmp(schemes[m]->name, case_system(c)->scheme) == 0 && p == F64;
            const int rungs = wanted(c->verify, primary, effort, rungs_of(c));
            if (climbed(c, schemes[m]->name, (enum precision)p, CPU) != rungs)
                fail_msg("%s, %s, effort %d: not %d resolutions", c->name, schemes[m]->name, effort,
                         rungs);
        }
}

static void each_variant_climbs_as_far_as_its_time_allows(void **state)
{
    (void)state;
    for (int effort = QUICK; effort <= FULL; effort++) {
        const struct selection s = everything((enum effort)effort);
        planned(&s);
        for (int k = 0; cases[k]; k++)
            if (cases[k]->verify)
                climb_all(cases[k], effort);
    }
}

static void a_gpu_beside_the_cpu_is_compared_at_one_resolution(void **state)
{
    struct selection s = everything(USUAL);
    (void)state;
    for (int both = 0; both < 2; both++) {
        s.backend[CPU] = both;
        s.backend[CUDA] = 1;
        planned(&s);
        for (int k = 0; cases[k]; k++)
            if (cases[k]->verify)
                assert_int_equal(climbed(cases[k], case_system(cases[k])->scheme, F64, CUDA),
                                 both ? least(1, cases[k]->verify->usual)
                                      : cases[k]->verify->usual);
    }
}

static void what_is_asked_by_name_gets_the_whole_ladder(void **state)
{
    struct selection s = everything(USUAL);
    (void)state;
    for (int m = 0; schemes[m]; m++) {
        snprintf(s.schemes, sizeof s.schemes, "%s", schemes[m]->name);
        planned(&s);
        for (int k = 0; cases[k]; k++)
            if (cases[k]->verify)
                assert_int_equal(climbed(cases[k], schemes[m]->name, F64, CPU),
                                 runs(schemes[m], cases[k]) ? cases[k]->verify->usual : 0);
        for (int k = 0; k < plan.count; k++)
            if (plan.job[k].kind != JOB_REFERENCE)
                assert_string_equal(plan.job[k].run.variant.scheme, schemes[m]->name);
    }
}

static int has_friction(const struct flow_case *c)
{
    return c && (c->manning > 0 || c->drag > 0);
}

static void every_run_waits_for_its_kernels_and_its_reference(void **state)
{
    const struct selection s = everything(FULL);
    (void)state;
    planned(&s);
    for (int k = 0; k < plan.count; k++) {
        const struct job *j = &plan.job[k];
        if (j->kind != JOB_RUN)
            continue;
        const struct job *kernels = &plan.job[j->needs[0]];
        assert_in_range(j->needs[0], 0, plan.count - 1);
        assert_int_equal(kernels->kind, JOB_COMPILE);
        assert_string_equal(kernels->run.variant.scheme, j->run.variant.scheme);
        assert_true(variant_is(&kernels->run.variant, &j->run.variant));
        assert_int_equal(has_friction(kernels->run.flow_case), has_friction(j->run.flow_case));
        if (!j->run.flow_case->verify->reference || j->sweep)
            continue;
        assert_in_range(j->needs[1], 0, plan.count - 1);
        assert_int_equal(plan.job[j->needs[1]].kind, JOB_REFERENCE);
        assert_ptr_equal(plan.job[j->needs[1]].run.flow_case, j->run.flow_case);
    }
}

static void nothing_is_computed_twice(void **state)
{
    struct selection s = everything(FULL);
    (void)state;
    s.backend[CUDA] = 1;
    planned(&s);
    for (int k = 0; k < plan.count; k++)
        if (plan.job[k].kind == JOB_RUN)
            assert_int_equal(plan_find(&plan, &plan.job[k].run), k);
}

static void expect_refused(const struct selection *s, const char *part)
{
    plan_free(&plan);
    assert_int_equal(plan_create(&plan, s), ERR_USAGE);
    if (!strstr(err_message(), part))
        fail_msg("'%s' is not in '%s'", part, err_message());
}

/* Of a system without a bed those that need none, in both precisions. */
static void each_scheme_has_the_invariants_of_its_system(void **state)
{
    struct selection s = everything(USUAL);
    (void)state;
    for (int m = 0; schemes[m]; m++) {
        int of_all = 0, planned_ones = 0;
        snprintf(s.schemes, sizeof s.schemes, "%s", schemes[m]->name);
        planned(&s);
        for (int k = 0; k < plan.count; k++)
            if (plan.job[k].kind == JOB_INVARIANT) {
                assert_true(invariant_is_of(plan.job[k].invariant, schemes[m]));
                planned_ones += plan.job[k].invariant->of == OF_ALL;
            }
        for (int k = 0; invariants[k]; k++)
            of_all += invariants[k]->of == OF_ALL;
        assert_true(of_all > 0);
        if (!scheme_moves_water(schemes[m])) /* has no plug-ins */
            assert_int_equal(planned_ones, PRECISIONS * of_all);
    }
}

static void an_unknown_name_gets_the_nearest_one_suggested(void **state)
{
    struct selection s = everything(USUAL);
    (void)state;
    strcpy(s.cases, "stoker,circular-dma");
    expect_refused(&s, "did you mean 'circular-dam'?");
    strcpy(s.cases, "symetry");
    expect_refused(&s, "did you mean 'symmetry'?");
}

static void nothing_to_do_is_an_error(void **state)
{
    struct selection s = everything(QUICK);
    (void)state;
    for (int k = 0; invariants[k]; k++)
        if (!invariants[k]->quick) {
            snprintf(s.cases, sizeof s.cases, "%s", invariants[k]->name);
            expect_refused(&s, "nothing to verify");
            return;
        }
    print_message("skipped: every invariant belongs to --quick\n");
    skip();
}

static void a_list_names_whole_words(void **state)
{
    (void)state;
    assert_true(selected("", "rk2"));
    assert_true(selected("rk2", "rk2"));
    assert_true(selected("ds1,rk2", "rk2"));
    assert_true(selected("rk2,ds1", "rk2"));
    assert_false(selected("srk2", "rk2"));
    assert_false(selected("rk2", "srk2"));
    assert_false(selected("rk", "rk2"));
    assert_false(selected("ds1,srk2,ds2", "rk2"));
}

/* The following tests check what the drivers assume about cases and invariants. */
#define CASE_HAS(condition, text)                                    \
    do {                                                             \
        if (!(condition))                                            \
            fail_msg("verification/cases/%s.c: %s", (name), (text)); \
    } while (0)

static int count_checks(const struct verification *v)
{
    int n = 0;
    while (v->checks && v->checks[n].norm)
        n++;
    return n;
}

static int count_published(const struct verification *v)
{
    int n = 0;
    while (v->published && v->published[n].norm)
        n++;
    return n;
}

static int on_ladder(const struct verification *v, int n)
{
    for (int k = 0; k < LADDER && v->ladder[k]; k++)
        if (v->ladder[k] == n)
            return 1;
    return 0;
}

static int one_line(const char *text, size_t most)
{
    return text && *text && strlen(text) < most && !strpbrk(text, "\t\n\r");
}

static void hold_ladder(const char *name, const struct verification *v)
{
    int n = 0;
    for (; n < LADDER && v->ladder[n]; n++)
        CASE_HAS(v->ladder[n] > (n ? v->ladder[n - 1] : 0), "the ladder must rise from its start");
    CASE_HAS(v->usual >= 1 && v->usual <= n, ".usual must be from 1 to the ladder's length");
    CASE_HAS(v->quick >= 0 && v->quick <= v->usual, ".quick must be from 0 to .usual");
    CASE_HAS(v->snapshots >= 0 && v->snapshots <= SNAPSHOTS, "more .snapshots than SNAPSHOTS");
    CASE_HAS(v->steady >= 0 && v->t_end >= 0, ".steady and .t_end must not be negative");
}

static void hold_norm(const char *name, const struct verification *v, const struct norm *norm,
                      int at, int n)
{
    CASE_HAS(norm->of && one_line(norm->name, 40) && one_line(norm->meaning, 1000),
             "a norm needs a name, a meaning and a function");
    CASE_HAS(at >= LARGEST && at <= (v->snapshots ? v->snapshots : 1),
             ".at names no snapshot that is taken");
    CASE_HAS(on_ladder(v, n), "a check or a published value is for a .n that is not on the ladder");
}

static void hold_check(const char *name, const struct verification *v, const struct check *c)
{
    hold_norm(name, v, c->norm, c->at, c->n);
    CASE_HAS(one_line(c->why, 400), "a check needs a .why, on one line of up to 399 characters");
    if (c->order == 0) {
        CASE_HAS(isfinite(c->most) && c->most >= 0, "a limit is negative or not finite");
        CASE_HAS(isfinite(c->most_f32) && (c->most_f32 == 0 || c->most_f32 >= c->most),
                 ".most_f32 must be 0 or above .most");
        CASE_HAS((c->first == 0 || c->first >= 1) && (c->split == 0 || c->split >= 1),
                 ".first and .split are factors from 1 on, or 0");
        return;
    }
    CASE_HAS(c->order == CLAIMED || c->order > 0, ".order must be positive or CLAIMED");
    CASE_HAS(c->n != v->ladder[0], "an order check needs a coarser resolution than .n");
    CASE_HAS(!c->from || (on_ladder(v, c->from) && c->from < c->n),
             ".from must be a coarser resolution on the ladder");
}

static int same_question(const struct check *a, const struct check *b)
{
    return a->norm == b->norm && a->at == b->at && a->n == b->n &&
           (a->order != 0) == (b->order != 0) && a->from == b->from && a->f64_only == b->f64_only;
}

/* case_norms() asserts what is reported here as an error with a name. */
static void hold_number_of_norms(const char *name, const struct verification *v)
{
    const struct norm *norms[CASE_NORMS] = {0};
    const int checks = count_checks(v), all = checks + count_published(v);
    for (int k = 0; k < all; k++) {
        const struct norm *norm = k < checks ? v->checks[k].norm : v->published[k - checks].norm;
        int at = 0;
        while (at < CASE_NORMS && norms[at] && norms[at] != norm)
            at++;
        CASE_HAS(at < CASE_NORMS, "more different norms than CASE_NORMS");
        if (at < CASE_NORMS)
            norms[at] = norm;
    }
}

static void hold_case(const char *name, const struct verification *v)
{
    hold_ladder(name, v);
    CASE_HAS(count_checks(v) > 0, "it asks nothing");
    for (int k = 0; k < count_checks(v); k++) {
        hold_check(name, v, &v->checks[k]);
        for (int m = 0; m < k; m++)
            CASE_HAS(!same_question(&v->checks[k], &v->checks[m]), "two checks ask the same");
    }
    for (int k = 0; k < count_published(v); k++) {
        const struct published *q = &v->published[k];
        hold_norm(name, v, q->norm, q->at, q->n);
        CASE_HAS(one_line(q->who, 400) && q->value > 0, "a published value without a source");
    }
    hold_number_of_norms(name, v);
    CASE_HAS(!v->reference || (v->reference->doubles && v->reference->compute && v->reference->at),
             "its reference is incomplete");
}

static void cases_ask_what_can_be_answered(void **state)
{
    int asking = 0;
    (void)state;
    for (int k = 0; cases[k]; k++) {
        if (!cases[k]->verify)
            continue;
        hold_case(cases[k]->name, cases[k]->verify);
        asking++;
    }
    assert_true(asking > 10);
}

static void invariants_explain_themselves(void **state)
{
    (void)state;
    for (int k = 0; invariants[k]; k++) {
        const struct invariant *i = invariants[k];
        assert_true(one_line(i->name, 32) && one_line(i->title, 200) && one_line(i->why, 400));
        assert_non_null(i->measure);
        if (find_case(i->name))
            fail_msg("%s is the name of a case, too: --case cannot tell them apart", i->name);
    }
}

static int tear_down(void **state)
{
    (void)state;
    plan_free(&plan);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_variant_climbs_as_far_as_its_time_allows),
        cmocka_unit_test(a_gpu_beside_the_cpu_is_compared_at_one_resolution),
        cmocka_unit_test(what_is_asked_by_name_gets_the_whole_ladder),
        cmocka_unit_test(every_run_waits_for_its_kernels_and_its_reference),
        cmocka_unit_test(nothing_is_computed_twice),
        cmocka_unit_test(each_scheme_has_the_invariants_of_its_system),
        cmocka_unit_test(an_unknown_name_gets_the_nearest_one_suggested),
        cmocka_unit_test(nothing_to_do_is_an_error),
        cmocka_unit_test(a_list_names_whole_words),
        cmocka_unit_test(cases_ask_what_can_be_answered),
        cmocka_unit_test(invariants_explain_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
