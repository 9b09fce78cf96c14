/* `shoal run --scheme auto`: how it chooses from the stored runs. */
#include "tests/support/test.h"

#include "core/db/tuned.h"
#include "core/netcdf/netcdf_file.h"
#include "tests/support/database.h"
#include "tests/support/scheme_rows.h"

static void add_table(const char *experiment, const char *text)
{
    char name[PATH_LENGTH];
    snprintf(name, sizeof name, "%s/%s.tsv", inside("experiments"), experiment);
    scratch_write(name, "w", text);
}

/* made-up-9, of compute capability 9.0, with a table of schemes. */
static void add_schemes(const char *text)
{
    char hash[DB_HASH + 1];
    hash_manifest(hash);
    build_environment("made-up-9", hash, MANIFEST);
    scratch_folder(inside("experiments"));
    add_table("schemes", text);
}

static const struct scheme *chosen(const char *device, const char *target, int n,
                                   const struct tuned_wish *wish)
{
    struct device_info info = {.units = 1};
    const struct scheme *s = NULL;
    snprintf(info.name, sizeof info.name, "%s", device);
    snprintf(info.target, sizeof info.target, "%s", target);
    const struct tuned_for run = {&info, n, n, 0};
    assert_fine(tuned_scheme(&run, wish, &s));
    return s;
}

/* A run that gives no Courant number. */
static struct config config_of(enum precision p)
{
    struct config c;
    config_defaults(&c);
    c.precision = (int)p;
    c.cfl = (double)NAN;
    return c;
}

static void expect_scheme(const char *device, const char *target, enum precision p, int n,
                          const char *name)
{
    const struct config c = config_of(p);
    assert_string_equal(chosen(device, target, n, &(struct tuned_wish){.config = &c})->name, name);
}

static void expect_with(const struct tuned_wish *wish, const char *name)
{
    assert_string_equal(chosen("Made Up 9", "sm_90", 64, wish)->name, name);
}

static void auto_takes_the_least_median_at_the_nearest_size(void **state)
{
    (void)state;
    expect_scheme("Made Up 9", "sm_90", F32, 64, "rk2");
    add_schemes(
        COLUMNS
            /* ds2 was lucky once; euler is of first order */
            ROW("ds2", "f32", "1024", "1", "0000000a", "0.010000")
                ROW("ds2", "f32", "1024", "2", "0000000a", "9.000000")
                    ROW("ds2", "f32", "1024", "3", "0000000a", "9.000000")
                        ROW("euler", "f32", "1024", "1", "0000000a", "0.001000")
                            ROW("rk2", "f32", "1024", "1", "0000000a", "2.000000")
                                ROW("srk2", "f32", "1024", "1", "0000000a", "1.000000")
                                    ROW("ds2", "f32", "4096", "1", "0000000a", "1.000000")
                                        ROW("srk2", "f32", "4096", "1", "0000000a", "2.000000")
                                            ROW("rk2", "f32", "4096", "1", "0000000a", "3.000000"));
    expect_scheme("Made Up 9", "sm_90", F32, 1024, "srk2");
    expect_scheme("Made Up 9", "sm_90", F32, 100, "srk2");
    expect_scheme("Made Up 9", "sm_90", F32, 4096, "ds2");
    expect_scheme("Made Up 9", "sm_90", F32, 3000, "ds2");
    expect_scheme("Made Up 9", "sm_90", F64, 1024, "rk2");
    expect_scheme("Made Up 10", "sm_90", F32, 4096, "ds2");
    expect_scheme("Made Up 10", "sm_80", F32, 4096, "rk2");
    expect_scheme("Made Up 10", "native", F32, 4096, "rk2");
}

static void a_later_session_counts(void **state)
{
    (void)state;
    add_schemes(COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "0.100000")
                    ROW("rk2", "f32", "64", "1", "0000000b", "0.300000")
                        ROW("ds2", "f32", "64", "1", "0000000b", "0.200000")
                            ROW("srk2", "f32", "64", "1", "0000000b", "0.900000")
                                ROW("srk2", "f32", "64", "1", "0000000c", "0.000100"));
    expect_scheme("Made Up 9", "sm_90", F32, 64, "ds2"); /* no session c exists */
}

