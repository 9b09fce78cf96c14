/* `shoal measure`: whole runs of experiments, as rows. */
#include "tests/support/test.h"

#include "core/db/add_record.h"
#include "core/registry/registry.h"
#include "experiments/measure/measure_parts.h"
#include "tests/support/experiments.h"

static int count_schemes(void)
{
    int n = 0;
    FOR_SCHEMES_OF_WATER (k)
        n++;
    return n;
}

/* The experiments of this tree, in an installation that is not changed. */
static void schemes_are_timed_six_times_each_and_auto_takes_one_of_second_order(void **state)
{
    (void)state;
    MEASURE("schemes", "--nx", "32");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "schemes: sine f32 fast nx 32");
    ASSERT_HAS(result.err, "schemes: takes ");
    ASSERT_HAS(result.err, "schemes: 2 of ");
    ASSERT_HAS(result.err, " left: ");
    assert_int_equal(count_rows(), 6 * count_schemes());
    FOR_SCHEMES_OF_WATER (k)
        ASSERT_HAS(result.out, schemes[k]->name);
    SHOAL("run", "circular-dam", "--scheme", "auto", "--backend", "cpu", "--threads", "1", "--nx",
          "32", "--steps", "2");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, ": the fastest of");
    ASSERT_HAS(result.err, "at 32x32");
    char name[64];
    assert_int_equal(sscanf(strstr(result.out, "scheme="), "scheme=%63s", name), 1);
    assert_true(find_scheme(name)->order_time >= 2);
    MEASURE("schemes", "--nx", "32"); /* nothing was missing: a session of its own */
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 12 * count_schemes());
}

static void errors_fall_with_the_cells(void **state)
{
    double l1[3] = {0};
    char told[64];
    (void)state;
    struct db_cells t =
        measured("kind = runs\ncase = circular-dam vortex\nnx.cpu = 8 16 32\nnx = 4096\n"
                 "precision = f64\nerror = yes\nrepeat = 2\n");
    assert_int_equal(t.rows, 1 + 2 * 3 * 2);
    for (size_t k = 1; k < t.rows; k++) {
        const char *nx = cell(&t, k, "nx");
        assert_string_equal(cell(&t, k, "outcome"), "ok");
        assert_string_equal(cell(&t, k, "ny"), nx);
        assert_string_equal(cell(&t, k, "from"), "default");
        assert_true(strtod(cell(&t, k, "steps"), NULL) > 0);
        assert_true(strtod(cell(&t, k, "wall_s"), NULL) > 0);
        if (strcmp(cell(&t, k, "case"), "circular-dam") == 0)
            l1[nx[0] == '8' ? 0 : nx[0] == '1' ? 1 : 2] = strtod(cell(&t, k, "l1"), NULL);
        else
            assert_true(strtod(cell(&t, k, "l1"), NULL) > 0);
    }
    assert_true(l1[0] > l1[1] && l1[1] > l1[2] && l1[2] > 0);
    snprintf(told, sizeof told, "     2 %12.3e\n", l1[1]);
    ASSERT_HAS(result.out, told);
    db_cells_free(&t);
}

