/* What a recipe turns into, and what its key depends on. */
#include "tests/support/test.h"

#include "core/compile/recipe.h"
#include "core/base/sha256.h"
#include "tests/support/scratch.h"

#define COMPILER "cc 1.0 for testing"

/* An installation of its own for every test. */
static int build_home(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("kernels/num");
    scratch_folder("kernels/limiters");
    scratch_folder("kernels/fluxes");
    scratch_folder("kernels/reconstructions");
    scratch_write("kernels/tile.h", "w", "BW BH PRECISION FAST EMULATE\n");
    scratch_write("kernels/num/face.h", "w",
                  "#include \"tile.h\"\n#include \"near.h\"\n"
                  "# include LIMITER_FILE\n#include FLUX_FILE\n"
                  "#include RECONSTRUCTION_FILE\nLIMITER FLUX RECONSTRUCTION\n");
    scratch_write("kernels/num/near.h", "w", "one\n");
    scratch_write("kernels/limiters/minmod.h", "w", "#include \"tile.h\"\n");
    scratch_write("kernels/limiters/mc.h", "w", "#include \"tile.h\"\n");
    scratch_write("kernels/fluxes/hll.h", "w", "hll\n");
    scratch_write("kernels/fluxes/rusanov.h", "w", "rusanov\n");
    scratch_write("kernels/reconstructions/kp.h", "w", "kp\n");
    scratch_write("kernels/reconstructions/none.h", "w", "none\n");
    scratch_write("kernels/flux.cu", "w",
                  "/* text\n#include \"only in a comment\"\n*/\n"
                  "#include <stddef.h>\n#include \"num/face.h\"\nSUBSTEP\n");
    scratch_write("kernels/rk.cu", "w", "#include \"tile.h\"\nif (FRICTION) {\n");
    setenv("SHOAL_HOME", scratch, 1);
    return 0;
}

static const struct kernel flux_kernel = {
    .name = "flux0", .file = "flux.cu", .defines = "SUBSTEP=0", .plugins = 1};
static const struct kernel rk_kernel = {.name = "rk1", .file = "rk.cu", .defines = "SUBSTEP=1 A=2"};

static struct recipe flux_recipe(void)
{
    return (struct recipe){.kernel = &flux_kernel,
                           .block = {32, 8},
                           .limiter = "minmod",
                           .flux = "hll",
                           .reconstruction = "kp"};
}

static void key_of(const struct recipe *r, char key[KEY_LENGTH + 1])
{
    enum err e = recipe_key(r, COMPILER, key);
    if (e)
        fail_msg("%s", err_message());
    assert_int_equal(strlen(key), KEY_LENGTH);
}

static void assert_same_key(const struct recipe *a, const struct recipe *b, int same)
{
    char x[KEY_LENGTH + 1], y[KEY_LENGTH + 1];
    key_of(a, x);
    key_of(b, y);
    if (same)
        assert_string_equal(x, y);
    else
        assert_string_not_equal(x, y);
}

static void hashes_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int times;
        const char *digest;
    } vectors[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
         "klmnopqrlmnopqrsmnopqrstnopqrstu",
         1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        struct sha256 s;
        char hex[SHA256_DIGITS + 1];
        sha256_init(&s);
        for (int n = 0; n < vectors[k].times; n++)
            sha256_update(&s, vectors[k].text, strlen(vectors[k].text));
        sha256_final(&s, hex);
        assert_string_equal(hex, vectors[k].digest);
    }
}

static void equal_recipes_have_equal_keys(void **state)
{
    (void)state;
    char name[] = "minmod";
    struct recipe a = flux_recipe(), b = flux_recipe();
    b.limiter = name;
    assert_same_key(&a, &b, 1);
}

static void every_field_of_a_recipe_changes_the_key(void **state)
{
    (void)state;
    struct kernel other = flux_kernel;
    other.defines = "SUBSTEP=1";
    struct recipe a = flux_recipe(), b[9];
    for (int k = 0; k < 9; k++)
        b[k] = flux_recipe();
    b[0].kernel = &other;
    b[1].block.w = 31;
    b[2].block.h = 9;
    b[3].precision = F64;
    b[4].mode = FAST_MODE;
    b[5].order = 1;
    b[6].limiter = "mc";
    b[7].flux = "rusanov";
    b[8].reconstruction = "none";
    for (int k = 0; k < 9; k++)
        assert_same_key(&a, &b[k], 0);
    struct recipe reversed = b[5];
    reversed.order = 2;
    assert_same_key(&b[5], &reversed, 0);
    struct recipe still = {.kernel = &rk_kernel, .block = {32, 8}}, rough = still;
    rough.friction = 1;
    assert_same_key(&still, &rough, 0);
}