/* Made before there was hancock. */
static void a_nearer_size_without_a_scheme_does_not_count(void **state)
{
    (void)state;
    add_schemes(COLUMNS ROW("rk2", "f32", "64", "1", "0000000a", "0.300000")
                    ROW("srk2", "f32", "64", "1", "0000000a", "0.100000")
                        ROW("rk2", "f32", "1024", "1", "0000000b", "3.000000")
                            ROW("srk2", "f32", "1024", "1", "0000000b", "1.000000")
                                ROW("hancock", "f32", "1024", "1", "0000000b", "0.900000")
                                    ROW("rk2", "f32", "512", "1", "0000000b", "0.100000"));
    expect_scheme("Made Up 9", "sm_90", F32, 64, "hancock");
    expect_scheme("Made Up 9", "sm_90", F32, 1024, "hancock");
    expect_scheme("Made Up 9", "sm_90", F32, 512, "hancock");
}

static void what_was_measured_otherwise_does_not_count(void **state)
{
    (void)state;
    add_schemes(COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "0.300000") ROW_WITH(
        "ds2", "f32", "strict", "tuned", "64", "1", "0000000a", "0.100000")
                    ROW_WITH("rk2", "f32", "fast", "default", "64", "1", "0000000a", "0.100000"));
    expect_scheme("Made Up 9", "sm_90", F32, 64, "srk2");
}

static void what_failed_or_is_malformed_is_a_miss(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "",
        "\n\n",
        "nonsense",
        "scheme\tprecision\nsrk2\tf32\n",
        COLUMNS "sine\tsrk2\tf32\n",
        COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "fast"),
        COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "-1.0"),
        COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "nan"),
        COLUMNS ROW("srk2", "f32", "-", "1", "0000000a", "1.0"),
        COLUMNS ROW_AT("srk2", "-", "1.0"),
        COLUMNS ROW("nosuch", "f32", "64", "1", "0000000a", "1.0"),
        COLUMNS "sine\tsrk2\tf32\tfast\t64\t64\t0.25\t-\tminmod\toff\ttuned\t-\t1\t0000000a\t"
                "wrong-answer\tit broke down\t-\t-\t-\t-\t-\t-\t-\t-\n",
    };
    add_schemes(COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "1.000000"));
    expect_scheme("Made Up 9", "sm_90", F32, 64, "srk2");
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        scratch_write(inside("experiments/schemes.tsv"), "w", tables[k]);
        expect_scheme("Made Up 9", "sm_90", F32, 64, "rk2");
    }
}

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

static void expect_by(double cfl, double dt, const char *flux, const char *name)
{
    struct config c = config_of(F32);
    c.cfl = cfl;
    c.dt = dt;
    snprintf(c.flux, sizeof c.flux, "%s", flux);
    expect_with(&(struct tuned_wish){.config = &c}, name);
}

/* Steps at 0.45 are 1.8 times as long as those that were timed at 0.25. lax_friedrichs is unstable beyond 1/4. */
static void what_counts_is_the_time_at_the_courant_number_of_the_run(void **state)
{
    static const char usual[] = "central_upwind";
    const double none = (double)NAN;
    (void)state;
    add_schemes(COLUMNS ROW_AT("rk2_fused", "0.25", "1.000000")
                    ROW_AT("hancock", "0.25", "1.700000") ROW_AT("rk2", "0.25", "2.000000"));
    expect_by(none, none, usual, "hancock");
    expect_by(0.25, none, usual, "rk2_fused");
    expect_by(0.45, none, usual, "rk2_fused");
    expect_by(none, 1e-3, usual, "rk2_fused"); /* equal steps */
    expect_by(none, none, "lax_friedrichs", "rk2_fused");
    add_table("schemes", COLUMNS ROW_AT("rk2_fused", "0.25", "1.000000")
                             ROW_AT("hancock", "0.45", "0.990000"));
    expect_by(none, none, usual, "hancock");
    add_table("schemes", COLUMNS ROW_AT("rk2_fused", "0.25", "1.000000")
                             ROW_AT("hancock", "0.45", "1.010000"));
    expect_by(none, none, usual, "rk2_fused");
}