/* The case has no solution. The reference has 160 x 64 cells, for f32 and f64 and all repetitions. */
static void a_case_without_a_solution_is_compared_with_a_finer_run(void **state)
{
    double l1[2][3] = {{0}}; /* f32, f64; 20, 40, 80 cells */
    (void)state;
    struct db_cells t = measured(
        "kind = runs\ncase = circular-dam three-humps\nnx.cpu = 8 three-humps:20 three-humps:40 "
        "three-humps:80\nnx = 4096\nprecision = f32 f64\nscheme = rk2_fused\n"
        "t-end = three-humps:2\nerror = yes\nfiner = 2\nrepeat = 2\n");
    assert_int_equal(t.rows, 1 + (3 + 1) * 2 * 2);
    for (size_t k = 1; k < t.rows; k++) {
        const int f64 = strcmp(cell(&t, k, "precision"), "f64") == 0,
                  nx = (int)strtol(cell(&t, k, "nx"), NULL, 10);
        assert_string_equal(cell(&t, k, "outcome"), "ok");
        assert_string_equal(cell(&t, k, "t"), "2");
        if (nx > 8)
            l1[f64][nx / 40] = strtod(cell(&t, k, "l1"), NULL);
    }
    for (int p = 0; p < 2; p++)
        assert_true(l1[p][0] > 1.5 * l1[p][1] && l1[p][1] > 1.5 * l1[p][2] && l1[p][2] > 1e-3 &&
                    l1[p][0] < 0.1);
    assert_true(fabs(l1[0][2] / l1[1][2] - 1) < 1e-3);
    const char *first = strstr(result.err, "three-humps: computes the reference, by rk2_fused in "
                                           "f64, strict, with 160 x 64 cells");
    assert_non_null(first);
    assert_null(strstr(first + strlen("three-humps: computes"), "computes the reference"));
    db_cells_free(&t);
}

static void means_are_over_whole_cells(void **state)
{
    (void)state;
    const double depth[] = {1, 2, 3, 4, 5, 6, 7, 8, -1e-18, 0, 0, 0, 0, 0, 0, 0.4};
    const struct grid_info fine = {.nx = 4, .ny = 4}, wide = {.nx = 2, .ny = 4},
                           coarse = {.nx = 2, .ny = 2}, odd = {.nx = 3, .ny = 2},
                           high = {.nx = 2, .ny = 3};
    double mean[8];
    assert_fine(measure_finer_means("made-up", &fine, depth, &coarse, mean));
    assert_true(mean[0] == 3.5 && mean[1] == 5.5 && mean[2] == 0 && mean[3] == 0.1);
    assert_fine(measure_finer_means("made-up", &fine, depth, &wide, mean));
    assert_true(mean[0] == 1.5 && mean[1] == 3.5 && mean[2] == 5.5 && mean[3] == 7.5);
    assert_int_equal(measure_finer_means("made-up", &fine, depth, &odd, mean), ERR_INPUT);
    assert_int_equal(measure_finer_means("made-up", &fine, depth, &high, mean), ERR_INPUT);
    assert_non_null(strstr(err_message(), "made-up: the cells of a grid of 2 x 3 do not consist of "
                                          "whole ones of the reference's 4 x 4"));
}

/* The step that is tried is shorter than what is allowed, so there are more steps. */
static void a_smaller_factor_makes_more_steps_where_a_scheme_tries_them(void **state)
{
    double steps[2][2] = {{0}}; /* ds2, rk2_fused; with 0.5, with the default */
    (void)state;
    struct db_cells t =
        measured("kind = runs\ncase = sine\nunit-cells = yes\nnx = 32\n"
                 "scheme = rk2 ds2 rk2_fused\ndt-factor = 0.5 default\nrepeat = 1\n");
    assert_int_equal(t.rows, 1 + 5);
    for (size_t k = 1; k < t.rows; k++) {
        const char *factor = cell(&t, k, "dt_factor");
        char told[64];
        snprintf(told, sizeof told, " %12s %12.1f     1\n", cell(&t, k, "wall_s"),
                 strtod(cell(&t, k, "mcells_per_s"), NULL));
        ASSERT_HAS(result.out, told);
        if (strcmp(cell(&t, k, "scheme"), "rk2") == 0)
            assert_string_equal(factor, "-");
        else
            steps[strcmp(cell(&t, k, "scheme"), "ds2") != 0][strcmp(factor, "0.5") != 0] =
                strtod(cell(&t, k, "steps"), NULL);
        assert_string_equal(cell(&t, k, "t"), "5");
        assert_string_equal(cell(&t, k, "l1"), "-");
    }
    for (int k = 0; k < 2; k++)
        assert_true(steps[k][0] > 1.3 * steps[k][1] && steps[k][1] > 0);
    db_cells_free(&t);
}