static void what_a_kernel_does_not_mention_does_not_change_its_key(void **state)
{
    (void)state;
    struct recipe a = flux_recipe(), b = a;
    b.friction = 1;
    assert_same_key(&a, &b, 1);
    struct recipe c = {.kernel = &rk_kernel, .block = {32, 8}, .limiter = "minmod"}, d = c;
    d.limiter = "mc";
    assert_same_key(&c, &d, 1);
}

static void the_compiler_changes_the_key(void **state)
{
    (void)state;
    char x[KEY_LENGTH + 1], y[KEY_LENGTH + 1];
    struct recipe r = flux_recipe();
    key_of(&r, x);
    assert_int_equal(recipe_key(&r, COMPILER "!", y), ERR_OK);
    assert_string_not_equal(x, y);
}

static void a_changed_include_changes_the_key(void **state)
{
    (void)state;
    static const char *const files[] = {
        "flux.cu",           "num/face.h",   "num/near.h",          "tile.h",
        "limiters/minmod.h", "fluxes/hll.h", "reconstructions/kp.h"};
    struct recipe r = flux_recipe();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char before[KEY_LENGTH + 1], after[KEY_LENGTH + 1], name[64];
        key_of(&r, before);
        snprintf(name, sizeof name, "kernels/%s", files[k]);
        scratch_write(name, "a", "\n");
        key_of(&r, after);
        assert_string_not_equal(before, after);
    }
}

static void what_is_not_included_does_not_change_the_key(void **state)
{
    (void)state;
    char before[KEY_LENGTH + 1], after[KEY_LENGTH + 1];
    struct recipe r = flux_recipe();
    key_of(&r, before);
    scratch_write("kernels/limiters/mc.h", "w", "changed\n");
    key_of(&r, after);
    assert_string_equal(before, after);
}

static void a_key_does_not_depend_on_the_place(void **state)
{
    (void)state;
    char before[KEY_LENGTH + 1], after[KEY_LENGTH + 1], from[PATH_LENGTH], to[PATH_LENGTH];
    struct recipe r = flux_recipe();
    key_of(&r, before);
    scratch_folder("elsewhere");
    scratch_path(from, "kernels");
    scratch_path(to, "elsewhere/kernels");
    assert_int_equal(rename(from, to), 0);
    scratch_path(to, "elsewhere");
    setenv("SHOAL_HOME", to, 1);
    key_of(&r, after);
    assert_string_equal(before, after);
}

static void a_file_beside_the_includer_comes_first(void **state)
{
    (void)state;
    char before[KEY_LENGTH + 1], after[KEY_LENGTH + 1];
    struct recipe r = flux_recipe();
    key_of(&r, before);
    scratch_write("kernels/num/tile.h", "w", "BW BH PRECISION FAST EMULATE\n");
    key_of(&r, after);
    assert_string_not_equal(before, after);
}

static void kernels_with_one_text_in_two_files_have_two_keys(void **state)
{
    (void)state;
    struct kernel twin = rk_kernel;
    twin.file = "twin.cu";
    scratch_write("kernels/rk.cu", "w", "BW\n");
    scratch_write("kernels/twin.cu", "w", "BW\n");
    struct recipe a = {.kernel = &rk_kernel, .block = {32, 8}},
                  b = {.kernel = &twin, .block = {32, 8}};
    assert_same_key(&a, &b, 0);
}

static void a_missing_include_is_named_with_its_line(void **state)
{
    (void)state;
    char key[KEY_LENGTH + 1];
    struct recipe r = flux_recipe();
    r.limiter = "superbee";
    assert_int_equal(recipe_key(&r, COMPILER, key), ERR_KERNEL);
    assert_non_null(strstr(err_message(), "kernels/num/face.h:3:"));
    assert_non_null(strstr(err_message(), "limiters/superbee.h"));
    scratch_write("kernels/rk.cu", "w", "\n#include LIMITER_FILE\n");
    struct recipe no_plugins = {.kernel = &rk_kernel, .block = {32, 8}};
    assert_int_equal(recipe_key(&no_plugins, COMPILER, key), ERR_KERNEL);
    assert_non_null(strstr(err_message(), "kernels/rk.cu:2: #include LIMITER_FILE"));
}

static void files_that_include_each_other_are_read_once(void **state)
{
    (void)state;
    scratch_write("kernels/num/near.h", "w", "#include \"face.h\"\n");
    struct recipe r = flux_recipe();
    char key[KEY_LENGTH + 1];
    key_of(&r, key);
}

