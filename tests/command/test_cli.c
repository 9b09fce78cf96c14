/* The program as scripts see it: exit statuses, what goes to stdout, what goes to stderr. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/registry/catalog.h"
#include "core/registry/command.h"
#include "core/base/memory.h"
#include "core/registry/registry.h"
#include "tests/support/command_line.h"

static void nothing_to_do_shows_the_usage_on_stderr(void **state)
{
    (void)state;
    program_run((const char *const[]){NULL});
    ASSERT_STATUS(2);
    assert_string_equal(result.out, "");
    ASSERT_HAS(result.err, "usage: shoal ");
}

static void every_command_explains_itself(void **state)
{
    static const char *const some[] = {"list", "info", "run", "bench"};
    char wanted[64];
    (void)state;
    SHOAL("--help");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    for (int k = 0; k < 4; k++) {
        SHOAL("--help");
        snprintf(wanted, sizeof wanted, "\n  shoal %s ", some[k]);
        ASSERT_HAS(result.out, wanted);
        SHOAL(some[k], "--help");
        ASSERT_STATUS(0);
        assert_string_equal(result.err, "");
        snprintf(wanted, sizeof wanted, "usage: shoal %s", some[k]);
        assert_int_equal(strncmp(result.out, wanted, strlen(wanted)), 0);
    }
    SHOAL("run", a_case(), "--nx", "-1", "--help");
    ASSERT_STATUS(0);
}

static void the_version_names_the_commit_and_how_to_cite(void **state)
{
    (void)state;
    SHOAL("--version");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    assert_int_equal(lines(result.out), 2);
    assert_int_equal(strncmp(result.out, "shoal ", 6), 0);
    ASSERT_HAS(result.out, " (commit ");
    ASSERT_HAS(result.out, "CITATION.cff");
}

static void an_unknown_word_gets_the_nearest_one_suggested(void **state)
{
    (void)state;
    SHOAL("lits");
    assert_refused("did you mean 'list'?");
    SHOAL("--versoin");
    assert_refused("did you mean '--version'?");
    SHOAL("list", "limters");
    assert_refused("did you mean 'limiters'?");
    SHOAL("run", "circular-dma");
    assert_refused("did you mean 'circular-dam'?");
    SHOAL("run", a_case(), "--schem=rk2");
    assert_refused("did you mean '--scheme'?");
    SHOAL("nothing-like-any-of-them");
    assert_refused("shoal --help");
}

static void wrong_usage_has_status_2_and_one_message(void **state)
{
    (void)state;
    SHOAL("run");
    assert_refused("shoal list cases");
    SHOAL("run", a_case(), "--nx", "12abc");
    assert_refused("--nx: expected a whole number, got '12abc'");
    SHOAL("run", a_case(), "--t-end", "nan");
    assert_refused("--t-end: ");
    SHOAL("run", a_case(), a_case());
    assert_refused("expected one case or file");
    SHOAL("run", "absent.ini");
    assert_refused("absent.ini");
    SHOAL("run", a_case(), "--output", "absent/x.nc");
    assert_refused("absent");
    SHOAL("run", a_case(), "--nx", "20", "--quiet", "--define", "NO_SUCH_SWITCH=1");
    assert_refused("'NO_SUCH_SWITCH'");
    SHOAL("info", "gpu");
    assert_refused("'gpu'");
    SHOAL("list", "cases", "fluxes");
    assert_refused("unexpected 'fluxes'");
}

static void the_place_of_an_error_is_for_those_who_debug(void **state)
{
    (void)state;
    SHOAL("lits");
    assert_null(strstr(result.err, ".c:"));
    assert_int_equal(setenv("SHOAL_DEBUG", "1", 1), 0);
    SHOAL("lits");
    assert_int_equal(unsetenv("SHOAL_DEBUG"), 0);
    ASSERT_HAS(result.err, ".c:");
}

static void a_list_is_one_name_a_line_as_registered(void **state)
{
    struct catalog c;
    (void)state;
    for (int list = 0; list < LISTS; list++) {
        SHOAL("list", catalog_kinds[list]);
        ASSERT_STATUS(0);
        assert_string_equal(result.err, "");
        catalog_fill(&c, (enum listed)list);
        assert_int_equal(lines(result.out), c.count);
        const char *line = result.out;
        for (int k = 0; k < c.count; k++) {
            const size_t n = strlen(c.name[k]);
            assert_int_equal(strncmp(line, c.name[k], n), 0);
            assert_int_equal(line[n], ' ');
            line = strchr(line, '\n') + 1;
        }
    }
}

static void the_whole_list_has_a_heading_for_every_kind(void **state)
{
    char heading[64];
    (void)state;
    SHOAL("list");
    ASSERT_STATUS(0);
    for (int list = 0; list < LISTS; list++) {
        snprintf(heading, sizeof heading, "%s:\n  ", catalog_kinds[list]);
        ASSERT_HAS(result.out, heading);
    }
}

static void info_never_fails_because_something_is_absent(void **state)
{
    static const char *const keys[] = {"version ", "home ", "cache ", "netCDF ", "cpu ", "cuda "};
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        const char *set = getenv("SHOAL_CACHE");
        char *kept = set ? strdup(set) : NULL;
        if (broken)
            assert_int_equal(setenv("SHOAL_CACHE", "/dev/null/none", 1), 0);
        SHOAL("info");
        if (kept)
            setenv("SHOAL_CACHE", kept, 1);
        else
            unsetenv("SHOAL_CACHE");
        free(kept);
        ASSERT_STATUS(0);
        assert_string_equal(result.err, "");
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            ASSERT_HAS(result.out, keys[k]);
        ASSERT_HAS(result.out, "compiler: ");
        ASSERT_HAS(result.out, "OpenMP threads: ");
    }
}

static void a_run_ends_with_the_summary_in_its_order(void **state)
{
    static const char *const keys[] = {
        "run: case=",   " scheme=",    " limiter=",      " flux=",       " backend=",
        " precision=",  " mode=",      " cells=",        " steps=",      " redone=",
        " t=",          " wall=",      " mcells_per_s=", " mass_error=", " clipped=",
        " early_exit=", " volume_in=", " volume_out=",   " parts=",      " ranks=",
        " exchange="};
    (void)state;
    SHOAL("run", a_case(), "--nx=16", "--ny=16", "--steps=2", "--backend=cpu", "--quiet");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    assert_int_equal(lines(result.out), 1);
    const char *at = result.out;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        if (strncmp(at, keys[k], strlen(keys[k])) != 0)
            fail_msg("'%s' should begin with '%s'", at, keys[k]);
        at += strlen(keys[k]);
        const size_t value = strcspn(at, " \n");
        assert_true(value > 0);
        at += value;
    }
    assert_string_equal(at, "\n");
    ASSERT_HAS(result.out, " scheme=rk2 limiter=minmod flux=central_upwind backend=cpu ");
    ASSERT_HAS(result.out, " precision=f32 mode=fast cells=256 steps=2 redone=0 ");
}

static void a_run_that_is_not_watched_shows_no_progress(void **state)
{
    (void)state;
    SHOAL("run", a_case(), "--nx=16", "--ny=16", "--steps=2", "--backend=cpu");
    ASSERT_STATUS(0);
    assert_int_equal(lines(result.out), 1);
    assert_null(strchr(result.err, '\r'));
}

static void a_printed_run_file_repeats_the_run(void **state)
{
    static char first[MOST_TEXT];
    (void)state;
    SHOAL("run", a_case(), "--print-config", "--nx=16", "--ny=16", "--steps=2", "--backend=cpu",
          "--block=rk=16x2", "--quiet", "--output=it.nc");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    strcpy(first, result.out);
    scratch_folder("elsewhere");
    scratch_write("elsewhere/again.ini", "w", first);
    SHOAL("run", "elsewhere/again.ini", "--print-config");
    ASSERT_STATUS(0);
    assert_string_equal(result.out, first);
    char path[PATH_LENGTH];
    scratch_path(path, "it.nc");
    assert_int_equal(access(path, F_OK), -1);
}

/* Linux would grant the memory, and kill the process that uses it. */
static void a_run_that_does_not_fit_is_refused_before_it_takes_memory(void **state)
{
    (void)state;
    if (memory_available() > (size_t)1 << 40)
        skip(); /* it would fit */
    SHOAL("run", a_case(), "--backend", "cpu", "--precision", "f64", "--nx", "100000", "--ny",
          "100000");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "GiB are free");
}

