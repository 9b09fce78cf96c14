/* Which runs a verification plans for limiters, fluxes and reconstructions that are not the default. */
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

/* How many of its plug-ins a variant has that are not the default. */
/* A flux that the reconstruction needs goes with it. */
static int odd_plugins(const struct variant *v)
{
    const int with = variant_needs_bed_flux(v);
    assert_true(variant_is_possible(v));
    return !variant_has_default_limiter(v) + (!variant_has_default_flux(v) && !with) +
           !variant_has_default_reconstruction(v);
}

static int runs_with(const char *flux)
{
    int n = 0;
    for (int k = 0; k < plan.count; k++)
        n += plan.job[k].kind == JOB_RUN && strcmp(plan.job[k].run.variant.flux, flux) == 0;
    return n;
}

static void other_plugins_run_one_at_a_time_where_a_case_asks_for_all(void **state)
{
    const struct selection s = everything(USUAL);
    struct config usual;
    (void)state;
    config_case_defaults(&usual);
    planned(&s);
    for (int k = 0; fluxes[k]; k++)
        assert_true(runs_with(fluxes[k]->name) > 0);
    for (int k = 0; k < plan.count; k++) {
        const struct job *j = &plan.job[k];
        const int odd = odd_plugins(&j->run.variant);
        if (j->kind == JOB_REFERENCE || odd == 0)
            continue;
        assert_int_equal(odd, 1);
        assert_int_not_equal(j->kind, JOB_INVARIANT);
        assert_true(j->run.flow_case->verify->limiters);
        assert_string_equal(j->run.variant.scheme, usual.scheme);
        assert_int_equal(j->run.variant.precision, F64);
    }
}

static void a_plugin_asked_for_by_name_runs_everywhere_with_the_other_defaults(void **state)
{
    struct selection s = everything(QUICK);
    struct config usual;
    (void)state;
    config_case_defaults(&usual);
    for (int f = 0; fluxes[f]; f++) {
        snprintf(s.fluxes, sizeof s.fluxes, "%s", fluxes[f]->name);
        planned(&s);
        for (int k = 0; k < plan.count; k++) {
            const struct job *j = &plan.job[k];
            if (j->kind == JOB_REFERENCE)
                continue;
            assert_string_equal(j->run.variant.flux, fluxes[f]->name);
            assert_string_equal(j->run.variant.limiter, usual.limiter);
            assert_string_equal(j->run.variant.reconstruction, usual.reconstruction);
        }
        for (int k = 0; cases[k]; k++)
            if (cases[k]->verify && cases[k]->verify->quick && case_system(cases[k])->over_bed) {
                struct run r = {.flow_case = cases[k], .kappa = (double)NAN};
                r.variant = (struct variant){.precision = F64};
                r.n = cases[k]->verify->ladder[0];
                snprintf(r.variant.flux, sizeof r.variant.flux, "%s", fluxes[f]->name);
                assert_true(plan_find(&plan, &r) >= 0);
            }
    }
}

/* In all runs and invariants, at the Courant number of draining; nothing that it does not serve. */
static void draining_runs_where_it_is_offered(void **state)
{
    struct selection s = everything(USUAL);
    char text[PLUGINS_TEXT];
    int exact = 0;
    (void)state;
    s.positivity = BY_DRAINING;
    planned(&s);
    for (int k = 0; k < plan.count; k++) {
        const struct job *j = &plan.job[k];
        const struct variant *v = &j->run.variant;
        struct config c;
        if (j->kind == JOB_REFERENCE)
            continue;
        variant_configure(&c, v);
        assert_int_equal(c.positivity, BY_DRAINING);
        assert_true(variant_scheme(v)->drained_cfl > 0);
        assert_true(c.cfl == variant_scheme(v)->drained_cfl);
        assert_string_equal(strrchr(variant_plugins(v, text), ' '), " draining");
        if (j->kind == JOB_INVARIANT) {
            assert_string_not_equal(j->invariant->name, "tracer");
            exact++;
        } else if (j->kind == JOB_RUN) {
            assert_int_equal(case_system(j->run.flow_case)->carried, 0);
        }
    }
    assert_true(exact > 0);
    for (int k = 0; schemes[k]; k++) {
        struct run r = {.flow_case = find_case("circular-dam"), .kappa = (double)NAN};
        r.variant = (struct variant){.precision = F64, .positivity = BY_DRAINING};
        r.n = r.flow_case->verify->ladder[0];
        snprintf(r.variant.scheme, sizeof r.variant.scheme, "%s", schemes[k]->name);
        assert_int_equal(plan_find(&plan, &r) >= 0, schemes[k]->drained_cfl > 0);
    }
}

static void a_name_left_empty_is_the_default(void **state)
{
    struct variant a = {.precision = F64}, b = a;
    struct config usual;
    char text[PLUGINS_TEXT];
    (void)state;
    config_case_defaults(&usual);
    memcpy(b.flux, usual.flux, sizeof b.flux);
    memcpy(b.reconstruction, usual.reconstruction, sizeof b.reconstruction);
    assert_true(variant_is(&a, &b) && variant_has_default_plugins(&a));
    assert_string_equal(variant_plugins(&a, text), usual.limiter);
    strcpy(b.flux, "hll");
    assert_false(variant_is(&a, &b) || variant_has_default_plugins(&b));
    assert_string_equal(strchr(variant_plugins(&b, text), ' '), " hll");
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
        cmocka_unit_test(other_plugins_run_one_at_a_time_where_a_case_asks_for_all),
        cmocka_unit_test(a_plugin_asked_for_by_name_runs_everywhere_with_the_other_defaults),
        cmocka_unit_test(draining_runs_where_it_is_offered),
        cmocka_unit_test(a_name_left_empty_is_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
