/* Runs that are measured for `shoal verify`: numbers, times, digests, files. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "core/registry/registry.h"
#include "tests/support/near.h"
#include "tests/support/scratch.h"
#include "verification/run/measure.h"

/* A case to be measured: a registered one with questions from the test. */
static const struct check checks[] = {{.norm = &norm_l1_h},
                                      {.norm = &norm_l1_q},
                                      {.norm = &norm_l1_h, .at = 2},
                                      {.norm = &norm_level},
                                      {.norm = NULL}};
static const struct published others[] = {
    {.norm = &norm_l1_q}, {.norm = &norm_discharge}, {.norm = NULL}};
enum { NORMS = 4 };

static struct verification asked;

static struct flow_case asking(const char *name, int snapshots, double t_end)
{
    struct flow_case c = *find_case(name);
    asked = (struct verification){.checks = checks, .published = others, .snapshots = snapshots};
    c.verify = &asked;
    c.t_end = t_end > 0 ? t_end : c.t_end;
    return c;
}

static struct run run_of(const struct flow_case *c, int n)
{
    return (struct run){c,
                        {.scheme = "rk2", .limiter = "minmod", .precision = F64, .mode = STRICT},
                        n,
                        (double)NAN};
}

static struct measured measured(const struct run *r, const char *folder)
{
    struct measured m;
    char name[256];
    run_name(r, name);
    if (run_measure(r, folder, &m))
        fail_msg("%s: %s", name, err_message());
    return m;
}

/* The bands of an independent implementation at 100 x 100 cells are 1.32e-2, 2.44e-2 and 4.76e-2. */
static void a_basin_is_measured(void **state)
{
    (void)state;
    const struct flow_case c = asking("parabola", 4, 0);
    struct run r = run_of(&c, 50);
    const struct norm *list[CASE_NORMS];
    assert_int_equal(case_norms(&c, list), NORMS);
    assert_ptr_equal(list[0], &norm_l1_h);
    assert_ptr_equal(list[3], &norm_discharge);
    const struct measured m = measured(&r, NULL), again = measured(&r, NULL);
    assert_int_equal(m.snapshots, 4);
    for (int k = 0; k < 4; k++)
        ASSERT_NEAR(m.t[k], c.t_end * (k + 1) / 4, 0);
    for (int k = 1; k < 4; k++)
        assert_true(m.value[0][k - 1] < m.value[0][k]);
    ASSERT_NEAR(m.value[0][3], 0.085, 0.03);
    ASSERT_NEAR(m.mass_error, 0, 1e-12);
    assert_true(m.least_depth >= 0 && m.clipped >= 0 && m.clipped < 1e-6);
    assert_true(m.dt_min > 0 && m.dt_min <= m.dt_max && m.steps > 100 && m.seconds > 0);
    assert_true(isnan(m.steady_at));
    assert_true(m.nx == 50 && m.ny == 50);
    ASSERT_NEAR(m.kappa, 0.02, 1e-15); /* grows with the cells */
    assert_memory_equal(m.value, again.value, sizeof m.value);
    assert_string_equal(m.digest, again.digest);
    r.variant.precision = F32;
    const struct measured single = measured(&r, NULL);
    ASSERT_NEAR(single.value[0][3], m.value[0][3], 0.05 * m.value[0][3]);
    assert_string_not_equal(single.digest, m.digest);
    r.variant.precision = F64;
    r.kappa = 0.05;
    const struct measured blunt = measured(&r, NULL);
    ASSERT_NEAR(blunt.kappa, 0.05, 0);
    assert_string_not_equal(blunt.digest, m.digest);
}

static void a_digest_tells_limiters_apart(void **state)
{
    (void)state;
    const struct flow_case c = asking("circular-dam", 2, 0.5);
    struct run r = run_of(&c, 40);
    const struct measured m = measured(&r, NULL);
    assert_true(isnan(m.value[0][0])); /* there is no reference */
    assert_true(m.value[3][1] > 0.5);
    snprintf(r.variant.limiter, sizeof r.variant.limiter, "superbee");
    const struct measured other = measured(&r, NULL);
    assert_string_not_equal(m.digest, other.digest);
}

static double deep(double x, double y)
{
    return -2 + 0.3 * sin(x) * cos(y);
}

static void a_run_ends_when_the_flow_is_steady(void **state)
{
    (void)state;
    struct flow_case c = asking("lake", 10, 5);
    c.bed = deep;
    asked.steady = 1e-6;
    struct run r = run_of(&c, 16);
    const struct measured lake = measured(&r, NULL);
    assert_int_equal(lake.snapshots, 2);
    ASSERT_NEAR(lake.steady_at, 1, 0);
    ASSERT_NEAR(lake.t[9], 1, 0); /* the later ones count as the last */
    for (int k = 0; k < 10; k++)
        ASSERT_NEAR(lake.value[2][k], 0, 0);
    assert_true(lake.value[0][1] > 0); /* bed of corner means against the true one */
    ASSERT_NEAR(lake.value[0][9], lake.value[0][1], 0);
    c = asking("circular-dam", 5, 1);
    asked.steady = 1e-6;
    const struct measured dam = measured(&r, NULL);
    assert_int_equal(dam.snapshots, 5);
    assert_true(isnan(dam.steady_at));
}