/* A descriptor, or TO_NOTHING, that takes no output. */
static int broken_output(int which)
{
    int ends[2];
    if (which == 0)
        return open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (which == 1)
        return TO_NOTHING;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    return ends[1];
}

#define SHOAL_INTO(out, ...) \
    program_end(program_start((out), (const char *const[]){__VA_ARGS__, NULL}))

static void parts_that_cannot_be_cut_are_refused(void **state)
{
    (void)state;
    SHOAL("run", a_case(), "--parts", "1:0:2");
    assert_refused("--parts: expected a number of parts");
    SHOAL("run", a_case(), "--quiet", "--nx", "20", "--ny", "7", "--backend", "cpu", "--parts",
          "4");
    assert_refused("choose at most 3 equal parts");
    SHOAL("run", a_case(), "--quiet", "--nx", "20", "--ny", "20", "--steps", "2", "--backend",
          "cpu", "--parts", "10");
    ASSERT_STATUS(0);
}

static void gpus_that_cannot_be_used_are_refused(void **state)
{
    static const char *const lists[] = {"0,x", "0,,1", "0,", "-1", "0 1", "5000"};
    (void)state;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        SHOAL("run", a_case(), "--devices", lists[k]);
        assert_refused("--devices: expected numbers of GPUs");
    }
    SHOAL("run", a_case(), "--quiet", "--backend", "cpu", "--devices", "0,1,2");
    assert_refused("--devices: expected the cuda backend, got --backend cpu");
    ASSERT_HAS(result.err, "give --parts 3 instead");
    SHOAL("run", a_case(), "--quiet", "--backend", "cpu", "--devices", "all");
    assert_refused("give --parts 2 instead");
    setenv("SHOAL_LIBCUDA", "/nowhere/libcuda.so", 1);
    SHOAL("run", a_case(), "--quiet", "--devices", "all");
    unsetenv("SHOAL_LIBCUDA");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "--devices: no CUDA driver library");
}

