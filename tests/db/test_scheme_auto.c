/* `shoal run --scheme auto`: how it chooses from the stored runs. */
#include "tests/support/test.h"

#include "core/db/tuned.h"
#include "tests/support/database.h"
#include "tests/support/scheme_rows.h"

/* made-up-9, of compute capability 9.0, with a table of schemes. */
static void add_schemes(const char *text)
{
    char hash[DB_HASH + 1], name[PATH_LENGTH];
    hash_manifest(hash);
    build_environment("made-up-9", hash, MANIFEST);
    scratch_folder(inside("experiments"));
    snprintf(name, sizeof name, "%s", inside("experiments/schemes.tsv"));
    scratch_write(name, "w", text);
}

static void expect_scheme(const char *device, const char *target, enum precision p, int n,
                          const char *name)
{
    struct device_info info = {.units = 1};
    const struct scheme *s = NULL;
    snprintf(info.name, sizeof info.name, "%s", device);
    snprintf(info.target, sizeof info.target, "%s", target);
    const struct tuned_for run = {&info, n, n, 0};
    assert_fine(tuned_scheme(&run, p, &s));
    assert_string_equal(s->name, name);
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
                                        ROW("srk2", "f32", "4096", "1", "0000000a", "2.000000"));
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

static void auto_is_a_setting_and_never_a_result(void **state)
{
    (void)state;
    SHOAL("run", "circular-dam", "--scheme", "auto", "--backend", "cpu", "--nx", "32", "--steps",
          "2", "--print-config");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme = auto");
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
        WITH_DATABASE(what_was_measured_otherwise_does_not_count),
        WITH_DATABASE(what_failed_or_is_malformed_is_a_miss),
        WITH_DATABASE(auto_is_a_setting_and_never_a_result),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
