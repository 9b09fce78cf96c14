/* The CPU backend compiles when it must, only then, and reports what went wrong. */
#include "tests/support/test.h"

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
    fine(run_probe(cpu, d, &twice));
    cpu->close(d);
}

static void a_thread_that_leaves_before_a_barrier_is_an_error(void **state)
{
    (void)state;
    struct recipe r = recipe_of(F32, 1);
    struct device *d = opened(cpu, "native", 1);
    fine(run_probe(cpu, d, &r));
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

/* How often the compiler behind scratch/cc was asked for an object. */
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
    fine(cpu->compile(d, &r, first));
    assert_int_equal(compilations(), 1);
    fine(cpu->compile(d, &r, again));
    assert_string_equal(first, again);
    assert_int_equal(compilations(), 1);
    fine(cpu->compile(portable, &r, other)); /* the target is part of the key */
    assert_string_not_equal(first, other);
    assert_int_equal(compilations(), 2);
    scratch_write("kernels/tile.h", "a", "/* edited */\n"); /* and so is the whole text */
    fine(cpu->compile(d, &r, again));
    assert_string_not_equal(first, again);
    assert_int_equal(compilations(), 3);
    cpu->close(d);
    cpu->close(portable);
}

/* Acts as a compiler: asked for an object it runs `script`, and fails. */
static void compile_with(const char *script)
{
    char path[PATH_LENGTH], text[1024];
    snprintf(text, sizeof text,
             "#!/bin/sh\ncase \"$*\" in --version) echo cc 1; exit ;; esac\n%s\nexit 1\n", script);
    scratch_write("cc", "w", text);
    scratch_path(path, "cc");
    assert_int_equal(chmod(path, 0700), 0);
    setenv("SHOAL_CC", path, 1);
}

/* Their logs are parsed, and their language depends on the user's settings. */
static void compilers_are_asked_in_english(void **state)
{
    (void)state;
    const struct recipe r = recipe_of(F32, 0);
    compile_with("[ \"$LC_ALL$LANGUAGE\" = C ] && echo 'x.cu:3:1: error: x is expected' >&2 ||\n"
                 "echo 'x.cu:3:1: Fehler: x erwartet' >&2");
    struct device *d = opened(cpu, "native", 0);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("LANGUAGE", "de", 1);
    const enum err e = run_probe(cpu, d, &r);
    unsetenv("LC_ALL");
    unsetenv("LANGUAGE");
    expect_error(ERR_KERNEL, e, "x.cu:3:1: error: x is expected");
    cpu->close(d);
}

static void a_compiler_that_says_megabytes_is_quoted_in_lines(void **state)
{
    (void)state;
    const struct recipe r = recipe_of(F32, 0);
    compile_with("yes 'x.h:1:1: warning: nothing' | head -c 5000000 >&2\n"
                 "printf 'x.cu:3:1: error: stray \\351\\000\\n' >&2");
    struct device *d = opened(cpu, "native", 0);
    expect_error(ERR_KERNEL, run_probe(cpu, d, &r), "x.cu:3:1: error: stray ?");
    assert_true(strlen(err_message()) < 1000);
    cpu->close(d);
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, make_home, scratch_remove)
    const struct CMUnitTest tests[] = {
        ALONE(a_double_constant_in_a_single_precision_kernel_is_an_error),
        ALONE(a_thread_that_leaves_before_a_barrier_is_an_error),
        ALONE(a_missing_compiler_is_named_with_its_remedy),
        ALONE(what_is_in_the_cache_is_not_compiled_again),
        ALONE(compilers_are_asked_in_english),
        ALONE(a_compiler_that_says_megabytes_is_quoted_in_lines),
    };
    return cmocka_run_group_tests_name("compiler", tests, NULL, NULL);
}