/* An error 1.2 times as large costs 1.2 to the power 3/2, which is 1.31. */
static void a_larger_error_costs_the_time_to_mend_it(void **state)
{
    (void)state;
    const struct config c = config_of(F32), f64 = config_of(F64);
    const struct tuned_wish wish = {.config = &c};
    add_schemes(COLUMNS ROW("rk2_fused", "f32", "64", "1", "0000000a", "1.000000")
                    ROW("srk2", "f32", "64", "1", "0000000a", "0.780000")
                        ROW("rk2_fused", "f64", "64", "1", "0000000a", "1.000000")
                            ROW("srk2", "f64", "64", "1", "0000000a", "0.780000"));
    expect_with(&wish, "srk2");
#define STANDARD                                                                     \
    ERROR_ROW("vortex", "rk2", "f32", "32", "0.25", "1", "0000000b", "2.0e-3")       \
    ERROR_ROW("vortex", "rk2_fused", "f32", "32", "0.25", "1", "0000000b", "2.0e-3") \
    ERROR_ROW("gauss", "rk2", "f32", "32", "0.25", "1", "0000000b", "5.0e-1")
    add_table("accuracy", COLUMNS STANDARD ERROR_ROW("vortex", "srk2", "f32", "32", "0.25", "1",
                                                     "0000000b", "2.4e-3"));
    expect_with(&wish, "rk2_fused");
    expect_with(&(struct tuned_wish){.config = &f64}, "srk2"); /* no errors in f64 */
    add_table("accuracy", COLUMNS STANDARD ERROR_ROW("vortex", "srk2", "f32", "32", "0.25", "1",
                                                     "0000000b", "2.3e-3"));
    expect_with(&wish, "srk2"); /* 0.78 times 1.23 */
    /* the mean over flows: 1.2 and 0.9 */
    add_table(
        "accuracy",
        COLUMNS STANDARD ERROR_ROW("vortex", "srk2", "f32", "32", "0.25", "1", "0000000b", "2.4e-3")
            ERROR_ROW("gauss", "srk2", "f32", "32", "0.25", "1", "0000000b", "4.5e-1"));
    expect_with(&wish, "srk2");
    /* 1.5 and 1 */
    add_table(
        "accuracy",
        COLUMNS STANDARD ERROR_ROW("vortex", "srk2", "f32", "32", "0.25", "1", "0000000b", "3.0e-3")
            ERROR_ROW("gauss", "srk2", "f32", "32", "0.25", "1", "0000000b", "5.0e-1"));
    expect_with(&wish, "rk2_fused");
    /* neither another Courant number's, nor another size's, nor an older session's, nor one's that is not recorded */
    add_table(
        "accuracy",
        COLUMNS STANDARD ERROR_ROW("vortex", "srk2", "f32", "32", "0.45", "1", "0000000b", "9.0e-3")
            ERROR_ROW("vortex", "srk2", "f32", "64", "0.25", "1", "0000000b", "9.0e-3")
                ERROR_ROW("vortex", "srk2", "f32", "32", "0.25", "1", "0000000a", "9.0e-3")
                    ERROR_ROW("vortex", "srk2", "f32", "32", "0.25", "1", "0000000c", "9.0e-3"));
    expect_with(&wish, "srk2");
    add_table("accuracy", "nonsense");
    expect_with(&wish, "srk2");
}

static int not_hancock(const void *context, const struct scheme *s)
{
    (void)context;
    return strcmp(s->name, "hancock") != 0;
}