static void tiles_that_cannot_be_are_refused(void **state)
{
    (void)state;
    SHOAL("run", a_case(), "--tile", "4097");
    assert_refused("--tile: '4097': expected at most 4096 cells on a side of a tile");
    SHOAL("run", a_case(), "--tile", "12x");
    assert_refused("--tile: expected the cells of a tile, such as 124 or 124x60; got '12x'");
    SHOAL("run", a_case(), "--quiet", "--backend", "cpu", "--scheme", "ds2", "--tile", "28");
    assert_refused("--tile: scheme ds2 transposes the whole domain");
    SHOAL("run", a_case(), "--quiet", "--backend", "cpu", "--tile", "3");
    assert_refused("give --tile 4x4");
}

static void results_that_cannot_be_printed_are_a_failure(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const int out = broken_output(k);
        SHOAL_INTO(out, "list");
        ASSERT_STATUS(3);
        SHOAL_INTO(out, "--version");
        ASSERT_STATUS(3);
        SHOAL_INTO(out, "--help");
        ASSERT_STATUS(3);
        SHOAL_INTO(out, "run", a_case(), "--print-config");
        ASSERT_STATUS(3);
        SHOAL_INTO(out, "run", a_case(), "--nx=16", "--ny=16", "--steps=2", "--backend=cpu",
                   "--quiet");
        ASSERT_STATUS(3);
        ASSERT_HAS(result.err, "shoal: error: cannot write to standard output");
        assert_int_equal(lines(result.err), 1);
        close(out);
    }
}

static void an_error_keeps_its_own_status_when_stdout_is_broken(void **state)
{
    const int full = broken_output(0);
    (void)state;
    SHOAL_INTO(full, "lits");
    assert_refused("'lits'");
    close(full);
}

static void strict_mode_without_fused_multiply_adds_is_warned_of(void **state)
{
    (void)state;
#ifdef __x86_64__
    static const char *const modes[] = {"strict", "fast"};
    for (int m = 0; m < 2; m++) {
        SHOAL("run", "circular-dam", "--backend", "cpu", "--nx", "16", "--t-end", "0.01", "--march",
              "x86-64", "--mode", modes[m]);
        ASSERT_STATUS(0);
        assert_int_equal(!strstr(result.err, "for which x86-64 has no instruction"), m);
    }
#else
    print_message("asks for x86-64: not tried on another processor\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do_shows_the_usage_on_stderr),
        cmocka_unit_test(every_command_explains_itself),
        cmocka_unit_test(the_version_names_the_commit_and_how_to_cite),
        cmocka_unit_test(an_unknown_word_gets_the_nearest_one_suggested),
        cmocka_unit_test(wrong_usage_has_status_2_and_one_message),
        cmocka_unit_test(the_place_of_an_error_is_for_those_who_debug),
        cmocka_unit_test(a_list_is_one_name_a_line_as_registered),
        cmocka_unit_test(the_whole_list_has_a_heading_for_every_kind),
        cmocka_unit_test(info_never_fails_because_something_is_absent),
        cmocka_unit_test(a_run_ends_with_the_summary_in_its_order),
        cmocka_unit_test(a_run_that_is_not_watched_shows_no_progress),
        cmocka_unit_test(a_printed_run_file_repeats_the_run),
        cmocka_unit_test(a_run_that_does_not_fit_is_refused_before_it_takes_memory),
        cmocka_unit_test(parts_that_cannot_be_cut_are_refused),
        cmocka_unit_test(gpus_that_cannot_be_used_are_refused),
        cmocka_unit_test(tiles_that_cannot_be_are_refused),
        cmocka_unit_test(results_that_cannot_be_printed_are_a_failure),
        cmocka_unit_test(an_error_keeps_its_own_status_when_stdout_is_broken),
        cmocka_unit_test(strict_mode_without_fused_multiply_adds_is_warned_of),
    };
    return cmocka_run_group_tests(tests, command_line_ready, scratch_remove);
}
