/* The settings of a run: the command line and its help, and what is refused. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "tests/support/run_options.h"

enum { LONGEST_LINE = 100 };

static void switches_add_up_and_the_later_one_of_a_name_counts(void **state)
{
    struct config c;
    (void)state;
    ASSERT_READ(READ(&c, a_case(), "--define=EXPECTED=2,MIN_BLOCKS=1", "--define", "UNROLLED=2",
                     "--define=EXPECTED=4"));
    assert_string_equal(c.define, "MIN_BLOCKS=1,UNROLLED=2,EXPECTED=4");
    ASSERT_READ(READ(&c, a_case(), "--define=EXPECTED=2", "--define=EXPECTED=4"));
    assert_string_equal(c.define, "EXPECTED=4");
}

static void every_number_refuses_what_is_no_number(void **state)
{
    static const char *const bad[] = {
        "nan", "-nan", "inf", "-inf", "-1", "-1e-300", "",    "1x",    "12abc",
        " 1",  "1 ",   "1,5", "0x",   "--", "1e",      "one", "1e999", "99999999999999999999999"};
    struct config c;
    (void)state;
    for (const struct option *o = run_options; o->name; o++) {
        for (size_t k = 0; numeric(o) && k < sizeof bad / sizeof bad[0]; k++) {
            if (strcmp(bad[k], "99999999999999999999999") == 0 && o->high >= DBL_MAX)
                continue;
            if (read_one(&c, o->name, bad[k]) == ERR_OK)
                fail_msg("--%s accepts '%s'", o->name, bad[k]);
            ASSERT_REFUSED(read_one(&c, o->name, bad[k]), o->name);
        }
    }
}

static void numbers_end_where_their_range_ends(void **state)
{
    static const char *const bad[][2] = {
        {"cfl", "0"},        {"cfl", "1.0000001"}, {"theta", "0.999"}, {"theta", "2.001"},
        {"kappa", "0"},      {"nx", "0"},          {"ny", "1000001"},  {"dt", "0"},
        {"steps", "0"},      {"every", "0"},       {"gravity", "0"},   {"threads", "0"},
        {"threads", "4097"}, {"steps", "1.5"},     {"nx", "1e3"},
    };
    struct config c;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ASSERT_REFUSED(read_one(&c, bad[k][0], bad[k][1]), bad[k][0]);
    ASSERT_REFUSED(read_one(&c, "gravity", "inf"), "expected a finite number, got 'inf'");
    ASSERT_REFUSED(read_one(&c, "nx", "nan"), "expected a whole number, got 'nan'");
    ASSERT_READ(read_one(&c, "t-end", "0"));
    ASSERT_READ(read_one(&c, "manning", "0"));
    ASSERT_REFUSED(READ(&c, a_case(), "--nx=1000000", "--ny=1000000"), "at most");
}

static void a_scheme_may_have_a_courant_number_of_its_own(void **state)
{
    struct config c;
    (void)state;
    for (int k = 0; schemes[k]; k++) {
        const double own = schemes[k]->usual_cfl;
        ASSERT_READ(READ(&c, a_case(), "--scheme", schemes[k]->name));
        assert_true(c.cfl == (own > 0 ? own : 0.25));
        ASSERT_READ(READ(&c, a_case(), "--cfl", "0.125", "--scheme", schemes[k]->name));
        assert_true(c.cfl == 0.125);
    }
    ASSERT_READ(READ(&c, a_case(), "--scheme", "auto"));
    assert_true(isnan(c.cfl)); /* until the scheme is chosen */
    ASSERT_READ(READ(&c, a_case(), "--scheme", "auto", "--cfl", "0.3"));
    assert_true(c.cfl == 0.3);
    ASSERT_READ(READ(&c, a_case(), "--positivity", "draining", "--scheme", "rk2_fused"));
    assert_true(c.cfl == 0.45);
    ASSERT_READ(READ(&c, a_case(), "--positivity", "draining", "--scheme", "auto"));
    assert_true(config_courant(&c, find_scheme("rk2")) == 0.45);
    ASSERT_READ(READ(&c, a_case(), "--positivity", "draining", "--cfl", "0.3"));
    assert_true(c.cfl == 0.3);
    ASSERT_READ(READ(&c, "delta"));
    assert_true(c.cfl == 0.9);
    ASSERT_READ(READ(&c, a_case(), "--scheme", "hancock", "--flux", "lax_friedrichs"));
    assert_true(c.cfl == 0.25);
    ASSERT_READ(
        READ(&c, a_case(), "--scheme", "euler", "--flux", "lax_friedrichs", "--cfl", "0.1"));
    assert_true(c.cfl == 0.1);
}

