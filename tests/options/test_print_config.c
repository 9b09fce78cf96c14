/* The settings of a run as --print-config prints them: read again, they are the same. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/run_options.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_survives_print_config),
        cmocka_unit_test(many_options_survive_print_config_together),
        cmocka_unit_test(an_option_that_is_reset_is_as_if_it_had_not_been_given),
        cmocka_unit_test(one_part_is_told_from_none_requested),
        cmocka_unit_test(print_config_names_where_missing_values_come_from),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_remove);
}
