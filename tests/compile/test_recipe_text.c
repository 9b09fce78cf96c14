/* The text of a kernel in its recipe: what of it counts as code, and what is left out for a run that does not compile
 * it. */
#include "tests/support/test.h"

#include "tests/support/recipes.h"

static struct text_digests digests_of(const struct recipe *r)
{
    struct text_digests d;
    if (recipe_digests(r, &d))
        fail_msg("%s", err_message());
    assert_int_equal(strspn(d.text, "0123456789abcdef"), KEY_LENGTH);
    assert_int_equal(strspn(d.code, "0123456789abcdef"), KEY_LENGTH);
    return d;
}

static void text_hash_of(const struct recipe *r, char hash[RECIPE_HASH + 1])
{
    const struct text_digests d = digests_of(r);
    snprintf(hash, RECIPE_HASH + 1, "%s", d.text);
}

/* Is the code of these two texts of a kernel the same? */
static int same_code(const char *one, const char *other)
{
    const struct recipe r = {.kernel = &rk_kernel, .block = {32, 8}};
    struct text_digests d[2];
    for (int k = 0; k < 2; k++) {
        scratch_write("kernels/rk.cu", "w", k ? other : one);
        d[k] = digests_of(&r);
    }
    assert_true(strcmp(d[0].text, d[1].text) != 0 || strcmp(one, other) == 0);
    return strcmp(d[0].code, d[1].code) == 0;
}

static void comments_and_layout_change_a_text_but_not_its_code(void **state)
{
    (void)state;
    static const char code[] = "#define A 1\nint a = A; /* one */\n";
    assert_true(same_code(code, code));
    assert_true(
        same_code(code, "/* What it is,\n * in two lines. */\n#define A 1 // a\n\n\tint  a =\tA;"));
    assert_true(same_code("int a; /* \" */ int b;", "int a; /* ' */\tint b; // end"));
    assert_true(same_code("#define A 1 /* a */ \\\n    + 2\n", "#define A 1 \\\n+ 2\n"));
    assert_true(same_code("int a; /* never closed", "int a; /* never"));
    assert_false(same_code(code, "#define A 2\nint a = A;\n"));
    assert_false(same_code(code, "#define A 1 int a = A;\n")); /* where a directive ends counts */
    assert_false(same_code("int ab;", "int a b;"));
    assert_false(same_code("char *a = \"/*\", *b = \"*/\";", "char *a = \"\", *b = \"\";"));
    assert_false(same_code("char *a = \"1  2\";", "char *a = \"1 2\";"));
    assert_false(same_code("char a = '\"'; int b; /* \" */", "char a = '\"'; /* int b; \" */"));
    assert_false(same_code("int a = 8 / 2;", "int a = 8 // 2;"));
}

static void the_hash_of_a_text_is_that_of_its_files_alone(void **state)
{
    (void)state;
    char before[RECIPE_HASH + 1], after[RECIPE_HASH + 1];
    struct recipe r = flux_recipe(), other = r;
    text_hash_of(&r, before);
    other.block = (struct block){64, 4};
    other.precision = F64;
    other.mode = FAST_MODE;
    text_hash_of(&other, after);
    assert_string_equal(before, after);
    other.limiter = "mc"; /* another file with the same content */
    text_hash_of(&other, after);
    assert_string_not_equal(before, after);
    move_kernels_elsewhere();
    text_hash_of(&r, after);
    assert_string_equal(before, after);
    scratch_write("elsewhere/kernels/num/near.h", "a", " ");
    text_hash_of(&r, after);
    assert_string_not_equal(before, after);
}

/* Does the key of a kernel without a tracer and without tiles depend on the text between these words? */
static int counts(const char *before, const char *after)
{
    const struct recipe r = {.kernel = &rk_kernel, .block = {32, 8}};
    char keys[2][KEY_LENGTH + 1];
    for (int k = 0; k < 2; k++) {
        scratch_write("kernels/rk.cu", "w", before);
        scratch_write("kernels/rk.cu", "a", k ? "other" : "one");
        scratch_write("kernels/rk.cu", "a", after);
        key_of(&r, keys[k]);
    }
    return strcmp(keys[0], keys[1]) != 0;
}

static void only_what_is_not_compiled_is_left_out_of_the_key(void **state)
{
    (void)state;
    assert_false(counts("#ifdef TILED\n", "\n#endif /* TILED */\n"));
    assert_false(counts("#ifdef ON_CPU\n", "\n#endif /* ON_CPU */\n"));
    assert_false(
        counts("#ifdef WITH_TRACER\n#if A\n#else\n#endif\n", "\n#endif /* WITH_TRACER */\n"));
    assert_true(counts("", "\n#ifdef TILED\n#endif /* TILED */\n"));
    assert_true(counts("#ifdef TILED\n#else\n", "\n#endif /* TILED */\n"));
    assert_true(counts("#ifdef TILED\n#else\n", "\n#endif\n\n#ifdef TILED\n#endif /* TILED */\n"));
}

/* A GPU's text is that without them. */
static void loops_for_a_cpu_count_there_alone(void **state)
{
    (void)state;
    struct recipe r = {.kernel = &rk_kernel, .block = {32, 8}};
    struct text_digests gpu[2], cpu[2];
    for (int k = 0; k < 2; k++) {
        scratch_write("kernels/rk.cu", "w", "int a;\n#ifdef ON_CPU\n");
        scratch_write("kernels/rk.cu", "a", k ? "int b;" : "int c;");
        scratch_write("kernels/rk.cu", "a", "\n#endif /* ON_CPU */\n");
        r.on_cpu = 0;
        gpu[k] = digests_of(&r);
        r.on_cpu = 1;
        cpu[k] = digests_of(&r);
    }
    assert_string_equal(gpu[0].text, gpu[1].text);
    assert_string_equal(gpu[0].code, gpu[1].code);
    assert_string_not_equal(cpu[0].code, cpu[1].code);
    assert_string_not_equal(cpu[0].code, gpu[0].code);
}

static void an_end_that_is_not_marked_is_an_error(void **state)
{
    (void)state;
    const struct recipe r = {.kernel = &rk_kernel, .block = {32, 8}};
    char key[KEY_LENGTH + 1];
    scratch_write("kernels/rk.cu", "w", "#ifdef TILED\none\n#endif     /* TILED */\n");
    assert_int_equal(recipe_key(&r, COMPILER, key), ERR_KERNEL);
    assert_non_null(strstr(err_message(), "rk.cu"));
    assert_non_null(strstr(err_message(), "write '#endif /* TILED */'"));
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, build_home, scratch_remove)
    static const struct CMUnitTest tests[] = {
        HERE(the_hash_of_a_text_is_that_of_its_files_alone),
        HERE(comments_and_layout_change_a_text_but_not_its_code),
        HERE(an_end_that_is_not_marked_is_an_error),
        HERE(only_what_is_not_compiled_is_left_out_of_the_key),
        HERE(loops_for_a_cpu_count_there_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