static void a_run_can_be_so_many_steps_without_the_first_ones(void **state)
{
    (void)state;
    struct db_cells t =
        measured("kind = runs\ncase = lake circular-dam\nscheme = rk2 ds2\nnx = 32\n"
                 "steps = 10\nrepeat = 1\n");
    assert_int_equal(t.rows, 1 + 4);
    for (size_t k = 1; k < t.rows; k++) {
        const double steps = strtod(cell(&t, k, "steps"), NULL);
        const double redone = strtod(cell(&t, k, "redone"), NULL);
        assert_true(steps > 0 && steps + redone <= 10);
        if (strcmp(cell(&t, k, "scheme"), "rk2") == 0)
            assert_string_equal(cell(&t, k, "steps"), "10");
        const double t_end = strtod(cell(&t, k, "t"), NULL);
        assert_true(t_end > 0);
    }
    db_cells_free(&t);
}

static void a_table_with_other_columns_is_an_error_and_stays(void **state)
{
    char folder[PATH_LENGTH], path[PATH_LENGTH], first[256];
    struct experiment x;
    int missing;
    (void)state;
    write_experiment("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\nt-end = 0.01\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    find_environment(folder);
    assert_fine(db_path(folder, "experiments/it.tsv", path));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs("case\tsession\toutcome\treason\n", f) >= 0);
    assert_int_equal(fclose(f), 0);
    assert_fine(experiment_read(&x, "it"));
    assert_int_equal(measure_missing(&x, CPU, folder, &missing, first), ERR_INPUT);
    ASSERT_HAS(err_message(), "it.tsv: column 2 of kind 'runs' is 'scheme', and here 'session'");
    experiment_free(&x);
    MEASURE("it");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "move it away");
    struct db_cells t = rows_of("it");
    assert_int_equal(t.rows, 1);
    assert_int_equal(t.columns, 4);
    db_cells_free(&t);
}

/* More than a real can hold. */
static struct forcing violent(double x, double y)
{
    (void)x, (void)y;
    return (struct forcing){.hu = 1e37};
}

/* An environment, and an experiment of one point: measured by kind_runs. */
struct made_up {
    struct measure m;
    struct experiment x;
    struct point *point;
    struct flow_case flow_case;
};

static void make_up(struct made_up *u)
{
    const struct measure_setup setup = {.backend = CPU, .threads = 1, .precision = -1};
    char hash[DB_HASH + 1], path[PATH_LENGTH];
    int count;
    write_experiment("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\n");
    assert_fine(experiment_read(&u->x, "it"));
    u->m = (struct measure){.setup = setup,
                            .experiment = &u->x,
                            .wanted = experiment_section(&u->x, "measure", 0),
                            .session = "0000000a",
                            .kind = &kind_runs};
    assert_fine(measure_plan(&u->x, &setup, &u->point, &count));
    assert_int_equal(count, 1);
    u->flow_case = *u->point->flow_case;
    u->point->flow_case = &u->flow_case;
    hash_manifest(hash);
    build_environment("made-up-9", hash, MANIFEST);
    scratch_path(path, inside("flux_fgh0"));
    assert_int_equal(rmdir(path), 0);
    scratch_folder(inside("experiments"));
    scratch_path(u->m.folder, home);
    scratch_path(path, "db");
    assert_fine(db_settle(path, "0000000b", DB_RECORD_RETIRED, "it has no rows"));
}

