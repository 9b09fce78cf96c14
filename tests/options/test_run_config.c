/* The settings of a run: the command line, how they are printed, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "core/options/run_config.h"
#include "tests/support/printed.h"
#include "tests/support/settings.h"

enum { LONGEST_LINE = 100 };

/* Sends the settings, or the help, to a file of the scratch folder. */
static void print_to(const char *name, const struct config *c)
{
    printed_begin(name);
    if (c)
        config_print(c);
    else
        config_help(stdout);
    printed_end();
}

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

/* A case for which an option has a meaning. */
static const char *case_for(const struct option *o)
{
    return o && o->system && strcmp(o->system, "sediment") == 0 ? "delta" : a_case();
}

/* Options that need another one beside them bring it along here. */
static enum err read_one(struct config *c, const char *option, const char *value)
{
    char argument[FILE_LENGTH + NAME_LENGTH], output[PATH_LENGTH];
    snprintf(argument, sizeof argument, "--%s=%s", option, value);
    scratch_path(output, "a b#\".nc");
    const struct option *o = option_find(run_options, option);
    if (o && o->group == GROUP_OUTPUT && strcmp(option, "output") != 0)
        return READ(c, a_case(), "--output", output, argument);
    return READ(c, case_for(o), argument);
}

/* Settings begin as zero bytes, including the padding between members. */
static int equal(const struct config *a, const struct config *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void check_round_trip(const struct config *c, const char *option, const char *value)
{
    char path[PATH_LENGTH];
    struct config again;
    print_to("printed.ini", c);
    scratch_path(path, "printed.ini");
    ASSERT_READ(READ(&again, path));
    if (!equal(c, &again))
        fail_msg("--%s %s is not the same after --print-config", option, value);
}

static int numeric(const struct option *o)
{
    return o->type == &option_number || o->type == &option_count || o->type == &option_long;
}

static int in_range(const struct option *o, double x)
{
    return x >= o->low && x <= o->high && !(o->above && x <= o->low);
}

/* Numbers of which no digit may be lost, and the ends of the range. */
static void round_trip_numbers(const struct option *o)
{
    static const double numbers[] = {0, 1, 7, 1999, 0.1, 1.0 / 3, 1.3, 9.81, 1e-300, 1.7e300};
    const int whole = o->type != &option_number;
    struct config c;
    char text[NAME_LENGTH];
    int tried = 0;
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0] + 2; k++) {
        const size_t own = sizeof numbers / sizeof numbers[0];
        const double x = k < own ? numbers[k] : k == own ? o->low : o->high;
        if (!in_range(o, x) || (whole && x != floor(x)))
            continue;
        snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", x);
        ASSERT_READ(read_one(&c, o->name, text));
        check_round_trip(&c, o->name, text);
        tried++;
    }
    assert_true(tried >= 2);
}

static void round_trip_text(const struct option *o, const char *text)
{
    struct config c, defaults;
    char back[FILE_LENGTH];
    ASSERT_READ(read_one(&c, o->name, text));
    check_round_trip(&c, o->name, text);
    assert_true(option_format(o, &c, 0, back));
    assert_string_equal(back, text);
    ASSERT_READ(READ(&defaults, case_for(o)));
    if (equal(&c, &defaults) && !(o->initial && strcmp(o->initial, text) == 0))
        fail_msg("--%s %s changed nothing", o->name, text);
}

static void round_trip_names(const struct option *o)
{
    struct catalog known;
    catalog_fill(&known, o->list);
    for (int k = 0; k < known.count; k++)
        round_trip_text(o, known.name[k]);
}

static void round_trip_words(const struct option *o)
{
    static const struct {
        const struct option_type *type;
        const char *text; /* %: a path */
    } tries[] = {
        {&option_flag, "yes"},
        {&option_processor, "x86-64-v3"},
        {&option_path, "%"},
        {&option_field, "%"},
        {&option_field, "0.035"},
        {&option_field, "iif(x < 20 and y > 0, 0.02, 0.05)"},
        {&option_switches, "DIAGONAL=0,PADDING=12"},
        {&option_words, "hu,w"},
        {&option_words, "eta"},
        {&option_edge, "wall"},
        {&option_edge, "periodic"},
        {&option_edge, "discharge:0.1"},
        {&option_edge, "discharge:-1.5"},
        {&option_edge, "depth:1e-300"},
        {&option_edge, "level:-2.25@-1.5..1e+300"},
        {&option_edge, "wall@0.1..0.2"},
        {&option_edge, "inflow:%"},
        {&option_edge, "depth:%@@10..20"},
        {&option_edge, "periodic:-3"},
        {&option_edge, "sand:1e-06,mud:0"},
        {&option_edge, "sand:0.5,mud:%@10..20"},
        {&option_edge, "sediment:-0.25"},
        {&option_pair, "0.6,0.4"},
        {&option_precision, "f32"},
        {&option_precision, "f64"},
        {&option_gauge, "P1,0.1,-3000000.25"},
        {&option_gauge, "the mouth #2,1e-300,0"},
        {&option_source, "drain,-10,1e-300,-0.5"},
        {&option_source, "the mouth #2,0.1,-3000000.25,%,7.5"},
        {&option_source, "leak,1,2,0.5,c=0.25"},
        {&option_section, "bridge,-10,1e-300,0.5,3000000.25"},
        {&option_section, "the mouth #2,0.1,0,7.5,-1"},
        {&option_area, "-1,0,0.1,1e+20"},
        {&option_parts, "4"},
        {&option_parts, "3x2"},
        {&option_parts, "2x1:4:1"},
        {&option_ghost_steps, "substep"},
        {&option_ghost_steps, "4"},
        {&option_tile, "124"},
        {&option_tile, "124x60"},
        {&option_moment, "2026-11-22T06:00:00"},
        {&option_devices, "0,2"},
        {&option_block, "rk0=1024x1"},
        {&option_block, "flux_fgh=32x8"},
    };
    char path[PATH_LENGTH], text[2 * PATH_LENGTH];
    int tried = 0;
    scratch_path(path, "a \\ file # of \"mine\".nc");
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        const size_t before = strcspn(tries[k].text, "%");
        if (tries[k].type != o->type)
            continue;
        snprintf(text, sizeof text, "%s", tries[k].text);
        if (text[before])
            snprintf(text + before, sizeof text - before, "%s%s", path, tries[k].text + before + 1);
        round_trip_text(o, text);
        tried++;
    }
    if (!tried)
        fail_msg("--%s: no value to try", o->name);
}

