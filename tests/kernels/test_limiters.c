/* Every registered limiter keeps what it declares: its contract says how that is tested. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/contracts.h"

static void every_limiter_keeps_its_contract(void **state)
{
    (void)state;
    static const char *const checks[] = {"cited",
                                         "compiles",
                                         "finite",
                                         "sign",
                                         "zero at extrema",
                                         "exact on straight lines",
                                         "TVD",
                                         "symmetric",
                                         "odd",
                                         "no unit",
                                         "runs",
                                         "volume",
                                         "mirrored run",
                                         "lake at rest",
                                         NULL};
    static struct contract_tally t;
    ASK_ALL(&t, limiters, contract_limiter);
    assert_kept(&t, checks);
}

static void every_reconstruction_keeps_its_contract(void **state)
{
    (void)state;
    static const char *const checks[] = {"cited",        "compiles",     "finite", "positive",
                                         "mean",         "symmetric",    "runs",   "volume",
                                         "mirrored run", "lake at rest", NULL};
    static struct contract_tally t;
    ASK_ALL(&t, reconstructions, contract_reconstruction);
    assert_kept(&t, checks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limiter_keeps_its_contract),
        cmocka_unit_test(every_reconstruction_keeps_its_contract),
    };
    return cmocka_run_group_tests_name("limiters", tests, NULL, NULL);
}
