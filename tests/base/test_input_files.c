/* Which files are those that were read, while files appear and disappear. */
#include "tests/support/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/input_files.h"
#include "core/base/log.h"
#include "tests/support/scratch.h"

static int make_folder(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(2);
    return 0;
}

static int remove_folder(void **state)
{
    input_files_forget();
    return scratch_remove(state);
}

static enum err check(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    return input_files_check(path);
}

static void note(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    input_files_note(path);
}

static void give_other_name(const char *name, const char *other)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    scratch_path(from, name);
    scratch_path(to, other);
    assert_int_equal(link(from, to), 0);
}

static void a_file_that_was_read_is_known_by_all_its_names(void **state)
{
    (void)state;
    scratch_write("bed", "w", "1");
    give_other_name("bed", "ground");
    note("bed");
    assert_int_equal(check("bed"), ERR_USAGE);
    assert_int_equal(check("ground"), ERR_USAGE);
    assert_int_equal(check("new"), ERR_OK);
}

/* A file system gives the number of a deleted file to the next one. */
static void a_number_is_free_when_the_file_that_was_read_is_gone(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_write("bed", "w", "1");
    give_other_name("bed", "next"); /* has the number */
    note("bed");
    scratch_path(path, "bed");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(check("next"), ERR_OK);
    scratch_write("bed", "w", "2");
    assert_int_equal(check("next"), ERR_OK);
    note("next");
    assert_int_equal(check("next"), ERR_USAGE);
}

static void what_lies_below_a_folder_that_was_read_is_known(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_path(path, "rows");
    assert_int_equal(mkdir(path, 0700), 0);
    note("rows");
    assert_int_equal(check("rows/new"), ERR_USAGE);
    assert_int_equal(check("new"), ERR_OK);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* may have the number */
    assert_int_equal(check("new"), ERR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
        TEST(a_file_that_was_read_is_known_by_all_its_names),
        TEST(a_number_is_free_when_the_file_that_was_read_is_gone),
        TEST(what_lies_below_a_folder_that_was_read_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