static void a_run_that_breaks_down_is_a_row_with_its_reason(void **state)
{
    struct made_up u;
    (void)state;
    make_up(&u);
    u.flow_case.forcing = violent;
    assert_fine(measure_point(&u.m, u.point));
    assert_int_equal(count_rows(), 1);
    struct db_cells t = rows_of("it");
    assert_string_equal(cell(&t, 1, "outcome"), "wrong-answer");
    assert_string_equal(cell(&t, 1, "wall_s"), "-");
    assert_string_equal(cell(&t, 1, "l1"), "-");
    assert_true(strlen(cell(&t, 1, "reason")) > 10);
    db_cells_free(&t);
    u.point->nx = 1 << 20; /* more than any machine has room for */
    assert_fine(measure_point(&u.m, u.point));
    assert_int_equal(count_rows(), 2);
    t = rows_of("it");
    assert_string_equal(cell(&t, 1, "outcome"), "constraint");
    db_cells_free(&t);
    free(u.point);
    experiment_free(&u.x);
}

static void wrong_usage_and_faulty_files_are_told_before_anything_is_measured(void **state)
{
    (void)state;
    MEASURE("nosuch");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "unknown experiment 'nosuch'");
    MEASURE("--nx", "64");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "name an experiment");
    write_experiment("kind = runs\ncase = sine\nnx = 16\n");
    MEASURE("it", "--precision", "f16");
    ASSERT_STATUS(2);
    SHOAL("measure", "it", "--backend", "gpu");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--backend: unknown value 'gpu'");
    scratch_write("home/experiments/that.ini", "w",
                  "title = t\nchapter = c\n[draw]\nshape = table\n[measure]\nkind = run\n");
    MEASURE("it", "that");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "that.ini:6: kind: unknown kind 'run'");
    ASSERT_HAS(result.err, "did you mean 'runs'");
    assert_refused_as("case = sine\n", 2, "it.ini:5: [measure] must have 'kind = ...'");
    scratch_write("home/experiments/that.ini", "w",
                  "title = t\nchapter = c\n[draw]\nshape = table\n");
    MEASURE("that");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "that has no [measure]");
    scratch_write("home/experiments/that.ini", "a", "[data]\nsql = SELECT * FROM measured_it\n");
    MEASURE("that");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "`shoal measure it` measures them");
    scratch_write("home/experiments/that.ini", "w",
                  "title = t\nchapter = c\nhistorical = It is gone.\n[draw]\nshape = table\n"
                  "[measure]\nkind = runs\ncase = sine\nnx = 16\n");
    MEASURE("that");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "that cannot be measured again. It is gone. `shoal plot that`");
    assert_refused_as("kind = runs\ncase = sine\nnx = 16\nrecords = 3\n", 2,
                      "it.ini:9: records: kind = runs has no such key");
    assert_refused_as("kind = tuning\nkernel = rk0\nnx = 16\nrepeat = 3\n", 2,
                      "it.ini:9: repeat: kind = tuning has no such key");
    assert_refused_as("kind = runs\ncase = sine\nnx = 16\nbackend = cuda\n", 3,
                      "it needs an Nvidia GPU");
    assert_refused_as("kind = runs\ncase = sine\nnx = 16\ndefine = NO_SUCH_SWITCH=1\n", 2,
                      "NO_SUCH_SWITCH");
    assert_int_equal(count_rows(), 0);
    SHOAL("measure", "--help");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "shoal list experiments");
}

#define WITH_DATABASE(test) \
    cmocka_unit_test_setup_teardown(test, use_empty_database, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(schemes_are_timed_six_times_each_and_auto_takes_one_of_second_order),
        INSTALLED(errors_fall_with_the_cells),
        INSTALLED(a_case_without_a_solution_is_compared_with_a_finer_run),
        cmocka_unit_test(means_are_over_whole_cells),
        INSTALLED(a_smaller_factor_makes_more_steps_where_a_scheme_tries_them),
        INSTALLED(a_run_can_be_so_many_steps_without_the_first_ones),
        INSTALLED(a_table_with_other_columns_is_an_error_and_stays),
        INSTALLED(a_run_that_breaks_down_is_a_row_with_its_reason),
        INSTALLED(wrong_usage_and_faulty_files_are_told_before_anything_is_measured),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
