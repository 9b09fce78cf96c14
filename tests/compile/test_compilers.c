/* A text is checked with every compiler found here, including those that runs do not use. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/student.h"
#include "verification/contracts/compilers.h"

static struct compilations all;

static const char *const copied[] = {"kernels", NULL};

static int begin(void **state)
{
    (void)state;
    student_begin(copied);
    return 0;
}

static void ask_kernel(const char *name)
{
    if (compile_everywhere(find_kernel(name), NULL, NULL, NULL, &all))
        fail_msg("%s", err_message());
}

static void ask_limiter(const char *body)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#include \"real.h\"\n#define SHARE 0.3\nFN real mine(real a, real b, real theta)\n{\n"
             "    (void)theta;\n    %s\n}\n",
             body);
    scratch_write(student_file("kernels/limiters/mine.h"), "w", text);
    if (compile_plugin_everywhere("limiters", "mine", &all))
        fail_msg("%s", err_message());
}

static void a_text_that_all_compilers_take_is_said_to_compile(void **state)
{
    (void)state;
    ask_kernel("select");
    assert_int_equal(compilations_refused(&all), 0);
    assert_int_equal(all.of[0].answer, COMPILES);
    for (int k = 0; k < all.count; k++) {
        assert_true(strlen(all.of[k].compiler) > 1);
        assert_int_equal(all.of[k].answer == NOT_HERE, *all.of[k].message != '\0');
        for (int m = 0; m < k; m++)
            assert_string_not_equal(all.of[k].compiler, all.of[m].compiler);
    }
}

static void each_compiler_refuses_a_mistake_with_its_place(void **state)
{
    (void)state;
    ask_limiter("return a + ratio * b;");
    assert_true(all.count >= 2);
    for (int k = 0; k < all.count; k++) {
        if (all.of[k].answer == NOT_HERE)
            continue;
        assert_int_equal(all.of[k].answer, REFUSED);
        ASSERT_HAS(all.of[k].message, "kernels/limiters/mine.h:6:16: error: ");
        ASSERT_HAS(all.of[k].message, "remedy: declare ratio");
    }
}

/* A macro hides it from the language check; NVRTC accepts it. */
static void a_double_is_refused_for_gpus_too(void **state)
{
    (void)state;
    ask_limiter("return SHARE * (a + b);");
    for (int k = 0; k < all.count; k++) {
        if (all.of[k].answer == NOT_HERE)
            continue;
        assert_int_equal(all.of[k].answer, REFUSED);
        ASSERT_HAS(all.of[k].message, " f32 ");
        ASSERT_HAS(all.of[k].message, "kernels/limiters/mine.h:6:");
        ASSERT_HAS(all.of[k].message, "REAL(0.5)");
    }
}

static void a_compiler_that_is_not_here_is_named(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    setenv("SHOAL_CC", "/nonexistent/cc", 1);
    const enum err e = compile_everywhere(find_kernel("select"), NULL, NULL, NULL, &all);
    setenv("PATH", path, 1);
    assert_int_equal(e, ERR_OK);
    assert_int_equal(compilations_refused(&all), 0);
    assert_int_equal(all.count, COMPILERS);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(all.of[k].answer, NOT_HERE);
        ASSERT_HAS(all.of[k].message, "install gcc");
    }
}

int main(void)
{
#define STUDENT(test) cmocka_unit_test_setup_teardown(test, begin, student_end)
    const struct CMUnitTest tests[] = {
        STUDENT(a_text_that_all_compilers_take_is_said_to_compile),
        STUDENT(each_compiler_refuses_a_mistake_with_its_place),
        STUDENT(a_double_is_refused_for_gpus_too),
        STUDENT(a_compiler_that_is_not_here_is_named),
    };
    return cmocka_run_group_tests_name("compilers", tests, student_find, NULL);
}
