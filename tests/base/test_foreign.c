/* Unusual input: numbers that are too large, bytes that move a cursor, byte-order marks, very many options, and
 * little memory. The error says what is wrong. */
#include "tests/support/test.h"

#include <ctype.h>
#include <sys/resource.h>

#include "core/netcdf/netcdf_file.h"
#include "tests/support/program.h"

#define HERE_ON "--backend=cpu", "--threads=1", "--steps=1", "--quiet"

static void write_grid(const char *value)
{
    scratch_write("bed.asc", "w", "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n");
    for (int k = 0; k < 12; k++)
        scratch_write("bed.asc", "a", k == 5 ? value : "0 ");
}

static void terrain_too_large_for_the_precision_is_said_to_be(void **state)
{
    static const char *const large[] = {"1e39 ", "-1e39 "};
    (void)state;
    for (int k = 0; k < 2; k++) {
        write_grid(large[k]);
        SHOAL("run", "bed.asc", "--level=1", "--t-end=1", HERE_ON);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, "choose --precision f64");
        assert_null(strstr(result.err, "--cfl"));
        SHOAL("run", "bed.asc", "--level=1", "--t-end=1", "--precision=f64", HERE_ON);
        assert_null(strstr(result.err, "choose --precision f64"));
    }
}

static void expect_no_control_characters(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((iscntrl((unsigned char)*c) && *c != '\n') || *c == '\x9b')
            fail_msg("byte %d reaches the terminal", *c);
}

static void no_control_character_reaches_the_terminal(void **state)
{
    (void)state;
    if (ncfile_available()) {
        scratch_write("g.txt", "w", "a \033[31m \302\2332J\n");
        SHOAL("run", "lake", "--gauges=g.txt", "--output=r.nc", HERE_ON);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, "?[31m");
        expect_no_control_characters(result.err);
    }
    scratch_write("run.ini", "w", "ca\033]0;x\007se = lake\n");
    SHOAL("run", "run.ini", HERE_ON);
    ASSERT_STATUS(2);
    expect_no_control_characters(result.err);
    write_grid("0 ");
    char from[PATH_LENGTH], to[PATH_LENGTH];
    scratch_path(from, "bed.asc");
    scratch_path(to, "bed\033[2J\233.asc");
    assert_int_equal(rename(from, to), 0);
    SHOAL("run", "bed\033[2J\233.asc", "--level=1", "--t-end=1", HERE_ON);
    ASSERT_STATUS(0);
    expect_no_control_characters(result.out);
}

static void names_of_gauges_are_utf_8(void **state)
{
    (void)state;
    SHOAL("run", "lake", "--gauge=Br\374cke,1,1", "--output=r.nc", HERE_ON);
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "is not UTF-8");
    SHOAL("run", "lake", "--gauge=\303\244\355\240\200,1,1", "--output=r.nc", HERE_ON);
    ASSERT_STATUS(2);
    SHOAL("run", "lake", "--gauge=Br\303\274cke,1,1", "--output=r.nc", HERE_ON);
    assert_null(strstr(result.err, "UTF-8"));
}

static void a_byte_order_mark_is_passed_over(void **state)
{
    (void)state;
    scratch_write("run.ini", "w", "\357\273\277case = lake\nnx = 16\n");
    SHOAL("run", "run.ini", HERE_ON);
    ASSERT_STATUS(0);
    scratch_write("run.ini", "w", "\357\273case = lake\n"); /* an incomplete mark */
    SHOAL("run", "run.ini", HERE_ON);
    ASSERT_STATUS(2);
    if (!ncfile_available()) /* no gauges either */
        return;
    scratch_write("g.txt", "w", "\357\273\277# gauges\nfar,1e9,1\n");
    SHOAL("run", "lake", "--gauges=g.txt", "--output=r.nc", HERE_ON);
    ASSERT_STATUS(2);
    assert_null(strstr(result.err, "not a number"));
}

/* The last word is a mistake: it must be reached. */
static void set_flags(int words, const char *last)
{
    char flags[8192] = "";
    for (int k = 0; k < words; k++)
        snprintf(flags + strlen(flags), sizeof flags - strlen(flags), "-DWORD%d ", k);
    snprintf(flags + strlen(flags), sizeof flags - strlen(flags), "%s", last);
    assert_int_equal(setenv("SHOAL_KERNEL_CFLAGS", flags, 1), 0);
}

static void no_option_for_kernels_is_dropped(void **state)
{
    const char *before = getenv("SHOAL_KERNEL_CFLAGS");
    char *kept = before ? strdup(before) : NULL;
    (void)state;
    set_flags(120, "-fno-such-option");
    SHOAL("run", "lake", "--nx=16", HERE_ON);
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "no-such-option");
    set_flags(400, "");
    SHOAL("run", "lake", "--nx=16", HERE_ON);
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "give fewer options in SHOAL_KERNEL_CFLAGS");
    if (kept)
        setenv("SHOAL_KERNEL_CFLAGS", kept, 1);
    else
        unsetenv("SHOAL_KERNEL_CFLAGS");
    free(kept);
}

static void little_memory_is_called_that(void **state)
{
    static const rlim_t kilobytes[] = {90000, 100000, 120000, 150000};
    struct rlimit before, limit;
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: a sanitizer needs more address space than that\n");
    skip();
#endif
    SHOAL("run", "lake", "--nx=100", HERE_ON);
    ASSERT_STATUS(0);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    for (int k = 0; k < 4; k++) {
        limit = (struct rlimit){kilobytes[k] * 1024, before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
        SHOAL("run", "lake", "--nx=100", HERE_ON);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        if (strstr(result.err, "loading shared libraries"))
            continue; /* the program does not begin */
        if (result.status != 0 && result.status != 3)
            fail_msg("%lu kB: status %d: %s", (unsigned long)kilobytes[k], result.status,
                     result.err);
        assert_null(strstr(result.err, "No such file"));
    }
    SHOAL("run", "lake", "--nx=100", HERE_ON);
    ASSERT_STATUS(0);
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(terrain_too_large_for_the_precision_is_said_to_be),
        HERE(no_control_character_reaches_the_terminal),
        HERE(names_of_gauges_are_utf_8),
        HERE(a_byte_order_mark_is_passed_over),
        HERE(no_option_for_kernels_is_dropped),
        HERE(little_memory_is_called_that),
    };
    return program_find() || cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}
