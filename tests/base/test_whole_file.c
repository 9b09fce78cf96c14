/* Whole files in memory: of any length up to a limit, and the errors for those that cannot be read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/whole_file.h"
#include "tests/support/scratch.h"

enum { SIZE = 300001 };

static char name[PATH_LENGTH];

static void write_letters(void)
{
    scratch_path(name, "letters");
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    for (int k = 0; k < SIZE; k++)
        fputc('a' + k % 26, f);
    assert_int_equal(fclose(f), 0);
}

static void a_file_is_read_whole_and_ends_in_a_nul(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    write_letters();
    assert_int_equal(whole_file_read(name, SIZE, &bytes, &size), ERR_OK);
    assert_int_equal(size, SIZE);
    for (int k = 0; k < SIZE; k++)
        assert_int_equal(bytes[k], 'a' + k % 26);
    assert_int_equal(bytes[SIZE], 0);
    free(bytes);
    scratch_write("empty", "w", "");
    scratch_path(name, "empty");
    assert_int_equal(whole_file_read(name, 0, &bytes, NULL), ERR_OK);
    assert_string_equal(bytes, "");
    free(bytes);
}

static void one_byte_more_than_the_limit_is_refused(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    write_letters();
    assert_int_equal(whole_file_read(name, SIZE - 1, &bytes, &size), ERR_INPUT);
    assert_int_equal(errno, EFBIG);
    assert_null(bytes);
    assert_non_null(strstr(err_message(), "letters: more than"));
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    scratch_path(name, "missing");
    assert_int_equal(whole_file_read(name, SIZE, &bytes, &size), ERR_INPUT);
    assert_int_equal(errno, ENOENT);
    assert_non_null(strstr(err_message(), "missing: cannot be read: No such file"));
    assert_int_equal(whole_file_read(scratch, SIZE, &bytes, &size), ERR_INPUT);
    assert_int_equal(errno, EISDIR);
    assert_null(bytes);
}

static void what_follows_in_a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2];
    char *bytes;
    size_t size;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc\0d", 5), 5);
    close(ends[1]);
    assert_int_equal(whole_file_read_on(ends[0], "a pipe", 5, &bytes, &size), ERR_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "abc\0d", 6);
    free(bytes);
    close(ends[0]);
    assert_int_equal(whole_file_read_on(-1, "a pipe", 5, &bytes, &size), ERR_INPUT);
    assert_non_null(strstr(err_message(), "a pipe: cannot be read: Bad file"));
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        ALONE(a_file_is_read_whole_and_ends_in_a_nul),
        ALONE(one_byte_more_than_the_limit_is_refused),
        ALONE(what_cannot_be_read_is_named),
        ALONE(what_follows_in_a_pipe_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