/* A channel has one row, however many cells it is divided into. */
static void a_channel_has_one_row(void **state)
{
    (void)state;
    struct flow_case c = asking("circular-dam", 1, 0.5);
    c.ny = 1;
    c.ly = 1;
    c.y0 = -0.5;
    struct run r = run_of(&c, 80);
    const struct measured m = measured(&r, NULL);
    assert_true(m.nx == 80 && m.ny == 1);
    ASSERT_NEAR(m.mass_error, 0, 1e-13);
}

/* Lines of a file, and the columns of the first one; all must have as many. */
static int lines(const char *name, const char *header, int columns)
{
    char path[PATH_LENGTH], line[1024];
    int n = 0;
    scratch_path(path, name);
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("there is no %s", path);
    while (fgets(line, sizeof line, f)) {
        int tabs = 0;
        for (const char *p = line; *p; p++)
            tabs += *p == '\t';
        if (n++ == 0)
            assert_string_equal(line, header);
        if (tabs + 1 != columns)
            fail_msg("%s, line %d: %d columns", name, n, tabs + 1);
        if (strstr(line, "-nan") || (strstr(name, "circular") && n > 1 && !strstr(line, "nan")))
            fail_msg("%s, line %d: what has no reference must be nan: %s", name, n, line);
    }
    fclose(f);
    return n;
}

static void files_for_figures_are_left(void **state)
{
    (void)state;
    static const char profile[] = "t\tx\tbed\tw\th\thu\thv\trh\trhu\trhv\n";
    static const char series[] = "t\tL1 h\tL1 q\tlevel\tdischarge\n";
    struct flow_case c = asking("parabola", 3, 600);
    asked.scatter = 1;
    struct run r = run_of(&c, 20);
    measured(&r, scratch);
    assert_int_equal(lines("parabola.rk2.minmod.f64.cpu.20.profile.tsv", profile, 10), 1 + 3 * 20);
    assert_int_equal(lines("parabola.rk2.minmod.f64.cpu.20.series.tsv", series, 1 + NORMS), 1 + 3);
    assert_int_equal(lines("parabola.rk2.minmod.f64.cpu.20.cells.tsv",
                           "x\ty\tbed\tw\th\thu\thv\trh\trhu\trhv\n", 10),
                     1 + 400);
    c = asking("circular-dam", 2, 0.1);
    measured(&r, scratch);
    assert_int_equal(lines("circular-dam.rk2.minmod.f64.cpu.20.profile.tsv", profile, 10), 1 + 40);
    char path[PATH_LENGTH];
    scratch_path(path, "circular-dam.rk2.minmod.f64.cpu.20.cells.tsv");
    assert_int_equal(access(path, F_OK), -1); /* nothing was asked */
}

static void files_have_the_unknowns_of_the_system(void **state)
{
    (void)state;
    struct flow_case c = *find_case("basin-steady");
    struct run r = run_of(&c, 20);
    snprintf(r.variant.scheme, sizeof r.variant.scheme, "basin");
    measured(&r, scratch);
    assert_true(
        lines("basin-steady.basin.minmod.f64.cpu.20.profile.tsv", "t\tx\th\ts\trh\trs\n", 6) > 20);
}

static struct flow absurd(double x, double y)
{
    return (struct flow){1 + 0 * (x + y), 1e200, 0};
}

static void what_goes_wrong_is_said(void **state)
{
    (void)state;
    struct flow_case c = asking("circular-dam", 2, 1);
    struct run r = run_of(&c, 20);
    struct measured m;
    c.initial = absurd;
    c.name = "broken";
    assert_int_equal(run_measure(&r, scratch, &m), ERR_BROKEN);
    assert_non_null(strstr(err_message(), "broke down"));
    char path[PATH_LENGTH];
    scratch_path(path, "broken.rk2.minmod.f64.cpu.20.series.tsv");
    assert_int_equal(access(path, F_OK), -1);
    c = asking("circular-dam", 1, 0.1);
    assert_int_equal(run_measure(&r, "/nowhere/at/all", &m), ERR_USAGE);
    snprintf(r.variant.scheme, sizeof r.variant.scheme, "rk99");
    assert_int_equal(run_measure(&r, NULL, &m), ERR_USAGE);
    assert_non_null(strstr(err_message(), "rk99"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_basin_is_measured),
        cmocka_unit_test(a_digest_tells_limiters_apart),
        cmocka_unit_test(a_run_ends_when_the_flow_is_steady),
        cmocka_unit_test(a_channel_has_one_row),
        cmocka_unit_test_setup_teardown(files_for_figures_are_left, scratch_setup, scratch_remove),
        cmocka_unit_test_setup_teardown(files_have_the_unknowns_of_the_system, scratch_setup,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(what_goes_wrong_is_said, scratch_setup, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
