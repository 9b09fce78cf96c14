/* In f32 every scheme of water computes what it computes in f64, to rounding. */
#include "tests/support/test.h"

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/plan.h"

static void f32_computes_what_f64_does_in_every_scheme(void **state)
{
    (void)state;
    const struct invariant *precision = NULL;
    log_quiet(1);
    for (int k = 0; invariants[k]; k++)
        precision = strcmp(invariants[k]->name, "precision") == 0 ? invariants[k] : precision;
    assert_non_null(precision);
    FOR_SCHEMES_OF_WATER (k) {
        struct variant v = {.precision = F32, .backend = CPU, .mode = STRICT};
        struct findings f = {0};
        snprintf(v.scheme, sizeof v.scheme, "%s", schemes[k]->name);
        fine(invariant_measure(precision, &v, 0, &f));
        assert_true(f.count > 0);
        for (int n = 0; n < f.count; n++)
            if (!(f.finding[n].value <= f.finding[n].most))
                fail_msg("%s: %s: %g, expected at most %g", v.scheme, f.finding[n].what,
                         f.finding[n].value, f.finding[n].most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_computes_what_f64_does_in_every_scheme),
    };
    return cmocka_run_group_tests_name("precisions", tests, NULL, NULL);
}