static void defaults_are_the_documented_ones(void **state)
{
    struct config c;
    (void)state;
    ASSERT_READ(READ(&c, a_case()));
    assert_string_equal(c.scheme, ""); /* that of the case's equations */
    assert_string_equal(c.limiter, "minmod");
    assert_string_equal(c.flux, "central_upwind");
    assert_string_equal(c.reconstruction, "auto");
    assert_string_equal(c.backend, "auto");
    assert_string_equal(c.march, "native");
    assert_true(c.theta == 1.3 && c.cfl == 0.25);
    assert_true(isnan(c.kappa) && isnan(c.dt) && isnan(c.t_end) && isnan(c.every));
    assert_true(isnan(c.gravity) && isnan(c.manning.number));
    assert_int_equal(c.precision, F32);
    assert_int_equal(c.mode, FAST_MODE);
    assert_int_equal(c.boundary.count, 0);
    assert_true(c.nx == 0 && c.ny == 0 && c.steps == 0 && c.threads == 0 && c.order == 0);
}

static void a_mistyped_name_gets_the_nearest_one_suggested(void **state)
{
    struct config c;
    (void)state;
    ASSERT_REFUSED(READ(&c, "circular-dma"), "did you mean 'circular-dam'");
    ASSERT_REFUSED(READ(&c, a_case(), "--scheme", "rk3"), "did you mean 'rk2'");
    ASSERT_REFUSED(READ(&c, a_case(), "--limiter", "mimod"), "did you mean 'minmod'");
    ASSERT_REFUSED(READ(&c, a_case(), "--limiter", "mimod"), "shoal list limiters");
    ASSERT_REFUSED(READ(&c, a_case(), "--flux", "central-upwind"), "'central_upwind'");
    ASSERT_REFUSED(READ(&c, a_case(), "--backend", "coda"), "did you mean 'cuda'");
    ASSERT_REFUSED(READ(&c, a_case(), "--backend", "gpu"), "did you mean 'cuda'");
    assert_int_equal(READ(&c, "."), ERR_INPUT);
    ASSERT_REFUSED(READ(&c, "."), "'.' is a folder");
    ASSERT_REFUSED(READ(&c, a_case(), "--bc-west", "wal"), "did you mean 'wall'");
    ASSERT_REFUSED(READ(&c, a_case(), "--bc-west", "mill:1"), "wall, open, periodic");
    ASSERT_REFUSED(READ(&c, a_case(), "--precision", "f16"), "f32, f64");
    ASSERT_REFUSED(READ(&c, a_case(), "--variables", "w,hz"), "'hz'");
    ASSERT_REFUSED(READ(&c, a_case(), "--limitr", "mc"), "did you mean '--limiter'");
    ASSERT_REFUSED(READ(&c, a_case(), "-q"), "'-q'");
    ASSERT_REFUSED(READ(&c, a_case(), "--block", "flux_fg=32x8"), "'flux_fgh'");
}

static void a_block_is_a_known_kernel_and_two_sides(void **state)
{
    static const char *const bad[] = {
        "rk",       "rk=",      "rk=32",     "rk=32x",    "rk=x8",     "rk=0x8",
        "rk=8x0",   "rk=-8x8",  "rk=8x1025", "rk=1025x8", "rk=32x8x1", "rk=32X8",
        "rk=32x 8", "rk= 32x8", "=32x8",     "",          "rk=32x8 ",  "nothing_like_it=32x8"};
    struct config c;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ASSERT_REFUSED(read_one(&c, "block", bad[k]), "--block: ");
    ASSERT_READ(READ(&c, a_case(), "--block", "rk=1024x1024"));
}