static void a_scheme_that_does_not_suit_the_run_is_left_out(void **state)
{
    (void)state;
    const struct config c = config_of(F32);
    const struct tuned_wish any = {.config = &c}, choosy = {.config = &c, .suits = not_hancock};
    add_schemes(COLUMNS ROW_AT("hancock", "0.45", "1.000000") ROW_AT("srk2", "0.25", "3.000000")
                    ROW_AT("ds2", "0.25", "4.000000"));
    expect_with(&any, "hancock");
    expect_with(&choosy, "srk2");
    add_table("schemes", COLUMNS ROW_AT("hancock", "0.45", "1.000000"));
    expect_with(&any, "hancock");
    expect_with(&choosy, "rk2");
}

/* This CPU prefers hancock. */
static void prefer_hancock(void)
{
    build_for_this_cpu(0);
    add_table("schemes", COLUMNS ROW_AT("hancock", "0.25", "1.000000")
                             ROW_AT("rk2_fused", "0.25", "1.500000"));
    add_table("accuracy",
              COLUMNS ERROR_ROW("vortex", "rk2", "f32", "32", "0.25", "1", "0000000a", "1.0e-3")
                  ERROR_ROW("vortex", "hancock", "f32", "32", "0.45", "1", "0000000a", "8.1e-4"));
}

#define RUN_AUTO "run", "circular-dam", "--scheme=auto", "--backend=cpu", "--nx=32", "--steps=2"

static void runs_take_hancock_and_its_courant_number_and_say_why(void **state)
{
    (void)state;
    char first[512], names[256];
    prefer_hancock();
    SHOAL(RUN_AUTO);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=hancock ");
    /* 1.5 times 1.8 over 0.81 to the power 3/2 */
    ASSERT_HAS(result.err, "scheme hancock: the fastest of 2 of second order to a given error on "
                           "this device at 64x64, at a Courant number of 0.45, with 0.81 of the "
                           "errors of rk2; rk2_fused, the next, takes 3.70 times as long");
    ASSERT_HAS(result.err, "; `shoal measure schemes --precision f32` measures all");
    const char *missing = strstr(result.err, "not measured there: ");
    assert_non_null(missing);
    snprintf(names, sizeof names, "%.*s", (int)strcspn(missing, ";"), missing);
    ASSERT_HAS(names, "srk2");
    assert_null(strstr(names, "hancock"));
    snprintf(first, sizeof first, "%.*s", (int)strcspn(strstr(result.out, " t="), "w"),
             strstr(result.out, " t="));
    add_table("schemes",
              COLUMNS ROW_AT("hancock", "0.25", "1.000000") ROW_AT("rk2_fused", "0.25", "-"));
    SHOAL(RUN_AUTO);
    ASSERT_HAS(result.out, "scheme=hancock ");
    assert_int_equal(count_of(result.err, "a row of scheme rk2_fused has no size, no Courant"), 1);
    SHOAL("run", "circular-dam", "--scheme=hancock", "--backend=cpu", "--nx=32", "--steps=2");
    ASSERT_HAS(result.out, first);
    SHOAL(RUN_AUTO, "--cfl=0.25");
    ASSERT_HAS(result.out, "scheme=hancock ");
    assert_null(strstr(result.out, first));
    ASSERT_HAS(result.err, "at a Courant number of 0.25");
}

/* Where another scheme would take turns with rk2. */
static void hancock_makes_all_steps_and_says_why(void **state)
{
    (void)state;
    prefer_hancock();
    SHOAL(RUN_AUTO, "--nx=256");
    ASSERT_HAS(result.out, "scheme=hancock ");
    ASSERT_HAS(result.err,
               "scheme hancock makes all steps: its steps are longer than those of rk2 may be");
    SHOAL(RUN_AUTO, "--nx=256", "--cfl=0.25");
    ASSERT_HAS(result.out, "scheme=hancock ");
    ASSERT_HAS(result.err, "scheme hancock makes all steps: a step of rk2 would leave the rates "
                           "that it keeps out of date");
}

