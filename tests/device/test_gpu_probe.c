/* Which backend a command uses when no GPU is present, or when it is given by its number. */
#include "tests/support/test.h"

#include "core/device/gpu_probe.h"
#include "core/base/log.h"
#include "tests/support/program.h"

enum { NOBODY_HAS = 999 };
#define NUMBER "999"

static void the_cpu_takes_the_place_of_any_gpu_but_not_of_one_with_a_number(void **state)
{
    (void)state;
    enum backend_kind backend = CUDA;
    struct gpu first;
    log_quiet(1);
    assert_int_equal(gpu_find(0, &first), ERR_OK);
    assert_int_equal(gpu_or_cpu(ANY_BACKEND, 0, &backend), ERR_OK);
    assert_int_equal(backend, first.here ? CUDA : CPU);
    assert_int_equal(gpu_or_cpu(CPU, NOBODY_HAS, &backend), ERR_OK);
    assert_int_equal(backend, CPU);
    assert_int_equal(gpu_or_cpu(ANY_BACKEND, NOBODY_HAS, &backend), ERR_ABSENT);
    ASSERT_HAS(err_message(), "--device " NUMBER ": ");
    ASSERT_HAS(err_message(), "--backend cpu");
    assert_int_equal(gpu_or_cpu(CUDA, NOBODY_HAS, &backend), ERR_ABSENT);
    log_quiet(0);
}

static void commands_do_not_go_on_without_the_gpu_they_were_given(void **state)
{
    (void)state;
#define EXPECT_REFUSED(...)                             \
    SHOAL(__VA_ARGS__, "--device", NUMBER);             \
    ASSERT_STATUS(3);                                   \
    ASSERT_HAS(result.err, "--device " NUMBER ": no "); \
    assert_string_equal(result.out, "")
    EXPECT_REFUSED("measure", "dt-factor");
    EXPECT_REFUSED("tune", "--kernel", "rk0");
    EXPECT_REFUSED("run", "lake", "--nx", "16");
    EXPECT_REFUSED("verify", "--case", "lake");
    EXPECT_REFUSED("bench");
    SHOAL("run", "lake", "--nx", "16", "--steps", "1", "--backend", "cpu", "--device", NUMBER);
    ASSERT_STATUS(0);
}

/* Measurements made by mistake are discarded. */
static int prepare(void **state)
{
    (void)state;
    scratch_create();
    return program_find() || setenv("SHOAL_DB", scratch, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_takes_the_place_of_any_gpu_but_not_of_one_with_a_number),
        cmocka_unit_test_setup_teardown(commands_do_not_go_on_without_the_gpu_they_were_given,
                                        prepare, scratch_remove),
    };
    return cmocka_run_group_tests_name("gpu_probe", tests, NULL, NULL);
}
