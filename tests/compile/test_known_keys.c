/* A process knows the keys that it has found, until one of the kernel's files changes. */
#include "tests/support/test.h"

#include "core/compile/known_keys.h"
#include "tests/support/scratch.h"

static const char file[] = "flux.cu";
static const char recipe[] = "a recipe's digest";
static char key[KEY_LENGTH + 1];

static const struct defines defines = {.text = {"LIMITER_FILE=\"limiters/minmod.h\"",
                                                "FLUX_FILE=\"fluxes/hll.h\"",
                                                "RECONSTRUCTION_FILE=\"reconstructions/kp.h\""},
                                       .count = 3};

/* Links to the kernels: those were written long ago. */
static int build_home(void **state)
{
    const char *home;
    char command[3 * PATH_LENGTH];
    (void)state;
    unsetenv("SHOAL_HOME");
    if (paths_home(&home))
        return -1;
    scratch_create();
    snprintf(command, sizeof command, "cp -Rs '%s/kernels' '%s/'", home, scratch);
    return system(command) || setenv("SHOAL_HOME", scratch, 1);
}

static int remove_home(void **state)
{
    unsetenv("SHOAL_HOME");
    return scratch_remove(state);
}

static void keep(const char *name)
{
    struct texts t = {.defines = &defines};
    fine(texts_read(&t, name));
    known_key_keep(recipe, &t, "its key");
    texts_free(&t);
}

static void keep_flux(void)
{
    keep(file);
    assert_true(known_key(recipe, key));
    assert_string_equal(key, "its key");
}

static void what_was_never_kept_is_not_known(void **state)
{
    (void)state;
    keep_flux();
    assert_false(known_key("another digest", key));
}

/* In place of the link to `name`, a file of its own. */
static void expect_forgotten_with(const char *name)
{
    char path[PATH_LENGTH];
    keep_flux();
    scratch_path(path, name);
    unlink(path);
    scratch_write(name, "w", "\n");
    assert_false(known_key(recipe, key));
}

static void a_kernel_that_changes_is_hashed_again(void **state)
{
    (void)state;
    expect_forgotten_with("kernels/flux.cu");
}

static void an_included_file_that_changes_is_noticed(void **state)
{
    (void)state;
    expect_forgotten_with("kernels/num/riemann.h");
}

/* "real.h", which num/depth.h includes, might be beside it. */
static void a_file_that_appears_where_the_compiler_looks_first_is_noticed(void **state)
{
    (void)state;
    expect_forgotten_with("kernels/num/real.h");
}

static void a_file_that_vanishes_is_noticed(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    keep_flux();
    scratch_path(path, "kernels/fluxes/hll.h");
    assert_int_equal(unlink(path), 0);
    assert_false(known_key(recipe, key));
}

/* Its next change might come before the clock of its times goes on. */
static void of_a_file_that_is_new_nothing_is_kept(void **state)
{
    (void)state;
    scratch_write("kernels/new.cu", "w", "one\n");
    keep("new.cu");
    assert_false(known_key(recipe, key));
}

static void many_keys_take_the_place_of_the_first(void **state)
{
    char name[32];
    (void)state;
    struct texts t = {.defines = &defines};
    fine(texts_read(&t, "real.h"));
    for (int k = 0; k < 600; k++) {
        snprintf(name, sizeof name, "digest %d", k);
        known_key_keep(name, &t, name);
    }
    texts_free(&t);
    assert_false(known_key("digest 0", key));
    assert_true(known_key("digest 599", key));
    assert_string_equal(key, "digest 599");
}

#define IN_HOME(test) cmocka_unit_test_setup_teardown(test, build_home, remove_home)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_HOME(what_was_never_kept_is_not_known),
        IN_HOME(a_kernel_that_changes_is_hashed_again),
        IN_HOME(an_included_file_that_changes_is_noticed),
        IN_HOME(a_file_that_appears_where_the_compiler_looks_first_is_noticed),
        IN_HOME(a_file_that_vanishes_is_noticed),
        IN_HOME(of_a_file_that_is_new_nothing_is_kept),
        IN_HOME(many_keys_take_the_place_of_the_first),
    };
    return cmocka_run_group_tests_name("known keys", tests, NULL, NULL);
}
