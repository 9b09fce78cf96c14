/* What a recipe turns into, and what its key depends on. */
#include "tests/support/test.h"

#include "tests/support/recipes.h"

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
    char before[KEY_LENGTH + 1], after[KEY_LENGTH + 1];
    struct recipe r = flux_recipe();
    key_of(&r, before);
    move_kernels_elsewhere();
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
    assert_int_equal(d.count, 8);
    assert_string_equal(d.text[0], "SUBSTEP=1");
    assert_string_equal(d.text[1], "A=2");
    assert_string_equal(d.text[2], "KERNEL_NAME=rk1");
    assert_string_equal(d.text[5], "PRECISION=32");
    assert_string_equal(d.text[6], "FRICTION=0");
    assert_string_equal(d.text[7], "BRANCHLESS=1");
    plain.on_cpu = 1;
    recipe_defines(&plain, &d);
    for (int k = 0; k < d.count; k++)
        assert_null(strstr(d.text[k], "BRANCHLESS"));
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

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, build_home, scratch_remove)
    static const struct CMUnitTest tests[] = {
        HERE(equal_recipes_have_equal_keys),
        HERE(every_field_of_a_recipe_changes_the_key),
        HERE(what_a_kernel_does_not_mention_does_not_change_its_key),
        HERE(the_compiler_changes_the_key),
        HERE(a_changed_include_changes_the_key),
        HERE(what_is_not_included_does_not_change_the_key),
        HERE(a_key_does_not_depend_on_the_place),
        HERE(a_file_beside_the_includer_comes_first),
        HERE(kernels_with_one_text_in_two_files_have_two_keys),
        HERE(a_missing_include_is_named_with_its_line),
        HERE(files_that_include_each_other_are_read_once),
        HERE(defines_are_the_ones_promised),
        HERE(flags_are_the_choices_that_the_text_heeds),
        HERE(a_recipe_describes_itself_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