static void defines_are_the_ones_promised(void **state)
{
    (void)state;
    static const char *const expected[] = {"SUBSTEP=0",
                                           "KERNEL_NAME=flux0",
                                           "BW=32",
                                           "BH=8",
                                           "PRECISION=64",
                                           "FRICTION=1",
                                           "FAST=1",
                                           "EMULATE=2",
                                           "LIMITER=minmod",
                                           "LIMITER_FILE=\"limiters/minmod.h\"",
                                           "FLUX=hll",
                                           "FLUX_FILE=\"fluxes/hll.h\"",
                                           "RECONSTRUCTION=kp",
                                           "RECONSTRUCTION_FILE=\"reconstructions/kp.h\""};
    struct recipe r = flux_recipe();
    r.precision = F64;
    r.mode = FAST_MODE;
    r.order = 2;
    r.friction = 1;
    struct defines d;
    recipe_defines(&r, &d);
    assert_int_equal(d.count, sizeof expected / sizeof *expected);
    for (int k = 0; k < d.count; k++)
        assert_string_equal(d.text[k], expected[k]);
    struct recipe plain = {.kernel = &rk_kernel, .block = {64, 4}};
    recipe_defines(&plain, &d);
    assert_int_equal(d.count, 7);
    assert_string_equal(d.text[0], "SUBSTEP=1");
    assert_string_equal(d.text[1], "A=2");
    assert_string_equal(d.text[2], "KERNEL_NAME=rk1");
    assert_string_equal(d.text[5], "PRECISION=32");
    assert_string_equal(d.text[6], "FRICTION=0");
}

static void flags_are_the_choices_that_the_text_heeds(void **state)
{
    (void)state;
    char text[RECIPE_FLAGS], many[2 * RECIPE_FLAGS] = "";
    static const char name[] =
        "A_SWITCH_WITH_A_NAME_THAT_IS_SO_LONG_THAT_A_FEW_OF_THEM_ARE_TOO_MUCH";
    struct recipe r = flux_recipe();
    r.mode = FAST_MODE;
    r.friction = 1; /* its text does not depend on friction */
    assert_int_equal(recipe_flags(&r, text), ERR_OK);
    assert_string_equal(text, "mode=fast limiter=minmod flux=hll reconstruction=kp");
    struct recipe rough = {.kernel = &rk_kernel, .block = {32, 8}, .friction = 1, .switches = ""};
    assert_int_equal(recipe_flags(&rough, text), ERR_OK);
    assert_string_equal(text, "mode=strict friction=1");
    rough.friction = 0;
    scratch_write("kernels/rk.cu", "a", "PADDING DIAGONALS\n");
    rough.switches = "DIAGONAL=1,PADDING=0,UNKNOWN=3";
    assert_int_equal(recipe_flags(&rough, text), ERR_OK);
    assert_string_equal(text, "mode=strict friction=0 PADDING=0");
    scratch_write("kernels/rk.cu", "a", name);
    for (int k = 0; k < 8; k++)
        strcat(strcat(many, name), "=1,");
    rough.switches = many;
    assert_int_equal(recipe_flags(&rough, text), ERR_INPUT);
    scratch_write("kernels/rk.cu", "w", "#include \"nosuch.h\"\n");
    assert_int_equal(recipe_flags(&rough, text), ERR_KERNEL);
}

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
    char before[RECIPE_HASH + 1], after[RECIPE_HASH + 1], from[PATH_LENGTH], to[PATH_LENGTH];
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
    scratch_folder("elsewhere");
    scratch_path(from, "kernels");
    scratch_path(to, "elsewhere/kernels");
    assert_int_equal(rename(from, to), 0);
    scratch_path(to, "elsewhere");
    setenv("SHOAL_HOME", to, 1);
    text_hash_of(&r, after);
    assert_string_equal(before, after);
    scratch_write("elsewhere/kernels/num/near.h", "a", " ");
    text_hash_of(&r, after);
    assert_string_not_equal(before, after);
}

static void a_recipe_describes_itself_in_one_line(void **state)
{
    (void)state;
    char text[128];
    struct recipe r = flux_recipe();
    r.mode = FAST_MODE;
    recipe_describe(&r, text, sizeof text);
    assert_string_equal(text, "flux0 32x8 f32 fast minmod hll kp");
    struct recipe plain = {.kernel = &rk_kernel, .block = {64, 4}, .precision = F64, .order = 1};
    recipe_describe(&plain, text, sizeof text);
    assert_string_equal(text, "rk1 64x4 f64 strict reversed");
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
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hashes_are_the_published_ones, build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(equal_recipes_have_equal_keys, build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(every_field_of_a_recipe_changes_the_key, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(what_a_kernel_does_not_mention_does_not_change_its_key,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(the_compiler_changes_the_key, build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_changed_include_changes_the_key, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(what_is_not_included_does_not_change_the_key, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_key_does_not_depend_on_the_place, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_file_beside_the_includer_comes_first, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(kernels_with_one_text_in_two_files_have_two_keys,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_missing_include_is_named_with_its_line, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(files_that_include_each_other_are_read_once, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(defines_are_the_ones_promised, build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(flags_are_the_choices_that_the_text_heeds, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(the_hash_of_a_text_is_that_of_its_files_alone, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(comments_and_layout_change_a_text_but_not_its_code,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_recipe_describes_itself_in_one_line, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(an_end_that_is_not_marked_is_an_error, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(only_what_is_not_compiled_is_left_out_of_the_key,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(loops_for_a_cpu_count_there_alone, build_home,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
