/* `shoal bench`: a new session each time, and what changed since the last one. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/measured.h"

#define QUICK      "window = 0.002\nwindows = 3\narray = 1\nrepeat = 1\n"
#define BENCH(...) SHOAL("bench", "cpu", "--threads", __VA_ARGS__)

static void write_bench(const char *name, const char *wanted)
{
    static const char head[] = "title = t\nchapter = c\n[draw]\nshape = table\n";
    char path[128];
    snprintf(path, sizeof path, "home/experiments/%s.ini", name);
    scratch_write(path, "w", head);
    scratch_write(path, "a", wanted);
}

static void write_speed(const char *wanted)
{
    char text[512];
    snprintf(text, sizeof text, "[measure]\nkind = speed\ncase = circular-dam\n" QUICK "%s",
             wanted);
    write_bench("bench", text);
}

/* Its rows. */
static struct db_cells benched(const char *wanted)
{
    write_speed(wanted);
    BENCH("1");
    ASSERT_STATUS(0);
    return rows_of("bench");
}

/* The nth word of the line of a scheme in the printed table. */
static const char *printed(const char *scheme, int n)
{
    static char word[64];
    char start[64];
    snprintf(start, sizeof start, "\n%s ", scheme);
    const char *line = strstr(result.out, start);
    assert_non_null(line);
    for (line++; n > 0; n--) {
        line += strcspn(line, " \n");
        line += strspn(line, " ");
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \n"), line);
    return word;
}
enum { NX = 4, MEDIAN = 5, CHANGE = 8, SHARE = 9, JOULES = 10 };

static void every_point_of_a_session_is_stored_with_its_windows_and_the_ceilings(void **state)
{
    (void)state;
    struct db_cells all = benched("scheme = euler ds2\nprecision = f32 f64\nnx = 16 32\n");
    assert_int_equal(count_rows(), 2 * 2 * 2);
    for (size_t row = 1; row < all.rows; row++) {
        const double rate = number_of(&all, row, "mcells_per_s");
        assert_string_equal(cell(&all, row, "outcome"), "ok");
        assert_true(rate > 0 && rate >= number_of(&all, row, "least_mcells_per_s"));
        assert_true(rate <= number_of(&all, row, "most_mcells_per_s"));
        assert_true(number_of(&all, row, "wall_s") > 0 && number_of(&all, row, "launch_us") > 0);
        assert_true(number_of(&all, row, "copy_gb_per_s") > 0);
        assert_true(number_of(&all, row, "fma_gflops") > 0);
        assert_true(number_of(&all, row, "wait_us") > 0);
        assert_int_equal(number_of(&all, row, "windows"), 3);
    }
    db_cells_free(&all);
}

static double reals_of(const char *kernel)
{
    return find_kernel(kernel)->reals;
}

/* ds2 makes two steps in a pass. */
static void an_update_must_move_what_the_kernels_of_its_step_must(void **state)
{
    static const char *const pass[] = {"flux_fx0", "flux_fx1", "flux_fy0", "flux_fy1",
                                       "rkt_y0",   "rkt_y1",   "rk0"};
    double reals = 0;
    (void)state;
    struct db_cells all = benched("scheme = euler ds2\nprecision = f64\nnx = 16\n");
    ASSERT_NEAR(number_of(&all, row_with(&all, "scheme", "euler"), "update_b"),
                8 * (reals_of("flux_fgh0") + reals_of("rk0")), 0);
    for (size_t k = 0; k < sizeof pass / sizeof *pass; k++)
        reals += 2 * reals_of(pass[k]);
    reals += reals_of("rk1") + reals_of("rkt_x1"); /* the two halves of a pass differ in them */
    ASSERT_NEAR(number_of(&all, row_with(&all, "scheme", "ds2"), "update_b"), 8 * reals / 2, 0);
    db_cells_free(&all);
}

static void early_exit_leaves_open_what_must_be_moved(void **state)
{
    (void)state;
    struct db_cells all = benched("scheme = rk2\nearly-exit = on\nnx = 32\n");
    assert_string_equal(cell(&all, 1, "update_b"), "-");
    db_cells_free(&all);
    assert_string_equal(printed("rk2", SHARE), "-");
}

static void a_cpu_does_not_tell_its_energy(void **state)
{
    (void)state;
    struct db_cells all = benched("scheme = euler\nnx = 16\n");
    assert_string_equal(cell(&all, 1, "joules"), "-");
    assert_string_equal(cell(&all, 1, "energy_s"), "-");
    db_cells_free(&all);
    assert_string_equal(printed("euler", JOULES), "-");
}

/* The rates of a scheme's two rows: of the session that was printed last, and of the other one. */
static void find_rates(const char *scheme, double *last, double *first)
{
    struct db_cells all = rows_of("bench");
    const double median = strtod(printed(scheme, MEDIAN), NULL);
    double rate[2] = {0};
    int n = 0;
    for (size_t row = 1; row < all.rows; row++)
        if (strcmp(cell(&all, row, "scheme"), scheme) == 0 && n < 2)
            rate[n++] = number_of(&all, row, "mcells_per_s");
    db_cells_free(&all);
    assert_int_equal(n, 2);
    const int which = fabs(rate[1] / 1e3 - median) < fabs(rate[0] / 1e3 - median);
    *last = rate[which];
    *first = rate[!which];
}

static void a_second_session_tells_what_changed_since_the_first(void **state)
{
    static const char *const each[] = {"euler", "rk2"};
    double last, first;
    (void)state;
    write_speed("scheme = euler rk2\nnx = 16\n");
    BENCH("1");
    ASSERT_STATUS(0);
    for (int k = 0; k < 2; k++)
        assert_string_equal(printed(each[k], CHANGE), "-");
    BENCH("1");
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 4);
    for (int k = 0; k < 2; k++) {
        find_rates(each[k], &last, &first);
        const char *change = printed(each[k], CHANGE);
        assert_non_null(strpbrk(change, "+-"));
        const double there = 100 * (last / first - 1), back = 100 * (first / last - 1);
        /* Of two sessions that are printed alike it is not known which is the later one. */
        const int tied = fabs(there) < 2 && fabs(strtod(change, NULL) - back) <= 0.051;
        if (!tied)
            ASSERT_NEAR(strtod(change, NULL), there, 0.051); /* a decimal */
    }
}

