/* Run files: what they may say, what is refused, and how the message names it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/scratch.h"
#include "tests/support/settings.h"

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

static enum err read_text(struct config *c, const char *text)
{
    char path[PATH_LENGTH];
    scratch_write("text.ini", "w", text);
    scratch_path(path, "text.ini");
    return READ(c, path);
}

static void a_run_file_says_the_same_as_the_command_line(void **state)
{
    struct config a, b;
    char output[PATH_LENGTH], text[2 * PATH_LENGTH];
    (void)state;
    scratch_path(output, "out file.nc");
    snprintf(text, sizeof text,
             "# a comment\r\n\n  case=%s # the case\nnx = 20\t# cells\n\nblock = rk0=8x8\n"
             "block = rk1=4x4\noutput = \"out file.nc\"  # quoted\nquiet = yes",
             a_case());
    ASSERT_READ(read_text(&a, text));
    ASSERT_READ(READ(&b, a_case(), "--nx=20", "--block=rk0=8x8", "--block=rk1=4x4", "--output",
                     output, "--quiet"));
    assert_memory_equal(&a, &b, sizeof a);
}

static void paths_of_a_run_file_start_at_its_folder(void **state)
{
    char path[PATH_LENGTH], wanted[PATH_LENGTH + 8];
    struct config c;
    (void)state;
    scratch_folder("sub");
    scratch_write("sub/run.ini", "w", "input = a.nc\noutput = b#1.nc\n");
    scratch_path(path, "sub/run.ini");
    ASSERT_READ(READ(&c, path));
    scratch_path(wanted, "sub/a.nc");
    assert_string_equal(c.input, wanted);
    scratch_path(wanted, "sub/b#1.nc");
    assert_string_equal(c.output, wanted);
}

static void both_series_of_an_edge_start_at_its_folder(void **state)
{
    char path[PATH_LENGTH], wanted[PATH_LENGTH + 16];
    struct config c;
    (void)state;
    scratch_write(
        "sub/run.ini", "w",
        "case = delta\nbc-west = sand:s.txt,mud:m.txt@10..20\nbc-east = sand:1,mud:m.txt\n"
        "bc-south = mud:m.txt,sand:2\n");
    scratch_path(path, "sub/run.ini");
    ASSERT_READ(READ(&c, path));
    assert_int_equal(c.boundary.count, 3);
    for (int k = 0; k < 3; k++) {
        const struct boundary_choice *const b = &c.boundary.of[k];
        scratch_path(wanted, "sub/m.txt");
        assert_string_equal(c.boundary.files + b->mud_file, wanted);
        scratch_path(wanted, "sub/s.txt");
        if (k == 0)
            assert_string_equal(c.boundary.files + b->file, wanted);
        assert_int_equal(b->file<0, k> 0);
    }
}

static void the_command_line_wins_over_the_run_file(void **state)
{
    char path[PATH_LENGTH], text[PATH_LENGTH];
    struct config c;
    (void)state;
    snprintf(text, sizeof text, "case = %s\nnx = 20\nny = 30\nquiet = yes\nblock = rk0=8x8\n",
             a_case());
    scratch_write("wins.ini", "w", text);
    scratch_path(path, "wins.ini");
    ASSERT_READ(READ(&c, "--nx=21", path, "--quiet=no", "--block=rk=4x4"));
    assert_string_equal(c.input, a_case());
    assert_true(c.nx == 21 && c.ny == 30 && !c.quiet);
    assert_int_equal(c.block_count, 1);
    assert_string_equal(c.blocks[0].kernel, "rk");
}

static void an_error_in_a_run_file_names_file_and_line(void **state)
{
    static const char *const bad[][2] = {
        {"nx 20\n", "text.ini:1: 'nx 20' is not a setting"},
        {"maxima\n", "expected 'key = value', such as 'maxima = yes'"},
        {"# fine\n\nnx = 20x\n", "text.ini:3: nx: expected a whole number, got '20x'"},
        {"nx = 20\nnx = 20\n", "text.ini:2: nx is given twice, first on line 1"},
        {"limitr = mc\n", "text.ini:1: unknown key 'limitr': did you mean 'limiter'"},
        {"--nx = 3\n", "text.ini:1: unknown key '--nx'"},
        {"print-config = yes\n", "text.ini:1: unknown key 'print-config'"},
        {"case = lkae\n", "text.ini:1: case: unknown case 'lkae': did you mean 'lake'"},
        {"case = lake\ninput = a.nc\n", "text.ini:2: input: the run already has an input"},
        {"input = other.ini\n", "text.ini:1: input: 'other.ini' is a run file"},
        {"case =\n", "text.ini:1: case: the value is missing"},
        {"nx = # 20\n", "text.ini:1: nx: the value is missing"},
        {"output = \"a.nc\n", "text.ini:1: output: the closing quote is missing"},
        {"output = \"a.nc\" b\n", "text.ini:1: output: 'b' follows the closing quote"},
        {"block = rk=0x0\n", "text.ini:1: block: '0x0' is not a block"},
        {"nx = 20\n", "text.ini has no input"},
    };
    struct config c;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ASSERT_REFUSED(read_text(&c, bad[k][0]), bad[k][1]);
}

static void a_run_file_that_cannot_be_read_is_bad_input(void **state)
{
    char path[PATH_LENGTH];
    struct config c;
    (void)state;
    scratch_path(path, "absent.ini");
    assert_int_equal(READ(&c, path), ERR_INPUT);
    ASSERT_REFUSED(READ(&c, path), "absent.ini");
    scratch_folder("folder.ini");
    scratch_path(path, "folder.ini");
    ASSERT_REFUSED(READ(&c, path), "folder.ini: cannot be read: Is a directory");
    scratch_path(path, "binary.ini");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite("nx\0= 1\n", 1, 7, f), 7);
    fclose(f);
    ASSERT_REFUSED(READ(&c, path), "binary.ini:1: this is not a text file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_file_says_the_same_as_the_command_line),
        cmocka_unit_test(paths_of_a_run_file_start_at_its_folder),
        cmocka_unit_test(both_series_of_an_edge_start_at_its_folder),
        cmocka_unit_test(the_command_line_wins_over_the_run_file),
        cmocka_unit_test(an_error_in_a_run_file_names_file_and_line),
        cmocka_unit_test(a_run_file_that_cannot_be_read_is_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