static void every_option_survives_print_config(void **state)
{
    (void)state;
    for (const struct option *o = run_options; o->name; o++) {
        if (o->only_command_line)
            continue;
        if (numeric(o))
            round_trip_numbers(o);
        else if (o->type == &option_choice)
            for (int k = 0; o->choices[k]; k++)
                round_trip_text(o, o->choices[k]);
        else if (o->type == &option_name)
            round_trip_names(o);
        else
            round_trip_words(o);
    }
}

static void many_options_survive_print_config_together(void **state)
{
    struct config c;
    char output[PATH_LENGTH];
    (void)state;
    scratch_path(output, "out.nc");
    ASSERT_READ(READ(&c, a_case(), "--nx=33", "--block=rk=32x8", "--block=rk1=16x4",
                     "--block=flux_fgh=64x2", "--bc-north=open", "--bc-west=open@1..2",
                     "--bc-west=inflow:/q.txt@3..4", "--bc-south=level:/w.txt", "--theta=1.7",
                     "--quiet", "--gauge=a,1,2", "--gauge=b,3,4", "--output", output));
    assert_int_equal(c.gauge_count, 2);
    assert_int_equal(c.block_count, 3);
    assert_int_equal(c.boundary.count, 4);
    check_round_trip(&c, "all", "");
}

static void an_option_that_is_reset_is_as_if_it_had_not_been_given(void **state)
{
    struct config c, defaults;
    char output[PATH_LENGTH];
    (void)state;
    scratch_path(output, "out.nc");
    ASSERT_READ(READ(&c, a_case(), "--steps=9", "--kappa=0.1", "--bc-west=depth:h.txt",
                     "--mode=strict", "--march=x86-64-v3", "--block=rk=32x8", "--output", output,
                     "--variables=w", "--define=DIAGONAL=1", "--gauge=a,1,2", "--region=0,0,1,1",
                     "--deflate=7", "--quiet"));
    config_defaults(&defaults);
    strcpy(defaults.input, c.input);
    assert_false(equal(&c, &defaults));
    for (const struct option *o = run_options; o->name; o++)
        option_reset(o, &c);
    assert_true(equal(&c, &defaults));
    assert_string_equal(c.define, "");
}

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

/* --devices takes a part on each without it. */
static void one_part_is_told_from_none_requested(void **state)
{
    struct config c;
    char text[FILE_LENGTH];
    const struct option *parts = option_find(run_options, "parts");
    (void)state;
    ASSERT_READ(READ(&c, a_case(), "--devices", "0,1"));
    assert_int_equal(shares_parts(&c.parts), 0);
    assert_false(option_format(parts, &c, 0, text));
    ASSERT_READ(READ(&c, a_case(), "--devices", "0,1", "--parts", "1"));
    assert_int_equal(shares_parts(&c.parts), 1);
    assert_true(option_format(parts, &c, 0, text));
    assert_string_equal(text, "1");
}

static void print_config_names_where_missing_values_come_from(void **state)
{
    char path[PATH_LENGTH], line[FILE_LENGTH];
    struct config c;
    int found = 0;
    (void)state;
    ASSERT_READ(READ(&c, a_case()));
    print_to("unset.ini", &c);
    scratch_path(path, "unset.ini");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        found += strncmp(line, "# kappa: the case's", 19) == 0;
    fclose(f);
    assert_int_equal(found, 1);
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
    assert_true(c.cfl == 0.25);
    ASSERT_READ(READ(&c, "delta"));
    assert_true(c.cfl == 0.9);
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
        cmocka_unit_test(every_option_survives_print_config),
        cmocka_unit_test(many_options_survive_print_config_together),
        cmocka_unit_test(switches_add_up_and_the_later_one_of_a_name_counts),
        cmocka_unit_test(an_option_that_is_reset_is_as_if_it_had_not_been_given),
        cmocka_unit_test(one_part_is_told_from_none_requested),
        cmocka_unit_test(print_config_names_where_missing_values_come_from),
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
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