/* The database's only environment becomes one with other tools. */
static void rename_environment(void)
{
    char from[PATH_LENGTH], to[PATH_LENGTH], path[PATH_LENGTH + 32], hash[DB_HASH + 1];
    struct db_manifest m;
    find_environment(from);
    snprintf(path, sizeof path, "%s/manifest.json", from);
    assert_fine(db_manifest_read(path, &m));
    assert_fine(db_manifest_set(&m, "environment/compiler", "a compiler of old"));
    db_manifest_hash(&m, hash);
    snprintf(to, sizeof to, "%.*s/%s", (int)(strrchr(from, '/') - from), from, hash);
    assert_int_equal(rename(from, to), 0);
    db_manifest_free(&m);
}

static void other_environments_of_a_device_count_too(void **state)
{
    (void)state;
    write_speed("scheme = euler\nnx = 16\n");
    BENCH("1");
    ASSERT_STATUS(0);
    rename_environment();
    BENCH("1");
    ASSERT_STATUS(0);
    assert_non_null(strpbrk(printed("euler", CHANGE), "0123456789"));
}

static void a_cpu_with_another_number_of_threads_is_none_to_compare_with(void **state)
{
    (void)state;
    write_speed("scheme = euler\nnx = 16\n");
    BENCH("1");
    ASSERT_STATUS(0);
    BENCH("2");
    ASSERT_STATUS(0);
    assert_string_equal(printed("euler", CHANGE), "-");
}

static void size_and_precision_narrow_it_down(void **state)
{
    (void)state;
    write_speed("scheme = euler\nprecision = f32 f64\nnx = 16 32\n");
    BENCH("1", "--nx", "24", "--precision", "f64");
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 1);
    struct db_cells all = rows_of("bench");
    assert_string_equal(cell(&all, 1, "nx"), "24");
    assert_string_equal(cell(&all, 1, "precision"), "f64");
    db_cells_free(&all);
    assert_string_equal(printed("euler", NX), "24");
}

