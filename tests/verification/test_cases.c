/* Every registered case is a sound initial value problem at any resolution: its contract says what that means. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/contracts.h"

static void every_case_keeps_its_contract(void **state)
{
    (void)state;
    static const char *const checks[] = {
        "table",     "numbers",        "edges", "bed",  "initial state", "forcing",
        "water",     "dry points",     "wet",   "pure", "units",         "exact at time 0",
        "symmetric", "exact solution", "kappa", NULL};
    static struct contract_tally t;
    ASK_ALL(&t, cases, contract_case);
    assert_kept(&t, checks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case_keeps_its_contract)};
    return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