static void runs_that_hancock_refuses_are_by_another_scheme(void **state)
{
    (void)state;
    prefer_hancock();
    SHOAL(RUN_AUTO, "--positivity=draining");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=rk2_fused ");
    ASSERT_HAS(result.err, "the fastest of 1 of second order");
    SHOAL(RUN_AUTO, "--tracer=0.5");
    ASSERT_STATUS(0);
    assert_null(strstr(result.out, "scheme=hancock "));
    SHOAL(RUN_AUTO, "--precision=f64");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=rk2 ");
    ASSERT_HAS(result.err, "scheme rk2, the default: none is measured for this device in f64: "
                           "`shoal measure schemes --precision f64`");
    SHOAL("run", "delta", "--scheme=auto", "--nx=20", "--steps=1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=basin_cons ");
}

/* A split scheme transposes the whole domain. */
static void runs_in_tiles_are_by_a_scheme_that_can(void **state)
{
    (void)state;
    build_for_this_cpu(0);
    add_table("schemes",
              COLUMNS ROW_AT("ds2", "0.25", "1.000000") ROW_AT("rk2_fused", "0.25", "1.500000"));
    SHOAL(RUN_AUTO);
    ASSERT_HAS(result.out, "scheme=ds2 ");
    SHOAL(RUN_AUTO, "--tile=16");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=rk2_fused ");
    SHOAL(RUN_AUTO, "--domain=sparse", "--early-exit=on");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=rk2_fused ");
    assert_null(strstr(result.err, "has no early exit"));
}

#ifdef HAVE_NETCDF
/* A sparse domain goes by early exit, and never times it. */
static void a_sparse_run_may_keep_checkpoints(void **state)
{
    (void)state;
    if (!ncfile_available())
        skip();
    SHOAL(RUN_AUTO, "--domain=sparse", "--checkpoint=1", "--output=o.nc");
    ASSERT_STATUS(0);
}

static void a_section_is_computed_by_another_scheme(void **state)
{
    (void)state;
    if (!ncfile_available())
        skip();
    prefer_hancock();
    SHOAL(RUN_AUTO, "--section=middle,-5,0,5,0", "--output=o.nc");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=rk2_fused ");
}
#endif

static void auto_is_a_setting_and_never_a_result(void **state)
{
    (void)state;
    SHOAL("run", "circular-dam", "--scheme", "auto", "--backend", "cpu", "--nx", "32", "--steps",
          "2", "--print-config");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme = auto");
    ASSERT_HAS(result.out, "# cfl: the scheme's\n");
    scratch_write("auto.ini", "w", result.out);
    SHOAL("run", "auto.ini");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=rk2");
    ASSERT_HAS(result.err, "scheme rk2, the default");
    SHOAL("verify", "--scheme", "auto", "--quick");
    ASSERT_STATUS(2);
    SHOAL("run", "circular-dam", "--scheme", "aut");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "did you mean 'auto'?");
}

#define WITH_DATABASE(test) \
    cmocka_unit_test_setup_teardown(test, use_empty_database, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(auto_takes_the_least_median_at_the_nearest_size),
        WITH_DATABASE(a_later_session_counts),
        WITH_DATABASE(a_nearer_size_without_a_scheme_does_not_count),
        WITH_DATABASE(what_was_measured_otherwise_does_not_count),
        WITH_DATABASE(what_failed_or_is_malformed_is_a_miss),
        WITH_DATABASE(what_counts_is_the_time_at_the_courant_number_of_the_run),
        WITH_DATABASE(a_larger_error_costs_the_time_to_mend_it),
        WITH_DATABASE(a_scheme_that_does_not_suit_the_run_is_left_out),
        WITH_DATABASE(runs_take_hancock_and_its_courant_number_and_say_why),
        WITH_DATABASE(hancock_makes_all_steps_and_says_why),
        WITH_DATABASE(runs_that_hancock_refuses_are_by_another_scheme),
        WITH_DATABASE(runs_in_tiles_are_by_a_scheme_that_can),
#ifdef HAVE_NETCDF
        WITH_DATABASE(a_sparse_run_may_keep_checkpoints),
        WITH_DATABASE(a_section_is_computed_by_another_scheme),
#endif
        WITH_DATABASE(auto_is_a_setting_and_never_a_result),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