static void all_experiments_called_bench_that_fit_are_measured(void **state)
{
    (void)state;
    write_speed("scheme = euler\nnx = 16\n");
    write_bench("bench-kernels", "[measure]\nkind = profile\ncase = circular-dam\n"
                                 "scheme = euler\nnx = 16\nsteps = 2\nrepeat = 1\n");
    write_bench("bench-gpu", "[measure]\nkind = speed\nbackend = cuda\ncase = sine\nnx = 16\n");
    write_bench("bench-picture", "[data]\nsql = SELECT * FROM measured_bench ORDER BY nx\n");
    write_bench("other", "[measure]\nkind = speed\ncase = sine\nnx = 16\n" QUICK);
    BENCH("1");
    ASSERT_STATUS(0);
    assert_string_equal(printed("euler", NX), "16");
    ASSERT_HAS(result.out, "bench-kernels: circular-dam ");
    ASSERT_HAS(result.out, "\n  flux_fgh0 ");
    ASSERT_HAS(result.out, "1.00 launches a step");
    assert_null(strstr(result.out, "other"));
    assert_null(strstr(result.err, "bench-gpu"));
}

/* An enumerator of kernels/args.h becomes a number: the kernels do not compile. */
static void what_fails_is_a_row_that_says_so(void **state)
{
    (void)state;
    struct db_cells all = benched("scheme = euler\nnx = 16\ndefine = BROKEN=1\n");
    assert_string_equal(cell(&all, 1, "outcome"), "compile");
    assert_string_equal(cell(&all, 1, "mcells_per_s"), "-");
    assert_true(strlen(cell(&all, 1, "reason")) > 10);
    ASSERT_HAS(result.out, cell(&all, 1, "reason"));
    db_cells_free(&all);
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"gpu", "cpu or cuda"}, {"--nx", "--nx"}, {"--wibble", "wibble"}};
    (void)state;
    write_speed("scheme = euler\nnx = 16\n");
    for (int k = 0; k < 3; k++) {
        SHOAL("bench", wrong[k][0]);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, wrong[k][1]);
    }
    SHOAL("bench", "cpu", "cuda");
    ASSERT_STATUS(2);
    SHOAL("bench", "cpu", "--nx", "3");
    ASSERT_STATUS(2);
    SHOAL("bench", "cpu", "--precision", "f16");
    ASSERT_STATUS(2);
    write_speed("scheme = euler\nnx = 16\nwindow = none\n");
    BENCH("1");
    ASSERT_STATUS(2);
    assert_int_equal(count_rows(), 0);
}

static void a_gpu_that_is_asked_for_must_be_here(void **state)
{
    (void)state;
    write_speed("scheme = euler\nnx = 16\n");
    setenv("SHOAL_LIBCUDA", "/nowhere/libcuda.so.1", 1);
    SHOAL("bench", "cuda");
    const int refused = result.status;
    SHOAL("bench", "--threads", "1");
    unsetenv("SHOAL_LIBCUDA");
    assert_int_equal(refused, 3);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "# cuda: not available here: ");
}

/* Several GPUs have their rows as a device of its own; kinds that measure undivided runs are omitted. */
static void runs_in_parts_are_measured_apart(void **state)
{
    (void)state;
    write_speed("scheme = euler\nnx = 16\n");
    write_bench(
        "bench-kernels",
        "[measure]\nkind = profile\ncase = circular-dam\nscheme = euler\nnx = 16\nsteps = 2\n");
    BENCH("1", "--parts", "2");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "-2-parts/");
    assert_null(strstr(result.out, "bench-kernels"));
    SHOAL("measure", "bench-kernels", "--backend", "cpu", "--parts", "2");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "(kind = profile) measures runs in one piece");
}

static void without_its_experiments_there_is_nothing_to_measure(void **state)
{
    (void)state;
    BENCH("1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "bench*.ini");
}

int main(void)
{
    unsetenv("SHOAL_KERNEL_CFLAGS"); /* slow ceilings cost more than compiling */
    const struct CMUnitTest tests[] = {
        PREPARED(every_point_of_a_session_is_stored_with_its_windows_and_the_ceilings),
        PREPARED(an_update_must_move_what_the_kernels_of_its_step_must),
        PREPARED(early_exit_leaves_open_what_must_be_moved),
        PREPARED(a_cpu_does_not_tell_its_energy),
        PREPARED(a_second_session_tells_what_changed_since_the_first),
        PREPARED(other_environments_of_a_device_count_too),
        PREPARED(a_cpu_with_another_number_of_threads_is_none_to_compare_with),
        PREPARED(size_and_precision_narrow_it_down),
        PREPARED(all_experiments_called_bench_that_fit_are_measured),
        PREPARED(what_fails_is_a_row_that_says_so),
        PREPARED(what_makes_no_sense_is_refused),
        PREPARED(a_gpu_that_is_asked_for_must_be_here),
        PREPARED(runs_in_parts_are_measured_apart),
        PREPARED(without_its_experiments_there_is_nothing_to_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
