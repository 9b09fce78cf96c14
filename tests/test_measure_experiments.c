/* `shoal measure`, and `shoal run --scheme auto`, which takes what it stored. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/registry.h"
#include "core/tuned.h"
#include "experiments/measure/measure.h"
#include "tests/support/database.h"

#define COLUMNS                                                                               \
    "scheme\tcase\tprecision\tnx\tny\trun\tsession\toutcome\treason\tblocks\tsteps\tredone\t" \
    "wall_s\titerations_per_s\tmcells_per_s\n"

struct fault {
    int count;
    char text[PATH_LENGTH + 512];
};

static void note(void *context, const char *path, int line, const char *fault)
{
    struct fault *f = context;
    f->count++;
    snprintf(f->text, sizeof f->text, "%s:%d: %s", path, line, fault);
}

/* The database is sound and has so many rows. */
static void expect_rows_between(int least, int most)
{
    char path[PATH_LENGTH];
    struct db_checked sum;
    struct fault f = {0};
    scratch_path(path, "db");
    assert_fine(db_check(path, note, &f, &sum));
    if (f.count)
        fail_msg("%d faults: %s", f.count, f.text);
    assert_in_range(sum.rows, least, most);
}

static void expect_rows(int rows)
{
    expect_rows_between(rows, rows);
}

static int count_schemes(int split_only)
{
    int n = 0;
    for (int k = 0; schemes[k]; k++)
        n += !split_only || schemes[k]->split;
    return n;
}

#define MEASURE(...) SHOAL("measure", __VA_ARGS__, "--backend", "cpu", "--threads", "1")

static void schemes_are_timed_five_times_each_and_auto_takes_one_of_second_order(void **state)
{
    (void)state;
    MEASURE("schemes", "--nx", "32");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "fastest of second order: ");
    expect_rows(5 * count_schemes(0));
    char fastest[64], said[128];
    assert_int_equal(sscanf(strstr(result.out, "order: "), "order: %63s", fastest), 1);
    assert_true(find_scheme(fastest)->order_time >= 2);
    SHOAL("run", "circular-dam", "--scheme", "auto", "--backend", "cpu", "--threads", "1", "--nx",
          "32", "--steps", "2");
    ASSERT_STATUS(0);
    snprintf(said, sizeof said, " scheme=%s ", fastest);
    ASSERT_HAS(result.out, said);
    snprintf(said, sizeof said, "scheme %s, because: the fastest of", fastest);
    ASSERT_HAS(result.err, said);
    ASSERT_HAS(result.err, "at 32x32");
    assert_null(strstr(result.out, "auto"));
    MEASURE("schemes", "--nx", "32"); /* a session of its own */
    ASSERT_STATUS(0);
    expect_rows(10 * count_schemes(0));
}

static void accuracy_gives_errors_that_fall_with_the_cells(void **state)
{
    (void)state;
    MEASURE("accuracy", "--nx", "32", "--precision", "f64");
    ASSERT_STATUS(0);
    /* Two cases, four sizes, up to three runs. */
    const int least = 2 * 4 * count_schemes(0);
    expect_rows_between(least, 3 * least);
    ASSERT_HAS(result.out, "circular-dam, f64");
    ASSERT_HAS(result.out, "to L1 h = ");
    assert_null(strstr(result.out, "f32"));
    for (int k = 0; schemes[k]; k++) {
        double l1[4];
        char line[64];
        snprintf(line, sizeof line, "\n%-8s", schemes[k]->name);
        const char *at = strstr(strstr(result.out, "circular-dam, f64"), line);
        assert_non_null(at);
        char *next;
        at += 9;
        for (int m = 0; m < 4; m++) {
            assert_int_equal(strtol(at, &next, 10), 4 << m);
            l1[m] = strtod(next, &next);
            assert_true(strtod(next, &next) > 0); /* s */
            at = next;
        }
        assert_true(l1[3] > 0 && l1[3] < l1[2] && l1[2] < l1[1]);
    }
    MEASURE("accuracy", "--nx", "12");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "multiple of 8");
}

static void the_factor_of_the_time_step_is_measured_for_split_schemes_alone(void **state)
{
    (void)state;
    MEASURE("dt_factor", "--nx", "32");
    ASSERT_STATUS(0);
    expect_rows(2 * 9 * 3 * count_schemes(1));
    for (int k = 0; schemes[k]; k++) {
        char name[64];
        snprintf(name, sizeof name, ", %s, f32", schemes[k]->name);
        assert_int_equal(strstr(result.out, name) != NULL, schemes[k]->split);
    }
    /* What is tried is less than what is allowed: more steps. */
    const unsigned long half = strtoul(strstr(result.out, "\n  0.50") + 7, NULL, 10);
    const unsigned long most = strtoul(strstr(result.out, "\n  0.95") + 7, NULL, 10);
    assert_true(half > most && most > 0);
}

