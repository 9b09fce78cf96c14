/* The CPU backend compiles when it must, only then, and says what went wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/probe.h"

#if defined(__x86_64__)
#define OTHER_MARCH "x86-64"
#else
#define OTHER_MARCH "armv8-a"
#endif

static const struct backend *const cpu = &backend_cpu;

static void a_double_constant_in_a_single_precision_kernel_is_an_error(void **state)
{
    (void)state;
    struct device *d = opened(cpu, "native", 0);
    struct recipe single = recipe_of(F32, 0), twice = recipe_of(F64, 0);
    scratch_write("kernels/probe.cu", "w", PROBE(DOUBLING("2.0")));
    expect_error(ERR_KERNEL, run_probe(cpu, d, &single), "probe.cu:9");
    expect(run_probe(cpu, d, &twice));
    cpu->close(d);
}

static void a_thread_that_leaves_before_a_barrier_is_an_error(void **state)
{
    (void)state;
    struct recipe r = recipe_of(F32, 1);
    struct device *d = opened(cpu, "native", 1);
    expect(run_probe(cpu, d, &r));
    scratch_write("kernels/probe.cu", "w", PROBE("    ONCE return;\n    SYNC;"));
    expect_error(ERR_KERNEL, run_probe(cpu, d, &r), "wait at a barrier");
    cpu->close(d);
}

static void a_missing_compiler_is_named_with_its_remedy(void **state)
{
    (void)state;
    struct device *d = NULL;
    struct device_options o = {.threads = 1, .march = "native"};
    setenv("SHOAL_CC", "/nonexistent/cc", 1);
    expect_error(ERR_ABSENT, cpu->open(&d, &o), "/nonexistent/cc");
    expect_error(ERR_ABSENT, cpu->open(&d, &o), "SHOAL_CC");
    expect_error(ERR_ABSENT, cpu->open(&d, &o), "install");
}

/* How often the compiler that scratch/cc stands for was asked for an object. */
static int compilations(void)
{
    char path[PATH_LENGTH];
    int n = 0;
    scratch_path(path, "count");
    FILE *f = fopen(path, "r");
    for (int c; f && (c = fgetc(f)) != EOF;)
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

static void what_is_in_the_cache_is_not_compiled_again(void **state)
{
    (void)state;
    char path[PATH_LENGTH], first[PATH_LENGTH], again[PATH_LENGTH], other[PATH_LENGTH];
    struct recipe r = recipe_of(F32, 0);
    scratch_write("cc", "w",
                  "#!/bin/sh\n"
                  "for a; do case $a in -o*) echo >> \"${0%/*}/count\" ;; esac; done\n"
                  "exec cc \"$@\"\n");
    scratch_path(path, "cc");
    assert_int_equal(chmod(path, 0700), 0);
    setenv("SHOAL_CC", path, 1);
    struct device *d = opened(cpu, "native", 0), *portable = opened(cpu, OTHER_MARCH, 0);
    expect(cpu->compile(d, &r, first));
    assert_int_equal(compilations(), 1);
    expect(cpu->compile(d, &r, again));
    assert_string_equal(first, again);
    assert_int_equal(compilations(), 1);
    expect(cpu->compile(portable, &r, other)); /* the target is part of the key */
    assert_string_not_equal(first, other);
    assert_int_equal(compilations(), 2);
    scratch_write("kernels/tile.h", "a", "/* edited */\n"); /* and so is all text */
    expect(cpu->compile(d, &r, again));
    assert_string_not_equal(first, again);
    assert_int_equal(compilations(), 3);
    cpu->close(d);
    cpu->close(portable);
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, make_home, scratch_remove)
    const struct CMUnitTest tests[] = {
        ALONE(a_double_constant_in_a_single_precision_kernel_is_an_error),
        ALONE(a_thread_that_leaves_before_a_barrier_is_an_error),
        ALONE(a_missing_compiler_is_named_with_its_remedy),
        ALONE(what_is_in_the_cache_is_not_compiled_again),
    };
    return cmocka_run_group_tests_name("compiler", tests, NULL, NULL);
}