static void the_last_block_for_a_kernel_counts(void **state)
{
    struct config c;
    (void)state;
    ASSERT_READ(READ(&c, a_case(), "--block=rk0=8x8", "--block=rk=32x8", "--block=rk1=16x4",
                     "--block=rk1=16x2"));
    assert_int_equal(c.block_count, 2);
    assert_string_equal(c.blocks[0].kernel, "rk");
    assert_string_equal(c.blocks[1].kernel, "rk1");
    assert_int_equal(c.blocks[1].block.h, 2);
}

static void every_kernel_may_get_a_block_in_one_command(void **state)
{
    char text[2 * BLOCK_CHOICES][NAME_LENGTH + 16];
    const char *words[2 * BLOCK_CHOICES + 1] = {a_case()};
    struct config c;
    int count = 1;
    (void)state;
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name && count < 2 * BLOCK_CHOICES; k++) {
            snprintf(text[count], sizeof text[count], "--block=%s=28x7", k->name);
            words[count] = text[count];
            count++;
        }
    ASSERT_READ(read_words(&c, words));
    assert_int_equal(c.block_count, count - 1);
}

static void a_value_may_follow_a_blank_or_an_equals_sign(void **state)
{
    struct config a, b;
    (void)state;
    ASSERT_READ(READ(&a, a_case(), "--nx", "17", "--output=--odd.nc", "--quiet=no"));
    ASSERT_READ(READ(&b, "--nx=17", "--output=--odd.nc", a_case()));
    assert_memory_equal(&a, &b, sizeof a);
    ASSERT_READ(READ(&a, a_case(), "--nx", "17", "--nx", "18"));
    assert_int_equal(a.nx, 18);
}

static void a_missing_value_is_an_error(void **state)
{
    struct config c;
    (void)state;
    ASSERT_REFUSED(READ(&c, a_case(), "--nx"), "--nx needs a value");
    ASSERT_REFUSED(READ(&c, a_case(), "--output", "--quiet"), "--output needs a value");
    ASSERT_REFUSED(READ(&c, a_case(), "--output="), "--output: ");
    ASSERT_REFUSED(READ(&c, a_case(), "--quiet=perhaps"), "--quiet: ");
    ASSERT_REFUSED(READ(&c, a_case(), "--march=-Ofast"), "--march: ");
    ASSERT_REFUSED(READ(&c, a_case(), "--march=native -O0"), "--march: ");
}

static void there_is_exactly_one_input(void **state)
{
    struct config c;
    (void)state;
    assert_int_equal(READ(&c, "--quiet"), ERR_USAGE);
    ASSERT_REFUSED(READ(&c, "--quiet"), "nothing to run");
    ASSERT_REFUSED(READ(&c, "--restart", "a.ckpt.nc"),
                   "--restart a.ckpt.nc: expected the case or FILE");
    ASSERT_REFUSED(READ(&c, a_case(), a_case()), "expected one case or file");
    ASSERT_REFUSED(READ(&c, a_case(), "x.nc"), "expected one case or file");
    ASSERT_READ(READ(&c, "x.nc"));
    assert_string_equal(c.input, "x.nc");
}

static void a_start_is_a_date_and_a_time_of_day(void **state)
{
    static const struct {
        const char *typed, *kept;
    } good[] = {{"2026-11-22T06:00", "2026-11-22T06:00:00"},
                {"2026-11-22", "2026-11-22T00:00:00"},
                {"2024-02-29 23:59:58Z", "2024-02-29T23:59:58"},
                {"2000-02-29t00:00z", "2000-02-29T00:00:00"},
                {"2400-02-29", "2400-02-29T00:00:00"}};
    static const char *const bad[] = {"2026",
                                      "2026-11-31",
                                      "2026-13-01",
                                      "2023-02-29",
                                      "1900-02-29",
                                      "2026-11-22T",
                                      "2026-11-22T24:00",
                                      "2026-11-22T06",
                                      "2026-11-22T06:00:60",
                                      "2026-11-22T06:00+01:00",
                                      "22.11.2026",
                                      "1582-12-31",
                                      "2026-11-22T06:00 ",
                                      "now"};
    const struct option *start = option_find(run_options, "start");
    static struct config c;
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_int_equal(option_set(start, &c, good[k].typed), ERR_OK);
        assert_string_equal(c.start, good[k].kept);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (option_set(start, &c, bad[k]) != ERR_USAGE)
            fail_msg("%s became %s", bad[k], c.start);
}