/* More than a real can hold. */
static struct forcing violent(double x, double y)
{
    (void)x, (void)y;
    return (struct forcing){.hu = 1e37};
}

static void a_run_that_breaks_down_is_a_row_with_its_reason(void **state)
{
    (void)state;
    struct flow_case c = *find_case("sine");
    struct measure m = {.setup = {.backend = CPU, .threads = 1}, .session = "0000000a"};
    struct whole_run r = {.flow_case = &c,
                          .scheme = find_scheme("rk2"),
                          .precision = F32,
                          .n = 16,
                          .cfl = (double)NAN,
                          .dt_factor = (double)NAN};
    struct db_cells t;
    char hash[DB_HASH + 1], path[PATH_LENGTH];
    c.forcing = violent;
    assert_fine(measure_run(&m, &r));
    assert_int_equal(r.outcome, DB_WRONG_ANSWER);
    assert_true(strlen(r.reason) > 10);
    hash_manifest(hash);
    build_environment("made-up-9", hash, MANIFEST);
    scratch_path(path, inside("flux_fgh0"));
    assert_int_equal(rmdir(path), 0);
    scratch_folder(inside("experiments"));
    scratch_path(m.folder, home);
    assert_fine(measure_row(&m, &experiment_schemes, &r, "rk2\tsine\tf32\t16\t16\t1",
                            "tuned\t0\t0\t0.0\t0.0\t0.0"));
    expect_rows(1);
    scratch_path(path, inside("experiments/schemes.tsv"));
    assert_fine(db_cells_read(path, &t));
    assert_string_equal(db_cells_at(&t, 1, db_cells_column(&t, "outcome")), "wrong-answer");
    assert_string_equal(db_cells_at(&t, 1, db_cells_column(&t, "wall_s")), "-");
    assert_string_equal(db_cells_at(&t, 1, db_cells_column(&t, "reason")), r.reason);
    db_cells_free(&t);
    r.n = 1 << 20; /* more than any machine has room for */
    assert_fine(measure_run(&m, &r));
    assert_int_equal(r.outcome, DB_CONSTRAINT);
}

static void wrong_usage_says_what_there_is(void **state)
{
    (void)state;
    MEASURE("nosuch");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "unknown experiment 'nosuch'");
    MEASURE("--nx", "64");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "name an experiment");
    MEASURE("schemes", "--precision", "f16");
    ASSERT_STATUS(2);
    SHOAL("measure", "schemes", "--backend", "gpu");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "unknown backend 'gpu'");
    expect_rows(0);
}

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
    const struct tuned_for run = {&info, n, n};
    assert_fine(tuned_scheme(&run, p, &s));
    assert_string_equal(s->name, name);
}

#define ROW(scheme, p, n, run, session, wall)                                               \
    scheme "\tsine\t" p "\t" n "\t" n "\t" run "\t" session "\tok\t-\ttuned\t150\t0\t" wall \
           "\t1.000\t1.00\n"

static void auto_takes_the_least_median_at_the_nearest_size(void **state)
{
    (void)state;
    expect_scheme("Made Up 9", "sm_90", F32, 64, "rk2");
    add_schemes(
        COLUMNS
            /* ds2 once had luck; euler is of first order */
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
    expect_scheme("Made Up 9", "sm_90", F32, 64, "ds2"); /* c is no session of the manifest */
}

static void what_failed_or_is_malformed_is_a_miss(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "",
        "\n\n",
        "nonsense",
        "scheme\tprecision\nsrk2\tf32\n",
        COLUMNS "srk2\tsine\tf32\n",
        COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "fast"),
        COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "-1.0"),
        COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "nan"),
        COLUMNS ROW("srk2", "f32", "-", "1", "0000000a", "1.0"),
        COLUMNS ROW("nosuch", "f32", "64", "1", "0000000a", "1.0"),
        COLUMNS
        "srk2\tsine\tf32\t64\t64\t1\t0000000a\twrong-answer\tit broke down\t-\t-\t-\t-\t-\t-\n",
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
        WITH_DATABASE(schemes_are_timed_five_times_each_and_auto_takes_one_of_second_order),
        WITH_DATABASE(accuracy_gives_errors_that_fall_with_the_cells),
        WITH_DATABASE(the_factor_of_the_time_step_is_measured_for_split_schemes_alone),
        WITH_DATABASE(a_run_that_breaks_down_is_a_row_with_its_reason),
        WITH_DATABASE(wrong_usage_says_what_there_is),
        WITH_DATABASE(auto_takes_the_least_median_at_the_nearest_size),
        WITH_DATABASE(a_later_session_counts),
        WITH_DATABASE(what_failed_or_is_malformed_is_a_miss),
        WITH_DATABASE(auto_is_a_setting_and_never_a_result),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