static void writing_needs_a_place_to_write_to(void **state)
{
    char path[PATH_LENGTH];
    struct config c;
    (void)state;
    ASSERT_REFUSED(READ(&c, a_case(), "--every=1"), "--every");
    ASSERT_REFUSED(READ(&c, a_case(), "--section=a,0,0,1,1"), "--section");
    ASSERT_REFUSED(READ(&c, a_case(), "--start=2026-11-22T06:00"), "--start");
    ASSERT_READ(READ(&c, a_case(), "--start=2026-11-22T06:00", "--rain=radar.nc"));
    ASSERT_REFUSED(READ(&c, a_case(), "--variables=w"), "--variables");
    ASSERT_REFUSED(READ(&c, a_case(), "--maxima"), "--maxima");
    ASSERT_REFUSED(READ(&c, a_case(), "--hazard"), "--hazard");
    ASSERT_REFUSED(READ(&c, a_case(), "--start=2026-11-22"), "--start");
    ASSERT_REFUSED(READ(&c, a_case(), "--region=0,0,1,1"), "--region");
    ASSERT_REFUSED(READ(&c, a_case(), "--gauge=a,0,0"), "--gauge");
    ASSERT_REFUSED(READ(&c, a_case(), "--gauges=list"), "--gauges");
    ASSERT_REFUSED(READ(&c, a_case(), "--balance-every=1"), "--balance-every");
    scratch_path(path, "no such folder/x.nc");
    assert_int_equal(READ(&c, a_case(), "--output", path), ERR_INPUT);
    ASSERT_REFUSED(READ(&c, a_case(), "--output", path), "no such folder");
    ASSERT_REFUSED(READ(&c, a_case(), "--output", scratch), "is a folder");
    scratch_write("in.nc", "w", "anything");
    scratch_path(path, "in.nc");
    ASSERT_REFUSED(READ(&c, a_case(), "--restart", path, "--output", path), "choose another name");
    ASSERT_REFUSED(READ(&c, a_case(), "--checkpoint=1"), "--checkpoint");
    ASSERT_REFUSED(READ(&c, a_case(), "--order=shuffled", "--backend=cuda"), "--order");
}

static void the_help_explains_every_option_in_lines_that_fit(void **state)
{
    static char text[1 << 16];
    char path[PATH_LENGTH], wanted[NAME_LENGTH];
    (void)state;
    print_to("help", NULL);
    scratch_path(path, "help");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    for (const struct option *o = run_options; o->name; o++) {
        snprintf(wanted, sizeof wanted, "\n  --%s ", o->name);
        if (!strstr(text, wanted))
            fail_msg("--%s is not in the help", o->name);
    }
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= LONGEST_LINE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_add_up_and_the_later_one_of_a_name_counts),
        cmocka_unit_test(every_number_refuses_what_is_no_number),
        cmocka_unit_test(numbers_end_where_their_range_ends),
        cmocka_unit_test(a_scheme_may_have_a_courant_number_of_its_own),
        cmocka_unit_test(defaults_are_the_documented_ones),
        cmocka_unit_test(a_mistyped_name_gets_the_nearest_one_suggested),
        cmocka_unit_test(a_block_is_a_known_kernel_and_two_sides),
        cmocka_unit_test(the_last_block_for_a_kernel_counts),
        cmocka_unit_test(every_kernel_may_get_a_block_in_one_command),
        cmocka_unit_test(a_value_may_follow_a_blank_or_an_equals_sign),
        cmocka_unit_test(a_missing_value_is_an_error),
        cmocka_unit_test(there_is_exactly_one_input),
        cmocka_unit_test(a_start_is_a_date_and_a_time_of_day),
        cmocka_unit_test(writing_needs_a_place_to_write_to),
        cmocka_unit_test(the_help_explains_every_option_in_lines_that_fit),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_remove);
}
